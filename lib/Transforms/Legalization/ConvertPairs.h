// SPDX-License-Identifier: Apache-2.0
//
// Conversions with nothing but moves of elements between them.

#ifndef MLI_LIB_TRANSFORMS_LEGALIZATION_CONVERTPAIRS_H
#define MLI_LIB_TRANSFORMS_LEGALIZATION_CONVERTPAIRS_H

#include "ConversionProof.h"
#include "MovedElements.h"

#include "mlir/IR/PatternMatch.h"

namespace mli {

/// convert(moves(convert(x), y)) -> moves(convert(x), convert(y))
///
/// What the moves begin with is converted to the type behind them: by one
/// conversion where two would give the same codes, and by none where that does
/// nothing.
class ConvertPairs {
public:
  /// `op` is the last conversion.
  ConvertPairs(ConvertOp op, ConversionProofs &proofs);

  /// Whether some are joined, with no conversion and no byte more.
  bool pay();

  /// Puts the moves in the place of `op`, and calls `joined` with the codes
  /// that come out of each conversion as out of two. Returns their result.
  mlir::Value join(mlir::IRRewriter &rewriter,
                   llvm::function_ref<void(const quant::CodeRange &)> joined);

private:
  /// What elements begin as.
  struct Source {
    /// The conversion before the moves, if it is joined.
    ConvertOp first;
    /// It has no other use.
    bool dies = false;
    quant::CodeRange range = {0, 0};
    /// What `first` converts has the codes behind the moves.
    bool isIdentity = false;
    unsigned uses = 0;
  };

  /// What is known of conversions of one type and range.
  struct Proof {
    bool isComposable = false;
    bool isIdentity = false;
  };

  Proof prove(mlir::Type in, const quant::CodeRange &range);
  Source sourceOf(mlir::Value value, unsigned uses);
  bool canMove();
  bool convertsLess() const;
  bool movesLess();
  int64_t bytesBefore();
  int64_t bytesAfter() const;
  /// Elements that moves read, and copies of the parts that `isCopied` holds
  /// of.
  int64_t countMoved(
      llvm::function_ref<bool(const Source &, mlir::Value)> isCopied) const;

  void rebuild(mlir::Value value, const Source &source);
  void rebuild(mlir::Operation *mover);
  mlir::Value convert(mlir::Value value, mlir::Value init);
  mlir::Value initFor(mlir::OpOperand &init);

  ConvertOp op;
  ConversionProofs &proofs;
  mlir::Type middle, out;
  MovedElements moved;
  llvm::MapVector<mlir::Value, Source> sources;
  mlir::IRRewriter *rewriter = nullptr;
  llvm::DenseMap<mlir::Value, mlir::Value> rebuilt;
};

} // namespace mli

#endif // MLI_LIB_TRANSFORMS_LEGALIZATION_CONVERTPAIRS_H
