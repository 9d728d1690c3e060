// SPDX-License-Identifier: Apache-2.0
//
// Conversion between element types and quantisations.

#include "Runtime/Elementwise/Simd/Convert.h"
#include "Runtime/Core/Checks.h"
#include "mli/Contract/Memory.h"
#include "mli/Quant/Requantize.h"
#include "mli/Runtime/C/api/mli_helpers_api.h"

#include <algorithm>
#include <cinttypes>
#include <limits>

namespace mli::rt {
namespace {

bool isZero(const uint32_t *begin, uint32_t count) {
  return std::all_of(begin, begin + count, [](uint32_t x) { return x == 0; });
}

/// Fills what the specification lets the destination leave open: rank and
/// shape, and the strides, where they are zero.
// K30, R10
void completeDestination(const mli_tensor &src, mli_tensor &dst) {
  if (src.rank > MLI_MAX_RANK)
    return;
  if (dst.rank == 0 && isZero(dst.shape, MLI_MAX_RANK)) {
    dst.rank = src.rank;
    std::copy(src.shape, src.shape + src.rank, dst.shape);
  }
  bool strideless = dst.rank <= MLI_MAX_RANK &&
                    std::all_of(dst.mem_stride, dst.mem_stride + dst.rank,
                                [](int32_t stride) { return stride == 0; });
  if (strideless && dst.rank == src.rank &&
      std::equal(src.shape, src.shape + src.rank, dst.shape))
    mli_hlp_set_tensor_mem_strides(&dst);
}

/// Two types of one size may share a buffer as two tensors of one type may.
// E10
mli_status checkContainersNoAlias(const Argument &src, const Argument &dst) {
  if (contract::sharingOfConversion(8 * elementSize(src->el_type),
                                    8 * elementSize(dst->el_type)) ==
      contract::Sharing::NoAlias)
    return checkNoAlias(src, dst);
  mli_tensor sameType = *src;
  sameType.el_type = dst->el_type;
  return checkSameOrNoAlias({&sameType, src.name}, dst);
}

/// One buffer for both works element by element only with equal steps.
mli_status checkInPlace(const Argument &src, const Argument &dst) {
  if (src->data.mem.pi8 != dst->data.mem.pi8 || src->el_type != dst->el_type)
    return checkContainersNoAlias(src, dst);
  for (uint32_t i = 0; i + 1 < src->rank; ++i)
    if (src->shape[i] > 1 && src->mem_stride[i] != dst->mem_stride[i])
      return fail(MLI_STATUS_INCOMPATEBLE_TENSORS,
                  "expected 'dst' to have the mem_stride[%" PRIu32
                  "] of 'src', %" PRId32 ", in the same buffer, but got "
                  "%" PRId32,
                  i, src->mem_stride[i], dst->mem_stride[i]);
  return MLI_STATUS_OK;
}

// E4, R12
mli_status checkConvert(const Argument &src, const Argument &dst) {
  MLI_CHECK(checkTensor(src));
  MLI_CHECK(checkTensor(dst));
  MLI_CHECK(checkSameShape(dst, src));
  MLI_CHECK(checkHasMemory(dst));
  MLI_CHECK(checkInnerStride(src));
  MLI_CHECK(checkInnerStride(dst));
  MLI_CHECK(checkInPlace(src, dst));
  if (isPerAxis(*src) && isPerAxis(*dst) &&
      src->el_params.sa.dim != dst->el_params.sa.dim)
    return fail(MLI_STATUS_SIZE_MISMATCH,
                "expected 'dst' to be quantised along dimension %" PRId32
                " as 'src', but got %" PRId32,
                src->el_params.sa.dim, dst->el_params.sa.dim);
  MLI_CHECK(checkAxisArrays(src));
  return checkAxisArrays(dst);
}

/// How elements become others once the types are known: prepared for each
/// index of the quantised axis, then applied.
template <typename From, typename To>
struct Converter {
  static constexpr bool isFromFloat = std::is_same_v<From, float>;
  static constexpr bool hasFloat = isFromFloat || std::is_same_v<To, float>;

