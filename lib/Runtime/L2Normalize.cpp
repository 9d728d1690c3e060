// SPDX-License-Identifier: Apache-2.0
//
// Division by the Euclidean norm, of a tensor or along one axis.

#include "Runtime/Lut.h"
#include "Runtime/Slices.h"
#include "mli/Quant/Requantize.h"
#include "mli/Runtime/C/api/mli_kernels_api.h"

namespace mli::rt {
namespace {

template <typename Type>
constexpr quant::QuantParams normalizedParams =
    Type::isAsymmetric ? quant::QuantParams{1, 7, 0} : quant::fixedPoint(15);

template <typename Type>
class SliceNormalize {
public:
  using Code = typename Type::Code;

  SliceNormalize(const mli_tensor &in, const mli_lut &lut)
      : table(lut), zeroPoint(paramsOf(in).zeroPoint) {}

  // K39
  void operator()(const Slice<const Code> &source,
                  const Slice<Code> &target) const {
    int64_t sum = 0;
    source.forEach([&](Code code) {
      int64_t value = centered(code);
      sum += value * value;
    });
    // The root halves the shift, so it must be even.
    int shift = 48 - quant::norm(sum);
    shift += shift & 1;
    auto mantissa = quant::saturate<int16_t>(
        quant::roundShiftRight(sum, shift, Type::rounding));
    int32_t inverse = evaluateLut(table, mantissa, 8, Type::rounding);
    int outShift = table.outFracBits + ((shift + 8) >> 1) -
                   normalizedParams<Type>.fracBits;
    target.forEachFrom(source, [&](Code code) {
      return quant::saturate<Code>(quant::roundShiftRight(
          inverse * centered(code), outShift, Type::rounding));
    });
  }

private:
  int32_t centered(Code code) const {
    return quant::saturate<int16_t>(code - zeroPoint);
  }

  Table table;
  int32_t zeroPoint;
};

mli_status checkNormalize(Argument in, const mli_l2_normalize_cfg *cfg,
                          const mli_lut *lut, Argument out,
                          mli_element_type type) {
  MLI_CHECK(checkUnary(in, out));
  MLI_CHECK(checkType(in, type));
  MLI_CHECK(checkConfig(cfg));
  MLI_CHECK(checkAxisInRank(in, cfg->axis));
  MLI_CHECK(checkQuantization(in, contract::mapZeroPointRange));
  MLI_CHECK(checkPerTensor(in));
  return checkTable(lut, "lut", out);
}

template <typename Type>
mli_status normalize(Argument in, const mli_lut *lut,
                     const mli_l2_normalize_cfg *cfg, mli_tensor *out) {
  if (checksEnabled())
    MLI_CHECK(checkNormalize(in, cfg, lut, {out, "out"}, Type::type));
  forEachSlice<typename Type::Code>(*in, *out, cfg->axis,
                                    SliceNormalize<Type>(*in, *lut));
  if (Type::isAsymmetric)
    setPerTensorParams(*out, normalizedParams<Type>);
  else
    out->el_params.fx.frac_bits = normalizedParams<Type>.fracBits;
  return MLI_STATUS_OK;
}

} // namespace
} // namespace mli::rt

#define MLI_L2_NORMALIZE(name, type)                                           \
  mli_status name(const mli_tensor *in, const mli_tensor * /*epsilon*/,        \
                  const mli_lut *lut, const mli_l2_normalize_cfg *cfg,         \
                  mli_tensor *out) {                                           \
    using namespace mli::rt;                                                   \
    Entry entry(#name);                                                        \
    return withRounding<types::type>([&](auto computed) {                      \
      return normalize<decltype(computed)>({in, "in"}, lut, cfg, out);         \
    });                                                                        \
  }
#include "mli/Runtime/C/api/mli_kernels.def"
