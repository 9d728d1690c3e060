// SPDX-License-Identifier: Apache-2.0
//
// relu with a slope for negative values: one, or one per index of an axis.

#include "Runtime/Core/Checks.h"
#include "Runtime/Elementwise/Simd/Eltwise.h"
#include "Runtime/Simd/Scratch.h"
#include "mli/Quant/Requantize.h"
#include "mli/Runtime/C/api/mli_kernels_api.h"

#include <algorithm>
#include <cinttypes>

namespace mli::rt {
namespace {

/// The function for one slope.
template <typename Type, bool = Type::isAsymmetric>
class LeakyRelu;

/// fx: the positive branch is not rescaled. A scalar slope of fx16 is
/// normalised first, which shows in ties of -32768 only.
// K40
template <typename Type>
class LeakyRelu<Type, false> {
public:
  using Code = typename Type::Code;

  LeakyRelu(const mli_tensor &in, const mli_tensor &slope,
            const mli_tensor &out, Code slopeCode, bool isScalar)
      : slope(slopeCode),
        shift(getParams(in).fracBits + getParams(slope).fracBits -
              getParams(out).fracBits) {
    if (isScalar && sizeof(Code) == 2) {
      int count = quant::norm(slopeCode);
      this->slope = slopeCode * (1 << count);
      shift += count;
    }
    shift = std::min(shift, 31);
  }

  Code operator()(Code code) const {
    auto negative = quant::saturate<Code>(quant::roundShiftRight<int32_t>(
        std::min<int32_t>(code, 0) * slope, shift, Type::rounding));
    return quant::saturate<Code>(std::max<int64_t>(code, 0) + negative);
  }

  /// The same for the kernels of rows.
  simd::LeakyFormat format() const { return {0, 0, 1, 0}; }
  int32_t slopeMultiplier() const { return slope; }
  int slopeShift() const { return shift; }

private:
  int32_t slope;
  int shift;
};

/// sa8: both branches are rescaled, with multipliers of 16 bits.
// K41
template <typename Type>
class LeakyRelu<Type, true> {
public:
  using Code = typename Type::Code;

  LeakyRelu(const mli_tensor &in, const mli_tensor &slope,
            const mli_tensor &out, Code slopeCode, bool /*isScalar*/)
      : zeroIn(getParams(in).zeroPoint), zeroOut(getParams(out).zeroPoint) {
    positive =
        quant::requantize(getParams(in), getParams(out), Type::rounding).ratio;
    positive.multiplier =
        quant::shiftLeft(positive.multiplier, std::max(-positive.shift, 0));
    positive.shift = std::max(positive.shift, 0);
    quant::QuantParams params = getParams(slope);
    quant::Mantissa<int16_t> mantissa = quant::toMantissa<int16_t>(
        quant::wrap<int16_t>(slopeCode - params.zeroPoint) * params.scale,
        Type::rounding);
    quant::Mantissa<int16_t> product = quant::toMantissa<int16_t>(
        positive.multiplier * mantissa.mantissa, Type::rounding);
    negative = {product.mantissa, positive.shift + params.fracBits -
                                      mantissa.shift - product.shift};
  }

  Code operator()(Code code) const {
    const quant::Ratio &ratio = code >= zeroIn ? positive : negative;
    int32_t value = quant::saturate<int16_t>(code - zeroIn);
    int64_t scaled = quant::roundShiftRight<int32_t>(
        ratio.multiplier * value, ratio.shift, Type::rounding);
    return quant::saturate<Code>(scaled + zeroOut);
  }