  Converter(const quant::QuantParams &in, const quant::QuantParams &out)
      : in(in), out(out), rounding(currentRounding()),
        ratio(quant::requantize(in, out, rounding).ratio) {}

  To operator()(From value) const {
    if constexpr (isFromFloat && std::is_same_v<To, float>)
      return value;
    else if constexpr (isFromFloat)
      return quant::saturate<To>(quant::quantizeFloat(value, out));
    else if constexpr (hasFloat)
      return quant::dequantizeCode(value, in);
    else if constexpr (sizeof(From) == 4 || sizeof(To) == 4)
      return quant::saturate<To>(
          quant::convertWideCode(value, in, out, ratio, rounding));
    else
      return quant::saturate<To>(
          quant::convertCode(value, in, out, ratio, rounding));
  }

  /// The same for the kernels of rows.
  simd::RowConversion rowConversion() const {
    return {in.zeroPoint, out.zeroPoint, ratio.multiplier, ratio.shift,
            isFromFloat ? quant::inverseScale(out) : quant::floatScale(in)};
  }

  quant::QuantParams in;
  quant::QuantParams out;
  quant::Rounding rounding;
  quant::Ratio ratio;
};

/// Makes one row of dimensions that follow each other without gaps in both
/// tensors.
void joinRows(Extents &extents, const Strides &from, const Strides &to) {
  if (from[3] != 1 || to[3] != 1)
    return;
  for (unsigned dim = 3; dim-- > 0;) {
    if (extents[dim] == 1)
      continue;
    if (from[dim] != extents[3] || to[dim] != extents[3])
      return;
    uint64_t joined = uint64_t{extents[3]} * extents[dim];
    if (joined > std::numeric_limits<uint32_t>::max())
      return;
    extents[3] = static_cast<uint32_t>(joined);
    extents[dim] = 1;
  }
}

/// Rows of elements: by the fast kernel, or element by element.
template <typename From, typename To>
class RowConverter {
public:
  RowConverter(const quant::QuantParams &in, const quant::QuantParams &out)
      : convert(in, out), conversion(convert.rowConversion()),
        suits(Converter<From, To>::hasFloat ||
              convert.rounding == quant::Rounding::Up) {
    suits = suits && simd::suitsConversion<From, To>(conversion);
    const auto *kernels = suits ? simd::convertKernels<From>() : nullptr;
    if (kernels)
      row = kernels->template row<To>();
  }

  void operator()(const From *in, int64_t inStep, To *out, int64_t outStep,
                  int64_t count) const {
    bool isDense = inStep == 1 && outStep == 1 && count > 1;
    if (isDense && row && row(in, conversion, out, count))
      return;
    if constexpr (sizeof(From) < 4 && sizeof(To) < 4)
      if (isDense && suits) {
        convertDense(in, out, count);
        return;
      }
    for (int64_t i = 0; i < count; ++i)
      out[i * outStep] = convert(in[i * inStep]);
  }

private:
  /// In 32 bits and without branches.
  void convertDense(const From *in, To *out, int64_t count) const {
    const int32_t half = 1 << (conversion.shift - 1);
    for (int64_t i = 0; i < count; ++i) {
      int32_t value = quant::saturate<int16_t>(in[i] - conversion.zeroPoint);
      int32_t scaled =
          (value * conversion.multiplier + half) >> conversion.shift;
      out[i] = quant::saturate<To>(scaled + conversion.outZero);
    }
  }

