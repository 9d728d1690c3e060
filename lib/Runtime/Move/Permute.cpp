// SPDX-License-Identifier: Apache-2.0
//
// Dimensions in another order.

#include "Runtime/Core/ParameterArrays.h"
#include "Runtime/Simd/StridedCopy.h"
#include "mli/Runtime/C/api/mli_kernels_api.h"

#include <algorithm>
#include <cinttypes>

namespace mli::rt {
namespace {

mli_status checkPermutation(const Argument &in, const mli_permute_cfg &cfg,
                            const Argument &out) {
  contract::NamedDims named(in->rank);
  MLI_CHECK(checkRank(out, in->rank));
  MLI_CHECK(checkHasMemory(out));
  for (uint32_t i = 0; i < in->rank; ++i) {
    uint32_t from = cfg.perm_dim[i];
    if (!named.add(from))
      return fail(MLI_STATUS_BAD_FUNC_CFG,
                  "expected 'cfg' to name each dimension below %" PRIu32
                  " once, but got perm_dim[%" PRIu32 "] of %" PRIu32,
                  in->rank, i, from);
    MLI_CHECK(checkExtent(out, i, in->shape[from]));
  }
  return MLI_STATUS_OK;
}

/// The output brings no arrays, those of the input, or own ones that are large
/// enough.
mli_status checkParameterArrays(const Argument &in, const Argument &out) {
  ArrayOwner owner;
  MLI_CHECK(checkArrayOwner(in, out, owner));
  if (owner != ArrayOwner::Output)
    return MLI_STATUS_OK;
  uint64_t entries = in->shape[in->el_params.sa.dim];
  MLI_CHECK(checkOwnArrays(out, entries));
  return checkArraysNoAlias(in, out, 0, entries);
}

mli_status checkPermute(const Argument &in, const mli_permute_cfg *cfg,
                        const Argument &out, mli_element_type type) {
  MLI_CHECK(checkTensor(in));
  MLI_CHECK(checkTensor(out));
  MLI_CHECK(checkSameType(out, in));
  MLI_CHECK(checkConfig(cfg));
  MLI_CHECK(checkPermutation(in, *cfg, out));
  MLI_CHECK(checkSharing(in, out));
  MLI_CHECK(checkType(in, type));
  return isPerAxis(*in) ? checkParameterArrays(in, out) : MLI_STATUS_OK;
}

/// WorkItems the array of `from`, or copies it into the array that `to` brings.
template <typename Value>
void takeArray(const mli_data_container &from, mli_data_container &to,
               Value *const source, Value *const target, uint32_t count) {
  if (!target)
    to = from;
  else if (target != source)
    std::copy(source, source + count, target);
}

// K43, M5
void permuteParameters(const mli_tensor &in, const mli_permute_cfg &cfg,
                       mli_tensor &out) {
  if (!isAsymmetric(in.el_type)) {
    out.el_params.fx.frac_bits = in.el_params.fx.frac_bits;
    return;
  }
  const auto &from = in.el_params.sa;
  auto &to = out.el_params.sa;
  if (from.dim < 0) {
    to.dim = -1;
    to.scale.mem.i16 = from.scale.mem.i16;
    to.zero_point.mem.i16 = from.zero_point.mem.i16;
    to.scale_frac_bits.mem.i8 = from.scale_frac_bits.mem.i8;
    return;
  }
  for (uint32_t i = 0; i < in.rank; ++i)
    if (static_cast<int64_t>(cfg.perm_dim[i]) == from.dim)
      to.dim = static_cast<int32_t>(i);
  uint32_t count = in.shape[from.dim];
  takeArray(from.scale, to.scale, from.scale.mem.pi16, to.scale.mem.pi16,
            count);
  takeArray(from.zero_point, to.zero_point, from.zero_point.mem.pi16,
            to.zero_point.mem.pi16, count);
  takeArray(from.scale_frac_bits, to.scale_frac_bits,
            from.scale_frac_bits.mem.pi8, to.scale_frac_bits.mem.pi8, count);
}

template <typename Type>
mli_status permute(const Argument &in, const mli_permute_cfg *cfg,
                   mli_tensor *out) {
  if (checksEnabled())
    MLI_CHECK(checkPermute(in, cfg, getOutput(in, out), Type::type));
  using Code = typename Type::Code;
  Strides from = {};
  for (uint32_t i = 0; i < in->rank; ++i)
    from[paddedDim(*in, static_cast<int32_t>(i))] =
        in->mem_stride[cfg->perm_dim[i]];
  copyStrided(sizeof(Code), getExtents(*out), from, getStrides(*out),
              getElements<Code>(*in), getElements<Code>(*out));
  permuteParameters(*in, *cfg, *out);
  return MLI_STATUS_OK;
}

} // namespace
} // namespace mli::rt

#define MLI_PERMUTE(name, type)                                                \
  mli_status name(MLI_PERMUTE_SIGNATURE(MLI_PARAMETER)) {                      \
    using namespace mli::rt;                                                   \
    Entry entry(#name);                                                        \
    return permute<types::type>(                                               \
        getArgument(Family::Permute, OperandKind::Input, in), cfg, out);       \
  }
#include "mli/Runtime/C/api/mli_kernels.def"