  /// The same for the kernels of rows.
  simd::LeakyFormat format() const {
    return {zeroIn, zeroOut, positive.multiplier, positive.shift};
  }
  int32_t slopeMultiplier() const { return negative.multiplier; }
  int slopeShift() const { return negative.shift; }

private:
  int32_t zeroIn;
  int32_t zeroOut;
  quant::Ratio positive;
  quant::Ratio negative;
};

/// The type of the kernel, and formats.
mli_status checkFormats(const Argument &in, const Argument &slope,
                        const Argument &out, mli_element_type type) {
  MLI_CHECK(checkSameType(slope, in));
  MLI_CHECK(checkType(in, type));
  if (!isAsymmetric(type)) {
    if (out.contract->hasInputFormat(/*isAsymmetric=*/false) &&
        out->el_params.fx.frac_bits != in->el_params.fx.frac_bits)
      return fail(MLI_STATUS_SPEC_PARAM_MISMATCH,
                  "expected 'out' to have %d fraction bits as 'in', but got %d",
                  in->el_params.fx.frac_bits, out->el_params.fx.frac_bits);
    return MLI_STATUS_OK;
  }
  MLI_CHECK(checkQuantization(in));
  MLI_CHECK(checkQuantization(out));
  MLI_CHECK(checkQuantization(slope));
  for (Argument tensor : {in, slope, out})
    MLI_CHECK(checkPerTensor(tensor));
  return MLI_STATUS_OK;
}

mli_status checkLeakyRelu(const Argument &in, const Argument &slope,
                          const Argument &out, mli_element_type type) {
  MLI_CHECK(checkUnary(in, out));
  MLI_CHECK(checkScalar(slope));
  MLI_CHECK(checkFormats(in, slope, out, type));
  return checkSharing(slope, out);
}

/// Ratios of the slopes along an axis.
mli_status checkSlopeShape(const Argument &in, const Argument &slope,
                           int32_t axis) {
  auto difference =
      contract::findSlopeDifference(getShape(*slope), getShape(*in), axis);
  if (!difference)
    return checkMemory(slope);
  if (difference->isRank)
    return fail(MLI_STATUS_INCOMPATEBLE_TENSORS,
                "expected 'slope_coeff' to have rank %" PRIu32
                " as 'in', but got %" PRIu32,
                in->rank, slope->rank);
  return fail(MLI_STATUS_INCOMPATEBLE_TENSORS,
              "expected 'slope_coeff' to have shape[%" PRIu32 "] of %" PRId64
              ", but got %" PRIu32,
              difference->dim, difference->expected,
              slope->shape[difference->dim]);
}

mli_status checkPrelu(const Argument &in, const Argument &slope,
                      const mli_prelu_cfg *cfg, const Argument &out,
                      mli_element_type type) {
  MLI_CHECK(checkTensor(in));
  MLI_CHECK(checkConfig(cfg));
  MLI_CHECK(cfg->axis == -1 ? checkScalar(slope) : checkTensor(slope));
  MLI_CHECK(checkTensor(out));
  MLI_CHECK(checkSameType(out, in));
  MLI_CHECK(checkSameShape(out, in));
  contract::Range axes = contract::axisRange(in->rank);
  if (!axes.contains(cfg->axis))
    return fail(MLI_STATUS_BAD_FUNC_CFG,
                "expected 'cfg' to have an axis from -1 to %" PRId64
                ", but got %" PRId32,
                axes.most, cfg->axis);
  MLI_CHECK(checkHasMemory(out));
  MLI_CHECK(checkMemory(in));
  if (contract::isAlongAxis(*slope.contract, cfg->axis))
    MLI_CHECK(checkSlopeShape(in, slope, cfg->axis));
  MLI_CHECK(checkMemory(out));
  MLI_CHECK(checkSharing(in, out));
  MLI_CHECK(checkFormats(in, slope, out, type));
  return checkSharing(slope, out);
}

/// Rows with one slope: by the fast kernel, or element by element.
template <typename Type>
class LeakyRows {
public:
  using Code = typename Type::Code;

  explicit LeakyRows(const LeakyRelu<Type> &relu) : relu(relu) {
    if (Type::rounding == quant::Rounding::Up &&
        simd::suitsLanes(relu.slopeMultiplier(), relu.slopeShift()))
      kernels = simd::leakyKernels(relu.format(), Code{});
  }

