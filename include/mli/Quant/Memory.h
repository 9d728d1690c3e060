// SPDX-License-Identifier: Apache-2.0
//
// This header is mli/Contract/Memory.h now; the old name stays for one release.

#ifndef MLI_QUANT_MEMORY_H
#define MLI_QUANT_MEMORY_H

#include "mli/Contract/Memory.h"

#endif // MLI_QUANT_MEMORY_H
