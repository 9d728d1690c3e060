// SPDX-License-Identifier: Apache-2.0
//
// Convolutions, matrix products and pooling, one output code at a time.

#ifndef MLI_TEST_UNIT_RUNTIME_REFERENCE_WEIGHTED_H
#define MLI_TEST_UNIT_RUNTIME_REFERENCE_WEIGHTED_H

#include "Tensors.h"

#include <map>
#include <numeric>

namespace mli::ref {

/// Limits of an activation on codes of `bits` bits.
inline std::pair<Wide, Wide> reluLimits(mli_relu_type type, const Quant &q,
                                        int bits) {
  Wide low = -power(bits - 1);
  Wide high = power(bits - 1) - 1;
  Wide six = q.f >= 28   ? high
             : q.f >= 0  ? tdiv(6 * power(q.f), q.s)
             : q.f >= -2 ? tdiv(6 >> -q.f, q.s)
                         : 0;
  Wide one = q.f >= 30 ? high : q.f >= 0 ? tdiv(power(q.f), q.s) : 0;
  switch (type) {
  case MLI_RELU_GEN:
    return {std::max(q.z, low), high};
  case MLI_RELU_6:
    return {std::max(q.z, low), std::min(q.z + six, high)};
  case MLI_RELU_1:
    return {std::max(q.z - one, low), std::min(q.z + one, high)};
  default:
    return {low, high};
  }
}

/// The tensors of a product.
struct Product {
  const mli_tensor &in;
  const mli_tensor &weights;
  const mli_tensor &bias;
  const mli_tensor &out;

  int accumulatorBits() const {
    return weights.el_type == MLI_EL_FX_16 ? 64 : 32;
  }
};

/// What bias code `code` of sa32 adds: its 16 most significant bits, or all.
inline Wide saBiasTerm(Wide code) {
  int t = std::max(16 - norm(32, code), 0);
  return options.hasFullProducts ? code : floorShift(code, t) * power(t);
}

/// What bias code `code` adds.
inline Wide biasTerm(const Product &p, Wide code) {
  if (!isFx(p.in.el_type))
    return saBiasTerm(code);
  int shift = quantOf(p.in).f + quantOf(p.weights).f - quantOf(p.bias).f;
  return wrap(32, rsh(p.accumulatorBits(), code, -shift));
}

/// ratio, multiplier and shift of an output channel, before narrowing.
inline std::pair<Wide, int> saMultiplier(const Quant &in, const Quant &w,
                                         const Quant &out, bool isNormalised) {
  int n0 = norm(32, in.s);
  Wide q = tdiv(in.s * power(n0), out.s);
  int n1 = norm(32, q);
  Wide ratio = sat(16, rsh(32, q, 16 - n1));
  Wide m = ratio * w.s;
  int n2 = isNormalised ? norm(32, m) : 0;
  return {m * power(n2), in.f + n0 - out.f - (16 - n1) + w.f + n2};
}

/// A sum by the multiplier of its channel.
inline Wide castSa(Wide acc, std::pair<Wide, int> multiplier, Wide zero) {
  auto [m, shift] = multiplier;
  if (options.hasFullProducts)
    return sat(8,
               sat(16, sat(16, rsh(64, acc * m, std::min(shift, 63))) + zero));
  Wide m16 = rsh(32, m, 16);
  shift -= 16;
  int pre = std::clamp(shift - 21, 0, 8);
  Wide a = sat(16, rsh(32, acc, pre));
  return sat(
      8, sat(16, sat(16, rsh(64, a * m16, std::min(shift - pre, 63))) + zero));
}

/// How sums of products of one channel become codes.
class ChannelOutput {
public:
  ChannelOutput(const Product &p, const mli_relu_cfg &relu, uint32_t channel)
      : bits(p.accumulatorBits()), outBits(getBits(p.out.el_type)),
        isFixed(isFx(p.in.el_type)), zero(quantOf(p.out).z),
        bias(biasTerm(p, codeAt(p.bias, {int64_t{channel}}))),
        limits(reluLimits(relu.type, quantOf(p.out), outBits)) {
    if (isFixed)
      multiplier = {1,
                    quantOf(p.in).f + quantOf(p.weights).f - quantOf(p.out).f};
    else
      multiplier = saMultiplier(quantOf(p.in), quantOf(p.weights, channel),
                                quantOf(p.out), !options.hasFullProducts);
  }
  int64_t code(Wide sum) const {
    Wide acc = sat(bits, wrap(bits, sum) + bias);
    Wide y = isFixed ? sat(outBits, rsh(bits, acc, multiplier.second))
                     : castSa(acc, multiplier, zero);
    return static_cast<int64_t>(
        std::max(std::min(y, limits.second), limits.first));
  }

private:
  int bits;
  int outBits;
  bool isFixed;
  Wide zero;
  Wide bias;
  std::pair<Wide, Wide> limits;
  std::pair<Wide, int> multiplier;
};

inline std::vector<ChannelOutput>
channelOutputs(const Product &p, const mli_relu_cfg &relu, uint32_t channels) {
  std::vector<ChannelOutput> outputs;
  outputs.reserve(channels);
  for (uint32_t channel = 0; channel < channels; ++channel)
    outputs.emplace_back(p, relu, channel);
  return outputs;
}

/// Codes less their zero point.
inline Codes centredCodes(const mli_tensor &t) {
  Codes codes = getCodes(t);
  auto zero = static_cast<int64_t>(quantOf(t).z);
  for (int64_t &code : codes)
    code -= zero;
  return codes;
}

enum class Convolution {
  Conv2d,
  DepthwiseConv2d,
  GroupConv2d,
  TransposeConv2d
};

/// Height or width of a convolution.
struct ConvolutionAxis {
  bool isTransposed;
  int64_t stride;
  int64_t before;
  int64_t dilation;
  int64_t extent;

