// SPDX-License-Identifier: Apache-2.0

#include "mli/Frontend/ShiftedMap.h"

#include "mli/Analysis/CodeRanges.h"

#include <cmath>

using namespace mlir;
using namespace mli;

/// The most of a bias that the kernel takes.
static constexpr double maxBias = INT16_MAX;
/// How much nearer than its neighbour a factor of 15 bits is at worst.
static constexpr double factorError = 0x1p-16;
/// How many constants are tried with all candidates.
static constexpr size_t maxTried = 64;
/// The share of sums with a constant by which the kernel of two operands may be
/// worse than a layer that computes them as fast.
static constexpr double maxConstantShare = 0.005;

double mli::getShareOff(
    const ShiftedMap &map,
    llvm::function_ref<double(double value, double constant)> compute) {
  SmallVector<double> constants(map.constants);
  llvm::sort(constants);
  constants.erase(llvm::unique(constants), constants.end());
  auto quantize = [&](double sum) {
    return std::clamp<double>(sum + map.out.zeroPoint, map.limits.low,
                              map.limits.high);
  };
  size_t count = 0;
  for (double constant : constants)
    for (int32_t value : llvm::seq_inclusive(map.values.low, map.values.high)) {
      double exact = std::round((map.sign * value + constant) * map.factor);
      count += quantize(compute(value, constant)) != quantize(exact);
    }
  return static_cast<double>(count) /
         static_cast<double>(constants.size() * map.values.count());
}

/// The share that `shift` may have off, with its factor as far off as it may
/// be.
static double getWorstShare(const ShiftedMap &map, const Shift &shift) {
  double share = 0;
  for (double error : {-factorError, factorError})
    share =
        std::max(share, getShareOff(map, [&](double value, double constant) {
                   double bias = std::nearbyint(constant * shift.weight);
                   double sum = map.sign * value * shift.weight + bias;
                   return std::floor(sum * shift.factor * (1 + error) + 0.5);
                 }));
  return share;
}

std::optional<Shift> mli::chooseShift(const ShiftedMap &map) {
  double most = 1;
  for (double constant : map.constants)
    most = std::max(most, std::abs(constant));
  auto limit = static_cast<int32_t>(std::min<double>(INT8_MAX, maxBias / most));
  if (limit < 1)
    return std::nullopt;
  std::optional<Shift> best;
  bool triesAll = map.constants.size() <= maxTried;
  // A factor that is a bit larger rounds halves away from zero.
  for (int32_t weight = limit; weight > std::max(0, limit - 4); --weight)
    for (double stretch : {1.0, 1 + 4 * factorError}) {
      if (best && !triesAll)
        break;
      Shift shift = {weight, {}, map.factor / weight * stretch, 0};
      shift.shareOff = getWorstShare(map, shift);
      if (!best || shift.shareOff < best->shareOff)
        best = shift;
    }
  for (double constant : map.constants)
    best->bias.push_back(
        static_cast<int32_t>(std::nearbyint(constant * best->weight)));
  best->weight = map.sign < 0 ? -best->weight : best->weight;
  return best;
}

Value mli::createShiftedMap(TensorBuilder &tensors, Value source,
                            Sa8Type element, const Shift &shift,
                            const Clip &clip) {
  auto in = getParams(source);
  auto out = element.getParams().front();
  SmallVector<char> weights(shift.bias.size(), static_cast<char>(shift.weight));
  auto choice = chooseLayer(tensors.getContext(), {in,
                                                   out,
                                                   getCodeRange(source),
                                                   weights,
                                                   shift.bias,
                                                   {shift.factor},
                                                   clip.limits});
  auto *layer = std::get_if<ByteLayer>(&choice);
  if (!layer || layer->terms)
    return {};
  auto channels = static_cast<int64_t>(weights.size());
  int64_t count = cast<RankedTensorType>(source.getType()).getNumElements();
  int64_t shape[] = {1, 1, 1, channels};
  LayerOperands operands =
      createOperands(tensors, *layer, shape, [&](Type type) {
        return tensors.createConstant(type, shape, weights);
      });
  int64_t map[] = {count / channels, 1, channels};
  return createProduct(
      tensors, operands, clip, tensors.createReshape(source, map),
      tensors.createEmpty(element, map),
      [&](Value from, const KernelOperands &each, Value into, ReluKind relu) {
        return createUnitConv<DepthwiseConv2DOp>(tensors, from, each, into,
                                                 relu);
      });
}

Value mli::createConstantSum(
    TensorBuilder &tensors, Value source, const ShiftedMap &map,
    Sa8Type element, const Clip &clip,
    llvm::function_ref<double(double value, double constant)> kernel) {
  double share = getShareOff(map, kernel);
  std::optional<Shift> shift = chooseShift(map);
  if (!shift || share <= shift->shareOff + maxConstantShare)
    return {};
  return createShiftedMap(tensors, source, element, *shift, clip);
}
