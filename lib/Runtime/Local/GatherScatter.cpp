// SPDX-License-Identifier: Apache-2.0
//
// Between scattered tensors and ordinary ones.

#include "Runtime/Local/LocalMemory.h"
#include "Runtime/Local/LocalTensor.h"
#include "Runtime/Local/OkkCall.h"
#include "Runtime/Local/Parallel.h"
#include "mli/Layout/ElementMap.h"
#include "mli/Runtime/LocalTensor.h"

#include <algorithm>
#include <cstring>

namespace mli::rt {
namespace {

using layout::Dims;
using layout::Location;
using layout::TensorLayout;

enum class Direction { Gather, Scatter };

/// One row of up to `count` elements, `localStep` and `tensorStep` bytes apart.
struct Row {
  uint8_t *local;
  uint8_t *tensor;
  int64_t localStep;
  int64_t tensorStep;
  int64_t count;
};

template <typename Code>
void copyRow(const Row &row, Direction direction) {
  const uint8_t *from = row.tensor;
  int64_t fromStep = row.tensorStep;
  uint8_t *to = row.local;
  int64_t toStep = row.localStep;
  if (direction == Direction::Gather) {
    from = row.local;
    fromStep = row.localStep;
    to = row.tensor;
    toStep = row.tensorStep;
  }
  constexpr int64_t size = sizeof(Code);
  if (fromStep == size && toStep == size) {
    std::memcpy(to, from, row.count * size);
    return;
  }
  for (int64_t i = 0; i < row.count; ++i)
    std::memcpy(to + i * toStep, from + i * fromStep, size);
}

void copyRow(const Row &row, Direction direction, int64_t bytes) {
  if (bytes == 1)
    copyRow<uint8_t>(row, direction);
  else if (bytes == 2)
    copyRow<uint16_t>(row, direction);
  else
    copyRow<uint32_t>(row, direction);
}

uint8_t *byteAt(const Location &location) {
  return localMemory() + layout::getAddress(location, localTarget());
}

/// Whether the tensor has memory for its elements, in any order. Its shape is
/// that of a layout, which bounds the sum.
mli_status checkElements(const Argument &tensor) {
  if (tensor->rank == 0)
    return MLI_STATUS_OK;
  if (!tensor->data.mem.pi8)
    return fail(MLI_STATUS_BAD_TENSOR,
                "expected '%s' to have data, but got null", tensor.name);
  uint64_t elements = 1;
  for (uint32_t i = 0; i < tensor->rank; ++i) {
    if (tensor->mem_stride[i] <= 0)
      return fail(MLI_STATUS_BAD_TENSOR,
                  "expected '%s' to have a positive mem_stride[%u], but got %d",
                  tensor.name, i, tensor->mem_stride[i]);
    elements +=
        static_cast<uint64_t>(tensor->mem_stride[i]) * (tensor->shape[i] - 1);
  }
  uint32_t capacity = tensor->data.capacity / elementSize(tensor->el_type);
  if (elements <= capacity)
    return MLI_STATUS_OK;
  return fail(MLI_STATUS_NOT_ENGH_MEM,
              "expected '%s' to have a capacity of at least %llu elements, but "
              "got %u",
              tensor.name, static_cast<unsigned long long>(elements), capacity);
}

// L34
void copyElements(const LocalTensor &local, mli_tensor &tensor,
                  Direction direction) {
  const TensorLayout &layout = local.layout;
  const Dims &strides = local.tensorStrides;
  int64_t bytes = layout.elementBytes;
  auto *elements = getElements<uint8_t>(tensor);
  Row row;
  row.localStep = layout.strides.w * layout::packedBytes(layout);
  row.tensorStep = strides.w * bytes;
  forEachRow(layout, 0, layout.shape.n, [&](const Dims &at) {
    row.count = rowLength(layout, at.c);
    row.local = byteAt(layout::locate(layout, at));
    row.tensor = elements + bytes * (at.n * strides.n + at.c * strides.c +
                                     at.h * strides.h);
    copyRow(row, direction, bytes);
  });
}

// L35
void poisonDummies(const TensorLayout &layout) {
  int64_t factor = layout::packFactor(layout.mode);
  int64_t end = (layout.shape.n + factor - 1) / factor * factor;
  if (!isPoisoning())
    return;
  forEachRow(layout, layout.shape.n, end, [&](Dims at) {
    for (at.w = 0; at.w < layout.shape.w; ++at.w) {
      Location location = layout::locate(layout, at);
      poison(location.npu, location.offset, layout.elementBytes);
    }
  });
}

} // namespace
} // namespace mli::rt

using namespace mli::rt;
using mli::layout::AffineMap;
using mli::layout::Target;
using mli::layout::Violation;

// NOLINTBEGIN(readability-identifier-naming): the C names.

static mli_status configure(const mli_local_target *target) {
  if (!target)
    return fail(MLI_STATUS_BAD_FUNC_CFG,
                "expected 'target' to be one, but got null");
  Target numbers = mli::toTarget(*target);
  if (std::optional<Violation> problem = mli::layout::verify(numbers)) {
    char text[384];
    mli::layout::print(*problem, text, sizeof(text));
    return fail(MLI_STATUS_BAD_FUNC_CFG, "%s", text);
  }
  setLocalTarget(numbers);
  return MLI_STATUS_OK;
}