  /// The input that tap `k` of output `o` reads; -1 if there is none.
  int64_t inputOf(int64_t o, int64_t k) const {
    int64_t i =
        isTransposed ? o + before - k : o * stride - before + k * dilation;
    if (isTransposed && i % stride != 0)
      return -1;
    if (isTransposed)
      i /= stride;
    return i < 0 || i >= extent ? -1 : i;
  }
};

/// The sums of products of a convolution, without the bias.
inline std::vector<int64_t> convolutionSums(Convolution kind, const Product &p,
                                            const mli_conv2d_cfg &cfg) {
  bool isTransposed = kind == Convolution::TransposeConv2d;
  ConvolutionAxis height = {isTransposed, cfg.stride_height, cfg.padding_top,
                            cfg.dilation_height, p.in.shape[0]};
  ConvolutionAxis width = {isTransposed, cfg.stride_width, cfg.padding_left,
                           cfg.dilation_width, p.in.shape[1]};
  Codes in = centredCodes(p.in);
  Codes weights = getCodes(p.weights);
  int64_t inputs = p.in.shape[2];
  int64_t depth = p.weights.shape[2];
  int64_t outputs = p.weights.shape[3];
  // The products of one output: every tap and every channel that it sees.
  auto sumAt = [&](const Coords &at) {
    int64_t first = 0;
    if (kind == Convolution::DepthwiseConv2d)
      first = at[2];
    if (kind == Convolution::GroupConv2d)
      first = at[2] / (outputs / (inputs / depth)) * depth;
    int64_t sum = 0;
    for (int64_t ky = 0; ky < p.weights.shape[0]; ++ky)
      for (int64_t kx = 0; kx < p.weights.shape[1]; ++kx) {
        int64_t y = height.inputOf(at[0], ky);
        int64_t x = width.inputOf(at[1], kx);
        if (y < 0 || x < 0)
          continue;
        const int64_t *pixel = &in[(y * p.in.shape[1] + x) * inputs + first];
        const int64_t *tap =
            &weights[(ky * p.weights.shape[1] + kx) * depth * outputs + at[2]];
        for (int64_t d = 0; d < depth; ++d)
          sum += pixel[d] * tap[d * outputs];
      }
    return sum;
  };
  std::vector<int64_t> shape = getShape(p.out);
  std::vector<int64_t> sums(countOf(shape));
  for (size_t i = 0; i < sums.size(); ++i)
    sums[i] = sumAt(coordsOf(shape, static_cast<int64_t>(i)));
  return sums;
}

/// The codes of sums whose last dimension counts the channels.
inline Codes finishSums(const std::vector<int64_t> &sums, const Product &p,
                        const mli_relu_cfg &relu, uint32_t channels) {
  std::vector<ChannelOutput> finish = channelOutputs(p, relu, channels);
  Codes codes(sums.size());
  for (size_t i = 0; i < codes.size(); ++i)
    codes[i] = finish[i % channels].code(sums[i]);
  return codes;
}

inline Codes convolution(Convolution kind, const Product &p,
                         const mli_conv2d_cfg &cfg) {
  return finishSums(convolutionSums(kind, p, cfg), p, cfg.relu,
                    p.weights.shape[3]);
}

/// The sums of products of a fully connected layer, without the bias.
inline std::vector<int64_t> fullyConnectedSums(bool hasExtBias,
                                               const Product &p) {
  Codes in = hasExtBias ? getCodes(p.in) : centredCodes(p.in);
  Codes weights = getCodes(p.weights);
  std::vector<int64_t> sums(p.out.shape[0]);
  for (size_t o = 0; o < sums.size(); ++o)
    for (size_t i = 0; i < in.size(); ++i)
      sums[o] += in[i] * weights[i * sums.size() + o];
  return sums;
}

inline Codes fullyConnected(bool hasExtBias, const Product &p,
                            const mli_fully_connected_cfg &cfg) {
  return finishSums(fullyConnectedSums(hasExtBias, p), p, cfg.relu,
                    p.out.shape[0]);
}

/// 1/d, about r * 2^-e.
inline std::pair<Wide, int> reciprocal(int64_t d) {
  int e = 14;
  while (power(e - 14) < d)
    ++e;
  return {tdiv(power(e), d), e};
}

/// How the sums of windows of some count of samples become their average.
class WindowAverage {
public:
  WindowAverage(const mli_tensor &in, const mli_tensor &out, size_t samples)
      : type(in.el_type), bits(type == MLI_EL_FX_16 ? 64 : 32) {
    auto [r, e] = reciprocal(static_cast<int64_t>(samples));
    factor = r;
    shift = quantOf(in).f - quantOf(out).f + e;
    if (isFx(type))
      return;
    Requant scale = requant(quantOf(in), quantOf(out));
    Mantissa k = mantissa(options.hasFullAverages ? 16 : 8, scale.m * r);
    factor = k.mantissa;
    shift = scale.shift + e - k.shift;
    start = shl(32, scale.offset, shift);
  }
  int64_t code(int64_t sum) const {
    return static_cast<int64_t>(
        sat(getBits(type), rsh(bits, wrap(bits, start + factor * sum), shift)));
  }

private:
  mli_element_type type;
  int bits;
  Wide factor;
  int shift;
  Wide start = 0;
};

/// Calls `visit(i, window)` with the codes of the window of each output.
template <typename Visit>
void forEachWindow(const mli_tensor &in, const mli_pool_cfg &cfg,
                   const mli_tensor &out, Visit visit) {
  ConvolutionAxis height = {false, cfg.stride_height, cfg.padding_top, 1,
                            in.shape[0]};
  ConvolutionAxis width = {false, cfg.stride_width, cfg.padding_left, 1,
                           in.shape[1]};
  Codes inputs = getCodes(in);
  std::vector<int64_t> shape = getShape(out);
  Codes window;
  for (int64_t i = 0; i < countOf(shape); ++i) {
    Coords at = coordsOf(shape, i);
    window.clear();
    for (int64_t ky = 0; ky < cfg.kernel_height; ++ky)
      for (int64_t kx = 0; kx < cfg.kernel_width; ++kx) {
        int64_t y = height.inputOf(at[0], ky);
        int64_t x = width.inputOf(at[1], kx);
        if (y >= 0 && x >= 0)
          window.push_back(inputs[(y * in.shape[1] + x) * shape[2] + at[2]]);
      }
    visit(i, window);
  }
}

inline Codes pool(bool isAverage, const mli_tensor &in, const mli_pool_cfg &cfg,
                  const mli_tensor &out) {
  std::map<size_t, WindowAverage> averages;
  Codes codes(countOf(getShape(out)));
  forEachWindow(in, cfg, out, [&](int64_t i, const Codes &window) {
    if (!isAverage) {
      codes[i] = *std::max_element(window.begin(), window.end());
      return;
    }
    const WindowAverage &average =
        averages.try_emplace(window.size(), in, out, window.size())
            .first->second;
    codes[i] =
        average.code(std::accumulate(window.begin(), window.end(), int64_t{0}));
  });
  return codes;
}

} // namespace mli::ref

#endif // MLI_TEST_UNIT_RUNTIME_REFERENCE_WEIGHTED_H
