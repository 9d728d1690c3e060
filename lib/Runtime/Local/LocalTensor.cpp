// SPDX-License-Identifier: Apache-2.0

#include "Runtime/Local/LocalTensor.h"

#include "Runtime/Local/LocalMemory.h"
#include "mli/Runtime/LocalTensor.h"

namespace mli::rt {
namespace {

using layout::Dims;
using layout::Kind;
using layout::Mode;
using layout::Result;
using layout::TensorLayout;
using layout::Violation;

constexpr int64_t Dims::*localDims[] = {&Dims::n, &Dims::c, &Dims::h, &Dims::w};

mli_status reject(mli_status status, const Violation &violation) {
  char text[384];
  layout::print(violation, text, sizeof(text));
  return fail(status, "%s", text);
}

/// The properties of the tensor that a layout depends on.
mli_status checkShape(const Argument &tensor) {
  MLI_CHECK(checkNotNull(tensor));
  if (tensor->rank > MLI_MAX_RANK)
    return fail(MLI_STATUS_BAD_TENSOR,
                "expected '%s.rank' to be at most %d, but got %u", tensor.name,
                MLI_MAX_RANK, tensor->rank);
  if (elementSize(tensor->el_type) == 0)
    return fail(MLI_STATUS_BAD_TENSOR,
                "expected '%s.el_type' to have elements of whole bytes, but "
                "got %#x",
                tensor.name, static_cast<unsigned>(tensor->el_type));
  for (uint32_t i = 0; i < tensor->rank; ++i)
    MLI_CHECK(checkSize(tensor, i));
  return MLI_STATUS_OK;
}

mli_status checkDescription(const mli_local_tensor *local) {
  if (!local)
    return fail(MLI_STATUS_BAD_FUNC_CFG,
                "expected 'local' to be a description, but got null");
  MLI_CHECK(checkEnumerator("local.kind", local->kind, MLI_LOCAL_STRIDED));
  MLI_CHECK(checkEnumerator("local.mode", local->mode, MLI_LOCAL_MODE_2IC));
  if (local->columns < 0 ||
      (local->kind == MLI_LOCAL_MATRIX && local->columns == 0))
    return fail(MLI_STATUS_BAD_FUNC_CFG,
                "expected 'local.columns' to be at least %d, but got %d",
                local->kind == MLI_LOCAL_MATRIX, local->columns);
  return MLI_STATUS_OK;
}

/// Shape and strides of the tensor by local dimension.
// L34
mli_status mapDims(const mli_local_tensor &local, const mli_tensor &tensor,
                   Dims &shape, Dims &strides) {
  shape = {1, 1, 1, 1};
  strides = {0, 0, 0, 0};
  unsigned seen = 0;
  for (uint32_t i = 0; i < tensor.rank; ++i) {
    // A negative one becomes too large.
    unsigned dim = static_cast<uint8_t>(local.dims[i]);
    if (dim >= 4 || (seen >> dim & 1) != 0)
      return fail(MLI_STATUS_BAD_FUNC_CFG,
                  "expected 'local.dims[%u]' to be in [0, 3] and in no other "
                  "dimension, but got %d",
                  i, local.dims[i]);
    if (local.columns != 0 && dim != MLI_LOCAL_DIM_N && dim != MLI_LOCAL_DIM_W)
      return fail(MLI_STATUS_BAD_FUNC_CFG,
                  "expected 'local.dims[%u]' to be %d or %d in a matrix, but "
                  "got %u",
                  i, MLI_LOCAL_DIM_N, MLI_LOCAL_DIM_W, dim);
    seen |= 1U << dim;
    shape.*localDims[dim] = tensor.shape[i];
    strides.*localDims[dim] = tensor.mem_stride[i];
  }
  return MLI_STATUS_OK;
}

mli_status setMatrix(const mli_local_tensor &local, LocalTensor &resolved) {
  TensorLayout &layout = resolved.layout;
  layout.matrixColumns = layout.shape.w;
  Result<Dims> shape =
      layout::matrixShape(layout.shape.n, layout.matrixColumns, local.columns);
  if (!shape)
    return reject(MLI_STATUS_BAD_FUNC_CFG, shape.violation());
  layout.shape = *shape;
  resolved.tensorStrides.c = local.columns * resolved.tensorStrides.w;
  return MLI_STATUS_OK;
}

mli_status setAddress(const mli_local_tensor &local, TensorLayout &layout) {
  layout.target = localTarget();
  Result<layout::Location> first =
      layout::splitAddress(local.address, layout.target);
  if (!first)
    return reject(MLI_STATUS_NOT_ENGH_MEM, first.violation());
  layout.startNpu = first->npu;
  layout.offset = first->offset;
  return MLI_STATUS_OK;
}

} // namespace

mli_status resolve(const mli_local_tensor *local, const Argument &tensor,
                   LocalTensor &resolved) {
  MLI_CHECK(checkShape(tensor));
  MLI_CHECK(checkDescription(local));
  if (!localMemory())
    return fail(MLI_STATUS_NOT_ENGH_MEM,
                "expected 'okk_initialize' to be called before, but got no "
                "local memory");
  TensorLayout &layout = resolved.layout;
  layout.kind = static_cast<Kind>(local->kind);
  layout.mode = static_cast<Mode>(local->mode);
  layout.elementBytes = elementSize(tensor->el_type);
  layout.strides = {local->strides[0], local->strides[1], local->strides[2],
                    local->strides[3]};
  MLI_CHECK(mapDims(*local, *tensor, layout.shape, resolved.tensorStrides));
  if (local->columns != 0)
    MLI_CHECK(setMatrix(*local, resolved));
  MLI_CHECK(setAddress(*local, layout));
  std::optional<Violation> problem = layout::verify(layout);
  if (!problem)
    return MLI_STATUS_OK;
  bool isTooLarge =
      layout::bytesPerNpu(layout) > layout.target.npuBytes - layout.offset;
  return reject(isTooLarge ? MLI_STATUS_NOT_ENGH_MEM : MLI_STATUS_BAD_FUNC_CFG,
                *problem);
}

} // namespace mli::rt
