// SPDX-License-Identifier: Apache-2.0
//
// Parts of a tensor are computed in their place: the kernel writes a view of
// the whole. One-shot bufferization sees that the insertion then copies
// nothing. Where a part comes from elsewhere, the kernel is a move.

#ifndef MLI_LIB_TRANSFORMS_SLICING_SLICEPLACEMENT_H
#define MLI_LIB_TRANSFORMS_SLICING_SLICEPLACEMENT_H

#include "CopyLog.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mli {

/// A part of a whole, and where it goes.
struct TensorPart {
  mlir::Value value;
  llvm::SmallVector<mlir::OpFoldResult> offsets;
  /// Its number, for people.
  int64_t number = 0;
  /// Why it is moved, of what no kernel computes.
  std::optional<CopyCause> cause = {};
};

/// What a part is computed into, before the program says that it is a part.
struct PartRoot {
  /// Operands to get the view instead: of one kernel, or of all that build an
  /// inner whole.
  llvm::SmallVector<mlir::OpOperand *> operands;
  /// The first of these.
  mlir::Operation *first;
  /// What they compute, the part but for its shape.
  mlir::Value value;
};

/// Where a part is computed, and what is inserted there.
struct PartPlace {
  mlir::Value view;
  TensorPart part;
  /// What it takes of the whole, if that has more dimensions.
  llvm::SmallVector<mlir::OpFoldResult> sizes;
};

class Placement {
public:
  Placement(mlir::ModuleOp module, CopyLog &log)
      : rewriter(module.getContext()), log(log) {
    int64_t next = 0;
    module.walk<mlir::WalkOrder::PreOrder>(
        [&](mlir::Operation *op) { positions[op] = next++; });
  }

  void place(mlir::tensor::ConcatOp op);
  void place(mlir::tensor::InsertSliceOp op);
  void place(mlir::tensor::PadOp op);

private:
  std::optional<PartRoot> findRoot(mlir::Value part, mlir::Block *block);
  /// The place of `part`, whose shape is known.
  mlir::Value viewOf(mlir::Value whole, const TensorPart &part);
  /// The same for the kernel of `root`, in the shape that it writes.
  PartPlace placeOf(mlir::Value whole, const TensorPart &part,
                    const PartRoot &root);
  /// Whether the kernel writes, and all that read the part but `inserter` read,
  /// with the strides of its view in `whole`.
  bool takesView(const PartRoot &root, mlir::RankedTensorType whole,
                 const TensorPart &part, mlir::Operation *inserter);
  bool isKnownBefore(llvm::ArrayRef<mlir::OpFoldResult> offsets,
                     const PartRoot &root) const;
  /// Computes `part` in the place that `view` is.
  void redirect(const PartRoot &root, mlir::Value view);
  mlir::tensor::InsertSliceOp
  insert(mlir::Value whole, const TensorPart &part,
         llvm::ArrayRef<mlir::OpFoldResult> taken = {});
  /// The whole of `type` and `sizes` that `op` makes of `parts`: those that can
  /// be are computed in their place, the others are moved there before `op`.
  mlir::Value build(mlir::Operation *op, mlir::RankedTensorType type,
                    llvm::ArrayRef<mlir::OpFoldResult> sizes,
                    llvm::ArrayRef<TensorPart> parts);
  /// Reshapes between `value` and `part` stand behind what computes it.
  void hoistReshapes(mlir::Value part, mlir::Value value);
  /// The new value is where the old one was.
  void replace(mlir::Operation *op, mlir::Value value) {
    positions[value.getDefiningOp()] = position(op);
    positions.erase(op);
    rewriter.replaceOp(op, value);
  }
  /// The whole is a part, which was there before.
  void replaceByPart(mlir::Operation *op, mlir::Value part) {
    positions.erase(op);
    rewriter.replaceOp(op, part);
  }
  void eraseIfDead(mlir::Value value) {
    mlir::Operation *op = value.getDefiningOp();
    if (!op || !mlir::isOpTriviallyDead(op))
      return;
    positions.erase(op);
    rewriter.eraseOp(op);
  }
  int64_t position(mlir::Operation *op) const {
    auto found = positions.find(op);
    return found == positions.end() ? INT64_MAX : found->second;
  }

  mlir::IRRewriter rewriter;
  CopyLog &log;
  /// In program order; what is new has the position of what it stands behind.
  llvm::DenseMap<mlir::Operation *, int64_t> positions;
  /// The empty tensor behind each whole that is built here.
  llvm::DenseMap<mlir::Value, mlir::tensor::EmptyOp> wholes;
};

} // namespace mli

#endif // MLI_LIB_TRANSFORMS_SLICING_SLICEPLACEMENT_H
