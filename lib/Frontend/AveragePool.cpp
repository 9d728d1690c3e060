// SPDX-License-Identifier: Apache-2.0

#include "mli/Frontend/AveragePool.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mli;

/// The share of averages up to which the average pool is near enough.
static constexpr double maxShareOff = 0.01;
/// The maximum number of kernels for one pool: of the windows inside, and of
/// two at each end of both axes.
static constexpr size_t maxKernels = 25;
/// The maximum number of rows of a window that is a column, as for the kernels'
/// sizes of 8 bits.
static constexpr int64_t maxColumn = UINT8_MAX;

bool mli::takesProducts(AverageForm form, double pool, double products) {
  return form != AverageForm::Kernel && products < pool &&
         (form == AverageForm::Exact || pool > maxShareOff);
}

void mli::remarkProducts(Location loc, double poolShareOff) {
  emitRemark(loc, "computed by products with ones, since of all sums the "
                  "average pool would have ")
      << llvm::formatv("{0:F1} % off", 100 * poolShareOff).str();
}

//===----------------------------------------------------------------------===//
// Choosing kernels
//===----------------------------------------------------------------------===//

std::variant<EqualProduct, ByteRejection>
mli::chooseEqualProduct(MLIRContext *context,
                        const mli::quant::ExactMean &exact, int64_t channels,
                        const mli::quant::Limits &limits) {
  const mli::quant::Mean &mean = exact.mean;
  mli::quant::EqualWeights constants = mli::quant::chooseEqualWeights(exact);
  SmallVector<char> weights(mean.count * channels,
                            static_cast<char>(constants.weight));
  auto choice =
      chooseLayer(context, {mean.in,
                            mean.out,
                            mean.input,
                            weights,
                            SmallVector<int32_t>(channels, constants.bias),
                            {constants.factor},
                            limits});
  if (auto *rejection = std::get_if<ByteRejection>(&choice))
    return *rejection;
  return EqualProduct{std::move(std::get<ByteLayer>(choice)), constants.weight,
                      constants.shareOff};
}

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

/// Sets the kernels of `products` and the shares; fails where one has no kernel
/// of 8 bits.
static LogicalResult chooseKernels(MLIRContext *context,
                                   const AveragePool &pool,
                                   AverageProducts &products) {
  auto windows = static_cast<double>(pool.rows.out * pool.columns.out);
  for (const WindowRun &high : products.rows)
    for (const WindowRun &wide : products.columns) {
      mli::quant::ExactMean exact = pool.mean;
      exact.mean.count = static_cast<int32_t>(high.kernel * wide.kernel);
      auto choice =
          chooseEqualProduct(context, exact, pool.channels, pool.clip.limits);
      auto *kernel = std::get_if<EqualProduct>(&choice);
      if (!kernel || kernel->layer.terms)
        return failure();
      double share = static_cast<double>(high.count * wide.count) / windows;
      products.poolShareOff += share * mli::quant::poolShareOff(exact);
      products.shareOff += share * kernel->shareOff;
      products.kernels.push_back(std::move(*kernel));
    }
  return success();
}

bool mli::isColumn(int64_t count, int64_t channels) {
  return channels > 1 && count <= maxColumn;
}

/// Whether `pool` has one window, of the whole map, that can be a column.
static bool isColumnPool(const AveragePool &pool) {
  auto isWindow = [](const mli::quant::PoolAxis &axis) {
    return axis.out == 1 && axis.kernel == axis.in && axis.paddingBefore == 0;
  };
  return isWindow(pool.rows) && isWindow(pool.columns) &&
         isColumn(pool.rows.in * pool.columns.in, pool.channels);
}

/// Returns `pool` with its one window as a column of each channel's elements.
static AveragePool getColumns(AveragePool pool) {
  int64_t count = pool.rows.in * pool.columns.in;
  pool.rows = {count, 1, count, 1, 0};
  pool.columns = {pool.channels, pool.channels, 1, 1, 0};
  pool.channels = 1;
  return pool;
}

std::optional<AverageProducts>
mli::chooseAverageProducts(Location loc, const AveragePool &pool,
                           AverageForm form, bool isNeeded) {
  if (isColumnPool(pool))
    return chooseAverageProducts(loc, getColumns(pool), form, isNeeded);
  AverageProducts products;
  products.rows = findRuns(pool.rows);
  products.columns = findRuns(pool.columns);
  if (form == AverageForm::Kernel || !haveElements(products.rows) ||
      !haveElements(products.columns))
    return std::nullopt;
  size_t count = products.rows.size() * products.columns.size();
  if (count > maxKernels) {
    emitRemark(loc, "computed by the average pool, since products with ones "
                    "would take ")
        << count << " kernels";
    return std::nullopt;
  }
  if (failed(chooseKernels(loc.getContext(), pool, products)))
    return std::nullopt;
  if (!isNeeded &&
      !takesProducts(form, products.poolShareOff, products.shareOff))
    return std::nullopt;
  remarkProducts(loc, products.poolShareOff);
  return products;
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

/// Creates the product of `kernel` with windows of [height, width] of `source`.
static Value createKernel(TensorBuilder &tensors, const AveragePool &pool,
                          const EqualProduct &kernel, int64_t height,
                          int64_t width, Value source, Value init) {
  int64_t shape[] = {height, width, 1, pool.channels};
  LayerOperands operands =
      createOperands(tensors, kernel.layer, shape, [&](Type weights) {
        return tensors.createSplat(weights, shape, kernel.weight);
      });
  const int64_t padding[] = {0, 0, 0, 0}, ones[] = {1, 1};
  const int64_t strides[] = {pool.rows.stride, pool.columns.stride};
  return createProduct(
      tensors, operands, pool.clip, source, init,
      [&](Value from, const KernelOperands &each, Value into, ReluKind relu) {
        return tensors.createOp<DepthwiseConv2DOp>(
            from, each.weights, each.bias, into, padding, strides, ones, relu);
      });
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

Value mli::createAverageProducts(TensorBuilder &tensors,
                                 const AveragePool &pool,
                                 const AverageProducts &products, Value source,
                                 Value init) {
  if (isColumnPool(pool)) {
    AveragePool columns = getColumns(pool);
    Type element = getElementTypeOrSelf(init);
    Value result = createAverageProducts(
        tensors, columns, products,
        tensors.createReshape(source, {columns.rows.in, columns.columns.in, 1}),
        tensors.createEmpty(element, {1, columns.columns.out, 1}));
    return tensors.createReshape(result, {1, 1, pool.channels});
  }
  if (products.kernels.size() == 1 &&
      isWhole(products.rows.front(), pool.rows) &&
      isWhole(products.columns.front(), pool.columns))
    return createKernel(tensors, pool, products.kernels.front(),
                        products.rows.front().kernel,
                        products.columns.front().kernel, source, init);
  const EqualProduct *kernel = products.kernels.data();
  for (const WindowRun &high : products.rows)
    for (const WindowRun &wide : products.columns) {
      Value from =
          extract(tensors, source, {high.begin, wide.begin, 0},
                  {getExtent(high, pool.rows.stride),
                   getExtent(wide, pool.columns.stride), pool.channels});
      int64_t begin[] = {high.first, wide.first, 0};
      int64_t size[] = {high.count, wide.count, pool.channels};
      Value part =
          createKernel(tensors, pool, *kernel++, high.kernel, wide.kernel, from,
                       extract(tensors, init, begin, size));
      init = insert(tensors, part, init, begin, size);
    }
  return init;
}
