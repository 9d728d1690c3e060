// SPDX-License-Identifier: Apache-2.0
//
// softmax of a tensor or along one axis, by a table of exp.

#include "Lut.h"
#include "Runtime/Core/Checks.h"
#include "Runtime/Core/Slices.h"
#include "Runtime/Simd/Scratch.h"
#include "Runtime/Tables/Simd/Tables.h"
#include "mli/Quant/Formats.h"
#include "mli/Runtime/C/api/mli_kernels_api.h"

#include <algorithm>
#include <limits>

namespace mli::rt {
namespace {

/// A softmax of elements one after another.
template <typename Type>
class VectorSoftmax {
public:
  using Code = typename Type::Code;

  VectorSoftmax(const mli_tensor &in, const mli_lut &lut)
      : lut(lut), params(getParams(in)) {
    if (Type::rounding == quant::Rounding::Up)
      kernels = simd::tableKernels<Code>(Type::isAsymmetric);
  }

  bool hasKernels() const { return kernels; }
  /// False if that takes the scalar code.
  bool run(const Code *source, int64_t count, Code *target) const {
    return kernels && kernels->softmax(lut, params, source, count, target);
  }

  const mli_lut &lut;
  const quant::QuantParams params;

private:
  const simd::TableKernels<Code> *kernels = nullptr;
};

/// One slice of a softmax.
template <typename Type>
class SliceSoftmax {
public:
  using Code = typename Type::Code;

  explicit SliceSoftmax(const VectorSoftmax<Type> &vector)
      : vector(vector), table(vector.lut), params(vector.params) {}

  void operator()(const Slice<const Code> &source,
                  const Slice<Code> &target) const {
    if constexpr (simd::hasFastKernels)
      if (vector.hasKernels() && runFast(source, target))
        return;
    Code maximum = std::numeric_limits<Code>::min();
    source.forEach([&](Code code) { maximum = std::max(maximum, code); });
    if constexpr (sizeof(Code) == 1)
      if (source.size() >= Slice<Code>::tableSize) {
        // Cheaper once for each quantised value; none exceeds the maximum.
        std::array<int16_t, 256> values = {};
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
  /// Copies slices with gaps first.
  bool runFast(const Slice<const Code> &source,
               const Slice<Code> &target) const {
    int64_t count = source.size();
    if (source.isDense() && target.isDense())
      return vector.run(source.base, count, target.base);
    simd::Scratch memory(count * sizeof(Code));
    auto *codes = reinterpret_cast<Code *>(memory.get());
    if (!codes)
      return false;
    Code *next = codes;
    source.forEach([&](Code code) { *next++ = code; });
    if (!vector.run(codes, count, codes))
      return false;
    next = codes;
    target.set([&] { return *next++; });
    return true;
  }

  template <typename Exponential>
  void normalize(const Slice<const Code> &source, const Slice<Code> &target,
                 Exponential value) const {
    int32_t sum = 0;
    source.forEach(
        [&](Code code) { sum = quant::wrapAdd<int32_t>(sum, value(code)); });
    quant::Ratio inverse = reciprocalOfSum<Type>(sum, table.outFracBits);
    target.forEachFrom(source, [&](Code code) {
      int32_t product = inverse.multiplier * value(code);
      int32_t result =
          quant::roundShiftRight(product, inverse.shift, Type::rounding);
      return quant::saturate<Code>(
          Type::isAsymmetric ? quant::saturatingAdd<int32_t>(result, -128)
                             : result);
    });
  }

  // K29
  int16_t exponential(Code code, Code maximum) const {
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

  const VectorSoftmax<Type> &vector;
  Table table;
  quant::QuantParams params;
};

mli_status checkSoftmax(const Argument &in, const mli_softmax_cfg *cfg,
                        const Argument &out, mli_element_type type) {
  MLI_CHECK(checkUnary(in, out));
  MLI_CHECK(checkType(in, type));
  MLI_CHECK(checkConfig(cfg));
  MLI_CHECK(checkAxisInRank(in, cfg->axis));
  MLI_CHECK(checkQuantization(in));
  return checkPerTensor(in);
}

/// Apart from `softmax`, which would save registers for it each time.
template <typename Type>
[[gnu::noinline]] void
softmaxSlices(const VectorSoftmax<Type> &vector, const mli_tensor &in,
              const mli_softmax_cfg &cfg, mli_tensor &out) {
  forEachSlice<typename Type::Code>(in, out, cfg.axis,
                                    SliceSoftmax<Type>(vector));
}

template <typename Type>
mli_status softmax(const Argument &in, const mli_lut *lut,
                   const mli_softmax_cfg *cfg, mli_tensor *out) {
  if (checksEnabled()) {
    MLI_CHECK(checkSoftmax(in, cfg, getOutput(in, out), Type::type));
    MLI_CHECK(checkTable(lut, "lut", getOutput(in, out)));
  }
  using Code = typename Type::Code;
  VectorSoftmax<Type> vector(*in, *lut);
  // Vectors are common and short.
  if (in->rank != 1 || !vector.run(getElements<Code>(*in), in->shape[0],
                                   getElements<Code>(*out)))
    softmaxSlices(vector, *in, *cfg, *out);
  constexpr quant::QuantParams format = contract::tableFormat(
      Family::Softmax, 8 * sizeof(typename Type::Code), Type::isAsymmetric);
  if (Type::isAsymmetric)
    setPerTensorParams(*out, format);
  else
    out->el_params.fx.frac_bits = format.fracBits;
  return MLI_STATUS_OK;
}

} // namespace
} // namespace mli::rt

#define MLI_SOFTMAX(name, type)                                                \
  mli_status name(MLI_SOFTMAX_SIGNATURE(MLI_PARAMETER)) {                      \
    using namespace mli::rt;                                                   \
    return runEntry<types::type>(#name, [&](auto computed) {                   \
      return softmax<decltype(computed)>(                                      \
          getArgument(Family::Softmax, OperandKind::Input, in), lut, cfg,      \
          out);                                                                \
    });                                                                        \
  }
#include "mli/Runtime/C/api/mli_kernels.def"
