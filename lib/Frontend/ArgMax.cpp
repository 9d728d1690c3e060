// SPDX-License-Identifier: Apache-2.0
//
// Finds the first maximum of rows. The kernel returns the last of equal
// elements, so it searches a tensor in which the first maximum is the only one.

#include "mli/Frontend/ArgMax.h"

#include "mli/Quant/KernelScales.h"

#include "mlir/IR/TypeUtilities.h"

#include <cmath>

using namespace mlir;
using namespace mli;

/// The maximum of `row`, by pools with windows of the maximum size.
static Value createMax(TensorBuilder &tensors, Value row) {
  int64_t size = cast<RankedTensorType>(row.getType()).getNumElements();
  Type element = getElementTypeOrSelf(row);
  while (size > 1) {
    int64_t window = std::min<int64_t>(size, UINT8_MAX);
    int64_t windows = llvm::divideCeil(size, window);
    const int64_t kernel[] = {window, 1};
    const int64_t padding[] = {0, windows * window - size, 0, 0};
    row = tensors.createOp<MaxPoolOp>(
        tensors.createReshape(row, {size, 1, 1}),
        tensors.createEmpty(element, {windows, 1, 1}), kernel, padding, kernel);
    size = windows;
  }
  return tensors.createReshape(row, {1});
}

namespace {
/// A format of differences to a maximum.
struct Format {
  QuantizedType difference;
  int64_t zero; ///< the greatest quantized value where there are zero points
  int exponent; ///< that of the scale
};
} // namespace

static Format findFormat(Type element) {
  mli::quant::QuantParams params = cast<QuantizedType>(element).getParam(0);
  int exponent = std::ilogb(mli::quant::realScale(params));
  if (isa<Fx16Type>(element))
    return {cast<QuantizedType>(element), 0, exponent};
  params.zeroPoint = INT8_MAX;
  return {Sa8Type::get(element.getContext(), params), INT8_MAX, exponent};
}

/// Maps each element of `row`, sa8 or fx16, to an fx16 number that is maximal
/// for the first maximum only: the number of elements that follow it, less a
/// large number where it is below the maximum.
static Value createFirstMax(TensorBuilder &tensors, Value row) {
  auto type = cast<RankedTensorType>(row.getType());
  int64_t size = type.getNumElements();
  if (size == 1)
    return row;
  // Differences to the maximum have quantized values up to that of 0.
  Format format = findFormat(type.getElementType());
  Value init = tensors.createEmpty(format.difference, {size});
  Value below =
      tensors.createOp<EltwiseSubOp>(row, createMax(tensors, row), init);
  Value limit = tensors.createSplat(format.difference, {1}, format.zero - 1);
  Value isBelow = tensors.createOp<EltwiseMaxOp>(below, limit, init);
  // One step of the difference becomes at least 2^14, but for rounding.
  auto wide =
      Fx16Type::get(tensors.getContext(),
                    std::clamp<int>(14 - format.exponent, INT8_MIN, INT8_MAX));
  auto follow = std::make_shared<SmallVector<char>>();
  for (int64_t i = size; i-- > 0;)
    for (int shift : {0, 8})
      follow->push_back(static_cast<char>(i >> shift));
  Value ranks = tensors.createConstant(wide, {size}, *follow, follow);
  return tensors.createOp<EltwiseAddOp>(tensors.createConvert(isBelow, wide),
                                        ranks,
                                        tensors.createEmpty(wide, {size}));
}

Value mli::createArgMax(TensorBuilder &tensors, Value source,
                        ArrayRef<int64_t> shape, int64_t axis, Type element) {
  int64_t size = shape[axis], rows = llvm::product_of(shape) / size;
  auto order = llvm::to_vector(llvm::seq<int64_t>(shape.size()));
  order.erase(order.begin() + axis);
  order.push_back(axis);
  Value last = tensors.createPermute(source, shape, order);
  return tensors.createSliced(
      tensors.createReshape(last, {rows, size}), element, {rows, 1, 1},
      [&](ValueRange slices, Value init) -> Value {
        Value row = slices.front();
        return tensors.createOp<ArgmaxOp>(
            size > maxPositions ? row : createFirstMax(tensors, row), init,
            /*axis=*/-1, /*topk=*/1);
      });
}
