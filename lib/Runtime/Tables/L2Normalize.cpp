// SPDX-License-Identifier: Apache-2.0
//
// Division by the Euclidean norm, of a tensor or along one axis.

#include "Lut.h"
#include "Runtime/Core/Checks.h"
#include "Runtime/Core/Slices.h"
#include "Runtime/Simd/Rows.h"
#include "mli/Quant/Formats.h"
#include "mli/Quant/Requantize.h"
#include "mli/Runtime/C/api/mli_kernels_api.h"

#include <algorithm>

namespace mli::rt {
namespace {

template <typename Type>
constexpr quant::QuantParams normalizedParams = contract::tableFormat(
    Family::L2Normalize, 8 * sizeof(typename Type::Code), Type::isAsymmetric);

template <typename Type>
class SliceNormalize {
public:
  using Code = typename Type::Code;

  SliceNormalize(const mli_tensor &in, const mli_lut &lut)
      : table(lut), zeroPoint(getParams(in).zeroPoint) {}

  /// The first of `count` slices that lie beside each other.
  void operator()(Slice<const Code> source, Slice<Code> target,
                  int64_t count) const {
    while (count > 0) {
      int64_t some = std::min(count, maxColumns);
      if (!runColumns(source, target, some))
        for (int64_t i = 0; i < some; ++i)
          run(beginningAt(source, i), beginningAt(target, i));
      source = beginningAt(source, some);
      target = beginningAt(target, some);
      count -= some;
    }
  }

private:
  static constexpr int mantissaFracBits = 8;
  static constexpr int64_t maxColumns = 64;
  static constexpr int64_t entries = maxColumns + simd::LaneRatios::padding;

  template <typename Element>
  static Slice<Element> beginningAt(Slice<Element> slice, int64_t offset) {
    slice.base += offset;
    return slice;
  }

  /// The scale of a slice with this sum of squares.
  // K39
  simd::RowScale getScale(int64_t sum) const {
    // The root halves the shift, so it must be even.
    int shift = 48 - quant::norm(sum);
    shift += shift & 1;
    auto mantissa = quant::saturate<int16_t>(
        quant::roundShiftRight(sum, shift, Type::rounding));
    int extraBits = mantissaFracBits - table.inFracBits;
    auto evaluate = extraBits >= 0 ? interpolateLut : evaluateLut;
    int32_t inverse = evaluate(table, mantissa, extraBits, Type::rounding);
    int outShift = table.outFracBits + ((shift + mantissaFracBits) >> 1) -
                   normalizedParams<Type>.fracBits;
    return {zeroPoint, inverse, outShift};
  }

  static bool isFast(const simd::RowScale &scale) {
    return Type::rounding == quant::Rounding::Up &&
           simd::suitsScale<Code>(scale);
  }

  /// Neighbouring slices at once; false if that takes the scalar code.
  bool runColumns(const Slice<const Code> &source, const Slice<Code> &target,
                  int64_t count) const {
    if (!simd::hasFastKernels || !kernels || count < 4 ||
        !simd::suitsSquares<Code>(zeroPoint))
      return false;
    int64_t sourceStep = source.step(), targetStep = target.step();
    simd::CodeColumns<Code> columns = {source.base, sourceStep, source.size(),
                                       count};
    int64_t sums[entries];
    kernels->columnSquares(columns, zeroPoint, sums);
    int32_t multipliers[entries] = {}, shifts[entries] = {};
    for (int64_t i = 0; i < count; ++i) {
      simd::RowScale scale = getScale(sums[i]);
      if (!isFast(scale))
        return false;
      multipliers[i] = scale.multiplier;
      shifts[i] = scale.shift;
    }
    for (int64_t row = 0; row < columns.rows; ++row)
      kernels->scaleEach(source.base + row * sourceStep, zeroPoint,
                         {multipliers, shifts}, target.base + row * targetStep,
                         count);
    return true;
  }

  void run(const Slice<const Code> &source, const Slice<Code> &target) const {
    simd::RowScale scale = getScale(sumSquares(source));
    if (isFast(scale) && hasRows(source)) {
      forEachRow<2>(source.extents, {source.strides, target.strides},
                    [&](const Extents &, const std::array<int64_t, 2> &at) {
                      kernels->scale(source.base + at[0], scale,
                                     target.base + at[1], source.extents[3]);
                    });
      return;
    }
    target.forEachFrom(source, [&](Code code) {
      return quant::saturate<Code>(quant::roundShiftRight(
          scale.multiplier * centered(code), scale.shift, Type::rounding));
    });
  }

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

mli_status checkNormalize(const Argument &in, const mli_l2_normalize_cfg *cfg,
                          const mli_lut *lut, const Argument &out,
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
mli_status normalize(const Argument &in, const mli_lut *lut,
                     const mli_l2_normalize_cfg *cfg, mli_tensor *out) {
  if (checksEnabled())
    MLI_CHECK(checkNormalize(in, cfg, lut, getOutput(in, out), Type::type));
  forEachSliceRow<typename Type::Code>(*in, *out, cfg->axis,
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
  mli_status name(MLI_L2_NORMALIZE_SIGNATURE(MLI_PARAMETER)) {                 \
    (void)epsilon;                                                             \
    using namespace mli::rt;                                                   \
    return runEntry<types::type>(#name, [&](auto computed) {                   \
      return normalize<decltype(computed)>(                                    \
          getArgument(Family::L2Normalize, OperandKind::Input, in), lut, cfg,  \
          out);                                                                \
    });                                                                        \
  }
#include "mli/Runtime/C/api/mli_kernels.def"
