// SPDX-License-Identifier: Apache-2.0
//
// The rules about the parameters of sa tensors.

#include "Checks.h"

#include <algorithm>
#include <cinttypes>

namespace mli::rt {

/// One of the three containers of sa parameters.
static mli_status checkParameterContainer(const Argument &tensor,
                                          const mli_data_container &container,
                                          const char *name, uint64_t needed) {
  if (needed == 0 && container.capacity != 0)
    return fail(MLI_STATUS_BAD_TENSOR,
                "expected '%s' to have a %s capacity of 0, but got %" PRIu32,
                tensor.name, name, container.capacity);
  if (container.capacity < needed)
    return fail(MLI_STATUS_BAD_TENSOR,
                "expected '%s' to have a %s capacity of at least %" PRIu64
                " bytes, but got %" PRIu32,
                tensor.name, name, needed, container.capacity);
  if (needed != 0 && !container.mem.pi8)
    return fail(MLI_STATUS_BAD_TENSOR,
                "expected '%s' to have a %s array, but got null", tensor.name,
                name);
  return MLI_STATUS_OK;
}

mli_status checkArrayAlignment(const Argument &tensor) {
  const auto &sa = tensor->el_params.sa;
  MLI_CHECK(checkAlignment(tensor.name, sa.scale.mem.pi16, 2));
  return checkAlignment(tensor.name, sa.zero_point.mem.pi16, 2);
}

mli_status checkAxisArrays(const Argument &tensor) {
  if (!isPerAxis(*tensor))
    return MLI_STATUS_OK;
  const auto &sa = tensor->el_params.sa;
  if (sa.dim >= static_cast<int64_t>(tensor->rank))
    return fail(MLI_STATUS_BAD_TENSOR,
                "expected '%s' to be quantised along a dimension below %" PRIu32
                ", but got %" PRId32,
                tensor.name, tensor->rank, sa.dim);
  uint64_t entries = tensor->shape[sa.dim];
  MLI_CHECK(checkParameterContainer(tensor, sa.scale, "scale", entries * 2));
  MLI_CHECK(checkParameterContainer(tensor, sa.zero_point, "zero_point",
                                    entries * 2));
  MLI_CHECK(checkParameterContainer(tensor, sa.scale_frac_bits,
                                    "scale_frac_bits", entries));
  return checkArrayAlignment(tensor);
}

/// One value in each of the containers.
// R21
static mli_status checkSingleParameters(const Argument &tensor) {
  const auto &sa = tensor->el_params.sa;
  MLI_CHECK(checkParameterContainer(tensor, sa.scale, "scale", 0));
  MLI_CHECK(checkParameterContainer(tensor, sa.zero_point, "zero_point", 0));
  return checkParameterContainer(tensor, sa.scale_frac_bits, "scale_frac_bits",
                                 0);
}

/// Whether all of `count` scales and zero points of a tensor with an axis are
/// in their ranges.
static bool areInRange(const mli_tensor &tensor, uint32_t count,
                       const contract::Range &zeroPoints) {
  const auto &sa = tensor.el_params.sa;
  const int16_t *scales = sa.scale.mem.pi16;
  const int16_t *zeros = sa.zero_point.mem.pi16;
  static_assert(contract::scaleRange.least == 1 &&
                contract::scaleRange.most == INT16_MAX);
  auto least =
      static_cast<int16_t>(std::max<int64_t>(zeroPoints.least, INT16_MIN));
  auto most =
      static_cast<int16_t>(std::min<int64_t>(zeroPoints.most, INT16_MAX));
  int16_t isOutside = 0;
  for (uint32_t i = 0; i < count; ++i)
    isOutside =
        static_cast<int16_t>(isOutside | static_cast<int16_t>(scales[i] < 1) |
                             static_cast<int16_t>(zeros[i] < least) |
                             static_cast<int16_t>(zeros[i] > most));
  return isOutside == 0;
}

bool hasPlainParams(const Argument &tensor) {
  if (!isAsymmetric(tensor->el_type))
    return true;
  const auto &sa = tensor->el_params.sa;
  uint32_t arrayBytes =
      sa.scale.capacity | sa.zero_point.capacity | sa.scale_frac_bits.capacity;
  return sa.dim < 0 && arrayBytes == 0 &&
         contract::scaleRange.contains(sa.scale.mem.i16) &&
         tensor.contract->zeroPoints.contains(sa.zero_point.mem.i16);
}

// K16
mli_status checkQuantization(const Argument &tensor,
                             const contract::Range &zeroPoints) {
  if (!isAsymmetric(tensor->el_type))
    return MLI_STATUS_OK;
  int32_t dim = tensor->el_params.sa.dim;
  MLI_CHECK(dim < 0 ? checkSingleParameters(tensor) : checkAxisArrays(tensor));
  uint32_t entries = dim < 0 ? 1 : tensor->shape[dim];
  if (dim >= 0 && areInRange(*tensor, entries, zeroPoints))
    return MLI_STATUS_OK;
  for (uint32_t i = 0; i < entries; ++i) {
    quant::QuantParams params = getParams(*tensor, i);
    if (!contract::scaleRange.contains(params.scale))
      return fail(MLI_STATUS_BAD_TENSOR,
                  "expected '%s' to have a positive scale, but got %d",
                  tensor.name, params.scale);
    if (!zeroPoints.contains(params.zeroPoint))
      return fail(MLI_STATUS_INCOMPATEBLE_TENSORS,
                  "expected '%s' to have a zero point from %" PRId64
                  " to %" PRId64 ", but got %d",
                  tensor.name, zeroPoints.least, zeroPoints.most,
                  params.zeroPoint);
  }
  return MLI_STATUS_OK;
}

mli_status checkQuantization(const Argument &tensor) {
  return checkQuantization(tensor, tensor.contract->zeroPoints);
}

mli_status checkPerTensor(const Argument &tensor) {
  if (!isPerAxis(*tensor))
    return MLI_STATUS_OK;
  return fail(MLI_STATUS_INCOMPATEBLE_TENSORS,
              "expected '%s' to be quantised per tensor, but got dim %" PRId32,
              tensor.name, tensor->el_params.sa.dim);
}

} // namespace mli::rt
