// SPDX-License-Identifier: Apache-2.0
//
// Creates the operations of clusters: the builder, the types, and the quantised
// tensors of i8 values.

#ifndef MLI_LIB_CONVERSION_TOSATOMLI_SCALES_TOSAEMITTER_H
#define MLI_LIB_CONVERSION_TOSATOMLI_SCALES_TOSAEMITTER_H

#include "TosaScales.h"

#include "mli/Frontend/Forms.h"
#include "mli/Frontend/TensorBuilder.h"

namespace mli::raising {

class Emitter : public TensorBuilder {
public:
  Emitter(mlir::MLIRContext *context, const Scales &scales,
          const ArithmeticForms &forms)
      : TensorBuilder(mlir::OpBuilder(context)), scales(scales), forms(forms) {}

  const ArithmeticForms &getForms() const { return forms; }

  /// Creates the operations of `cluster` before its root.
  void emit(const Cluster &cluster);

  /// The element type with which mli holds `value`.
  QuantizedType getElement(mlir::Value value) const {
    return scales.getElement(value);
  }
  /// The quantised tensor of `value` in `shape`, which has as many elements. It
  /// is a cast of `value` if it is no result of a cluster.
  mlir::Value read(mlir::Value value, llvm::ArrayRef<int64_t> shape);
  /// The same in the shape in which it was created.
  mlir::Value read(mlir::Value value);
  /// A destination for `value`, in `shape`.
  mlir::Value empty(mlir::Value value, llvm::ArrayRef<int64_t> shape) {
    return createEmpty(getElement(value), shape);
  }
  /// The real number 0 in all elements of `shape`, in the format of `value`.
  mlir::Value zeros(mlir::Value value, llvm::ArrayRef<int64_t> shape) {
    return createSplat(getElement(value), shape,
                       scales.getParams(value).zeroPoint);
  }
  /// The elements of `attribute` as a constant of `element`.
  mlir::Value constant(mlir::ElementsAttr attribute, mlir::Type element);

  using UnaryFunction =
      llvm::function_ref<mlir::Value(mlir::Value source, mlir::Value init)>;
  /// Computes `result` from `input` slice by slice along the first dimensions
  /// of both shapes: in a loop, unless there is one slice.
  mlir::Value createSlices(mlir::Value input,
                           llvm::ArrayRef<int64_t> inputShape,
                           mlir::Value result,
                           llvm::ArrayRef<int64_t> resultShape,
                           UnaryFunction compute);
  /// Does the same for each HWC image of two 4-D values.
  mlir::Value createFeatureMaps(mlir::Value input, mlir::Value result,
                                UnaryFunction compute);

  /// A cast of the quantised tensor of `value` to its plain type, for users
  /// that are not legalized.
  mlir::Value castBack(mlir::Value value);

private:
  const Scales &scales;
  ArithmeticForms forms;
  llvm::DenseMap<mlir::Value, mlir::Value> tensors;
};

} // namespace mli::raising

#endif // MLI_LIB_CONVERSION_TOSATOMLI_SCALES_TOSAEMITTER_H
