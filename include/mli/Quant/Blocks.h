// SPDX-License-Identifier: Apache-2.0
//
// This header is mli/Contract/Blocks.h now; the old name stays for one release.

#ifndef MLI_QUANT_BLOCKS_H
#define MLI_QUANT_BLOCKS_H

#include "mli/Contract/Blocks.h"

#endif // MLI_QUANT_BLOCKS_H
