// SPDX-License-Identifier: Apache-2.0
//
// Where blocks of buffers lie in local memory, as calls of mli_local.h describe
// them: values that know neither LLVM nor C.

#ifndef MLI_CALLS_LOCALPLACE_H
#define MLI_CALLS_LOCALPLACE_H

#include "mli/Calls/Call.h"
#include "mli/IR/LocalMemory.h"

namespace mli::calls {

/// The fields of an `mli_local_tensor`.
struct LocalPlace {
  layout::Kind kind = layout::Kind::Strided;
  layout::Mode mode = layout::Mode::None;
  int64_t columns = 0;
  layout::Dims strides = {0, 0, 0, 0}; ///< in packed elements
  /// What each dimension is in local memory.
  llvm::SmallVector<LayoutDim, 4> dims = {};
  /// Bytes from the address of the buffer on.
  int64_t distance = 0;
  llvm::SmallVector<int64_t> shape = {};

  /// The strides of N, C, H and W.
  std::array<int64_t, 4> getStrides() const {
    return {strides.n, strides.c, strides.h, strides.w};
  }
  /// The dimensions of the struct, which has more than the tensor.
  std::array<LayoutDim, MLI_MAX_RANK> getStructDims() const;
};

/// The sizes of `block` of `memref`.
llvm::SmallVector<int64_t> getBlockShape(mlir::MemRefType memref, Part block);

/// The place of `block` of `memref`, which is in local memory; none if it has
/// no layout of its own.
std::optional<LocalPlace> findLocalPlace(mlir::MemRefType memref, Part block,
                                         const layout::Target &target);

/// Bytes between the local addresses of a buffer of type `source` and of its
/// block of `sizes` elements from `offsets` on, where those that are
/// ShapedType::kDynamic count as 0. The view is legal.
int64_t getLocalDistance(mlir::MemRefType source,
                         llvm::ArrayRef<int64_t> offsets,
                         llvm::ArrayRef<int64_t> sizes,
                         const layout::Target &target);

/// Bytes from one index of dimension `dim` of `memref` to the next, where its
/// offsets need not be known.
int64_t getLocalStep(mlir::MemRefType memref, int64_t dim);

/// Whether a program reads the elements of `memref`, in any memory, by strides.
bool hasStrides(mlir::MemRefType memref);

} // namespace mli::calls

#endif // MLI_CALLS_LOCALPLACE_H
