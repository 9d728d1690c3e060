// SPDX-License-Identifier: Apache-2.0
//
// This header is mli/Contract/Kernels.h now; the old name stays for one
// release.

#ifndef MLI_QUANT_KERNELS_H
#define MLI_QUANT_KERNELS_H

#include "mli/Contract/Kernels.h"

#endif // MLI_QUANT_KERNELS_H
