// SPDX-License-Identifier: Apache-2.0

#include "mli/Frontend/MatrixProduct.h"

#include "mli/Analysis/CodeRanges.h"
#include "mli/Frontend/CodeTable.h"
#include "mli/Frontend/Moves.h"
#include "mli/Frontend/WideProduct.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mli;
using mli::quant::ByteChoice;
using mli::quant::ByteForm;
using mli::quant::QuantParams;

static ArrayRef<int64_t> getShape(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}

MatrixOperand mli::getMatrixOperand(Value value) {
  return {getParams(value), getCodeRange(value)};
}

/// The sums of products of any quantised values of both operands.
static mli::quant::SumRange getRange(const MatrixSums &sums) {
  auto [left, a] = sums.left;
  auto [right, b] = sums.right;
  mli::quant::SumRange range;
  for (int64_t x : {a.low - left.zeroPoint, a.high - left.zeroPoint})
    for (int64_t y : {b.low - right.zeroPoint, b.high - right.zeroPoint}) {
      range.low = std::min(range.low, sums.inner * x * y);
      range.high = std::max(range.high, sums.inner * x * y);
    }
  return range;
}

FailureOr<MatrixFormats> mli::chooseMatrixFormats(const MatrixSums &sums,
                                                  std::string &reason) {
  mli::quant::SumRange range = getRange(sums);
  MatrixFormats formats;
  for (int32_t bias : sums.bias) {
    std::optional<ByteChoice> choice = mli::quant::chooseForm(
        {sums.left.params, sums.out, sums.factor, bias, range, sums.limits});
    if (!choice) {
      reason = "expected a factor in range of a scale, but got " +
               std::to_string(sums.factor);
      return failure();
    }
    if (choice->form == ByteForm::Wide || choice->form == ByteForm::Constant) {
      reason =
          "expected sums that the kernel of 8 bits holds, but got sums of " +
          std::to_string(sums.inner) + " products of two variables";
      return failure();
    }
    formats.weights = choice->weights;
    formats.bias = choice->bias;
    formats.biasCodes.push_back(choice->biasCode);
  }
  return formats;
}

/// `right` as weights: parts whose sum is each quantised value less its zero
/// point, one behind the other along the inner dimension.
static SmallVector<Value> createParts(TensorBuilder &tensors, Value right,
                                      const QuantParams &params) {
  auto element = Sa8Type::get(tensors.getContext(), params);
  if (getElementTypeOrSelf(right) == element)
    return {right};
  int zeroPoint = getParams(right).zeroPoint;
  std::array<int, 256> rest;
  for (int code = INT8_MIN; code <= INT8_MAX; ++code)
    rest[code - INT8_MIN] = code - zeroPoint;
  SmallVector<Value> parts;
  while (llvm::any_of(rest, [](int number) { return number != 0; })) {
    CodeTable table;
    for (auto [number, entry] : llvm::zip_equal(rest, table)) {
      entry = static_cast<int8_t>(std::clamp(number, INT8_MIN, INT8_MAX));
      number -= entry;
    }
    parts.push_back(createCodeTable(tensors, right, element, table));
  }
  return parts;
}

Value mli::createMatrixProduct(TensorBuilder &tensors, Value leftValue,
                               Value rightValue, const MatrixFormats &formats,
                               Sa8Type element, const Clip &clip) {
  ArrayRef<int64_t> left = getShape(leftValue), right = getShape(rightValue);
  int64_t batch = left[0], rows = left[1], inner = left[2], columns = right[2];
  SmallVector<Value> parts = createParts(tensors, rightValue, formats.weights);
  auto count = static_cast<int64_t>(parts.size());
  Value maps = leftValue, weights = parts.front();
  if (count > 1) {
    SmallVector<int64_t> indices, shape = {batch, count * inner, columns};
    for (int64_t i = 0; i < count * inner; ++i)
      indices.push_back(i % inner);
    maps = createTake(tensors, maps, left, 2, indices);
    weights = createConcat(tensors, parts, getElementTypeOrSelf(weights), shape,
                           /*axis=*/1);
  }
  maps = tensors.createReshape(maps, {batch, rows, 1, count * inner});
  weights = tensors.createReshape(weights, {batch, count * inner, columns});
  ArrayRef bytes(reinterpret_cast<const char *>(formats.biasCodes.data()),
                 formats.biasCodes.size() * sizeof(int32_t));
  Value bias = tensors.createConstant(
      Sa32Type::get(tensors.getContext(), formats.bias), {columns}, bytes);
  Value result = tensors.createSliced(
      {maps, weights}, element, {batch, rows, 1, columns},
      [&](ValueRange slices, Value init) -> Value {
        Value filters =
            tensors.createReshape(slices[1], {1, 1, count * inner, columns});
        Value sum = createUnitConv<Conv2DOp>(
            tensors, slices[0], {filters, bias}, init, clip.getKernelRelu());
        return createClip(tensors, sum, clip, /*isFromKernel=*/true);
      });
  return tensors.createReshape(result, {batch, rows, columns});
}
