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
                     const ReducedSum &sum, bool mayPool) {
  SumKernel kernel;
  if (mayPool) {
    kernel.poolError = mli::quant::averageError(
        {sum.in, sum.out, sum.factor * static_cast<double>(plan.count),
         static_cast<int32_t>(plan.count), sum.input});
    if (*kernel.poolError < 1)
      return kernel;
  }
  SmallVector<char> ones(plan.count * plan.after, 1);
  auto choice = chooseLayer(context, {sum.in,
                                      sum.out,
                                      sum.input,
                                      ones,
                                      SmallVector<int32_t>(plan.after, 0),
                                      {sum.factor},
                                      allValues});
  if (auto *rejection = std::get_if<ByteRejection>(&choice))
    return *rejection;
  kernel.ones = std::move(std::get<ByteLayer>(choice));
  return kernel;
}

std::string mli::describePoolError(double error) {
  if (!std::isfinite(error))
    return "saturate";
  return llvm::formatv("be off by up to {0:F1}", error);
}

Value mli::createReducedSum(TensorBuilder &tensors, Value source,
                            Sa8Type element, const Reduction &plan,
                            const SumKernel &kernel) {
  if (!kernel.ones)
    return createReduction<AvePoolOp>(tensors, source, element, plan);
  if (kernel.poolError)
    emitRemark(tensors.getLoc(),
               "computed by products with ones, since the average pool would ")
        << describePoolError(*kernel.poolError);
  remarkChanges(tensors.getLoc(), *kernel.ones);
  int64_t shape[] = {plan.height, plan.width, 1, plan.after};
  LayerOperands operands =
      createOperands(tensors, *kernel.ones, shape, [&](Type weights) {
        return tensors.createSplat(weights, shape, /*value=*/1);
      });
  const Clip clip = chooseClip(allValues, element.getParams().front());
  return createReduction(
      tensors, source, element, plan, [&](Value map, Value init) {
        return createProduct(tensors, operands, clip, map, init,
                             [&](Value from, const KernelOperands &each,
                                 Value into, ReluKind relu) {
                               return createUnitConv<DepthwiseConv2DOp>(
                                   tensors, from, each, into, relu);
                             });
      });
}
