// SPDX-License-Identifier: Apache-2.0
//
// Tensors of MLI 1.x.

#include "Checks.h"
#include "mli/Runtime/C/api/mli_helpers_api.h"
#include "mli/Runtime/C/mli_v1.h"

#include <algorithm>
#include <cinttypes>
#include <cstring>

namespace mli::rt {
namespace {

// M2, M3
mli_status describe(const mli_v1_tensor &from, mli_tensor &to) {
  if (from.el_type != MLI_V1_EL_FX_8 && from.el_type != MLI_V1_EL_FX_16)
    return fail(MLI_STATUS_TYPE_MISMATCH,
                "expected 'from' to have el_type 0 or 1, but got %u",
                static_cast<unsigned>(from.el_type));
  if (from.el_params.fx.frac_bits > INT8_MAX)
    return fail(MLI_STATUS_SPEC_PARAM_MISMATCH,
                "expected 'from' to have at most 127 fraction bits, but got %u",
                from.el_params.fx.frac_bits);
  if (from.rank > MLI_MAX_RANK)
    return fail(
        MLI_STATUS_BAD_TENSOR,
        "expected 'from' to have a rank of at most %d, but got %" PRIu32,
        MLI_MAX_RANK, from.rank);
  std::memset(&to, 0, sizeof(to));
  to.data.capacity = from.capacity;
  // The value of a scalar: its bytes are the first ones in both structures.
  to.data.mem.pi8 = static_cast<int8_t *>(from.data);
  to.rank = from.rank;
  std::copy(from.shape, from.shape + from.rank, to.shape);
  mli_hlp_set_tensor_mem_strides(&to);
  to.el_type = from.el_type == MLI_V1_EL_FX_8 ? MLI_EL_FX_8 : MLI_EL_FX_16;
  to.el_params.fx.frac_bits = static_cast<int8_t>(from.el_params.fx.frac_bits);
  return MLI_STATUS_OK;
}

// M4
mli_status toTensor(const mli_v1_tensor *from, mli_tensor *to) {
  if (!from)
    return checkNotNull({nullptr, "from"});
  MLI_CHECK(checkNotNull({to, "to"}));
  mli_tensor tensor;
  MLI_CHECK(describe(*from, tensor));
  if (tensor.rank != 0)
    MLI_CHECK(checkTensor({&tensor, "from"}));
  *to = tensor;
  return MLI_STATUS_OK;
}

mli_status fromTensor(const Argument &from, mli_v1_tensor *to) {
  MLI_CHECK(checkNotNull(from));
  if (!to)
    return checkNotNull({nullptr, "to"});
  if (from->rank != 0)
    MLI_CHECK(checkTensor(from));
  if (!isFixedPoint(from->el_type))
    return fail(MLI_STATUS_TYPE_MISMATCH,
                "expected 'from' to have an fx type, but got el_type 0x%x",
                static_cast<unsigned>(from->el_type));
  if (from->el_params.fx.frac_bits < 0)
    return fail(MLI_STATUS_SPEC_PARAM_MISMATCH,
                "expected 'from' to have no negative fraction bits, but got %d",
                from->el_params.fx.frac_bits);
  MLI_CHECK(checkContiguous(from));
  *to = {};
  to->data = from->data.mem.pi8;
  to->capacity = from->data.capacity;
  to->rank = from->rank;
  std::copy(from->shape, from->shape + from->rank, to->shape);
  to->el_type = from->el_type == MLI_EL_FX_8 ? MLI_V1_EL_FX_8 : MLI_V1_EL_FX_16;
  to->el_params.fx.frac_bits =
      static_cast<uint8_t>(from->el_params.fx.frac_bits);
  return MLI_STATUS_OK;
}

} // namespace
} // namespace mli::rt

// NOLINTBEGIN(readability-identifier-naming): the C names.

// M1
mli_status mli_v1_to_tensor(const mli_v1_tensor *from, mli_tensor *to) {
  mli::rt::Entry entry("mli_v1_to_tensor");
  return mli::rt::toTensor(from, to);
}

mli_status mli_v1_from_tensor(const mli_tensor *from, mli_v1_tensor *to) {
  mli::rt::Entry entry("mli_v1_from_tensor");
  return mli::rt::fromTensor({from, "from"}, to);
}

// NOLINTEND(readability-identifier-naming)
