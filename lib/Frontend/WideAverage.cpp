// SPDX-License-Identifier: Apache-2.0

#include "mli/Frontend/WideAverage.h"

#include "mli/Frontend/AveragePool.h"
#include "mli/Frontend/ReducedSum.h"
#include "mli/Frontend/WideProduct.h"
#include "mli/Quant/Requantize.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace mli;

/// The quantized value farthest from 0.
static constexpr double maxValue = INT16_MAX + 1;

//===----------------------------------------------------------------------===//
// Choosing kernels
//===----------------------------------------------------------------------===//

/// The maximum error in quantized values of the average pool of `count` ones
/// before it rounds: of its reciprocal it has 15 bits.
static double getPoolError(int64_t count) {
  mli::quant::AverageScale scale = mli::quant::averageFixedPoint(
      /*inFracBits=*/0, /*outFracBits=*/0, static_cast<int32_t>(count));
  double factor = std::ldexp(scale.multiplier, -scale.shift);
  return std::abs(1 - factor * static_cast<double>(count)) * maxValue;
}

/// Chooses a product with ones; none where 16 bits do not hold its factor.
static std::optional<WideOnes> chooseOnes(const WideReducedSum &sum) {
  Fx16Type element = findFactorElement(sum.factor, sum.in, sum.out);
  if (!element)
    return std::nullopt;
  int bits =
      element.getFracBits() + sum.in.getFracBits() - sum.out.getFracBits();
  double weight = std::floor(std::ldexp(sum.factor, bits) + 0.5);
  // Sums whose results saturate are off by no more than those whose results
  // nearly do.
  double most = std::min(static_cast<double>(sum.count) * maxValue,
                         maxValue / sum.factor);
  return WideOnes{element, static_cast<int16_t>(weight),
                  std::abs(std::ldexp(weight, -bits) - sum.factor) * most};
}

/// Whether `form` takes products that are off by up to `products` before they
/// round, rather than the average pool, which is by `pool`.
static bool takesOnes(AverageForm form, double pool, double products) {
  return !(pool < 1) || (form == AverageForm::Exact && products < pool);
}

static void remarkOnes(Location loc, double poolError) {
  emitRemark(loc,
             "computed by products with ones, since the average pool would ")
      << describePoolError(poolError);
}

FailureOr<std::optional<WideOnes>>
mli::chooseWideReducedSum(Location loc, const WideReducedSum &sum,
                          AverageForm form) {
  std::optional<WideOnes> ones = chooseOnes(sum);
  bool hasKernel = sum.isMean && sum.in == sum.out;
  double poolError = getPoolError(sum.count);
  if (hasKernel && (!ones || !takesOnes(form, poolError, ones->error)))
    return std::optional<WideOnes>();
  if (!ones)
    return failure();
  if (hasKernel)
    remarkOnes(loc, poolError);
  return ones;
}

/// The maximum error of the average pool, and of products with ones.
static std::pair<double, double> getErrors(const WideProducts &products) {
  double pool = 0, ones = 0;
  const WideOnes *each = products.ones.data();
  for (const WindowRun &high : products.runs.rows)
    for (const WindowRun &wide : products.runs.columns) {
      pool = std::max(pool, getPoolError(high.kernel * wide.kernel));
      ones = std::max(ones, (each++)->error);
    }
  return {pool, ones};
}

/// Chooses the products of all runs; fails where 16 bits do not hold a factor.
static LogicalResult chooseRuns(const WidePool &pool, WideProducts &products) {
  for (const WindowRun &high : products.runs.rows)
    for (const WindowRun &wide : products.runs.columns) {
      int64_t count = high.kernel * wide.kernel;
      auto ones = chooseOnes({pool.in, pool.out,
                              pool.ratio / static_cast<double>(count), count,
                              pool.hasKernel});
      if (!ones)
        return failure();
      products.ones.push_back(*ones);
    }
  return success();
}

/// Whether the kernel of the average pool takes the windows and formats.
static bool hasPoolKernel(const WidePool &pool) {
  return pool.hasKernel && pool.in == pool.out && pool.fitsKernel();
}

