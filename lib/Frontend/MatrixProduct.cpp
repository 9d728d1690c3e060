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

static QuantParams getParams(Value value) {
  return cast<Sa8Type>(getElementTypeOrSelf(value)).getParams().front();
}

static ArrayRef<int64_t> getShape(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}

/// The sums of `count` products of any quantised values of both.
static mli::quant::SumRange getSums(Value left, Value right, int64_t count) {
  mli::quant::CodeRange a = getCodeRange(left), b = getCodeRange(right);
  int64_t leftZero = getParams(left).zeroPoint,
          rightZero = getParams(right).zeroPoint;
  mli::quant::SumRange sums;
  for (int64_t x : {a.low - leftZero, a.high - leftZero})
    for (int64_t y : {b.low - rightZero, b.high - rightZero}) {
      sums.low = std::min(sums.low, count * x * y);
      sums.high = std::max(sums.high, count * x * y);
    }
  return sums;
}

namespace {
/// The formats of weights and bias.
struct Formats {
  QuantParams weights, bias;
  SmallVector<int32_t> biasCodes;
};
} // namespace

static FailureOr<Formats> chooseFormats(const MatrixProduct &product,
                                        std::string &reason) {
  mli::quant::SumRange sums =
      getSums(product.left, product.right, getShape(product.left).back());
  Formats formats;
  for (int32_t bias : product.bias) {
    std::optional<ByteChoice> choice = mli::quant::chooseForm(
        {getParams(product.left), product.element.getParams().front(),
         product.factor, bias, sums, product.clip.limits});
    if (!choice) {
      reason = "expected a factor in range of a scale, but got " +
               std::to_string(product.factor);
      return failure();
    }
    if (choice->form == ByteForm::Wide || choice->form == ByteForm::Constant) {
      reason =
          "expected sums that the kernel of 8 bits holds, but got sums of " +
          std::to_string(getShape(product.left).back()) +
          " products of two variables";
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

FailureOr<Value> mli::createMatrixProduct(TensorBuilder &tensors,
                                          const MatrixProduct &product,
                                          std::string &reason) {
  FailureOr<Formats> formats = chooseFormats(product, reason);
  if (failed(formats))
    return failure();
  ArrayRef<int64_t> left = getShape(product.left),
                    right = getShape(product.right);
  int64_t batch = left[0], rows = left[1], inner = left[2], columns = right[2];
  SmallVector<Value> parts =
      createParts(tensors, product.right, formats->weights);
  auto count = static_cast<int64_t>(parts.size());
  Value maps = product.left, weights = parts.front();
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
  ArrayRef bytes(reinterpret_cast<const char *>(formats->biasCodes.data()),
                 formats->biasCodes.size() * sizeof(int32_t));
  Value bias = tensors.createConstant(
      Sa32Type::get(tensors.getContext(), formats->bias), {columns}, bytes);
  Value result = tensors.createSliced(
      {maps, weights}, product.element, {batch, rows, 1, columns},
      [&](ValueRange slices, Value init) -> Value {
        Value filters =
            tensors.createReshape(slices[1], {1, 1, count * inner, columns});
        Value sum =
            createUnitConv<Conv2DOp>(tensors, slices[0], {filters, bias}, init,
                                     product.clip.getKernelRelu());
        return createClip(tensors, sum, product.clip, /*isFromKernel=*/true);
      });
  return tensors.createReshape(result, {batch, rows, columns});
}
