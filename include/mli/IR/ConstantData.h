// SPDX-License-Identifier: Apache-2.0
//
// The bytes of weights, as front ends bring them into the order of kernels.

#ifndef MLI_IR_CONSTANTDATA_H
#define MLI_IR_CONSTANTDATA_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>

namespace mli {

/// `bytes`, one an element, of shape [outputs, ...] in the order [...,
/// outputs]: OHWI becomes HWIO, OI becomes IO. `outputs` is positive and
/// divides the number of bytes.
llvm::SmallVector<char> withOutputsLast(llvm::ArrayRef<char> bytes,
                                        int64_t outputs);

} // namespace mli

#endif // MLI_IR_CONSTANTDATA_H
