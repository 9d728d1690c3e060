// SPDX-License-Identifier: Apache-2.0
//
// The memory that a tensor takes, and its limit.

#ifndef MLI_IR_TENSORSIZE_H
#define MLI_IR_TENSORSIZE_H

#include "mli/Contract/Contract.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/MathExtras.h"

namespace mli {

/// Bytes of a tensor of `shape` whose elements take `width` bits, without its
/// dynamic dimensions: saturated, so that any shape may be passed.
inline uint64_t tensorBytes(llvm::ArrayRef<int64_t> shape, unsigned width) {
  uint64_t bits = width;
  for (int64_t extent : shape)
    if (mlir::ShapedType::isStatic(extent))
      bits = llvm::SaturatingMultiply(bits, static_cast<uint64_t>(extent));
  return bits / 8;
}

/// Whether operations take so many bytes in one tensor.
inline bool isTensorSize(uint64_t bytes) {
  return bytes <= static_cast<uint64_t>(contract::tensorBytesRange.most);
}

/// Bytes of the elements of `type` without gaps; nothing if some extent is
/// dynamic or elements have no size.
std::optional<int64_t> getDenseBytes(mlir::ShapedType type);

} // namespace mli

#endif // MLI_IR_TENSORSIZE_H
