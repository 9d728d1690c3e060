// SPDX-License-Identifier: Apache-2.0
//
// Convolutions, matrix products and pooling, one output code at a time.

#ifndef MLI_TEST_UNIT_RUNTIME_REFERENCE_WEIGHTED_H
#define MLI_TEST_UNIT_RUNTIME_REFERENCE_WEIGHTED_H

#include "Tensors.h"

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

/// What bias code `code` adds.
inline Wide biasTerm(const Product &p, Wide code) {
  if (!isFx(p.in.el_type)) {
    int t = std::max(16 - norm(32, code), 0);
    return options.hasFullProducts ? code
                                   : floorDivide(code, power(t)) * power(t);
  }
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

inline Wide castSa(const Product &p, Wide acc, uint32_t channel) {
  auto [m, shift] = saMultiplier(quantOf(p.in), quantOf(p.weights, channel),
                                 quantOf(p.out), !options.hasFullProducts);
  Wide zero = quantOf(p.out).z;
  if (options.hasFullProducts)
    return sat(8,
               sat(16, sat(16, rsh(64, acc * m, std::min(shift, 63))) + zero));
  Wide m16 = sat(16, rsh(32, m, 16));
  shift -= 16;
  int pre = std::clamp(shift - 21, 0, 8);
  Wide a = sat(16, rsh(32, acc, pre));
  return sat(
      8, sat(16, sat(16, rsh(64, a * m16, std::min(shift - pre, 63))) + zero));
}

/// The output code of a sum of products.
inline int64_t finish(const Product &p, Wide sum, const mli_relu_cfg &relu,
                      uint32_t channel) {
  int bits = p.accumulatorBits();
  Wide acc =
      sat(bits, wrap(bits, sum) + biasTerm(p, codeAt(p.bias, {channel})));
  int outBits = bitsOf(p.out.el_type);
  Wide y = 0;
  if (isFx(p.in.el_type))
    y = sat(outBits,
            rsh(bits, acc,
                quantOf(p.in).f + quantOf(p.weights).f - quantOf(p.out).f));
  else
    y = castSa(p, acc, channel);
  auto [low, high] = reluLimits(relu.type, quantOf(p.out), outBits);
  return static_cast<int64_t>(std::max(std::min(y, high), low));
}

enum class Convolution {
  Conv2d,
  DepthwiseConv2d,
  GroupConv2d,
  TransposeConv2d
};

/// The products of one output: every tap and every channel that it sees.
inline Wide convolutionSum(Convolution kind, const Product &p,
                           const mli_conv2d_cfg &cfg, const Coords &at) {
  int64_t depth = p.weights.shape[2];
  int64_t outputs = p.weights.shape[3];
  int64_t first = 0;
  if (kind == Convolution::DepthwiseConv2d)
    first = at[2];
  if (kind == Convolution::GroupConv2d)
    first = at[2] / (outputs / (p.in.shape[2] / depth)) * depth;
  Wide zero = quantOf(p.in).z;
  Wide sum = 0;
  auto add = [&](int64_t y, int64_t x, int64_t ky, int64_t kx) {
    for (int64_t d = 0; d < depth; ++d)
      sum += (codeAt(p.in, {y, x, first + d}) - zero) *
             codeAt(p.weights, {ky, kx, d, at[2]});
  };
  for (int64_t y = 0; y < p.in.shape[0]; ++y)
    for (int64_t x = 0; x < p.in.shape[1]; ++x)
      for (int64_t ky = 0; ky < p.weights.shape[0]; ++ky)
        for (int64_t kx = 0; kx < p.weights.shape[1]; ++kx) {
          bool isHit =
              kind == Convolution::TransposeConv2d
                  ? y * cfg.stride_height + ky - cfg.padding_top == at[0] &&
                        x * cfg.stride_width + kx - cfg.padding_left == at[1]
                  : at[0] * cfg.stride_height - cfg.padding_top +
                                ky * cfg.dilation_height ==
                            y &&
                        at[1] * cfg.stride_width - cfg.padding_left +
                                kx * cfg.dilation_width ==
                            x;
          if (isHit)
            add(y, x, ky, kx);
        }
  return sum;
}

inline Codes convolution(Convolution kind, const Product &p,
                         const mli_conv2d_cfg &cfg) {
  Codes codes;
  std::vector<int64_t> shape = shapeOf(p.out);
  for (int64_t i = 0; i < countOf(shape); ++i) {
    Coords at = coordsOf(shape, i);
    codes.push_back(finish(p, convolutionSum(kind, p, cfg, at), cfg.relu,
                           static_cast<uint32_t>(at[2])));
  }
  return codes;
}

inline Codes fullyConnected(bool hasExtBias, const Product &p,
                            const mli_fully_connected_cfg &cfg) {
  Codes codes;
  Codes in = codesOf(p.in);
  Wide zero = hasExtBias ? 0 : quantOf(p.in).z;
  for (uint32_t o = 0; o < p.out.shape[0]; ++o) {
    Wide sum = 0;
    for (size_t i = 0; i < in.size(); ++i)
      sum += (in[i] - zero) *
             codeAt(p.weights, {static_cast<int64_t>(i), int64_t{o}});
    codes.push_back(finish(p, sum, cfg.relu, o));
  }
  return codes;
}

/// 1/d, about r * 2^-e.
inline std::pair<Wide, int> reciprocal(int64_t d) {
  int e = 14;
  while (power(e - 14) < d)
    ++e;
  return {tdiv(power(e), d), e};
}

inline int64_t average(const mli_tensor &in, const mli_tensor &out,
                       const Codes &window) {
  auto [r, e] = reciprocal(static_cast<int64_t>(window.size()));
  int bits = in.el_type == MLI_EL_FX_16 ? 64 : 32;
  Wide factor = r;
  int shift = quantOf(in).f - quantOf(out).f + e;
  Wide acc = 0;
  if (!isFx(in.el_type)) {
    Requant scale = requant(quantOf(in), quantOf(out));
    Mantissa k = mantissa(options.hasFullAverages ? 16 : 8, scale.m * r);
    factor = k.mantissa;
    shift = scale.shift + e - k.shift;
    acc = shl(32, scale.offset, shift);
  }
  for (int64_t code : window)
    acc += factor * code;
  return static_cast<int64_t>(
      sat(bitsOf(in.el_type), rsh(bits, wrap(bits, acc), shift)));
}

inline Codes pool(bool isAverage, const mli_tensor &in, const mli_pool_cfg &cfg,
                  const mli_tensor &out) {
  Codes codes;
  std::vector<int64_t> shape = shapeOf(out);
  for (int64_t i = 0; i < countOf(shape); ++i) {
    Coords at = coordsOf(shape, i);
    Codes window;
    for (int64_t ky = 0; ky < cfg.kernel_height; ++ky)
      for (int64_t kx = 0; kx < cfg.kernel_width; ++kx) {
        int64_t y = at[0] * cfg.stride_height - cfg.padding_top + ky;
        int64_t x = at[1] * cfg.stride_width - cfg.padding_left + kx;
        if (y >= 0 && y < in.shape[0] && x >= 0 && x < in.shape[1])
          window.push_back(codeAt(in, {y, x, at[2]}));
      }
    codes.push_back(isAverage
                        ? average(in, out, window)
                        : *std::max_element(window.begin(), window.end()));
  }
  return codes;
}

} // namespace mli::ref

#endif // MLI_TEST_UNIT_RUNTIME_REFERENCE_WEIGHTED_H
