// SPDX-License-Identifier: Apache-2.0
//
// Pairs of converts with data movement between them, which
// mli-legalize-conversions joins.

#ifndef MLI_LIB_TRANSFORMS_LEGALIZATION_CONVERTPAIRS_H
#define MLI_LIB_TRANSFORMS_LEGALIZATION_CONVERTPAIRS_H

#include "ConversionProof.h"
#include "DataMovement.h"

#include "mlir/IR/PatternMatch.h"

namespace mli {

/// convert(movement(convert(x), y)) -> movement(convert(x), convert(y))
///
/// Converts the sources of the data movement to the type of its user: by one
/// convert where that gives the same values as two, and by none where that is
/// the identity.
class ConvertPairs {
public:
  /// `op` is the convert after the data movement.
  ConvertPairs(ConvertOp op, ConversionProofs &proofs);

  /// Whether a pair can be joined, with no more converts and no more bytes.
  bool isProfitable();

  /// Replaces `op` by the data movement on converted sources, and calls
  /// `joined` with the range of values that was proven for each pair. Returns
  /// the result.
  mlir::Value join(mlir::IRRewriter &rewriter,
                   llvm::function_ref<void(const quant::CodeRange &)> joined);

private:
  /// A value that the data movement starts from.
  struct Source {
    /// The convert before the data movement, if it is joined.
    ConvertOp first;
    /// Whether it has no other use.
    bool dies = false;
    quant::CodeRange range = {0, 0};
    /// Whether the input of `first` has the values of the result of `op`.
    bool isIdentity = false;
    unsigned uses = 0;
  };

  /// The proofs about converts of one type and range.
  struct Proof {
    bool isComposable = false;
    bool isIdentity = false;
  };

  Proof prove(mlir::Type in, const quant::CodeRange &range);
  Source getSource(mlir::Value value, unsigned uses);
  bool canMove();
  bool hasFewerConverts() const;
  bool movesFewerBytes();
  int64_t getBytesBefore();
  int64_t getBytesAfter() const;
  /// The number of elements that moves read, and that copies into a destination
  /// read for the sources where `isCopied` holds.
  int64_t countMoved(
      llvm::function_ref<bool(const Source &, mlir::Value)> isCopied) const;

  void rebuild(mlir::Value value, const Source &source);
  void rebuild(mlir::Operation *mover);
  mlir::Value convert(mlir::Value value, mlir::Value init);
  mlir::Value createInit(mlir::OpOperand &init);

  ConvertOp op;
  ConversionProofs &proofs;
  mlir::Type middle, out;
  DataMovement moved;
  llvm::MapVector<mlir::Value, Source> sources;
  mlir::IRRewriter *rewriter = nullptr;
  llvm::DenseMap<mlir::Value, mlir::Value> rebuilt;
};

} // namespace mli

#endif // MLI_LIB_TRANSFORMS_LEGALIZATION_CONVERTPAIRS_H
