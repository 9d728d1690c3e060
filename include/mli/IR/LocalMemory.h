// SPDX-License-Identifier: Apache-2.0
//
// Queries of passes and verifiers about the memory that data is in.

#ifndef MLI_IR_LOCALMEMORY_H
#define MLI_IR_LOCALMEMORY_H

#include "mli/IR/MLI.h"
#include "mli/Layout/Subtensor.h"

namespace mli {

/// The target that `op` is compiled for, `mli.target` of the closest module
/// around it that has one; null if none has.
TargetAttr findTarget(mlir::Operation *op);

/// The same; diagnoses on `op` that there is none.
mlir::FailureOr<TargetAttr> getTarget(mlir::Operation *op);

/// Whether `type`, a tensor or memref, is in local memory, or wanted there.
bool isLocal(mlir::Type type);

/// Whether the elements of `type` are scattered over several NPUs, so that
/// kernels get a copy of them in plain memory.
bool isScattered(mlir::MemRefType type);

/// Whether the layout of `type` is the identity. Upstream makes an expression
/// of strides to tell, and verifiers ask for each operand behind each pass.
bool isIdentity(mlir::MemRefType type);

/// The strides and the offset of `type` as upstream has them, those of an
/// identity without expressions. Fails, without an error, if it has none.
llvm::LogicalResult getStridesAndOffset(mlir::MemRefType type,
                                        llvm::SmallVectorImpl<int64_t> &strides,
                                        int64_t &offset);

/// The same of a type that is known to have some.
std::pair<llvm::SmallVector<int64_t>, int64_t>
getStridesAndOffset(mlir::MemRefType type);

/// The strides of `type`, in any memory, in elements. Fails, without an error,
/// if its elements have none that are static.
mlir::FailureOr<llvm::SmallVector<int64_t>>
getStaticStrides(mlir::MemRefType type);

/// A buffer of `shape` with elements of `bytes` bytes as a request for
/// `layout::makeLayout`, which lacks kind, mode and start NPU. `dims` are what
/// its dimensions are in local memory; `columns`, if not 0, the columns of one
/// channel of a matrix. Rejects a matrix that has fewer.
layout::Result<layout::TensorLayout>
requestLayout(llvm::ArrayRef<int64_t> shape, int64_t bytes,
              llvm::ArrayRef<LayoutDim> dims, const layout::Target &target,
              int64_t columns = 0);

/// `type`, whose layout is an `#mli.layout`, as the Layout library sees it: all
/// of its queries take that.
layout::TensorLayout getTensorLayout(mlir::MemRefType type,
                                     const layout::Target &target);

/// Whether the offset of a block in dimension `dim` decides more than its
/// address: the NPU that it starts at, or which groups it has.
bool needsKnownOffset(LayoutAttr layout, int64_t dim);

/// The block of `sizes` elements from `offsets` on of `type`, whose layout is
/// an
/// `#mli.layout`, for a buffer at offset 0 of its start NPU. Offsets that need
/// not be known may be ShapedType::kDynamic: the answer then is for any.
/// Rejects blocks that local memory has no layout for.
layout::Result<layout::Subtensor> getSubtensor(mlir::MemRefType type,
                                               llvm::ArrayRef<int64_t> offsets,
                                               llvm::ArrayRef<int64_t> sizes,
                                               const layout::Target &target);

/// Whether each element of two buffers of as many elements, in row-major order,
/// has the same address in both: where none has an `#mli.layout` that is taken
/// for granted.
bool hasSameAddresses(mlir::MemRefType from, mlir::MemRefType to);

/// The byte of local memory that the element at `index` of `type` starts at,
/// for a buffer at offset 0 of its start NPU.
layout::Location locate(mlir::MemRefType type, llvm::ArrayRef<int64_t> index,
                        const layout::Target &target);

} // namespace mli

#endif // MLI_IR_LOCALMEMORY_H
