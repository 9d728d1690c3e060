// SPDX-License-Identifier: Apache-2.0
//
// softmax of a tensor or along one axis, by a table of exp.

#include "Runtime/Lut.h"
#include "Runtime/Slices.h"
#include "mli/Quant/Requantize.h"
#include "mli/Runtime/C/api/mli_kernels_api.h"

#include <algorithm>
#include <limits>

namespace mli::rt {
namespace {

/// 1/sum as `multiplier * 2^-shift`, where fx8 gets no more than the 8 bits
/// that make its multiplier -1.
template <typename Type>
quant::Ratio reciprocalOfSum(int32_t sum, int lutFracBits) {
  constexpr bool narrow = Type::type == MLI_EL_FX_8;
  int sumNorm = quant::norm(sum);
  int32_t mantissa = quant::roundShiftRight(sum, 16 - sumNorm, Type::rounding);
  mantissa = narrow ? quant::saturate<int8_t>(mantissa)
                    : quant::saturate<int16_t>(mantissa);
  int32_t inverse =
      std::min<int32_t>(quant::divide(1 << 29, mantissa), INT16_MAX);
  int outBits = Type::type == MLI_EL_FX_16 ? 15 : narrow ? 7 : 8;
  int shift =
      std::min(2 * lutFracBits + 15 - sumNorm - outBits, narrow ? 15 : 31);
  return {static_cast<int16_t>(narrow ? quant::wrap<int8_t>(inverse) : inverse),
          shift};
}

/// One slice of a softmax.
template <typename Type>
class SliceSoftmax {
public:
  using Code = typename Type::Code;

  SliceSoftmax(const mli_tensor &in, const mli_lut &lut)
      : table(lut), params(paramsOf(in)) {}

  void operator()(const Slice<const Code> &source,
                  const Slice<Code> &target) const {
    Code maximum = std::numeric_limits<Code>::min();
    source.forEach([&](Code code) { maximum = std::max(maximum, code); });
    if constexpr (sizeof(Code) == 1)
      if (source.size() >= Slice<Code>::tableSize) {
        // Cheaper once for each code that there is; none exceeds the maximum.
        std::array<int32_t, 256> values = {};
        for (int code = -128; code <= maximum; ++code)
          values[code + 128] = exponential(static_cast<Code>(code), maximum);
        normalize(source, target,
                  [&](Code code) { return values[code + 128]; });
        return;
      }
    normalize(source, target,
              [&](Code code) { return exponential(code, maximum); });
  }

private:
  template <typename Exponential>
  void normalize(const Slice<const Code> &source, const Slice<Code> &target,
                 Exponential value) const {
    int32_t sum = 0;
    source.forEach([&](Code code) { sum = quant::wrapAdd(sum, value(code)); });
    quant::Ratio inverse = reciprocalOfSum<Type>(sum, table.outFracBits);
    target.forEachFrom(source, [&](Code code) {
      int32_t product = inverse.multiplier * value(code);
      int32_t result =
          quant::roundShiftRight(product, inverse.shift, Type::rounding);
      return quant::saturate<Code>(
          Type::isAsymmetric ? quant::saturatingAdd(result, -128) : result);
    });
  }

  // K29
  int32_t exponential(Code code, Code maximum) const {
    int32_t difference = code - maximum;
    if constexpr (Type::isAsymmetric) {
      int shift = params.fracBits - (table.inFracBits + 8);
      return evaluateLut(table,
                         quant::roundShiftRight(difference * params.scale,
                                                shift, Type::rounding),
                         8, Type::rounding);
    }
    int16_t value = evaluateLut(
        table, difference, params.fracBits - table.inFracBits, Type::rounding);
    if (sizeof(Code) == 2)
      return value;
    return quant::saturate<Code>(
        quant::roundShiftRight<int16_t>(value, 8, Type::rounding));
  }

  Table table;
  quant::QuantParams params;
};

mli_status checkSoftmax(Argument in, const mli_softmax_cfg *cfg, Argument out,
                        mli_element_type type) {
  MLI_CHECK(checkUnary(in, out));
  MLI_CHECK(checkType(in, type));
  MLI_CHECK(checkConfig(cfg));
  MLI_CHECK(checkAxisInRank(in, cfg->axis));
  MLI_CHECK(checkQuantization(in, contract::mapZeroPointRange));
  return checkPerTensor(in);
}

template <typename Type>
mli_status softmax(Argument in, const mli_lut *lut, const mli_softmax_cfg *cfg,
                   mli_tensor *out) {
  if (checksEnabled()) {
    MLI_CHECK(checkSoftmax(in, cfg, {out, "out"}, Type::type));
    MLI_CHECK(checkTable(lut, "lut", {out, "out"}));
  }
  forEachSlice<typename Type::Code>(*in, *out, cfg->axis,
                                    SliceSoftmax<Type>(*in, *lut));
  if (Type::isAsymmetric)
    setPerTensorParams(*out, {1, 8, -128});
  else
    out->el_params.fx.frac_bits = Type::type == MLI_EL_FX_16 ? 15 : 7;
  return MLI_STATUS_OK;
}

} // namespace
} // namespace mli::rt

#define MLI_SOFTMAX(name, type)                                                \
  mli_status name(const mli_tensor *in, const mli_lut *lut,                    \
                  const mli_softmax_cfg *cfg, mli_tensor *out) {               \
    using namespace mli::rt;                                                   \
    Entry entry(#name);                                                        \
    return withRounding<types::type>([&](auto computed) {                      \
      return softmax<decltype(computed)>({in, "in"}, lut, cfg, out);           \
    });                                                                        \
  }
#include "mli/Runtime/C/api/mli_kernels.def"
