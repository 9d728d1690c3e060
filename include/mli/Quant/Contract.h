// SPDX-License-Identifier: Apache-2.0
//
// This header is mli/Contract/Contract.h now; the old name stays for one
// release.

#ifndef MLI_QUANT_CONTRACT_H
#define MLI_QUANT_CONTRACT_H

#include "mli/Contract/Contract.h"

#endif // MLI_QUANT_CONTRACT_H