  Converter<From, To> convert;
  simd::RowConversion conversion;
  bool suits;
  simd::ConvertRow<From, To> row = nullptr;
};

template <typename From, typename To>
void convertElements(const mli_tensor &src, mli_tensor &dst) {
  const From *source = getElements<From>(src);
  To *target = getElements<To>(dst);
  Extents extents = getExtents(src);
  Strides from = getStrides(src);
  Strides to = getStrides(dst);
  int32_t axis = isPerAxis(dst)   ? dst.el_params.sa.dim
                 : isPerAxis(src) ? src.el_params.sa.dim
                                  : -1;
  // The axis becomes the outermost of a box without it.
  uint32_t count = 1;
  unsigned dim = 0;
  if (axis >= 0) {
    dim = paddedDim(src, axis);
    count = extents[dim];
    extents[dim] = 1;
  }
  joinRows(extents, from, to);
  for (uint32_t k = 0; k < count; ++k) {
    RowConverter<From, To> convert(getParams(src, k), getParams(dst, k));
    const From *sourceBase = source + k * from[dim] * (axis >= 0);
    To *targetBase = target + k * to[dim] * (axis >= 0);
    forEachRow<2>(extents, {from, to},
                  [&](const Extents &, const std::array<int64_t, 2> &at) {
                    convert(sourceBase + at[0], from[3], targetBase + at[1],
                            to[3], extents[3]);
                  });
  }
}

using ConvertFunction = void (*)(const mli_tensor &, mli_tensor &);

template <typename From>
ConvertFunction convertTo(mli_element_type type) {
  switch (type) {
  case MLI_EL_FX_8:
  case MLI_EL_SA_8:
    return convertElements<From, int8_t>;
  case MLI_EL_FX_16:
    return convertElements<From, int16_t>;
  case MLI_EL_SA_32:
    return convertElements<From, int32_t>;
  case MLI_EL_FP_32:
    return convertElements<From, float>;
  default:
    return nullptr;
  }
}

ConvertFunction convertFunction(mli_element_type from, mli_element_type to) {
  switch (from) {
  case MLI_EL_FX_8:
  case MLI_EL_SA_8:
    return convertTo<int8_t>(to);
  case MLI_EL_FX_16:
    return convertTo<int16_t>(to);
  case MLI_EL_SA_32:
    return convertTo<int32_t>(to);
  case MLI_EL_FP_32:
    return convertTo<float>(to);
  default:
    return nullptr;
  }
}

// E8
mli_status convert(const Argument &src, mli_tensor *dst, bool allowFloat) {
  MLI_CHECK(checkNotNull(src));
  MLI_CHECK(checkNotNull({dst, "dst"}));
  mli_tensor complete = *dst;
  completeDestination(*src, complete);
  if (checksEnabled())
    MLI_CHECK(checkConvert(src, {&complete, "dst"}));
  ConvertFunction function = convertFunction(src->el_type, dst->el_type);
  bool isFloat = src->el_type == MLI_EL_FP_32 || dst->el_type == MLI_EL_FP_32;
  if (!function || (isFloat && !allowFloat))
    return fail(MLI_STATUS_TYPE_MISMATCH,
                "expected 'src' and 'dst' to have types with a conversion, but "
                "got el_type 0x%x and 0x%x",
                static_cast<unsigned>(src->el_type),
                static_cast<unsigned>(dst->el_type));
  *dst = complete;
  function(*src, *dst);
  return MLI_STATUS_OK;
}

} // namespace
} // namespace mli::rt

// NOLINTBEGIN(readability-identifier-naming): the C names.

mli_status mli_hlp_convert_tensor(const mli_tensor *src, mli_tensor *dst) {
  mli::rt::Entry entry("mli_hlp_convert_tensor");
  return mli::rt::convert({src, "src"}, dst, /*allowFloat=*/true);
}

mli_status mli_hlp_convert_tensor_safx(const mli_tensor *src, mli_tensor *dst) {
  mli::rt::Entry entry("mli_hlp_convert_tensor_safx");
  return mli::rt::convert({src, "src"}, dst, /*allowFloat=*/false);
}

// NOLINTEND(readability-identifier-naming)