  void operator()(const Code *in, Code *out, int64_t count) const {
    if (kernels && count > 1) {
      kernels->row(in, relu.format(), relu.slopeMultiplier(), relu.slopeShift(),
                   out, count);
      return;
    }
    for (int64_t i = 0; i < count; ++i)
      out[i] = relu(in[i]);
  }

private:
  LeakyRelu<Type> relu;
  const simd::LeakyKernels<Code> *kernels = nullptr;
};

/// Computes rows along the axis, with a slope for each element; false if that
/// takes the scalar code.
template <typename Type>
bool preluAlongRows(const mli_tensor &in, const mli_tensor &slope,
                    mli_tensor &out) {
  using Code = typename Type::Code;
  Extents extents = getExtents(in);
  int64_t count = extents[3];
  const Code *slopes = getElements<Code>(slope);
  auto getRelu = [&](int64_t k) {
    return LeakyRelu<Type>(in, slope, out, slopes[k], /*isScalar=*/false);
  };
  simd::LeakyFormat format = getRelu(0).format();
  const auto *kernels = simd::leakyKernels(format, Code{});
  int64_t entries = count + simd::LaneRatios::padding;
  simd::Scratch memory(2 * entries * sizeof(int32_t));
  auto *multipliers = reinterpret_cast<int32_t *>(memory.get());
  if (Type::rounding != quant::Rounding::Up || !kernels || !multipliers)
    return false;
  int32_t *shifts = multipliers + entries;
  for (int64_t k = 0; k < entries; ++k) {
    LeakyRelu<Type> relu = getRelu(std::min(k, count - 1));
    multipliers[k] = relu.slopeMultiplier();
    shifts[k] = relu.slopeShift();
    if (!simd::suitsLanes(multipliers[k], shifts[k]))
      return false;
  }
  forEachRow<2>(extents, {getDenseRowStrides(in), getDenseRowStrides(out)},
                [&](const Extents &, const std::array<int64_t, 2> &at) {
                  kernels->zip(getElements<Code>(in) + at[0], format,
                               {multipliers, shifts},
                               getElements<Code>(out) + at[1], count);
                });
  return true;
}

template <typename Type>
void prelu(const mli_tensor &in, const mli_tensor &slope, int32_t axis,
           mli_tensor &out) {
  using Code = typename Type::Code;
  Extents extents = getExtents(in);
  std::array<Strides, 2> strides = {getDenseRowStrides(in),
                                    getDenseRowStrides(out)};
  // The axis becomes the outermost of a box without it.
  unsigned dim = axis < 0 ? 0 : paddedDim(in, axis);
  if constexpr (simd::hasFastKernels)
    if (dim == 3 && extents[3] > 1 && preluAlongRows<Type>(in, slope, out))
      return;
  uint32_t count = 1;
  if (axis >= 0)
    std::swap(count, extents[dim]);
  Strides steps = {strides[0][dim], strides[1][dim]};
  mergeRows(extents, strides);
  const Code *slopes = getElements<Code>(slope);
  for (uint32_t k = 0; k < count; ++k) {
    LeakyRows<Type> rows({in, slope, out, slopes[k], axis < 0});
    const Code *source = getElements<Code>(in) + k * steps[0];
    Code *target = getElements<Code>(out) + k * steps[1];
    forEachRow<2>(extents, strides,
                  [&](const Extents &, const std::array<int64_t, 2> &at) {
                    rows(source + at[0], target + at[1], extents[3]);
                  });
  }
}

template <typename Type>
mli_status leakyRelu(const Argument &in, const Argument &slope,
                     mli_tensor *out) {
  if (checksEnabled())
    MLI_CHECK(checkLeakyRelu(in, slope, getOutput(in, out), Type::type));
  prelu<Type>(*in, *slope, /*axis=*/-1, *out);
  return MLI_STATUS_OK;
}

template <typename Type>
mli_status prelu(const Argument &in, const Argument &slope,
                 const mli_prelu_cfg *cfg, mli_tensor *out) {
  if (checksEnabled())
    MLI_CHECK(checkPrelu(in, slope, cfg, getOutput(in, out), Type::type));
  prelu<Type>(*in, *slope, cfg->axis, *out);
  return MLI_STATUS_OK;
}

} // namespace
} // namespace mli::rt

#define MLI_LEAKY_RELU(name, type)                                             \
  mli_status name(MLI_LEAKY_RELU_SIGNATURE(MLI_PARAMETER)) {                   \
    using namespace mli::rt;                                                   \
    return runEntry<types::type>(#name, [&](auto computed) {                   \
      return leakyRelu<decltype(computed)>(                                    \
          getArgument(Family::LeakyRelu, OperandKind::Input, in),              \
          getArgument(Family::LeakyRelu, OperandKind::Other, slope_coeff),     \
          out);                                                                \
    });                                                                        \
  }
#define MLI_PRELU(name, type)                                                  \
  mli_status name(MLI_PRELU_SIGNATURE(MLI_PARAMETER)) {                        \
    using namespace mli::rt;                                                   \
    return runEntry<types::type>(#name, [&](auto computed) {                   \
      return prelu<decltype(computed)>(                                        \
          getArgument(Family::Prelu, OperandKind::Input, in),                  \
          getArgument(Family::Prelu, OperandKind::Other, slope_coeff), cfg,    \
          out);                                                                \
    });                                                                        \
  }
#include "mli/Runtime/C/api/mli_kernels.def"
