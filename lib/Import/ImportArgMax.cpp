// SPDX-License-Identifier: Apache-2.0
//
// Imports ARG_MAX. The kernel returns the last of equal elements, TFLite the
// first, so the kernel searches a tensor in which the first maximum is the only
// one.

#include "Options.h"

#include "mli/Quant/KernelScales.h"

#include <cmath>

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mli;
using namespace mli::tflite;

/// The maximum number of positions, less than one step of a quantized value in
/// `createFirstMax`.
static constexpr int64_t maxPositions = (1 << 14) - 2;

/// The maximum of `row`, by pools with windows of the maximum size.
static Value createMax(GraphImporter &importer, Value row) {
  int64_t size = cast<RankedTensorType>(row.getType()).getNumElements();
  Type element = getElementTypeOrSelf(row);
  while (size > 1) {
    int64_t window = std::min<int64_t>(size, UINT8_MAX);
    int64_t windows = llvm::divideCeil(size, window);
    const int64_t kernel[] = {window, 1};
    const int64_t padding[] = {0, windows * window - size, 0, 0};
    row = importer.createOp<MaxPoolOp>(
        importer.createReshape(row, {size, 1, 1}),
        importer.createEmpty(element, {windows, 1, 1}), kernel, padding,
        kernel);
    size = windows;
  }
  return importer.createReshape(row, {1});
}

/// Maps each element of `row`, sa8, to an fx16 number that is maximal for the
/// first maximum only: the number of elements that follow it, less a large
/// number where it is below the maximum.
static Value createFirstMax(GraphImporter &importer, Value row) {
  auto type = cast<RankedTensorType>(row.getType());
  int64_t size = type.getNumElements();
  if (size == 1)
    return row;
  // Differences to the maximum have quantized values up to 127, which is 0.
  mli::quant::QuantParams params =
      cast<Sa8Type>(type.getElementType()).getParams().front();
  params.zeroPoint = INT8_MAX;
  auto difference = Sa8Type::get(importer.getContext(), params);
  Value init = importer.createEmpty(difference, {size});
  Value below =
      importer.createOp<EltwiseSubOp>(row, createMax(importer, row), init);
  Value limit = importer.createSplat(difference, {1}, INT8_MAX - 1);
  Value isBelow = importer.createOp<EltwiseMaxOp>(below, limit, init);
  // One step of the difference becomes at least 2^14, but for rounding.
  int exponent = std::ilogb(mli::quant::realScale(params));
  auto wide = Fx16Type::get(importer.getContext(),
                            std::clamp<int>(14 - exponent, INT8_MIN, INT8_MAX));
  auto follow = std::make_shared<SmallVector<char>>();
  for (int64_t i = size; i-- > 0;)
    for (int shift : {0, 8})
      follow->push_back(static_cast<char>(i >> shift));
  Value ranks = importer.createConstant(wide, {size}, *follow, follow);
  return importer.createOp<EltwiseAddOp>(importer.createConvert(isBelow, wide),
                                         ranks,
                                         importer.createEmpty(wide, {size}));
}

LogicalResult tflite::importArgMax(GraphImporter &importer) {
  FailureOr<int32_t> input = importer.getInput(0);
  FailureOr<int32_t> output = importer.getOutput();
  if (failed(input) || failed(output) ||
      failed(importer.checkElements(*input)) ||
      failed(importer.getParams(*input)))
    return failure();
  FailureOr<int64_t> axis = getAxisInput(importer, 1, *input);
  FailureOr<Type> element = importer.getElement(*output);
  FailureOr<Value> source = importer.read(*input);
  if (failed(axis) || failed(element) || failed(source))
    return failure();
  ArrayRef<int64_t> shape = importer.getShape(*input);
  int64_t size = shape[*axis], rows = llvm::product_of(shape) / size;
  if (importer.getTensor(*output).getNumElements() != rows)
    return importer.reject("expected an output of ", rows,
                           " elements, but got ",
                           importer.getTensor(*output).getNumElements());
  if (size > maxPositions)
    return importer.reject("expected at most ", maxPositions,
                           " elements along the axis, but got ", size);
  SmallVector<int64_t> order =
      llvm::to_vector(llvm::seq<int64_t>(shape.size()));
  order.erase(order.begin() + *axis);
  order.push_back(*axis);
  Value last = importer.createPermute(*source, order);
  Value result = importer.createSliced(
      importer.createReshape(last, {rows, size}), *element, {rows, 1, 1},
      [&](ValueRange slices, Value init) -> Value {
        return importer.createOp<ArgmaxOp>(
            createFirstMax(importer, slices.front()), init, -1, 1);
      });
  importer.define(*output, result);
  return success();
}
