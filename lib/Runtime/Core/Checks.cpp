// SPDX-License-Identifier: Apache-2.0

#include "Checks.h"

#include "mli/Contract/Memory.h"

#include <cinttypes>

namespace mli::rt {

/// Whether the lists are complete: each family has kernels, which have an input
/// and a result.
static constexpr bool areListsComplete() {
  for (size_t i = 0; i < contract::familyCount; ++i) {
    auto family = static_cast<Family>(i);
    bool hasKernels = false;
    for (const contract::Kernel &kernel : contract::kernels)
      hasKernels |= kernel.family == family;
    if (!hasKernels || !contract::findTensor(family, OperandKind::Input) ||
        !contract::findTensor(family, OperandKind::Init))
      return false;
  }
  return true;
}
static_assert(areListsComplete(),
              "a family of Kernels.def lacks rows there or in mli_kernels.def");

mli_status checkNotNull(const Argument &tensor) {
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

mli_status checkSize(const Argument &tensor, uint32_t dim) {
  if (tensor->shape[dim] != 0 && tensor->shape[dim] <= INT32_MAX)
    return MLI_STATUS_OK;
  return fail(MLI_STATUS_BAD_TENSOR,
              "expected '%s' to have shape[%" PRIu32
              "] from 1 to 2147483647, but got %" PRIu32,
              tensor.name, dim, tensor->shape[dim]);
}

/// Shape and strides of a view whose rank is valid.
// R11
static mli_status checkView(const Argument &tensor) {
  for (uint32_t i = 0; i < tensor->rank; ++i) {
    if (tensor->mem_stride[i] <= 0)
      return fail(MLI_STATUS_BAD_TENSOR,
                  "expected '%s' to have a positive mem_stride[%" PRIu32
                  "], but got %" PRId32,
                  tensor.name, i, tensor->mem_stride[i]);
    MLI_CHECK(checkSize(tensor, i));
  }
  if (auto fault = contract::findOverlappingStrides(
          tensor->rank, SizeOf{*tensor}, StrideOf{*tensor}))
    return fail(MLI_STATUS_BAD_TENSOR,
                "expected '%s' to have mem_stride[%" PRIu32
                "] of at least %" PRId64 ", but got %" PRId32,
                tensor.name, fault->dim, fault->expected,
                tensor->mem_stride[fault->dim]);
  return MLI_STATUS_OK;
}

uint64_t countPlain(const mli_tensor &tensor) {
  uint32_t size = elementSize(tensor.el_type);
  if (size == 0 || tensor.rank == 0 || tensor.rank > MLI_MAX_RANK)
    return 0;
  uint64_t elements = 1;
  for (uint32_t i = tensor.rank; i-- > 0; elements *= tensor.shape[i])
    if (tensor.mem_stride[i] < 0 ||
        static_cast<uint64_t>(tensor.mem_stride[i]) != elements)
      return 0;
  bool isPlain = tensor.data.mem.pi8 &&
                 reinterpret_cast<uintptr_t>(tensor.data.mem.pi8) % size == 0 &&
                 tensor.data.capacity >= elements * size &&
                 contract::tensorBytesRange.contains(tensor.data.capacity);
  return isPlain ? elements : 0;
}

// K15, K57
mli_status checkTensor(const Argument &tensor) {
  MLI_CHECK(checkNotNull(tensor));
  if (!tensor->data.mem.pi8)
    return fail(MLI_STATUS_BAD_TENSOR,
                "expected '%s' to have data, but got null", tensor.name);
  static_assert(contract::rankRange.most == MLI_MAX_RANK);
  if (!contract::rankRange.contains(tensor->rank))
    return fail(MLI_STATUS_BAD_TENSOR,
                "expected '%s' to have a rank of at most %d, but got %" PRIu32,
                tensor.name, MLI_MAX_RANK, tensor->rank);
  if (!contract::tensorBytesRange.contains(tensor->data.capacity))
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

// K56
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

// M3
mli_status checkScalar(const Argument &tensor) {
  MLI_CHECK(checkNotNull(tensor));
  if (tensor->rank == 0)
    return checkQuantization(tensor, contract::zeroPointRange);
  MLI_CHECK(checkTensor(tensor));
  if (getShape(*tensor).isOne())
    return MLI_STATUS_OK;
  return fail(MLI_STATUS_SHAPE_MISMATCH,
              "expected '%s' to have one element, but got %" PRIu32,
              tensor.name, countElements(*tensor));
}

// K66
mli_status checkHasMemory(const Argument &tensor) {
  if (tensor->rank == 0)
    return fail(MLI_STATUS_SHAPE_MISMATCH,
                "expected '%s' to have a rank over 0, but got 0", tensor.name);
  return MLI_STATUS_OK;
}

mli_status checkInnerStride(const Argument &tensor) {
  if (tensor->rank == 0 || tensor->mem_stride[tensor->rank - 1] == 1)
    return MLI_STATUS_OK;
  return fail(MLI_STATUS_INCOMPATEBLE_TENSORS,
              "expected '%s' to have an innermost mem_stride of 1, but got "
              "%" PRId32,
              tensor.name, tensor->mem_stride[tensor->rank - 1]);
}

mli_status checkContiguous(const Argument &tensor) {
  std::optional<contract::StrideViolation> fault = findGap(*tensor);
  if (!fault)
    return MLI_STATUS_OK;
  return fail(MLI_STATUS_INCOMPATEBLE_TENSORS,
              "expected '%s' to have mem_stride[%" PRIu32 "] of %" PRId64
              ", but got %" PRId32,
              tensor.name, fault->dim, fault->expected,
              tensor->mem_stride[fault->dim]);
}

mli_status checkMemory(const Argument &tensor) {
  switch (tensor.contract->memory) {
  case contract::Memory::Any:
    return MLI_STATUS_OK;
  case contract::Memory::UnitInnerStride:
  case contract::Memory::DialectContiguous:
    return checkInnerStride(tensor);
  case contract::Memory::Contiguous:
    return checkContiguous(tensor);
  }
  return MLI_STATUS_OK;
}

mli_status checkType(const Argument &tensor, mli_element_type type) {
  MLI_CHECK(checkNotNull(tensor));
  if (tensor->el_type != type)
    return fail(MLI_STATUS_TYPE_MISMATCH,
                "expected '%s' to have el_type 0x%x, but got 0x%x", tensor.name,
                static_cast<unsigned>(type),
                static_cast<unsigned>(tensor->el_type));
  return MLI_STATUS_OK;
}

mli_status checkSameType(const Argument &tensor, const Argument &model) {
  return checkType(tensor, model->el_type);
}

mli_status checkTypes(const Argument &in, const Argument &weights,
                      const Argument &bias, const TypeCombination &types) {
  MLI_CHECK(checkType(in, types.input));
  MLI_CHECK(checkType(weights, types.weights));
  return checkType(bias, types.bias);
}

mli_status checkRank(const Argument &tensor, uint32_t rank) {
  if (tensor->rank != rank)
    return fail(MLI_STATUS_SHAPE_MISMATCH,
                "expected '%s' to have rank %" PRIu32 ", but got %" PRIu32,
                tensor.name, rank, tensor->rank);
  return MLI_STATUS_OK;
}

mli_status checkExtent(const Argument &tensor, uint32_t dim,
                       uint64_t expected) {
  if (tensor->shape[dim] != expected)
    return fail(MLI_STATUS_SHAPE_MISMATCH,
                "expected '%s' to have shape[%" PRIu32 "] of %" PRIu64
                ", but got %" PRIu32,
                tensor.name, dim, expected, tensor->shape[dim]);
  return MLI_STATUS_OK;
}

mli_status checkSameShape(const Argument &tensor, const Argument &model) {
  auto difference =
      contract::findDifference(getShape(*tensor), getShape(*model));
  if (!difference)
    return MLI_STATUS_OK;
  if (difference->isRank)
    return checkRank(tensor, model->rank);
  return checkExtent(tensor, difference->dim,
                     static_cast<uint64_t>(difference->expected));
}

std::optional<contract::Mismatch> matchShape(const Argument &tensor,
                                             contract::Sizes &sizes) {
  return sizes.match(*tensor.contract, SizeOf{*tensor});
}

mli_status checkShapes(std::initializer_list<Argument> tensors,
                       contract::Sizes &sizes) {
  for (Argument tensor : tensors)
    MLI_CHECK(checkRank(tensor, tensor.contract->rank()));
  for (Argument tensor : tensors)
    if (std::optional<contract::Mismatch> mismatch = matchShape(tensor, sizes))
      return checkExtent(tensor, mismatch->dim,
                         static_cast<uint64_t>(mismatch->expected));
  return MLI_STATUS_OK;
}

mli_status checkConfig(const void *config, const char *name) {
  if (!config)
    return fail(MLI_STATUS_BAD_FUNC_CFG,
                "expected '%s' to be a configuration, but got null", name);
  return MLI_STATUS_OK;
}

// K64
mli_status checkEnumerator(const char *name, int32_t value, int32_t last) {
  if (value < 0 || value > last)
    return fail(MLI_STATUS_BAD_FUNC_CFG,
                "expected '%s' to be an enumerator from 0 to %" PRId32
                ", but got %" PRId32,
                name, last, value);
  return MLI_STATUS_OK;
}

mli_status checkAxisInRank(const Argument &in, int32_t axis) {
  if (axis > contract::axisRange(in->rank).most)
    return fail(MLI_STATUS_BAD_FUNC_CFG,
                "expected 'cfg' to have an axis below %" PRIu32
                ", but got %" PRId32,
                in->rank, axis);
  return MLI_STATUS_OK;
}

mli_status checkUnary(const Argument &in, const Argument &out) {
  MLI_CHECK(checkTensor(in));
  MLI_CHECK(checkTensor(out));
  MLI_CHECK(checkSameType(out, in));
  MLI_CHECK(checkSameShape(out, in));
  MLI_CHECK(checkHasMemory(out));
  MLI_CHECK(checkMemory(in));
  MLI_CHECK(checkMemory(out));
  return checkSharing(in, out);
}

} // namespace mli::rt