mli_status mli_local_configure(const mli_local_target *target) {
  Entry entry("mli_local_configure");
  return configure(target);
}

mli_status mli_local_prepare(const mli_local_target *target) {
  Entry entry("mli_local_prepare");
  endParallel();
  bool isSame = target && mli::toTarget(*target) == localTarget();
  if (isSame && localMemory())
    return MLI_STATUS_OK;
  MLI_CHECK(configure(target));
  if (makeLocalMemory())
    return MLI_STATUS_OK;
  return fail(MLI_STATUS_NOT_ENGH_MEM,
              "expected the host to hold %lld bytes of local memory, but got "
              "less",
              static_cast<long long>(localTarget().totalBytes()));
}

mli_local_target mli_local_get_target(void) {
  return mli::fromTarget(localTarget());
}

mli_status mli_local_gather(const mli_local_tensor *local, mli_tensor *tensor) {
  Entry entry("mli_local_gather");
  LocalTensor resolved;
  MLI_CHECK(resolve(local, {tensor, "tensor"}, resolved));
  MLI_CHECK(checkElements({tensor, "tensor"}));
  copyElements(resolved, *tensor, Direction::Gather);
  return MLI_STATUS_OK;
}

mli_status mli_local_scatter(const mli_tensor *tensor,
                             const mli_local_tensor *local) {
  Entry entry("mli_local_scatter");
  LocalTensor resolved;
  MLI_CHECK(resolve(local, {tensor, "tensor"}, resolved));
  MLI_CHECK(checkElements({tensor, "tensor"}));
  // The elements of a copy of the structure are those of the tensor; of a
  // scalar, the value in it. They are only read.
  mli_tensor copy = *tensor;
  copyElements(resolved, copy, Direction::Scatter);
  poisonDummies(resolved.layout);
  return MLI_STATUS_OK;
}

// L26, L34
mli_status mli_local_view(const mli_local_tensor *local, mli_tensor *tensor) {
  Entry entry("mli_local_view");
  LocalTensor resolved;
  MLI_CHECK(resolve(local, {tensor, "tensor"}, resolved));
  std::optional<AffineMap> map = mli::layout::affineMap(resolved.layout);
  int64_t strides[4] = {0, 0, 0, 0};
  if (map) {
    strides[MLI_LOCAL_DIM_N] = map->strides.n;
    strides[MLI_LOCAL_DIM_C] = map->strides.c;
    strides[MLI_LOCAL_DIM_H] = map->strides.h;
    strides[MLI_LOCAL_DIM_W] = map->strides.w;
  }
  if (!map || tensor->rank == 0)
    return fail(
        MLI_STATUS_NOT_SUPPORTED,
        "expected 'local' to be affine and no scalar, but got %lld "
        "channels per NPU",
        static_cast<long long>(mli::layout::channelsPerNpu(resolved.layout)));
  int64_t last = 0;
  int64_t least = 1;
  for (uint32_t i = tensor->rank; i-- > 0;) {
    // One that makes no sense may be anything but what no tensor has.
    int64_t &stride = strides[local->dims[i]];
    if (tensor->shape[i] == 1 && (stride < least || stride > INT32_MAX))
      stride = least;
    if (stride > INT32_MAX)
      return fail(MLI_STATUS_NOT_SUPPORTED,
                  "expected 'tensor' to have a mem_stride[%u] of at most %d, "
                  "but got %lld",
                  i, INT32_MAX, static_cast<long long>(stride));
    last += stride * (tensor->shape[i] - 1);
    least = std::max(stride, last + 1);
  }
  for (uint32_t i = 0; i < tensor->rank; ++i)
    tensor->mem_stride[i] = static_cast<int32_t>(strides[local->dims[i]]);
  int64_t bytes = resolved.layout.elementBytes;
  // All of the largest local memory is a byte more than a capacity can hold.
  tensor->data.capacity =
      static_cast<uint32_t>(std::min<int64_t>((last + 1) * bytes, UINT32_MAX));
  tensor->data.mem.pi8 =
      reinterpret_cast<int8_t *>(localMemory() + map->offset * bytes);
  return MLI_STATUS_OK;
}

void mli_local_set_poison(int enabled, uint32_t seed) {
  setPoison(enabled != 0, seed);
}

// L35
mli_status mli_local_poison(const mli_local_tensor *local,
                            const mli_tensor *tensor) {
  Entry entry("mli_local_poison");
  LocalTensor resolved;
  MLI_CHECK(resolve(local, {tensor, "tensor"}, resolved));
  int64_t bytes = mli::layout::bytesPerNpu(resolved.layout);
  for (int64_t npu = 0; npu < localTarget().npus; ++npu)
    poison(npu, resolved.layout.offset, bytes);
  return MLI_STATUS_OK;
}

mli_status mli_local_status(void) { return takeOkkStatus(); }

// NOLINTEND(readability-identifier-naming)
