// SPDX-License-Identifier: Apache-2.0

#include "mli/Frontend/Moves.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mli;

AxisView::AxisView(ArrayRef<int64_t> shape, int64_t axis)
    : before(llvm::product_of(shape.take_front(axis))), extent(shape[axis]),
      after(llvm::product_of(shape.drop_front(axis + 1))) {}

Value mli::createConcat(TensorBuilder &tensors, ArrayRef<Value> operands,
                        Type element, ArrayRef<int64_t> shape, int64_t axis) {
  AxisView view(shape, axis);
  Value result =
      tensors.createEmpty(element, {view.before, view.extent, view.after});
  int64_t offset = 0;
  for (Value operand : operands) {
    int64_t size = cast<RankedTensorType>(operand.getType()).getNumElements() /
                   (view.before * view.after);
    Value source =
        tensors.createReshape(operand, {view.before, size, view.after});
    auto mov = MovOp::create(tensors.getBuilder(), tensors.getLoc(),
                             tensors.createConvert(source, element), result);
    mov.setDstOffsets({0, offset, 0});
    result = mov.getResult(0);
    offset += size;
  }
  return result;
}

namespace {
/// A block of slices, and where it goes.
struct Run {
  int64_t from, to, size;
};
} // namespace

/// How often all of `extent` slices are repeated, one behind the other; 1 if
/// they are not.
static int64_t countRepetitions(ArrayRef<int64_t> indices, int64_t extent) {
  auto size = static_cast<int64_t>(indices.size());
  int64_t times = size / extent;
  if (size % extent != 0)
    return 1;
  for (auto [i, index] : llvm::enumerate(indices))
    if (index != static_cast<int64_t>(i) / times)
      return 1;
  return times;
}

static SmallVector<Run> findRuns(ArrayRef<int64_t> indices) {
  SmallVector<Run> runs;
  for (auto [i, index] : llvm::enumerate(indices)) {
    if (!runs.empty() && runs.back().from + runs.back().size == index)
      ++runs.back().size;
    else
      runs.push_back({index, static_cast<int64_t>(i), 1});
  }
  return runs;
}

/// Moves slices of `source` along its second of three dimensions into `init`.
static Value createMove(TensorBuilder &tensors, Value source, Value init,
                        const Run &run) {
  ArrayRef<int64_t> shape = cast<RankedTensorType>(source.getType()).getShape();
  auto mov =
      MovOp::create(tensors.getBuilder(), tensors.getLoc(), source, init);
  mov.setOffsets({0, run.from, 0});
  mov.setSizes({shape[0], run.size, shape[2]});
  mov.setDstOffsets({0, run.to, 0});
  return mov.getResult(0);
}

size_t mli::countTakes(ArrayRef<int64_t> indices, int64_t extent) {
  int64_t times = countRepetitions(indices, extent);
  return times > 1 ? times : findRuns(indices).size();
}

Value mli::createTake(TensorBuilder &tensors, Value source,
                      ArrayRef<int64_t> shape, int64_t axis,
                      ArrayRef<int64_t> indices) {
  AxisView view(shape, axis);
  auto size = static_cast<int64_t>(indices.size());
  int64_t times = countRepetitions(indices, view.extent);
  SmallVector<int64_t> from = {view.before, view.extent, view.after},
                       to = {view.before, size, view.after};
  SmallVector<Run> runs = findRuns(indices);
  if (times > 1) {
    // Each slice is a block of its own, and goes to all its places.
    from = {view.before * view.extent, 1, view.after};
    to = {view.before * view.extent, times, view.after};
    runs.clear();
    for (int64_t i = 0; i < times; ++i)
      runs.push_back({0, i, 1});
  }
  Value block = tensors.createReshape(source, from);
  if (runs.size() == 1 && runs.front().size == from[1])
    return block;
  Value result = tensors.createEmpty(getElementTypeOrSelf(source), to);
  for (const Run &run : runs)
    result = createMove(tensors, block, result, run);
  return tensors.createReshape(result, {view.before, size, view.after});
}

Value mli::createTakes(TensorBuilder &tensors, Value source,
                       ArrayRef<int64_t> shape,
                       ArrayRef<SmallVector<int64_t>> indices) {
  SmallVector<int64_t> taken(shape);
  for (auto [axis, list] : llvm::enumerate(indices)) {
    if (list.empty())
      continue;
    source =
        createTake(tensors, source, taken, static_cast<int64_t>(axis), list);
    taken[axis] = static_cast<int64_t>(list.size());
  }
  return taken.size() > maxDims ? source : tensors.createReshape(source, taken);
}

std::optional<SmallVector<SmallVector<int64_t>>>
mli::findRepeats(ArrayRef<int64_t> own, ArrayRef<int64_t> shape) {
  if (own.size() > shape.size())
    return std::nullopt;
  SmallVector<SmallVector<int64_t>> indices;
  for (auto [i, extent] : llvm::enumerate(shape)) {
    size_t missing = shape.size() - own.size();
    int64_t from = i < missing ? 1 : own[i - missing];
    if (from != 1 && from != extent)
      return std::nullopt;
    if (from == 1)
      indices.emplace_back(extent, 0);
    else
      indices.push_back(llvm::to_vector(llvm::seq<int64_t>(0, extent)));
  }
  return indices;
}

//===----------------------------------------------------------------------===//
// Slices to places
//===----------------------------------------------------------------------===//

static SmallVector<Run> findRuns(ArrayRef<int64_t> from, ArrayRef<int64_t> to) {
  SmallVector<Run> runs;
  for (auto [source, place] : llvm::zip_equal(from, to)) {
    if (!runs.empty() && runs.back().from + runs.back().size == source &&
        runs.back().to + runs.back().size == place)
      ++runs.back().size;
    else
      runs.push_back({source, place, 1});
  }
  return runs;
}

size_t mli::countPuts(ArrayRef<int64_t> from, ArrayRef<int64_t> to) {
  return findRuns(from, to).size();
}

Value mli::createPut(TensorBuilder &tensors, Value source, Value into,
                     ArrayRef<int64_t> shape, int64_t axis,
                     ArrayRef<int64_t> from, ArrayRef<int64_t> to) {
  AxisView view(shape, axis);
  Value result =
      tensors.createReshape(into, {view.before, view.extent, view.after});
  int64_t size = cast<RankedTensorType>(source.getType()).getNumElements() /
                 (view.before * view.after);
  Value block = tensors.createReshape(source, {view.before, size, view.after});
  for (const Run &run : findRuns(from, to))
    result = createMove(tensors, block, result, run);
  return result;
}
