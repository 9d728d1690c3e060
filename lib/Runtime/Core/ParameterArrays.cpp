// SPDX-License-Identifier: Apache-2.0

#include "ParameterArrays.h"

#include <array>
#include <cinttypes>

namespace mli::rt {

static ArrayOwner getOwner(const mli_data_container &in,
                           const mli_data_container &out) {
  if (!out.mem.pi8)
    return ArrayOwner::None;
  return out.mem.pi8 == in.mem.pi8 ? ArrayOwner::Input : ArrayOwner::Output;
}

ArrayOwner getArrayOwner(const mli_tensor &in, const mli_tensor &out) {
  const auto &from = in.el_params.sa;
  const auto &to = out.el_params.sa;
  ArrayOwner owner = getOwner(from.scale, to.scale);
  bool isSame = getOwner(from.zero_point, to.zero_point) == owner &&
                getOwner(from.scale_frac_bits, to.scale_frac_bits) == owner;
  return isSame ? owner : ArrayOwner::Mixed;
}

mli_status checkArrayOwner(const Argument &in, const Argument &out,
                           ArrayOwner &owner) {
  MLI_CHECK(checkAxisArrays(in));
  owner = getArrayOwner(*in, *out);
  if (owner != ArrayOwner::Mixed)
    return MLI_STATUS_OK;
  return fail(MLI_STATUS_SPEC_PARAM_MISMATCH,
              "expected '%s' to bring none, all of those of '%s' or all three "
              "own parameter arrays, but got a mixture",
              out.name, in.name);
}

namespace {

/// The memory of one array of a tensor, or of its elements.
struct Part {
  const char *what;
  const char *tensor;
  const int8_t *data;
  uint64_t bytes;

  bool meets(const Part &other) const {
    auto begin = reinterpret_cast<uintptr_t>(data);
    auto otherBegin = reinterpret_cast<uintptr_t>(other.data);
    return begin < otherBegin + other.bytes && otherBegin < begin + bytes;
  }
};

constexpr size_t arrayCount = 3;

/// These entries of the arrays of a tensor, then its elements.
std::array<Part, arrayCount + 1> getParts(const Argument &tensor,
                                          uint64_t first, uint64_t count) {
  const auto &sa = tensor->el_params.sa;
  return {
      {{"scale array", tensor.name, sa.scale.mem.pi8 + 2 * first, 2 * count},
       {"zero_point array", tensor.name, sa.zero_point.mem.pi8 + 2 * first,
        2 * count},
       {"scale_frac_bits array", tensor.name,
        sa.scale_frac_bits.mem.pi8 + first, count},
       {"elements", tensor.name, tensor->data.mem.pi8,
        tensor->rank == 0 ? 0 : viewBytes(*tensor)}}};
}

mli_status checkNoAlias(const Part &array, const Part &other) {
  if (!array.meets(other))
    return MLI_STATUS_OK;
  return fail(MLI_STATUS_INCOMPATEBLE_TENSORS,
              "expected the %s of '%s' to share no memory with the %s of '%s', "
              "but got some that overlap",
              array.what, array.tensor, other.what, other.tensor);
}

} // namespace

// K55
mli_status checkArraysNoAlias(const Argument &in, const Argument &out,
                              uint64_t first, uint64_t count) {
  auto read = getParts(in, 0, in->shape[in->el_params.sa.dim]);
  auto written = getParts(out, first, count);
  for (size_t i = 0; i < arrayCount; ++i) {
    for (size_t k = i + 1; k < written.size(); ++k)
      MLI_CHECK(checkNoAlias(written[i], written[k]));
    for (const Part &part : read)
      MLI_CHECK(checkNoAlias(written[i], part));
  }
  return MLI_STATUS_OK;
}

mli_status checkOwnArrays(const Argument &out, uint64_t entries) {
  const auto &sa = out->el_params.sa;
  if (sa.scale.capacity < 2 * entries || sa.zero_point.capacity < 2 * entries ||
      sa.scale_frac_bits.capacity < entries)
    return fail(MLI_STATUS_SPEC_PARAM_MISMATCH,
                "expected '%s' to have parameter arrays of %" PRIu64
                " entries, but got capacities of %" PRIu32 ", %" PRIu32
                " and %" PRIu32 " bytes",
                out.name, entries, sa.scale.capacity, sa.zero_point.capacity,
                sa.scale_frac_bits.capacity);
  return checkArrayAlignment(out);
}

} // namespace mli::rt
