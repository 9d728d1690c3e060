// SPDX-License-Identifier: Apache-2.0
//
// The cluster of products with constant weights, whose form all weighted layers
// share.

#ifndef MLI_LIB_CONVERSION_TOSATOMLI_TOSAWEIGHTED_H
#define MLI_LIB_CONVERSION_TOSATOMLI_TOSAWEIGHTED_H

#include "Conversion/TosaToMLI/Scales/TosaRescale.h"

#include "mli/Frontend/ByteProduct.h"
#include "mli/IR/MLI.h"

namespace mli::raising {

/// A convolution or matrix product and the rescale of its sums.
class WeightedCluster : public Cluster {
public:
  enum class Kernel { Conv2D, Depthwise, Grouped, Transposed, FullyConnected };

  using Cluster::Cluster;

  llvm::SmallVector<Constraint> getConstraints() const override {
    return {Constraint::zeroPoint(input, inputZero),
            Constraint::zeroPoint(getResult(), rescale.outputZero)};
  }
  llvm::LogicalResult choose(const Scales &scales,
                             MatchFailures &failures) override;
  mlir::Value emit(Emitter &emitter) const override;

  /// Clears weights and biases of channels whose factor is 0: with zeros any
  /// factor gives the output zero point. At least one channel has another
  /// factor.
  void clearDeadChannels();

  Kernel kernel;
  mlir::Value input;
  int64_t inputZero;
  mlir::ElementsAttr weights; ///< in the kernel's order, outputs last; i8, or
                              ///< i16 as the input
  mlir::ElementsAttr bias;    ///< one value per channel
  Window window;              ///< unused if it is FullyConnected
  RescaleParams rescale;

private:
  /// Whether the input, or the result, has 16 bits.
  bool isWideInput() const { return isStoredIn(input.getType(), 16); }
  bool isWide() const { return isStoredIn(getResult().getType(), 16); }
  llvm::LogicalResult chooseWords(const Scales &scales,
                                  MatchFailures &failures);
  llvm::LogicalResult chooseWide(const ByteProduct &product, Fx16Type out,
                                 MatchFailures &failures);
  llvm::LogicalResult checkWideBytes(MatchFailures &failures) const;
  /// Creates the kernel for one image or row.
  mlir::Value create(Emitter &emitter, mlir::Value source,
                     const KernelOperands &constants, mlir::Value init) const;

  ByteLayer layer;
};

/// Fails, with a reason for `op`, a product, unless its operands have 8 bits,
/// or 16 and its weights 8; both have 16 in products of matrices.
llvm::LogicalResult checkProduct(mlir::Operation *op, MatchFailures &failures);

/// Fails, with a reason for `root`, unless its output has 8 or 16 bits, and 16
/// if the `input` of its product has.
llvm::LogicalResult checkResult(mlir::tosa::RescaleOp root, mlir::Value input,
                                MatchFailures &failures);

/// Reads a constant of i8 or i16 less its zero point, as kernels take weights;
/// null, with a reason for `op`, for values that are none or do not fit. `name`
/// and `zeroName` are those of the operands.
mlir::ElementsAttr readWeights(mlir::Operation *op, mlir::Value value,
                               mlir::Value zeroPoint, llvm::StringRef name,
                               llvm::StringRef zeroName,
                               MatchFailures &failures);

/// The same elements in the same order, in `shape`.
mlir::ElementsAttr withShape(mlir::ElementsAttr weights,
                             llvm::ArrayRef<int64_t> shape);

/// Transposes i8 weights [O, ...] to [..., O] of shape `shape`: OHWI becomes
/// HWIO, OI becomes IO. `getRawElements` must be able to read them.
mlir::ElementsAttr withOutputsLast(mlir::ElementsAttr weights,
                                   llvm::ArrayRef<int64_t> shape);

} // namespace mli::raising

#endif // MLI_LIB_CONVERSION_TOSATOMLI_TOSAWEIGHTED_H
