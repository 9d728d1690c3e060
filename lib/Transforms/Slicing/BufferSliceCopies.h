// SPDX-License-Identifier: Apache-2.0
//
// A step of mli-legalize-subtensors and mli-assign-layouts: inserts copies
// around the users of slices of buffers that are not views.

#ifndef MLI_LIB_TRANSFORMS_SLICING_BUFFERSLICECOPIES_H
#define MLI_LIB_TRANSFORMS_SLICING_BUFFERSLICECOPIES_H

#include "CopyRemarks.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

namespace mli {

/// `memref.subview`, or `mli.subtensor` of a buffer.
struct BufferSlice {
  explicit BufferSlice(mlir::OffsetSizeAndStrideOpInterface op)
      : op(op), source(op->getOperand(0)), slice(*Slice::of(op)),
        offsets(mlir::decomposeMixedValues(slice.offsets).first),
        sizes(mlir::decomposeMixedValues(slice.sizes).first),
        steps(mlir::decomposeMixedValues(slice.steps).first) {}

  mlir::MemRefType getSourceType() const {
    return mlir::cast<mlir::MemRefType>(source.getType());
  }
  mlir::MemRefType getType() const {
    return mlir::cast<mlir::MemRefType>(op->getResult(0).getType());
  }
  /// Whether the source is in local memory with an `#mli.layout`. A slice of it
  /// that is copied has attributes as offsets, sizes and steps.
  bool isLocal() const {
    return mlir::isa<LayoutAttr>(getSourceType().getLayout());
  }

  mlir::OffsetSizeAndStrideOpInterface op;
  mlir::Value source;
  Slice slice;
  /// The constant bounds of `slice`; the others are dynamic.
  llvm::SmallVector<int64_t> offsets, sizes, steps;
};

class BufferSliceCopies {
public:
  /// If `followsViews`, users of views of slices in local memory get copies,
  /// too; otherwise such views are errors.
  BufferSliceCopies(mlir::RewriterBase &rewriter, CopyRemarks &remarks,
                    bool followsViews)
      : rewriter(rewriter), remarks(remarks), followsViews(followsViews) {}

  /// Lets each user of `slice` that can not take it work on a copy. Moves that
  /// take any strides need none. Returns the new views of copies.
  llvm::SmallVector<SubtensorOp> copySlice(BufferSlice &slice,
                                           const CopyCause &cause);

private:
  /// A use of a slice through `views` of it, the outermost one first.
  struct Use {
    mlir::OpOperand *operand;
    llvm::SmallVector<mlir::Operation *, 1> views;
  };

  /// Whether copies of `slice` can have the view `op`.
  bool isViewOfSlice(mlir::Operation *op, BufferSlice &slice) const;
  /// Adds the uses of `value`, the last of `views` of the slice, that need a
  /// copy to `uses`. Fails, with an error, on a use that can not work on one.
  llvm::LogicalResult findUses(BufferSlice &slice, const CopyCause &cause,
                               mlir::Value value,
                               llvm::ArrayRef<mlir::Operation *> views,
                               llvm::SmallVectorImpl<Use> &uses);
  /// Sets the reason of the move that owns `use`, if it has none, and reports
  /// it.
  void explainMove(mlir::OpOperand &use, const CopyCause &cause);
  /// The type of a copy of `slice`. Fails, with an error, if it has no layout.
  mlir::FailureOr<mlir::MemRefType> getCopyType(BufferSlice &slice);
  mlir::Value allocate(BufferSlice &slice, mlir::MemRefType type);
  /// Lets `use` work on a copy of type `type`.
  void rewriteUse(const Use &use, BufferSlice &slice, mlir::MemRefType type,
                  const CopyCause &cause);
  /// Applies the views of `use` to the copy `buffer`.
  mlir::Value createViewOfCopy(mlir::Value buffer, const Use &use,
                               BufferSlice &slice);
  /// Creates the moves from the slice to `buffer`, and back.
  static void moveIn(mlir::OpBuilder &builder, BufferSlice &slice,
                     mlir::Value buffer, CopyReasonAttr reason);
  static void moveOut(mlir::OpBuilder &builder, BufferSlice &slice,
                      mlir::Value buffer, CopyReasonAttr reason);

  mlir::RewriterBase &rewriter;
  CopyRemarks &remarks;
  bool followsViews;
  llvm::SmallVector<SubtensorOp> newViews;
};

} // namespace mli

#endif // MLI_LIB_TRANSFORMS_SLICING_BUFFERSLICECOPIES_H
