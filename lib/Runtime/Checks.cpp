// SPDX-License-Identifier: Apache-2.0

#include "Runtime/Checks.h"

#include <cinttypes>

namespace mli::rt {

mli_status checkNotNull(Argument tensor) {
  if (!tensor.tensor)
    return fail(MLI_STATUS_BAD_TENSOR,
                "expected '%s' to be a tensor, but got null", tensor.name);
  return MLI_STATUS_OK;
}

uint64_t viewBytes(const mli_tensor &tensor) {
  uint64_t last = 0;
  for (uint32_t i = 0; i < tensor.rank; ++i)
    last += static_cast<uint64_t>(tensor.shape[i] - 1) *
            static_cast<uint64_t>(tensor.mem_stride[i]);
  return (last + 1) * elementSize(tensor.el_type);
}

mli_status checkSize(Argument tensor, uint32_t dim) {
  if (tensor->shape[dim] != 0 && tensor->shape[dim] <= INT32_MAX)
    return MLI_STATUS_OK;
  return fail(MLI_STATUS_BAD_TENSOR,
              "expected '%s' to have shape[%" PRIu32
              "] from 1 to 2147483647, but got %" PRIu32,
              tensor.name, dim, tensor->shape[dim]);
}

/// Shape and strides of a view whose rank is valid.
static mli_status checkView(Argument tensor) {
  for (uint32_t i = 0; i < tensor->rank; ++i) {
    if (tensor->mem_stride[i] <= 0)
      return fail(MLI_STATUS_BAD_TENSOR,
                  "expected '%s' to have a positive mem_stride[%" PRIu32
                  "], but got %" PRId32,
                  tensor.name, i, tensor->mem_stride[i]);
    MLI_CHECK(checkSize(tensor, i));
  }
  uint64_t inner = 1;
  for (uint32_t i = tensor->rank; i-- > 0;) {
    auto stride = static_cast<uint64_t>(tensor->mem_stride[i]);
    if (stride < inner)
      return fail(MLI_STATUS_BAD_TENSOR,
                  "expected '%s' to have mem_stride[%" PRIu32
                  "] of at least %" PRIu64 ", but got %" PRIu64,
                  tensor.name, i, inner, stride);
    inner = stride * tensor->shape[i];
  }
  return MLI_STATUS_OK;
}

// K15
mli_status checkTensor(Argument tensor) {
  MLI_CHECK(checkNotNull(tensor));
  if (!tensor->data.mem.pi8)
    return fail(MLI_STATUS_BAD_TENSOR,
                "expected '%s' to have data, but got null", tensor.name);
  if (tensor->rank > MLI_MAX_RANK)
    return fail(MLI_STATUS_BAD_TENSOR,
                "expected '%s' to have a rank of at most %d, but got %" PRIu32,
                tensor.name, MLI_MAX_RANK, tensor->rank);
  if (tensor->data.capacity > INT32_MAX)
    return fail(
        MLI_STATUS_BAD_TENSOR,
        "expected '%s' to have a capacity of at most 2147483647, but got "
        "%" PRIu32,
        tensor.name, tensor->data.capacity);
  MLI_CHECK(checkView(tensor));
  uint64_t needed = viewBytes(*tensor);
  if (tensor->data.capacity < needed)
    return fail(MLI_STATUS_NOT_ENGH_MEM,
                "expected '%s' to have a capacity of at least %" PRIu64
                " bytes, but got %" PRIu32,
                tensor.name, needed, tensor->data.capacity);
  if (tensor->rank == 0)
    return MLI_STATUS_OK;
  return checkAlignment(tensor.name, tensor->data.mem.pi8,
                        elementSize(tensor->el_type));
}

mli_status checkAlignment(const char *name, const void *pointer,
                          uint32_t size) {
  uintptr_t excess = size < 2 ? 0 : reinterpret_cast<uintptr_t>(pointer) % size;
  if (excess != 0)
    return fail(MLI_STATUS_MISALIGNMENT_ERROR,
                "expected '%s' to have data at a multiple of %" PRIu32
                " bytes, but got an address %" PRIuPTR " beyond one",
                name, size, excess);
  return MLI_STATUS_OK;
}

/// One of the three containers of sa parameters.
static mli_status checkParameterContainer(Argument tensor,
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

mli_status checkAxisArrays(Argument tensor) {
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
  MLI_CHECK(checkAlignment(tensor.name, sa.scale.mem.pi16, 2));
  return checkAlignment(tensor.name, sa.zero_point.mem.pi16, 2);
}

/// One value in each of the containers.
static mli_status checkSingleParameters(Argument tensor) {
  const auto &sa = tensor->el_params.sa;
  MLI_CHECK(checkParameterContainer(tensor, sa.scale, "scale", 0));
  MLI_CHECK(checkParameterContainer(tensor, sa.zero_point, "zero_point", 0));
  return checkParameterContainer(tensor, sa.scale_frac_bits, "scale_frac_bits",
                                 0);
}

// K16
mli_status checkQuantization(Argument tensor, int zeroPointBits) {
  if (!isAsymmetric(tensor->el_type))
    return MLI_STATUS_OK;
  int32_t dim = tensor->el_params.sa.dim;
  MLI_CHECK(dim < 0 ? checkSingleParameters(tensor) : checkAxisArrays(tensor));
  uint32_t entries = dim < 0 ? 1 : tensor->shape[dim];
  int32_t high = (1 << zeroPointBits) - 1;
  int32_t low = zeroPointBits == 0 ? 0 : -high - 1;
  for (uint32_t i = 0; i < entries; ++i) {
    quant::QuantParams params = paramsOf(*tensor, i);
    if (params.scale <= 0)
      return fail(MLI_STATUS_BAD_TENSOR,
                  "expected '%s' to have a positive scale, but got %d",
                  tensor.name, params.scale);
    if (params.zeroPoint < low || params.zeroPoint > high)
      return fail(
          MLI_STATUS_INCOMPATEBLE_TENSORS,
          "expected '%s' to have a zero point from %d to %d, but got %d",
          tensor.name, low, high, params.zeroPoint);
  }
  return MLI_STATUS_OK;
}

mli_status checkScalar(Argument tensor) {
  MLI_CHECK(checkNotNull(tensor));
  if (tensor->rank == 0)
    return checkQuantization(tensor, 15);
  MLI_CHECK(checkTensor(tensor));
  uint32_t count = countElements(*tensor);
  if (count != 1)
    return fail(MLI_STATUS_SHAPE_MISMATCH,
                "expected '%s' to have one element, but got %" PRIu32,
                tensor.name, count);
  return MLI_STATUS_OK;
}

mli_status checkNoOverlap(Argument a, const mli_data_container &container,
                          const char *name) {
  auto begin = reinterpret_cast<uintptr_t>(a->data.mem.pi8);
  auto otherBegin = reinterpret_cast<uintptr_t>(container.mem.pi8);
  bool apart = begin + a->data.capacity <= otherBegin ||
               otherBegin + container.capacity <= begin;
  if (apart)
    return MLI_STATUS_OK;
  uintptr_t shift =
      otherBegin > begin ? otherBegin - begin : begin - otherBegin;
  return fail(MLI_STATUS_INCOMPATEBLE_TENSORS,
              "expected '%s' to share no memory with '%s', but got buffers of "
              "%" PRIu32 " and %" PRIu32 " bytes that start %" PRIuPTR
              " bytes apart",
              a.name, name, a->data.capacity, container.capacity, shift);
}

mli_status checkNoOverlap(Argument a, Argument b) {
  return checkNoOverlap(a, b->data, b.name);
}

/// A scalar holds its value, and shares memory with nobody.
static bool hasMemory(const mli_tensor &tensor) { return tensor.rank != 0; }

mli_status checkApart(Argument a, Argument b) {
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
/// each dimension from `dim` on, forwards or backwards.
static bool meet(const mli_tensor &tensor, int64_t distance, uint32_t dim) {
  if (dim == tensor.rank)
    return distance == 0;
  int64_t stride = tensor.mem_stride[dim];
  int64_t steps = distance / stride - (distance % stride < 0 ? 1 : 0);
  for (int64_t count : {steps, steps + 1}) {
    int64_t limit = tensor.shape[dim];
    if (count > -limit && count < limit &&
        meet(tensor, distance - count * stride, dim + 1))
      return true;
  }
  return false;
}

mli_status checkSameOrApart(Argument in, Argument out) {
  if (!hasMemory(*in) || !hasMemory(*out))
    return MLI_STATUS_OK;
  if (!haveEqualStrides(*in, *out))
    return checkApart(in, out);
  int64_t bytes =
      static_cast<int64_t>(reinterpret_cast<uintptr_t>(out->data.mem.pi8) -
                           reinterpret_cast<uintptr_t>(in->data.mem.pi8));
  if (bytes == 0 || !meet(*in, bytes / elementSize(in->el_type), 0))
    return MLI_STATUS_OK;
  return fail(MLI_STATUS_INCOMPATEBLE_TENSORS,
              "expected '%s' to be in the place of '%s' or apart from it, but "
              "got a view %" PRId64 " bytes from it",
              out.name, in.name, bytes);
}

mli_status checkInnerStride(Argument tensor) {
  if (tensor->rank == 0 || tensor->mem_stride[tensor->rank - 1] == 1)
    return MLI_STATUS_OK;
  return fail(MLI_STATUS_INCOMPATEBLE_TENSORS,
              "expected '%s' to have an innermost mem_stride of 1, but got "
              "%" PRId32,
              tensor.name, tensor->mem_stride[tensor->rank - 1]);
}

mli_status checkContiguous(Argument tensor) {
  int64_t dense = 1;
  for (uint32_t i = tensor->rank; i-- > 0;) {
    if (tensor->mem_stride[i] != dense)
      return fail(MLI_STATUS_INCOMPATEBLE_TENSORS,
                  "expected '%s' to have mem_stride[%" PRIu32 "] of %" PRId64
                  ", but got %" PRId32,
                  tensor.name, i, dense, tensor->mem_stride[i]);
    dense *= tensor->shape[i];
  }
  return MLI_STATUS_OK;
}

mli_status checkType(Argument tensor, mli_element_type type) {
  MLI_CHECK(checkNotNull(tensor));
  if (tensor->el_type != type)
    return fail(MLI_STATUS_TYPE_MISMATCH,
                "expected '%s' to have el_type 0x%x, but got 0x%x", tensor.name,
                static_cast<unsigned>(type),
                static_cast<unsigned>(tensor->el_type));
  return MLI_STATUS_OK;
}

mli_status checkSameType(Argument tensor, Argument model) {
  return checkType(tensor, model->el_type);
}

mli_status checkTypes(Argument in, Argument weights, Argument bias,
                      const TypeCombination &types) {
  MLI_CHECK(checkType(in, types.input));
  MLI_CHECK(checkType(weights, types.weights));
  return checkType(bias, types.bias);
}

mli_status checkRank(Argument tensor, uint32_t rank) {
  if (tensor->rank != rank)
    return fail(MLI_STATUS_SHAPE_MISMATCH,
                "expected '%s' to have rank %" PRIu32 ", but got %" PRIu32,
                tensor.name, rank, tensor->rank);
  return MLI_STATUS_OK;
}

mli_status checkExtent(Argument tensor, uint32_t dim, uint64_t expected) {
  if (tensor->shape[dim] != expected)
    return fail(MLI_STATUS_SHAPE_MISMATCH,
                "expected '%s' to have shape[%" PRIu32 "] of %" PRIu64
                ", but got %" PRIu32,
                tensor.name, dim, expected, tensor->shape[dim]);
  return MLI_STATUS_OK;
}

mli_status checkSameShape(Argument tensor, Argument model) {
  MLI_CHECK(checkRank(tensor, model->rank));
  for (uint32_t i = 0; i < model->rank; ++i)
    MLI_CHECK(checkExtent(tensor, i, model->shape[i]));
  return MLI_STATUS_OK;
}

mli_status checkPerTensor(Argument tensor) {
  if (!isPerAxis(*tensor))
    return MLI_STATUS_OK;
  return fail(MLI_STATUS_INCOMPATEBLE_TENSORS,
              "expected '%s' to be quantised per tensor, but got dim %" PRId32,
              tensor.name, tensor->el_params.sa.dim);
}

mli_status checkConfig(const void *config, const char *name) {
  if (!config)
    return fail(MLI_STATUS_BAD_FUNC_CFG,
                "expected '%s' to be a configuration, but got null", name);
  return MLI_STATUS_OK;
}

mli_status checkUnary(Argument in, Argument out) {
  MLI_CHECK(checkTensor(in));
  MLI_CHECK(checkTensor(out));
  MLI_CHECK(checkSameType(out, in));
  MLI_CHECK(checkSameShape(out, in));
  MLI_CHECK(checkInnerStride(in));
  MLI_CHECK(checkInnerStride(out));
  return checkSameOrApart(in, out);
}

} // namespace mli::rt
