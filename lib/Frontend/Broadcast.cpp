// SPDX-License-Identifier: Apache-2.0

#include "mli/Frontend/Broadcast.h"

using namespace mlir;
using namespace mli;

ArrayRef<int64_t> mli::dropLeadingOnes(ArrayRef<int64_t> shape) {
  return shape.drop_while([](int64_t extent) { return extent == 1; });
}

std::optional<SmallVector<char>> mli::repeatBytes(ArrayRef<char> bytes,
                                                  ArrayRef<int64_t> from,
                                                  ArrayRef<int64_t> shape,
                                                  int64_t size) {
  int64_t count = llvm::product_of(shape);
  if (from.size() > shape.size() || count > maxRepeatedElements)
    return std::nullopt;
  SmallVector<int64_t> steps(shape.size(), 0);
  int64_t step = 1;
  for (size_t i = 0; i < from.size(); ++i) {
    int64_t extent = from[from.size() - 1 - i];
    size_t to = shape.size() - 1 - i;
    if (extent != 1 && extent != shape[to])
      return std::nullopt;
    steps[to] = extent == 1 ? 0 : step;
    step *= extent;
  }
  SmallVector<char> repeated;
  SmallVector<int64_t> index(shape.size(), 0);
  int64_t position = 0;
  for (int64_t i = 0; i < count; ++i) {
    llvm::append_range(repeated, bytes.slice(position * size, size));
    for (size_t d = shape.size(); d-- > 0;) {
      position += steps[d];
      if (++index[d] < shape[d])
        break;
      position -= steps[d] * shape[d];
      index[d] = 0;
    }
  }
  return repeated;
}

static int64_t getNumElements(Value value) {
  return cast<RankedTensorType>(value.getType()).getNumElements();
}

Value mli::createBroadcast(TensorBuilder &tensors, Value left, Value right,
                           Type element, ArrayRef<int64_t> shape,
                           BinaryFunction compute) {
  int64_t size = llvm::product_of(shape);
  if (size == 1)
    return compute(tensors.createReshape(left, shape),
                   tensors.createReshape(right, shape),
                   tensors.createEmpty(element, shape));
  int64_t minSize = size;
  for (Value operand : {left, right})
    if (getNumElements(operand) > 1)
      minSize = std::min(minSize, getNumElements(operand));
  if (minSize == size)
    return compute(left, right, tensors.createEmpty(element, shape));
  // One operand is a slice, which is combined with each slice of the other.
  SmallVector<Value> sliced;
  bool isLeft = getNumElements(left) == size,
       isRight = getNumElements(right) == size;
  Value slice[2] = {left, right};
  for (int i : {0, 1})
    if ((i == 0 ? isLeft : isRight))
      sliced.push_back(
          tensors.createReshape(slice[i], {size / minSize, minSize}));
    else if (getNumElements(slice[i]) > 1)
      slice[i] = tensors.createReshape(slice[i], {minSize});
  return tensors.createSliced(sliced, element, {size / minSize, minSize},
                              [&](ValueRange slices, Value init) {
                                return compute(
                                    isLeft ? slices.front() : slice[0],
                                    isRight ? slices.back() : slice[1], init);
                              });
}
