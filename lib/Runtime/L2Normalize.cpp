// SPDX-License-Identifier: Apache-2.0
//
// Division by the Euclidean norm, of a tensor or along one axis.

#include "Runtime/Lut.h"
#include "Runtime/Simd/Rows.h"
#include "Runtime/Slices.h"
#include "mli/Quant/Formats.h"
#include "mli/Quant/Requantize.h"
#include "mli/Runtime/C/api/mli_kernels_api.h"

namespace mli::rt {
namespace {

template <typename Type>
constexpr quant::QuantParams normalizedParams =
    contract::tableFormat(contract::TableRange::Signed,
                          8 * sizeof(typename Type::Code), Type::isAsymmetric);

template <typename Type>
class SliceNormalize {
public:
  using Code = typename Type::Code;

  SliceNormalize(const mli_tensor &in, const mli_lut &lut)
      : table(lut), zeroPoint(paramsOf(in).zeroPoint) {}

  // K39
  void operator()(const Slice<const Code> &source,
                  const Slice<Code> &target) const {
    int64_t sum = sumSquares(source);
    // The root halves the shift, so it must be even.
    int shift = 48 - quant::norm(sum);
    shift += shift & 1;
    auto mantissa = quant::saturate<int16_t>(
        quant::roundShiftRight(sum, shift, Type::rounding));
    int32_t inverse = evaluateLut(table, mantissa, 8, Type::rounding);
    int outShift = table.outFracBits + ((shift + 8) >> 1) -
                   normalizedParams<Type>.fracBits;
    simd::RowScale scale = {zeroPoint, inverse, outShift};
    if (Type::rounding == quant::Rounding::Up &&
        simd::suitsScale<Code>(scale) && hasRows(source)) {
      forEachRow<2>(source.extents, {source.strides, target.strides},
                    [&](const Extents &, const std::array<int64_t, 2> &at) {
                      kernels->scale(source.base + at[0], scale,
                                     target.base + at[1], source.extents[3]);
                    });
      return;
    }
    target.forEachFrom(source, [&](Code code) {
      return quant::saturate<Code>(quant::roundShiftRight(
          inverse * centered(code), outShift, Type::rounding));
    });
  }

private:
  /// Whether the elements lie in rows that are worth a fast kernel.
  bool hasRows(const Slice<const Code> &source) const {
    return kernels && source.strides[3] == 1 && source.extents[3] > 1;
  }

  int64_t sumSquares(const Slice<const Code> &source) const {
    int64_t sum = 0;
    if (simd::suitsSquares<Code>(zeroPoint) && hasRows(source))
      forEachRow<1>(source.extents, {source.strides},
                    [&](const Extents &, const std::array<int64_t, 1> &at) {
                      sum += kernels->sumSquares(source.base + at[0], zeroPoint,
                                                 source.extents[3]);
                    });
    else
      source.forEach([&](Code code) {
        int64_t value = centered(code);
        sum += value * value;
      });
    return sum;
  }

  int32_t centered(Code code) const {
    return quant::saturate<int16_t>(code - zeroPoint);
  }

  Table table;
  int32_t zeroPoint;
  const simd::RowKernels<Code> *kernels = simd::rowKernels(Code{});
};

mli_status checkNormalize(Argument in, const mli_l2_normalize_cfg *cfg,
                          const mli_lut *lut, Argument out,
                          mli_element_type type) {
  MLI_CHECK(checkUnary(in, out));
  MLI_CHECK(checkType(in, type));
  MLI_CHECK(checkConfig(cfg));
  MLI_CHECK(checkAxisInRank(in, cfg->axis));
  MLI_CHECK(checkQuantization(in));
  MLI_CHECK(checkPerTensor(in));
  return checkTable(lut, "lut", out);
}

template <typename Type>
mli_status normalize(Argument in, const mli_lut *lut,
                     const mli_l2_normalize_cfg *cfg, mli_tensor *out) {
  if (checksEnabled())
    MLI_CHECK(checkNormalize(in, cfg, lut, outputOf(in, out), Type::type));
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
      return normalize<decltype(computed)>(                                    \
          argumentOf(Family::L2Normalize, Role::Input, in), lut, cfg, out);    \
    });                                                                        \
  }
#include "mli/Runtime/C/api/mli_kernels.def"
