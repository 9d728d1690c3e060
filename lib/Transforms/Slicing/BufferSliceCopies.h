// SPDX-License-Identifier: Apache-2.0
//
// Slices of buffers that are no views: copies around each kernel that uses
// them.

#ifndef MLI_LIB_TRANSFORMS_SLICING_BUFFERSLICECOPIES_H
#define MLI_LIB_TRANSFORMS_SLICING_BUFFERSLICECOPIES_H

#include "CopyLog.h"

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
  /// Whether it is of local memory with an `#mli.layout`: offsets, sizes and
  /// steps of those that are copied are attributes then.
  bool isLocal() const {
    return mlir::isa<LayoutAttr>(getSourceType().getLayout());
  }

  mlir::OffsetSizeAndStrideOpInterface op;
  mlir::Value source;
  Slice slice;
  /// What is known of `slice`.
  llvm::SmallVector<int64_t> offsets, sizes, steps;
};

class BufferSliceCopies {
public:
  /// If `followsViews`, users of views of slices in local memory are served,
  /// too; otherwise such views are errors.
  BufferSliceCopies(mlir::RewriterBase &rewriter, CopyLog &log,
                    bool followsViews)
      : rewriter(rewriter), log(log), followsViews(followsViews) {}

  /// Has the users of `slice` that can not take it use a copy, seen as they see
  /// it. Those of a move of any strides get along without. Returns the views of
  /// copies that this makes.
  llvm::SmallVector<SubtensorOp> copySlice(BufferSlice &slice,
                                           const CopyCause &cause);

private:
  /// What uses a slice, through views of it from the outermost to the
  /// innermost.
  struct Use {
    mlir::OpOperand *operand;
    llvm::SmallVector<SubtensorOp, 1> views;
  };

  /// Adds the uses of `value`, which `views` see in the slice, that a copy
  /// serves; fails, with an error, if there is one that none does.
  llvm::LogicalResult findUses(BufferSlice &slice, const CopyCause &cause,
                               mlir::Value value,
                               llvm::ArrayRef<SubtensorOp> views,
                               llvm::SmallVectorImpl<Use> &uses);
  /// Has the move `use` say why it is one.
  void explainMove(mlir::OpOperand &use, const CopyCause &cause);
  /// Memory for what is copied; nothing, and an error, if there is no layout
  /// for it.
  mlir::FailureOr<mlir::MemRefType> bufferType(BufferSlice &slice);
  mlir::Value allocate(BufferSlice &slice, mlir::MemRefType type);
  void serve(const Use &use, BufferSlice &slice, mlir::MemRefType type,
             const CopyCause &cause);
  /// What `use` sees of the copy `buffer`.
  mlir::Value seeIn(mlir::Value buffer, const Use &use, BufferSlice &slice);
  /// Moves between `buffer` and the slice itself.
  static void moveIn(mlir::OpBuilder &builder, BufferSlice &slice,
                     mlir::Value buffer, CopyReasonAttr reason);
  static void moveBack(mlir::OpBuilder &builder, BufferSlice &slice,
                       mlir::Value buffer, CopyReasonAttr reason);

  mlir::RewriterBase &rewriter;
  CopyLog &log;
  bool followsViews;
  llvm::SmallVector<SubtensorOp> newViews;
};

} // namespace mli

#endif // MLI_LIB_TRANSFORMS_SLICING_BUFFERSLICECOPIES_H
