// SPDX-License-Identifier: Apache-2.0

#include "mli/Frontend/Reduction.h"

using namespace mlir;
using namespace mli;

/// Finds a window of `count` elements of `plan` whose sides fit a kernel.
static void findSides(Reduction &plan) {
  for (int64_t height = UINT8_MAX; height > 0; --height)
    if (plan.count % height == 0 && plan.count / height <= UINT8_MAX) {
      plan.height = height;
      plan.width = plan.count / height;
      return;
    }
  plan.height = plan.width = 0;
}

Reduction mli::planReduction(ArrayRef<int64_t> shape,
                             ArrayRef<bool> isReduced) {
  // The order [kept before, reduced, kept after] needs no move; else it is
  // [reduced, kept].
  auto dims = llvm::to_vector(llvm::seq<int64_t>(shape.size()));
  auto isGone = [&](int64_t i) { return isReduced[i]; };
  auto product = [&](ArrayRef<int64_t> list) {
    int64_t size = 1;
    for (int64_t dim : list)
      size *= shape[dim];
    return size;
  };
  Reduction plan;
  auto *first = llvm::find_if(dims, isGone);
  auto *last = std::find_if_not(first, dims.end(), isGone);
  bool isRun = std::none_of(last, dims.end(), isGone);
  if (!isRun || (last == dims.end() && product({first, last}) > 1)) {
    llvm::copy_if(dims, std::back_inserter(plan.order), isGone);
    size_t count = plan.order.size();
    llvm::copy_if(dims, std::back_inserter(plan.order),
                  [&](int64_t i) { return !isGone(i); });
    dims = plan.order;
    first = dims.begin();
    last = dims.begin() + count;
  }
  plan.before = product({dims.begin(), first});
  plan.count = product({first, last});
  plan.after = product({last, dims.end()});
  findSides(plan);
  return plan;
}

Value mli::createReduction(TensorBuilder &tensors, Value source, Type element,
                           const Reduction &plan, ReduceFunction reduce) {
  return tensors.createSliced(
      tensors.createReshape(source,
                            {plan.before, plan.height, plan.width, plan.after}),
      element, {plan.before, 1, 1, plan.after},
      [&](ValueRange slices, Value init) -> Value {
        return reduce(slices.front(), init);
      });
}
