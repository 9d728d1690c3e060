// SPDX-License-Identifier: Apache-2.0

#include "mli/Frontend/WindowRuns.h"

#include "mli/Contract/Contract.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mli;

/// The maximum number of kernels for one pool: of the windows inside, and of
/// two at each end of both axes.
static constexpr size_t maxKernels = 25;

bool PoolShape::fitsKernel() const {
  return contract::windowStepRange.contains(rows.kernel) &&
         contract::windowStepRange.contains(columns.kernel);
}

bool WindowRuns::isTooMany() const { return getNumKernels() > maxKernels; }

//===----------------------------------------------------------------------===//
// Finding runs
//===----------------------------------------------------------------------===//

/// Returns the runs of windows along `axis`: one of all that are inside of the
/// input, and one each for those that padding cuts.
static SmallVector<WindowRun> findRuns(const mli::quant::PoolAxis &axis) {
  SmallVector<WindowRun> runs;
  for (int64_t i = 0; i < axis.out; ++i) {
    int64_t start = i * axis.stride - axis.paddingBefore;
    int64_t begin = std::max<int64_t>(start, 0);
    int64_t kernel = std::min(start + axis.kernel, axis.in) - begin;
    bool isInside = kernel == axis.kernel;
    if (isInside && !runs.empty() && runs.back().kernel == kernel)
      ++runs.back().count;
    else
      runs.push_back({i, 1, begin, kernel});
  }
  return runs;
}

/// Whether no run has windows that lie beside the input as a whole.
static bool haveElements(ArrayRef<WindowRun> runs) {
  return llvm::all_of(runs,
                      [](const WindowRun &run) { return run.kernel > 0; });
}

std::optional<WindowRuns> mli::findWindowRuns(const PoolShape &pool) {
  WindowRuns runs{findRuns(pool.rows), findRuns(pool.columns)};
  if (!haveElements(runs.rows) || !haveElements(runs.columns))
    return std::nullopt;
  return runs;
}

//===----------------------------------------------------------------------===//
// Creating kernels
//===----------------------------------------------------------------------===//

namespace {
/// A block of rows and columns of a feature map.
struct MapBlock {
  SmallVector<OpFoldResult> offsets, sizes, steps;

  MapBlock(OpBuilder &builder, ArrayRef<int64_t> from, ArrayRef<int64_t> size)
      : offsets(getAsIndexOpFoldResult(builder.getContext(), from)),
        sizes(getAsIndexOpFoldResult(builder.getContext(), size)),
        steps(from.size(), builder.getIndexAttr(1)) {}
};
} // namespace

static Value extract(TensorBuilder &tensors, Value map, ArrayRef<int64_t> from,
                     ArrayRef<int64_t> size) {
  MapBlock block(tensors.getBuilder(), from, size);
  return tensors.createOp<tensor::ExtractSliceOp>(map, block.offsets,
                                                  block.sizes, block.steps);
}

static Value insert(TensorBuilder &tensors, Value part, Value into,
                    ArrayRef<int64_t> from, ArrayRef<int64_t> size) {
  MapBlock block(tensors.getBuilder(), from, size);
  return tensors.createOp<tensor::InsertSliceOp>(part, into, block.offsets,
                                                 block.sizes, block.steps);
}

/// The number of elements along an axis that the windows of `run` have.
static int64_t getExtent(const WindowRun &run, int64_t stride) {
  return (run.count - 1) * stride + run.kernel;
}

/// Whether a kernel finds the windows of `run`, and no others, in the whole
/// input.
static bool isWhole(const WindowRun &run, const mli::quant::PoolAxis &axis) {
  return run.begin == 0 && getExtent(run, axis.stride) + axis.stride > axis.in;
}

Value mli::createWindowRuns(TensorBuilder &tensors, const PoolShape &pool,
                            const WindowRuns &runs, Value source, Value init,
                            RunFunction create) {
  const WindowRun &top = runs.rows.front(), &left = runs.columns.front();
  if (runs.getNumKernels() == 1 && isWhole(top, pool.rows) &&
      isWhole(left, pool.columns))
    return create(0, top.kernel, left.kernel, source, init);
  size_t index = 0;
  for (const WindowRun &high : runs.rows)
    for (const WindowRun &wide : runs.columns) {
      Value from =
          extract(tensors, source, {high.begin, wide.begin, 0},
                  {getExtent(high, pool.rows.stride),
                   getExtent(wide, pool.columns.stride), pool.channels});
      int64_t begin[] = {high.first, wide.first, 0};
      int64_t size[] = {high.count, wide.count, pool.channels};
      Value part = create(index++, high.kernel, wide.kernel, from,
                          extract(tensors, init, begin, size));
      init = insert(tensors, part, init, begin, size);
    }
  return init;
}
