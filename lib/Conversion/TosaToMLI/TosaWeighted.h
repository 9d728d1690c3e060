// SPDX-License-Identifier: Apache-2.0
//
// Products with constant weights: the group that all kinds of them are.

#ifndef MLI_LIB_CONVERSION_TOSATOMLI_TOSAWEIGHTED_H
#define MLI_LIB_CONVERSION_TOSATOMLI_TOSAWEIGHTED_H

#include "TosaRescale.h"

#include "mli/Frontend/ByteProduct.h"
#include "mli/IR/MLI.h"

namespace mli::raising {

/// A convolution or matrix product and the rescale of its sums.
class WeightedGroup : public Group {
public:
  enum class Kernel { Conv2D, Depthwise, Grouped, Transposed, FullyConnected };

  using Group::Group;

  llvm::SmallVector<Constraint> getConstraints() const override {
    return {Constraint::zeroPoint(input, inputZero),
            Constraint::zeroPoint(getResult(), rescale.outputZero)};
  }
  llvm::LogicalResult choose(const Scales &scales, Refusals &refusals) override;
  mlir::Value emit(Emitter &emitter) const override;

  /// Clears weights and biases of channels that are multiplied by 0: with those
  /// any factor gives the output zero point. Some channel has another factor.
  void clearDeadChannels();

  Kernel kernel;
  mlir::Value input;
  int64_t inputZero;
  mlir::ElementsAttr weights; ///< in the kernel's order, outputs last
  mlir::ElementsAttr bias;    ///< one a channel
  Window window;              ///< unless it is FullyConnected
  RescaleParams rescale;

private:
  /// The kernel on one map or row.
  mlir::Value create(Emitter &emitter, mlir::Value source,
                     const KernelOperands &constants, mlir::Value init) const;

  ByteLayer layer;
};

/// A constant of i8 with the zero point 0, as kernels take weights; null, with
/// a reason for `op`, if `value` is none. `name` and `zeroName` are those of
/// the operands.
mlir::ElementsAttr readWeights(mlir::Operation *op, mlir::Value value,
                               mlir::Value zeroPoint, llvm::StringRef name,
                               llvm::StringRef zeroName, Refusals &refusals);

/// The same elements in the same order, of shape `shape`.
mlir::ElementsAttr withShape(mlir::ElementsAttr weights,
                             llvm::ArrayRef<int64_t> shape);

/// i8 weights [O, ...] as [..., O] of shape `shape`: OHWI becomes HWIO, OI
/// becomes IO. They must be readable by `rawElements`.
mlir::ElementsAttr withOutputsLast(mlir::ElementsAttr weights,
                                   llvm::ArrayRef<int64_t> shape);

} // namespace mli::raising

#endif // MLI_LIB_CONVERSION_TOSATOMLI_TOSAWEIGHTED_H
