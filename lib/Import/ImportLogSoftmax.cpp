// SPDX-License-Identifier: Apache-2.0
//
// Imports logarithms of softmax.

#include "Unary.h"

#include "mlir/IR/TypeUtilities.h"

#include <cmath>

using namespace mlir;
using namespace mli;
using namespace mli::tflite;

/// The most elements of a row: so long are the tables for which the logarithm
/// is as near as the codes of results are.
static constexpr int64_t maxRow = 256;

/// The greatest element of each of the `rows` rows of `source`.
static Value createRowMaximum(GraphImporter &importer, Value source,
                              int64_t rows, int64_t size) {
  Value map = importer.createReshape(source, {rows, size, 1});
  Value init = importer.createEmpty(getElementTypeOrSelf(source), {rows, 1, 1});
  return importer.createOp<MaxPoolOp>(map, init, ArrayRef<int64_t>({1, size}),
                                      ArrayRef<int64_t>({0, 0, 0, 0}),
                                      ArrayRef<int64_t>({1, 1}));
}

/// The logarithm of `value`, fx16 from 1 / `size` to 1, as `element`, by a
/// table with 16 steps for the first of these numbers.
static Value createLogarithm(GraphImporter &importer, Value value, int64_t size,
                             Fx16Type element) {
  auto inFracBits = static_cast<int32_t>(llvm::Log2_64_Ceil(size)) + 4;
  SmallVector<int16_t> entries;
  for (int32_t i = 0; i <= 1 << inFracBits; ++i) {
    double number =
        std::max(std::ldexp(i, -inFracBits), 0.5 / static_cast<double>(size));
    entries.push_back(static_cast<int16_t>(
        std::lround(std::ldexp(std::log(number), element.getFracBits()))));
  }
  auto *bytes = reinterpret_cast<const char *>(entries.data());
  Value table = importer.createConstant(
      element, {static_cast<int64_t>(entries.size())},
      ArrayRef(bytes, entries.size() * sizeof(int16_t)));
  ArrayRef<int64_t> shape = cast<RankedTensorType>(value.getType()).getShape();
  return importer.createOp<TanhOp>(
      value, importer.createEmpty(element, shape), table,
      LutFormatAttr::get(importer.getContext(), inFracBits, 0));
}

/// Imports x - max(x) + log(max(softmax(x))) of each row: the probability of
/// the greatest element is at least 1 / n, so its logarithm loses nothing.
LogicalResult tflite::importLogSoftmax(GraphImporter &importer) {
  FailureOr<Unary> unary = readUnary(importer);
  if (failed(unary))
    return failure();
  int64_t size = unary->shape.back(),
          rows = llvm::product_of(unary->shape) / size;
  if (size > maxRow)
    return importer.reject("expected rows of at most ", maxRow,
                           " elements, but got ", size);
  MLIRContext *context = importer.getContext();
  // Differences of two numbers of the input and logarithms have one format.
  double range = std::max(256 * mli::quant::realScale(unary->in),
                          std::log(2.0 * static_cast<double>(size)));
  int bits = std::clamp(15 - (std::ilogb(2 * range) + 1), INT8_MIN, INT8_MAX);
  auto wide = Fx16Type::get(context, bits);
  auto unit = Fx16Type::get(context, 15);
  Value source = importer.createConvert(
      importer.createReshape(unary->source, {rows, size}), wide);
  Value softmax = importer.createOp<SoftmaxOp>(
      source, importer.createEmpty(unit, {rows, size}), 1);
  Value most = createRowMaximum(importer, softmax, rows, size);
  Value logarithm = createLogarithm(importer, most, size, wide);
  Value offset = importer.createOp<EltwiseSubOp>(
      logarithm, createRowMaximum(importer, source, rows, size),
      importer.createEmpty(wide, {rows, 1, 1}));
  Value result = importer.createSliced(
      {source, importer.createReshape(offset, {rows, 1})}, wide, {rows, size},
      [&](ValueRange slices, Value init) -> Value {
        return importer.createOp<EltwiseAddOp>(slices[0], slices[1], init);
      });
  return defineUnary(importer, *unary, result);
}
