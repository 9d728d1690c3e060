// SPDX-License-Identifier: Apache-2.0
//
// Questions about tensors.

#include "Mode.h"
#include "Tensor.h"
#include "mli/Runtime/C/api/mli_helpers_api.h"

using namespace mli::rt;

/// Whether an array of aligned entries of `size` bytes reaches beyond `index`.
static bool hasEntry(const mli_data_container &array, uint32_t size,
                     uint32_t index) {
  return array.mem.pi8 &&
         reinterpret_cast<uintptr_t>(array.mem.pi8) % size == 0 &&
         array.capacity / size > index;
}

/// Checks whether there are parameters at `index` of the quantised axis.
// H6
static bool hasParams(const mli_tensor *in, uint32_t index) {
  if (!checksEnabled())
    return true;
  if (!in || !isPerAxis(*in))
    return in != nullptr;
  const auto &sa = in->el_params.sa;
  return sa.dim < MLI_MAX_RANK && static_cast<uint32_t>(sa.dim) < in->rank &&
         index < in->shape[sa.dim] && hasEntry(sa.scale, 2, index) &&
         hasEntry(sa.zero_point, 2, index) &&
         hasEntry(sa.scale_frac_bits, 1, index);
}

// NOLINTBEGIN(readability-identifier-naming): the C names.

// H1, R9
uint32_t mli_hlp_count_elem_num(const mli_tensor *in, uint32_t start_dim) {
  if (checksEnabled() && (!in || in->rank > MLI_MAX_RANK ||
                          (in->rank > 0 && start_dim > in->rank)))
    return 0;
  uint32_t count = 1;
  for (uint32_t i = start_dim; i < in->rank; ++i)
    count *= in->shape[i];
  return count;
}

// H2, R8
uint32_t mli_hlp_tensor_element_size(const mli_tensor *in) {
  return checksEnabled() && !in ? 0 : elementSize(in->el_type);
}

// R14
bool mli_hlp_tensor_data_ptr_cmp(const mli_tensor *in1, const mli_tensor *in2) {
  if (checksEnabled() && (!in1 || !in2))
    return false;
  return in1->el_type == in2->el_type && in1->rank != 0 && in2->rank != 0 &&
         in1->data.mem.pi8 == in2->data.mem.pi8;
}

// H4, R6, R7
int32_t mli_hlp_tensor_scale_shift(const mli_tensor *in,
                                   const uint32_t scale_idx) {
  return hasParams(in, scale_idx) ? getParams(*in, scale_idx).fracBits : 0;
}

// H3, R6
int32_t mli_hlp_tensor_scale(const mli_tensor *in, const uint32_t scale_idx) {
  if (!hasParams(in, scale_idx))
    return 0;
  if (isAsymmetric(in->el_type) || isFixedPoint(in->el_type) ||
      in->el_type == MLI_EL_FP_32)
    return getParams(*in, scale_idx).scale;
  return 0;
}

// H5, R6
int16_t mli_hlp_tensor_zero_offset(const mli_tensor *in,
                                   const uint32_t zero_idx) {
  return hasParams(in, zero_idx) ? getParams(*in, zero_idx).zeroPoint : 0;
}

const char *mli_hlp_compile_options_string(void) {
#define MLI_BUILD(rounding, checks)                                            \
  " MLI_BUILD_REFERENCE=OFF ROUND_MODE=" rounding                              \
  " MLI_DEBUG_MODE=DBG_MODE_" checks
#define MLI_OPTIONS(rounding, checks)                                          \
  {MLI_BUILD(rounding, checks), MLI_BUILD(rounding, checks) " FULL_ACCU=ON",   \
   MLI_BUILD(rounding, checks) " AVEPOOL_16BIT_MUL=ON",                        \
   MLI_BUILD(rounding, checks) " FULL_ACCU=ON AVEPOOL_16BIT_MUL=ON"}
  static const char *const options[2][3][4] = {
      {MLI_OPTIONS("UP", "RELEASE"), MLI_OPTIONS("UP", "RET_CODES"),
       MLI_OPTIONS("UP", "DEBUG")},
      {MLI_OPTIONS("CONVERGENT", "RELEASE"),
       MLI_OPTIONS("CONVERGENT", "RET_CODES"),
       MLI_OPTIONS("CONVERGENT", "DEBUG")}};
#undef MLI_OPTIONS
#undef MLI_BUILD
  return options[mli_get_rounding_mode()][mli_get_check_mode()]
                [mli_get_accumulation_mode()];
}

uint8_t mli_hlp_accu_guard_bits_sa8_sa8(void) { return 16; }

uint8_t mli_hlp_accu_guard_bits_fx16_fx16(void) { return 32; }

uint8_t mli_hlp_accu_guard_bits_fx16_fx8(void) { return 8; }

void mli_hlp_set_tensor_mem_strides(mli_tensor *in) {
  if (checksEnabled() && !in)
    return;
  uint32_t stride = 1; // Wraps as the number of elements does.
  for (uint32_t i = in->rank < MLI_MAX_RANK ? in->rank : MLI_MAX_RANK;
       i-- > 0;) {
    in->mem_stride[i] = static_cast<int32_t>(stride);
    stride *= in->shape[i];
  }
}

// NOLINTEND(readability-identifier-naming)
