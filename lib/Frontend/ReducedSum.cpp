// SPDX-License-Identifier: Apache-2.0

#include "mli/Frontend/ReducedSum.h"

#include "mli/Quant/Mean.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>

using namespace mlir;
using namespace mli;

static constexpr mli::quant::Limits allValues = {INT8_MIN, INT8_MAX};

std::variant<SumKernel, ByteRejection>
mli::chooseSumKernel(MLIRContext *context, const Reduction &plan,
                     const ReducedSum &sum, std::optional<AverageForm> form) {
  mli::quant::ExactMean exact = {{sum.in, sum.out,
                                  sum.factor * static_cast<double>(plan.count),
                                  static_cast<int32_t>(plan.count), sum.input},
                                 /*pivot=*/std::nullopt};
  SumKernel kernel;
  if (form) {
    kernel.poolError = mli::quant::averageError(exact.mean);
    if (*kernel.poolError < 1 && *form == AverageForm::Kernel)
      return kernel;
    kernel.poolShareOff = mli::quant::poolShareOff(exact);
  }
  int64_t channels = isColumn(plan.count, plan.after) ? 1 : plan.after;
  auto choice = chooseEqualProduct(context, exact, channels, allValues);
  auto *ones = std::get_if<EqualProduct>(&choice);
  if (kernel.poolError && *kernel.poolError < 1 &&
      (!ones || !takesProducts(*form, kernel.poolShareOff, ones->shareOff)))
    return kernel;
  if (!ones)
    return std::get<ByteRejection>(choice);
  kernel.ones = std::move(*ones);
  return kernel;
}

std::string mli::describePoolError(double error) {
  if (!std::isfinite(error))
    return "saturate";
  return llvm::formatv("be off by up to {0:F1}", error);
}

OnesShapes mli::getOnesShapes(const Reduction &plan) {
  if (isColumn(plan.count, plan.after))
    return {{plan.before, plan.count, plan.after, 1},
            {plan.count, 1, 1, 1},
            {plan.before, 1, plan.after, 1}};
  return {{plan.before, plan.height, plan.width, plan.after},
          {plan.height, plan.width, 1, plan.after},
          {plan.before, 1, 1, plan.after}};
}

Value mli::createReducedSum(TensorBuilder &tensors, Value source,
                            Sa8Type element, const Reduction &plan,
                            const SumKernel &kernel) {
  if (!kernel.ones)
    return createReduction<AvePoolOp>(tensors, source, element, plan);
  if (kernel.poolError && *kernel.poolError < 1)
    remarkProducts(tensors.getLoc(), kernel.poolShareOff);
  else if (kernel.poolError)
    emitRemark(tensors.getLoc(),
               "computed by products with ones, since the average pool would ")
        << describePoolError(*kernel.poolError);
  remarkChanges(tensors.getLoc(), kernel.ones->layer);
  OnesShapes shapes = getOnesShapes(plan);
  LayerOperands operands = createOperands(
      tensors, kernel.ones->layer, shapes.window, [&](Type weights) {
        return tensors.createSplat(weights, shapes.window, kernel.ones->weight);
      });
  const Clip clip = chooseClip(allValues, element.getParams().front());
  return tensors.createSliced(
      tensors.createReshape(source, shapes.maps), element, shapes.results,
      [&](ValueRange slices, Value init) -> Value {
        return createProduct(tensors, operands, clip, slices.front(), init,
                             [&](Value from, const KernelOperands &each,
                                 Value into, ReluKind relu) {
                               return createUnitConv<DepthwiseConv2DOp>(
                                   tensors, from, each, into, relu);
                             });
      });
}
