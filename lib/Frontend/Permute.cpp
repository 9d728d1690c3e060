// SPDX-License-Identifier: Apache-2.0
//
// Creates permutations of any number of dimensions from those that kernels
// have.

#include "mli/Frontend/TensorBuilder.h"

#include "mlir/IR/TypeUtilities.h"

#include <numeric>

using namespace mlir;
using namespace mli;

/// The runs of dimensions of `shape` that stay adjacent under the permutation
/// `order`, in their new order, without dimensions of 1.
static SmallVector<SmallVector<int64_t>> getDimRuns(ArrayRef<int64_t> shape,
                                                    ArrayRef<int64_t> order) {
  SmallVector<SmallVector<int64_t>> runs;
  SmallVector<int64_t> kept;
  for (int64_t dim = 0; dim < static_cast<int64_t>(shape.size()); ++dim)
    if (shape[dim] != 1)
      kept.push_back(dim);
  auto place = [&](int64_t dim) {
    return llvm::find(kept, dim) - kept.begin();
  };
  for (int64_t dim : order)
    if (shape[dim] == 1)
      continue;
    else if (!runs.empty() && place(runs.back().back()) + 1 == place(dim))
      runs.back().push_back(dim);
    else
      runs.push_back({dim});
  return runs;
}

namespace {
/// A permutation of the dimensions of a shape.
struct Permutation {
  SmallVector<int64_t> shape;
  SmallVector<int64_t> order;
};
} // namespace

/// The permutation of `shape` without dimensions of 1, and with those as one
/// that stay adjacent.
static Permutation mergeRuns(ArrayRef<int64_t> shape, ArrayRef<int64_t> order) {
  SmallVector<SmallVector<int64_t>> runs = getDimRuns(shape, order);
  auto sources = llvm::to_vector(llvm::seq<int64_t>(runs.size()));
  llvm::sort(sources, [&](int64_t a, int64_t b) {
    return runs[a].front() < runs[b].front();
  });
  Permutation merged;
  merged.order.resize(runs.size());
  for (auto [i, run] : llvm::enumerate(sources)) {
    merged.order[run] = static_cast<int64_t>(i);
    int64_t &extent = merged.shape.emplace_back(1);
    for (int64_t dim : runs[run])
      extent *= shape[dim];
  }
  return merged;
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

/// The order that is left to do once the dimensions are in the order `done`.
static SmallVector<int64_t> getRest(ArrayRef<int64_t> order,
                                    ArrayRef<int64_t> done) {
  SmallVector<int64_t> rest;
  for (int64_t dim : order)
    rest.push_back(llvm::find(done, dim) - done.begin());
  return rest;
}

/// Counts the dimensions of an order whose neighbour behind is not the next.
static size_t countBreaks(ArrayRef<int64_t> order) {
  size_t count = 0;
  for (size_t i = 1; i < order.size(); ++i)
    count += order[i - 1] + 1 != order[i];
  return count;
}

/// The dimensions of blocks that end at `ends`, in the order `blocks`.
static SmallVector<int64_t> arrange(ArrayRef<int64_t> ends,
                                    ArrayRef<int64_t> blocks) {
  SmallVector<int64_t> dims;
  for (int64_t block : blocks)
    llvm::append_range(
        dims,
        llvm::seq<int64_t>(block == 0 ? 0 : ends[block - 1], ends[block]));
  return dims;
}

/// Calls `visit` with each way to arrange `rank` dimensions as four blocks.
static void forEachStep(int64_t rank,
                        llvm::function_ref<void(ArrayRef<int64_t>)> visit) {
  for (int64_t a = 1; a < rank; ++a)
    for (int64_t b = a + 1; b < rank; ++b)
      for (int64_t c = b + 1; c < rank; ++c) {
        SmallVector<int64_t> blocks = {0, 1, 2, 3};
        do
          visit(arrange({a, b, c, rank}, blocks));
        while (std::next_permutation(blocks.begin(), blocks.end()));
      }
}

/// The first step to `order`, of more dimensions than kernels have: the one
/// that brings most of them beside those that they stay adjacent to. There
/// always is one that is better than none.
static SmallVector<int64_t> findStep(ArrayRef<int64_t> order) {
  SmallVector<int64_t> best;
  size_t fewest = order.size();
  forEachStep(static_cast<int64_t>(order.size()), [&](ArrayRef<int64_t> step) {
    size_t breaks = countBreaks(getRest(order, step));
    if (breaks < fewest) {
      fewest = breaks;
      best = llvm::to_vector(step);
    }
  });
  return best;
}

static SmallVector<int64_t> permuteShape(ArrayRef<int64_t> shape,
                                         ArrayRef<int64_t> order) {
  SmallVector<int64_t> result;
  for (int64_t dim : order)
    result.push_back(shape[dim]);
  return result;
}

/// Permutes as one kernel, or as one move where the elements have none.
static Value createStep(TensorBuilder &tensors, Value value,
                        const Permutation &step) {
  Value source = tensors.createReshape(value, step.shape);
  Type element = getElementTypeOrSelf(value);
  Value init =
      tensors.createEmpty(element, permuteShape(step.shape, step.order));
  if (isa<Fx8Type, Fx16Type, Sa8Type>(element))
    return tensors.createOp<PermuteOp>(source, init, step.order);
  auto mov =
      MovOp::create(tensors.getBuilder(), tensors.getLoc(), source, init);
  mov.setPermutation(step.order);
  return mov.getResult(0);
}

Value TensorBuilder::createPermute(Value value, ArrayRef<int64_t> shape,
                                   ArrayRef<int64_t> order) {
  SmallVector<int64_t> result = permuteShape(shape, order);
  Permutation rest = mergeRuns(shape, order);
  while (rest.shape.size() > maxDims) {
    SmallVector<int64_t> step = findStep(rest.order);
    value = createStep(*this, value, mergeRuns(rest.shape, step));
    rest = mergeRuns(permuteShape(rest.shape, step), getRest(rest.order, step));
  }
  if (rest.shape.size() > 1)
    value = createStep(*this, value, rest);
  return result.size() > maxDims ? value : createReshape(value, result);
}

Value TensorBuilder::createPermute(Value value, ArrayRef<int64_t> order) {
  ArrayRef<int64_t> shape = cast<RankedTensorType>(value.getType()).getShape();
  return createReshape(createPermute(value, shape, order),
                       permuteShape(shape, order));
}
