// SPDX-License-Identifier: Apache-2.0
//
// The rules about memory that tensors share.

#include "Checks.h"

#include "mli/Contract/Memory.h"

#include <cinttypes>
#include <cstdlib>

namespace mli::rt {

bool shareBytes(const mli_data_container &a, const mli_data_container &b) {
  auto begin = reinterpret_cast<uintptr_t>(a.mem.pi8);
  auto otherBegin = reinterpret_cast<uintptr_t>(b.mem.pi8);
  return begin + a.capacity > otherBegin && otherBegin + b.capacity > begin;
}

/// The checks of Checks.h by reference: every call makes some of them.
static mli_status checkBuffers(const Argument &a,
                               const mli_data_container &container,
                               const char *name) {
  if (!shareBytes(a->data, container))
    return MLI_STATUS_OK;
  auto begin = reinterpret_cast<uintptr_t>(a->data.mem.pi8);
  auto otherBegin = reinterpret_cast<uintptr_t>(container.mem.pi8);
  uintptr_t shift =
      otherBegin > begin ? otherBegin - begin : begin - otherBegin;
  return fail(MLI_STATUS_INCOMPATEBLE_TENSORS,
              "expected '%s' to share no memory with '%s', but got buffers of "
              "%" PRIu32 " and %" PRIu32 " bytes that start %" PRIuPTR
              " bytes apart",
              a.name, name, a->data.capacity, container.capacity, shift);
}

mli_status checkNoOverlap(const Argument &a,
                          const mli_data_container &container,
                          const char *name) {
  return checkBuffers(a, container, name);
}

mli_status checkNoOverlap(const Argument &a, const Argument &b) {
  return checkBuffers(a, b->data, b.name);
}

/// A scalar holds its value, and shares no memory.
static bool hasMemory(const mli_tensor &tensor) { return tensor.rank != 0; }

static mli_status checkViews(const Argument &a, const Argument &b) {
  if (!hasMemory(*a) || !hasMemory(*b))
    return MLI_STATUS_OK;
  auto begin = reinterpret_cast<uintptr_t>(a->data.mem.pi8);
  auto otherBegin = reinterpret_cast<uintptr_t>(b->data.mem.pi8);
  if (begin + viewBytes(*a) <= otherBegin ||
      otherBegin + viewBytes(*b) <= begin)
    return MLI_STATUS_OK;
  return fail(MLI_STATUS_INCOMPATEBLE_TENSORS,
              "expected '%s' to share no memory with '%s', but got views of "
              "%" PRIu64 " and %" PRIu64 " bytes that overlap",
              a.name, b.name, viewBytes(*a), viewBytes(*b));
}

mli_status checkNoAlias(const Argument &a, const Argument &b) {
  return checkViews(a, b);
}

/// Dimensions of one index have a stride that does not matter.
static bool haveEqualStrides(const mli_tensor &a, const mli_tensor &b) {
  if (a.rank != b.rank || a.el_type != b.el_type)
    return false;
  for (uint32_t i = 0; i < a.rank; ++i)
    if (a.shape[i] != b.shape[i] ||
        (a.shape[i] > 1 && a.mem_stride[i] != b.mem_stride[i]))
      return false;
  return true;
}

/// Whether two views like `tensor`, `distance` elements apart, have an element
/// in common: whether it is a sum of fewer strides than there are indices, of
/// each dimension, forwards or backwards. What is left of it after a dimension
/// is less than a stride: bit `dim` of `ups` says of which sign.
static bool meet(const mli_tensor &tensor, int64_t distance) {
  for (uint32_t ups = 0; ups < 1u << tensor.rank; ++ups) {
    int64_t left = distance;
    bool isInside = true;
    for (uint32_t dim = 0; dim < tensor.rank; ++dim) {
      int64_t stride = tensor.mem_stride[dim];
      int64_t steps = left / stride - (left % stride < 0 ? 1 : 0);
      steps += ups >> dim & 1;
      isInside &= std::abs(steps) < int64_t{tensor.shape[dim]};
      left -= steps * stride;
    }
    if (isInside && left == 0)
      return true;
  }
  return false;
}

static mli_status checkPlace(const Argument &in, const Argument &out) {
  if (!hasMemory(*in) || !hasMemory(*out))
    return MLI_STATUS_OK;
  // Most are in buffers of their own.
  if (!shareBytes(in->data, out->data))
    return MLI_STATUS_OK;
  // Types without a size occupy no bytes here; kernels reject them later.
  uint32_t size = elementSize(in->el_type);
  if (size == 0 || !haveEqualStrides(*in, *out))
    return checkViews(in, out);
  int64_t bytes =
      static_cast<int64_t>(reinterpret_cast<uintptr_t>(out->data.mem.pi8) -
                           reinterpret_cast<uintptr_t>(in->data.mem.pi8));
  if (bytes == 0 || !meet(*in, bytes / int64_t{size}))
    return MLI_STATUS_OK;
  return fail(MLI_STATUS_INCOMPATEBLE_TENSORS,
              "expected '%s' to be in the place of '%s' or apart from it, but "
              "got a view %" PRId64 " bytes from it",
              out.name, in.name, bytes);
}

mli_status checkSameOrNoAlias(const Argument &in, const Argument &out) {
  return checkPlace(in, out);
}

mli_status checkSharing(const Argument &tensor, const Argument &written) {
  using contract::Sharing;
  Sharing sharing =
      tensor.contract && written.contract
          ? contract::getSharing(*tensor.contract, *written.contract)
          : Sharing::NoAlias;
  if (sharing == Sharing::DistinctBuffers)
    return checkBuffers(tensor, written->data, written.name);
  if (sharing == Sharing::InPlace)
    return checkPlace(tensor, written);
  if (sharing == Sharing::MayBeOverwritten &&
      tensor->data.mem.pi8 == written->data.mem.pi8)
    return MLI_STATUS_OK;
  return checkViews(tensor, written);
}

} // namespace mli::rt
