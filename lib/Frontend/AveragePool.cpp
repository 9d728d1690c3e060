// SPDX-License-Identifier: Apache-2.0

#include "mli/Frontend/AveragePool.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mli;

/// The share of averages up to which the average pool is near enough.
static constexpr double maxShareOff = 0.01;
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

void mli::remarkTooMany(Location loc, const WindowRuns &runs) {
  emitRemark(loc, "computed by the average pool, since products with ones "
                  "would take ")
      << runs.getNumKernels() << " kernels";
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
  if (form == AverageForm::Kernel)
    return std::nullopt;
  std::optional<WindowRuns> runs = findWindowRuns(pool);
  if (!runs)
    return std::nullopt;
  if (runs->isTooMany()) {
    remarkTooMany(loc, *runs);
    return std::nullopt;
  }
  AverageProducts products{*runs, {}};
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
  return createWindowRuns(
      tensors, pool, products, source, init,
      [&](size_t index, int64_t height, int64_t width, Value from, Value into) {
        return createKernel(tensors, pool, products.kernels[index], height,
                            width, from, into);
      });
}
