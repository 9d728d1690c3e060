// SPDX-License-Identifier: Apache-2.0
//
// The bytes of constants, and of weights in the order of kernels.

#ifndef MLI_IR_CONSTANTDATA_H
#define MLI_IR_CONSTANTDATA_H

#include "mlir/IR/BuiltinAttributeInterfaces.h"
#include "mlir/Support/LLVM.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace mli {

/// The bytes that `value` holds: of all elements in row-major order or, if it
/// is a splat, of one. Nothing if it does not hold them as one block.
std::optional<llvm::ArrayRef<char>> getHeldBytes(mlir::ElementsAttr value);

/// The `bytes` bytes of all elements, `width` each, of a constant that holds
/// `held`: itself if they lie so and at a multiple of `width`, else what
/// `storage` is filled with.
const char *layOutElements(llvm::ArrayRef<char> held, size_t bytes,
                           size_t width, std::vector<char> &storage);

/// `bytes`, one an element, of shape [outputs, ...] in the order [...,
/// outputs]: OHWI becomes HWIO, OI becomes IO. `outputs` is positive and
/// divides the number of bytes.
llvm::SmallVector<char> withOutputsLast(llvm::ArrayRef<char> bytes,
                                        int64_t outputs);

} // namespace mli

#endif // MLI_IR_CONSTANTDATA_H
