// SPDX-License-Identifier: Apache-2.0
//
// What groups create their operations with: builder, types and the quantised
// tensors of i8 values.

#ifndef MLI_LIB_CONVERSION_TOSATOMLI_TOSAEMITTER_H
#define MLI_LIB_CONVERSION_TOSATOMLI_TOSAEMITTER_H

#include "TosaScales.h"

#include "mli/Frontend/TensorBuilder.h"

namespace mli::raising {

class Emitter : public TensorBuilder {
public:
  /// `isExactSums`: sums round once, at the cost of more kernels.
  Emitter(mlir::MLIRContext *context, const Scales &scales, bool isExactSums)
      : TensorBuilder(mlir::OpBuilder(context)), scales(scales),
        isExactSums(isExactSums) {}

  bool hasExactSums() const { return isExactSums; }

  /// Creates the operations of `group` in front of its root.
  void emit(const Group &group);

  /// How mli holds the elements of `value`.
  Sa8Type getElement(mlir::Value value) const {
    return scales.getElement(value);
  }
  /// The quantised tensor of `value`, in `shape` of as many elements. Made by
  /// a cast of `value` if no group gives it.
  mlir::Value read(mlir::Value value, llvm::ArrayRef<int64_t> shape);
  /// The same in whatever shape it is at hand.
  mlir::Value read(mlir::Value value);
  /// A destination for `value`, in `shape`.
  mlir::Value empty(mlir::Value value, llvm::ArrayRef<int64_t> shape) {
    return createEmpty(getElement(value), shape);
  }
  /// The real number 0, in all of `shape`, in the format of `value`.
  mlir::Value zeros(mlir::Value value, llvm::ArrayRef<int64_t> shape) {
    Sa8Type element = getElement(value);
    return createSplat(element, shape, element.getParam(0).zeroPoint);
  }
  /// The elements of `attribute` as `element`.
  mlir::Value constant(mlir::ElementsAttr attribute, mlir::Type element);

  using MapFunction =
      llvm::function_ref<mlir::Value(mlir::Value source, mlir::Value init)>;
  /// Computes `result` of `input`, both seen as as many slices as their shapes
  /// begin with: in a loop, unless there is but one.
  mlir::Value createSlices(mlir::Value input,
                           llvm::ArrayRef<int64_t> inputShape,
                           mlir::Value result,
                           llvm::ArrayRef<int64_t> resultShape,
                           MapFunction compute);
  /// The same of the HWC maps of two 4-D values.
  mlir::Value createMaps(mlir::Value input, mlir::Value result,
                         MapFunction compute);

  /// A quantised tensor for `value` as `value`'s own type, for users that are
  /// not raised.
  mlir::Value castBack(mlir::Value value);

private:
  const Scales &scales;
  bool isExactSums;
  llvm::DenseMap<mlir::Value, mlir::Value> tensors;
};

} // namespace mli::raising

#endif // MLI_LIB_CONVERSION_TOSATOMLI_TOSAEMITTER_H
