// SPDX-License-Identifier: Apache-2.0
//
// Imports functions for which kernels have tables, and functions of rows.

#include "Options.h"
#include "Unary.h"
#include "Wide/WideLayers.h"

#include "mli/Quant/Formats.h"

#include <cmath>

using namespace mlir;
using namespace mli;
using namespace mli::tflite;
using contract::Family;
using schema::BuiltinOptions;

/// The format of the results of a table kernel, which is fixed.
static Type getTableElement(GraphImporter &importer, Family family) {
  return Sa8Type::get(importer.getContext(),
                      contract::tableFormat(family, 8, /*isAsymmetric=*/true));
}

template <typename TableOp>
static LogicalResult importTable(GraphImporter &importer, Family family,
                                 int leastFracBits,
                                 function_ref<double(double)> function) {
  if (hasWideInput(importer))
    return importWideTable(
        importer, family, leastFracBits, /*beta=*/1,
        [&](Value source, Type element) -> Value {
          ArrayRef<int64_t> shape =
              cast<RankedTensorType>(source.getType()).getShape();
          return importer.createOp<TableOp>(
              source, importer.createEmpty(element, shape));
        });
  FailureOr<Unary> unary = readUnary(importer);
  if (failed(unary))
    return failure();
  // A kernel with a table of its own gives any format, and rounds once.
  Type element = getTableElement(importer, family);
  if (unary->element != element)
    return importFunction(importer, function);
  importer.define(
      unary->output,
      importer.createOp<TableOp>(unary->source,
                                 importer.createEmpty(element, unary->shape)));
  return success();
}

// Of larger operands, both functions are 1 to 16 bits.
LogicalResult tflite::importLogistic(GraphImporter &importer) {
  return importTable<SigmOp>(importer, Family::Sigm, /*leastFracBits=*/11,
                             [](double x) { return 1 / (1 + std::exp(-x)); });
}
LogicalResult tflite::importTanh(GraphImporter &importer) {
  return importTable<TanhOp>(importer, Family::Tanh, /*leastFracBits=*/12,
                             [](double x) { return std::tanh(x); });
}

/// Creates a kernel on the rows of `source`, slices along the last dimension.
template <typename SliceOp>
static Value createRows(GraphImporter &importer, Value source, Type element) {
  ArrayRef<int64_t> whole = cast<RankedTensorType>(source.getType()).getShape();
  int64_t size = whole.back();
  int64_t rows = llvm::product_of(whole) / size;
  SmallVector<int64_t, 2> shape = {size};
  if (rows > 1)
    shape.insert(shape.begin(), rows);
  return importer.createOp<SliceOp>(importer.createReshape(source, shape),
                                    importer.createEmpty(element, shape),
                                    rows > 1 ? 1 : -1);
}

LogicalResult tflite::importSoftmax(GraphImporter &importer) {
  auto options = getOptions<schema::SoftmaxOptions>(
      importer, BuiltinOptions::SoftmaxOptions);
  if (failed(options))
    return failure();
  float beta = (*options)->beta();
  if (!(beta > 0))
    return importer.reject("expected beta to be positive, but got ", beta);
  if (hasWideInput(importer))
    return importWideTable(
        importer, Family::Softmax, /*leastFracBits=*/INT8_MIN, beta,
        [&](Value source, Type element) -> Value {
          return createRows<SoftmaxOp>(importer, source, element);
        });
  FailureOr<int32_t> output = importer.getOutput();
  if (failed(output))
    return failure();
  if (importer.getTensor(*output).type == schema::TensorType::INT16)
    return importer.reject("expected ", importer.describe(*output),
                           " to be int8 or uint8, as the input, but got int16, "
                           "whose zero point fx16 does not have; quantise the "
                           "result to int8, or take the input as output");
  FailureOr<Unary> unary = readUnary(importer);
  if (failed(unary))
    return failure();
  FailureOr<Value> source = unary->source;
  if (beta != 1)
    source = createScaled(importer, unary->source, beta);
  if (failed(source))
    return failure();
  Value result = createRows<SoftmaxOp>(
      importer, *source, getTableElement(importer, Family::Softmax));
  return defineUnary(importer, *unary, result);
}

LogicalResult tflite::importL2Normalization(GraphImporter &importer) {
  FailureOr<Unary> unary = readUnary(importer);
  if (failed(unary))
    return failure();
  Value result = createRows<L2NormalizeOp>(
      importer, unary->source, getTableElement(importer, Family::L2Normalize));
  return defineUnary(importer, *unary, result);
}