/// Why no kernel computes `pool`, whose products would take `kernels`.
static std::string explainTooMany(const WidePool &pool, size_t kernels) {
  std::string reason;
  llvm::raw_string_ostream stream(reason);
  if (pool.hasKernel && pool.in == pool.out)
    stream << "expected windows of at most 255 x 255 elements, since products "
              "with ones would take "
           << kernels << " kernels, but got " << pool.rows.kernel << " x "
           << pool.columns.kernel;
  else
    stream << "expected input and output of one scale, since products with "
              "ones would take "
           << kernels << " kernels, but got scales of a ratio of "
           << pool.ratio;
  return reason;
}

/// Chooses between the kernel of the average pool, which takes `pool`, and
/// products: none for the kernel.
static std::optional<WideProducts>
chooseOverKernel(Location loc, const WidePool &pool, AverageForm form) {
  WideProducts products{*findWindowRuns(pool), {}};
  if (failed(chooseRuns(pool, products)))
    return std::nullopt;
  auto [poolError, onesError] = getErrors(products);
  if (!takesOnes(form, poolError, onesError))
    return std::nullopt;
  if (products.runs.isTooMany()) {
    remarkTooMany(loc, products.runs);
    return std::nullopt;
  }
  remarkOnes(loc, poolError);
  return products;
}

FailureOr<std::optional<WideProducts>>
mli::chooseWideAverage(Location loc, const WidePool &pool, AverageForm form,
                       std::string &reason) {
  if (hasPoolKernel(pool))
    return chooseOverKernel(loc, pool, form);
  WideProducts products{*findWindowRuns(pool), {}};
  if (products.runs.isTooMany()) {
    reason = explainTooMany(pool, products.runs.getNumKernels());
    return failure();
  }
  if (succeeded(chooseRuns(pool, products)))
    return std::optional(std::move(products));
  llvm::raw_string_ostream(reason)
      << "expected the scales of input and output to give a factor in range, "
         "but got "
      << pool.ratio;
  return failure();
}

//===----------------------------------------------------------------------===//
// Creating kernels
//===----------------------------------------------------------------------===//

/// Creates the constants of a product with `ones` of windows of `shape`,
/// [height, width, 1, channels].
static KernelOperands createOnes(TensorBuilder &tensors, const WideOnes &ones,
                                 Fx16Type in, ArrayRef<int64_t> shape) {
  // A bias of the format of the sums is not shifted.
  int biasBits =
      std::min(in.getFracBits() + ones.element.getFracBits(), INT8_MAX);
  return {tensors.createSplat(ones.element, shape, ones.weight),
          tensors.createSplat(Fx16Type::get(tensors.getContext(), biasBits),
                              shape.back(), 0)};
}

Value mli::createWideReducedSum(TensorBuilder &tensors, Value source,
                                Fx16Type element, const Reduction &plan,
                                const std::optional<WideOnes> &ones) {
  if (!ones)
    return createReduction<AvePoolOp>(tensors, source, element, plan);
  OnesShapes shapes = getOnesShapes(plan);
  KernelOperands operands =
      createOnes(tensors, *ones, cast<Fx16Type>(getElementTypeOrSelf(source)),
                 shapes.window);
  return tensors.createSliced(
      tensors.createReshape(source, shapes.maps), element, shapes.results,
      [&](ValueRange slices, Value init) -> Value {
        return createUnitConv<DepthwiseConv2DOp>(
            tensors, slices.front(), operands, init, ReluKind::none);
      });
}

Value mli::createWideAverage(TensorBuilder &tensors, const WidePool &pool,
                             const WideProducts &products, Value source,
                             Value init) {
  const int64_t strides[] = {pool.rows.stride, pool.columns.stride};
  const int64_t padding[] = {0, 0, 0, 0}, dilations[] = {1, 1};
  return createWindowRuns(
      tensors, pool, products.runs, source, init,
      [&](size_t index, int64_t height, int64_t width, Value from, Value into) {
        KernelOperands operands =
            createOnes(tensors, products.ones[index], pool.in,
                       {height, width, 1, pool.channels});
        return tensors.createOp<DepthwiseConv2DOp>(
            from, operands.weights, operands.bias, into, padding, strides,
            dilations, ReluKind::none);
      });
}
