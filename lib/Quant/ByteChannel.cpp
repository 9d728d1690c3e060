// SPDX-License-Identifier: Apache-2.0

#include "mli/Quant/ByteChannel.h"

#include "mli/Quant/Accumulate.h"
#include "mli/Quant/KernelScales.h"

#include <cmath>

namespace mli::quant {

/// The most that products may move a constant, in quantised values, and that a
/// cut bias may move a result. The kernel's other roundings take 1/64.
static constexpr double maxLoss = 1.0 / 32;

std::vector<SumRange> productRanges(const int8_t *weights, size_t count,
                                    size_t outputs, const CodeRange &numbers) {
  int64_t low = std::min<int64_t>(numbers.low, 0),
          high = std::max<int64_t>(numbers.high, 0);
  std::vector<SumRange> ranges(outputs);
  for (size_t i = 0; i < count; ++i) {
    auto weight = static_cast<int64_t>(weights[i]);
    SumRange &range = ranges[i % outputs];
    range.low += weight * (weight < 0 ? high : low);
    range.high += weight * (weight < 0 ? low : high);
  }
  return ranges;
}

static int32_t clip(int32_t code, const Limits &limits) {
  return std::max(std::min(code, limits.high), limits.low);
}

int32_t exactCode(const ByteChannel &channel, int64_t sum) {
  int exponent = 0;
  auto multiplier =
      std::llround(std::ldexp(std::frexp(channel.factor, &exponent), 31));
  auto value = saturate<int32_t>(std::clamp<int64_t>(
      roundShiftRight<int64_t>(saturate<int32_t>(sum) * multiplier,
                               31 - exponent),
      INT16_MIN, INT16_MAX));
  return clip(saturate<int8_t>(value + channel.out.zeroPoint), channel.limits);
}

std::optional<int32_t> findConstant(const ByteChannel &channel) {
  if (!(channel.factor >= 0) || !std::isfinite(channel.factor))
    return std::nullopt;
  const SumRange &products = channel.products;
  auto codeAt = [&](int64_t sum) {
    return exactCode(channel, channel.bias + sum);
  };
  double width =
      static_cast<double>(products.high - products.low) * channel.factor;
  int64_t middle = products.low + (products.high - products.low) / 2;
  if (width > maxLoss && codeAt(products.low) != codeAt(products.high))
    return std::nullopt;
  return codeAt(middle) - channel.out.zeroPoint;
}

namespace {

/// The computation of one output channel by the kernel.
class KernelChannel {
public:
  KernelChannel(const ByteChannel &channel, const QuantParams &weights)
      : channel(channel), requantization(channelRequantization(
                              channel.in, weights, channel.out)) {}

  /// Returns the clipped quantised value of an accumulator.
  int32_t getCode(int32_t accumulator) const {
    return clip(requantizeAccumulator(accumulator, requantization,
                                      channel.out.zeroPoint),
                channel.limits);
  }
  /// Whether the kernel clips it to 16 bits.
  bool isCut(int32_t accumulator) const {
    int32_t narrow = roundShiftRight(accumulator, requantization.preShift);
    return narrow != saturate<int16_t>(narrow);
  }

private:
  const ByteChannel &channel;
  ChannelRequantization requantization;
};

} // namespace

/// Whether the kernel with the constants of `choice` gives what `chooseForm`
/// promises. Its quantised values do not fall as accumulators rise, so the ends
/// of their range suffice.
// K63
static bool isFaithful(const ByteChannel &channel, const ByteChoice &choice) {
  const SumRange &products = channel.products;
  if (products.low < INT32_MIN || products.high > INT32_MAX)
    return false;
  KernelChannel kernel(channel, choice.weights);
  int32_t term = biasTerm(choice.biasCode);
  auto low = saturate<int32_t>(term + products.low);
  auto high = saturate<int32_t>(term + products.high);
  for (int32_t end : {low, high}) {
    int32_t code = kernel.getCode(end);
    bool isLimit =
        end < 0 ? code <= channel.limits.low : code >= channel.limits.high;
    if (kernel.isCut(end) && !isLimit)
      return false;
  }
  int32_t least = exactCode(channel, channel.bias + products.low);
  int32_t greatest = exactCode(channel, channel.bias + products.high);
  bool isSame =
      kernel.getCode(low) == least && kernel.getCode(high) == greatest;
  if (products.low == products.high)
    return isSame;
  double lost =
      std::abs(static_cast<double>(channel.bias) - term) * channel.factor;
  return lost <= maxLoss || (isSame && least == greatest);
}

/// The formats of weights and bias with which the kernel multiplies by
/// `factor`.
static std::optional<ByteChoice> getFormats(const ByteChannel &channel,
                                            double factor) {
  std::optional<QuantParams> weights =
      weightsParams(channel.in, channel.out, factor);
  std::optional<QuantParams> bias =
      weights ? biasParams(channel.in, *weights) : std::nullopt;
  if (!bias)
    return std::nullopt;
  return ByteChoice{ByteForm::Kernel, *weights, *bias, channel.bias};
}

/// A channel without weights, whose scale is free: a power of two with which
/// the bias is a whole number of few bits. With the first ones a bias has 16
/// bits at most and fast kernels, which shift products by 15 bits or more, take
/// the layer.
static std::optional<ByteChoice> chooseConstant(const ByteChannel &channel,
                                                int32_t constant) {
  for (int bits : {6, 5, 4, 3, 2, 1, 0, 7, 8, 9, 10, 11, 12, 13, 14}) {
    std::optional<ByteChoice> choice =
        getFormats(channel, std::ldexp(1.0, -bits));
    if (!choice)
      continue;
    choice->form = ByteForm::Constant;
    choice->biasCode = constant * (1 << bits);
    return choice;
  }
  return std::nullopt;
}

/// Returns the bias nearest to `bias` of which the kernel leaves out nothing.
static int32_t nearestBias(int32_t bias) {
  int64_t unit = int64_t{1} << std::max(16 - norm(bias), 0);
  return biasTerm(saturate<int32_t>(bias + unit / 2));
}

std::optional<ByteChoice> chooseForm(const ByteChannel &channel) {
  std::optional<ByteChoice> choice = getFormats(channel, channel.factor);
  if (choice && isFaithful(channel, *choice))
    return choice;
  if (choice && channel.products.low != channel.products.high) {
    ByteChoice rounded = *choice;
    rounded.form = ByteForm::Rounded;
    rounded.biasCode = nearestBias(channel.bias);
    if (isFaithful(channel, rounded))
      return rounded;
  }
  if (std::optional<int32_t> constant = findConstant(channel))
    return chooseConstant(channel, *constant);
  if (choice)
    choice->form = ByteForm::Wide;
  return choice;
}

} // namespace mli::quant
