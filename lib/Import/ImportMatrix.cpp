// SPDX-License-Identifier: Apache-2.0
//
// Imports products of matrices of which none is a constant.

#include "Weighted.h"
#include "Wide/WideLayers.h"

#include "mli/Frontend/MatrixProduct.h"
#include "mli/Frontend/WideMatrix.h"

using namespace mlir;
using namespace mli;
using namespace mli::tflite;

namespace {
/// An operand as matrices.
struct Matrices {
  int32_t tensor;
  bool isTransposed;
  int64_t batch, rows, columns;
};
} // namespace

/// Reads operand `index`. A transposed one has its columns first in the file.
static FailureOr<Matrices> readMatrices(GraphImporter &importer, size_t index,
                                        bool isTransposed) {
  FailureOr<int32_t> tensor = importer.getInput(index);
  if (failed(tensor) || failed(importer.checkElements(*tensor)))
    return failure();
  ArrayRef<int64_t> shape = importer.getShape(*tensor);
  if (shape.size() < 2)
    return importer.reject("expected ", importer.describe(*tensor),
                           " to have at least 2 dimensions, but got ",
                           shape.size());
  int64_t rows = shape[shape.size() - 2], columns = shape.back();
  if (isTransposed)
    std::swap(rows, columns);
  return Matrices{*tensor, isTransposed, llvm::product_of(shape.drop_back(2)),
                  rows, columns};
}

/// The elements of `matrices` as [batch, rows, columns].
static FailureOr<Value> readElements(GraphImporter &importer,
                                     const Matrices &matrices, int64_t batch) {
  int64_t rows = matrices.rows, columns = matrices.columns;
  if (!matrices.isTransposed)
    return importer.read(matrices.tensor, {batch, rows, columns});
  FailureOr<Value> value =
      importer.read(matrices.tensor, {batch, columns, rows});
  return failed(value) ? value : importer.createPermute(*value, {0, 2, 1});
}

/// The bias of operand `index`, one integer for each of `columns`; zeros where
/// it is left out.
static FailureOr<SmallVector<int32_t>>
readColumns(GraphImporter &importer, size_t index, int64_t columns) {
  int32_t tensor = importer.getOperator().getInput(index);
  if (tensor < 0)
    return SmallVector<int32_t>(columns, 0);
  FailureOr<SmallVector<int64_t>> bias = importer.readIntegers(tensor);
  if (failed(bias))
    return failure();
  if (static_cast<int64_t>(bias->size()) != columns)
    return importer.reject("expected ", columns, " biases, but got ",
                           bias->size());
  return SmallVector<int32_t>(bias->begin(), bias->end());
}

namespace {
/// The operands of a product, of one batch, and its result.
struct Product {
  Matrices left, right;
  int32_t output;
};
} // namespace

static FailureOr<Product> readProduct(GraphImporter &importer,
                                      const Transposed &isTransposed) {
  FailureOr<Matrices> left = readMatrices(importer, 0, isTransposed.left);
  FailureOr<Matrices> right = readMatrices(importer, 1, isTransposed.right);
  FailureOr<int32_t> output = importer.getOutput();
  if (failed(left) || failed(right) || failed(output))
    return failure();
  // All rows meet one matrix.
  if (right->batch == 1 && !left->isTransposed) {
    left->rows *= left->batch;
    left->batch = 1;
  }
  int64_t count = importer.getTensor(*output).getNumElements();
  if (left->batch != right->batch || left->columns != right->rows ||
      left->batch * left->rows * right->columns != count)
    return importer.reject(
        "expected matrices of one batch that fit a result of ", count,
        " elements, but got ", left->batch, " times ", left->rows, " x ",
        left->columns, " and ", right->batch, " times ", right->rows, " x ",
        right->columns);
  return Product{*left, *right, *output};
}

/// Imports a product of matrices of 16 bits, without bias and activation.
static LogicalResult importWords(GraphImporter &importer,
                                 const Product &product,
                                 schema::ActivationFunctionType activation) {
  const auto &[left, right, output] = product;
  bool hasBias = importer.getOperator().getInput(2) >= 0;
  if (hasBias || activation != schema::ActivationFunctionType::NONE)
    return importer.reject(
        "expected a product of matrices of 16 bits without bias and "
        "activation, but got ",
        hasBias ? "a bias" : "activation " + Twine(int(activation)).str());
  FailureOr<Fx16Type> from = getWideElement(importer, left.tensor);
  FailureOr<Fx16Type> by =
      failed(from) ? from : getWideElement(importer, right.tensor);
  FailureOr<Fx16Type> to = failed(by) ? by : getWideElement(importer, output);
  if (failed(to))
    return failure();
  double factor = importer.getScale(left.tensor) *
                  importer.getScale(right.tensor) / importer.getScale(output);
  std::string reason;
  FailureOr<WideSteps> steps = splitFactor(*from, *by, factor, reason);
  if (failed(steps))
    return importer.reject(reason);
  FailureOr<Value> maps = readElements(importer, left, left.batch),
                   weights = readElements(importer, right, right.batch);
  if (failed(maps) || failed(weights))
    return failure();
  Value result =
      createWideMatrixProduct(importer, *maps, *weights, *steps, *to);
  if (!result)
    return importer.reject("expected a factor in the range of 16 bits, but "
                           "got ",
                           factor);
  importer.define(output, result);
  return success();
}

/// Imports a product of matrices of 8 bits.
static LogicalResult importBytes(GraphImporter &importer,
                                 const Product &product,
                                 schema::ActivationFunctionType activation) {
  const auto &[left, right, output] = product;
  for (int32_t tensor : {left.tensor, right.tensor})
    if (failed(importer.getParams(tensor)))
      return failure();
  FailureOr<Type> element = importer.getElement(output);
  FailureOr<mli::quant::QuantParams> params = importer.getParams(output);
  FailureOr<SmallVector<int32_t>> bias =
      readColumns(importer, 2, right.columns);
  if (failed(element) || failed(params) || failed(bias))
    return failure();
  FailureOr<mli::quant::Limits> limits = getLimits(
      importer, activation, importer.getScale(output), params->zeroPoint);
  if (failed(limits))
    return failure();
  FailureOr<Value> maps = readElements(importer, left, left.batch),
                   weights = readElements(importer, right, right.batch);
  if (failed(maps) || failed(weights))
    return failure();
  double factor = importer.getScale(left.tensor) *
                  importer.getScale(right.tensor) / importer.getScale(output);
  Clip clip = chooseClip(*limits, *params);
  std::string reason;
  FailureOr<MatrixFormats> formats =
      chooseMatrixFormats({getMatrixOperand(*maps), getMatrixOperand(*weights),
                           *params, left.columns, factor, *bias, clip.limits},
                          reason);
  if (failed(formats))
    return importer.reject(reason);
  Value result = createMatrixProduct(importer, *maps, *weights, *formats,
                                     cast<Sa8Type>(*element), clip);
  importer.define(output, result);
  return success();
}

LogicalResult
tflite::importVariableProduct(GraphImporter &importer,
                              const Transposed &isTransposed,
                              schema::ActivationFunctionType activation) {
  FailureOr<Product> product = readProduct(importer, isTransposed);
  if (failed(product))
    return failure();
  bool isWide = importer.getTensor(product->left.tensor).type ==
                schema::TensorType::INT16;
  return isWide ? importWords(importer, *product, activation)
                : importBytes(importer, *product, activation);
}
