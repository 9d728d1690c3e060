// SPDX-License-Identifier: Apache-2.0
//
// Access to the tensors of the C API: elements, quantisation, and loops over
// their rows.

#ifndef MLI_LIB_RUNTIME_CORE_TENSOR_H
#define MLI_LIB_RUNTIME_CORE_TENSOR_H

#include "mli/Quant/QuantParams.h"
#include "mli/Runtime/C/mli_types.h"

#include <array>
#include <cstddef>

namespace mli::rt {

/// Bytes of one element; 0 for types without kernels.
inline uint32_t elementSize(mli_element_type type) {
  switch (type) {
  case MLI_EL_FX_8:
  case MLI_EL_SA_8:
    return 1;
  case MLI_EL_FX_16:
    return 2;
  case MLI_EL_SA_32:
  case MLI_EL_FP_32:
    return 4;
  default:
    return 0;
  }
}

inline bool isFixedPoint(mli_element_type type) {
  return type == MLI_EL_FX_8 || type == MLI_EL_FX_16;
}
inline bool isAsymmetric(mli_element_type type) {
  return type == MLI_EL_SA_8 || type == MLI_EL_SA_32;
}
inline bool isPerAxis(const mli_tensor &tensor) {
  return isAsymmetric(tensor.el_type) && tensor.el_params.sa.dim >= 0;
}

/// The elements; of a scalar, the value in the container itself.
template <typename Code>
Code *getElements(mli_tensor &tensor) {
  if (tensor.rank == 0)
    return reinterpret_cast<Code *>(&tensor.data.mem);
  return reinterpret_cast<Code *>(tensor.data.mem.pi8);
}
template <typename Code>
const Code *getElements(const mli_tensor &tensor) {
  if (tensor.rank == 0)
    return reinterpret_cast<const Code *>(&tensor.data.mem);
  return reinterpret_cast<const Code *>(tensor.data.mem.pi8);
}

/// The parameters that hold at `index` of the quantised axis: of fx, scale 1
/// and zero point 0; of fp32, those of the number itself.
inline quant::QuantParams getParams(const mli_tensor &tensor,
                                    uint32_t index = 0) {
  if (isFixedPoint(tensor.el_type))
    return {1, tensor.el_params.fx.frac_bits, 0};
  if (!isAsymmetric(tensor.el_type))
    return {1, 0, 0};
  const auto &sa = tensor.el_params.sa;
  if (sa.dim < 0)
    return {sa.scale.mem.i16, sa.scale_frac_bits.mem.i8, sa.zero_point.mem.i16};
  return {sa.scale.mem.pi16[index], sa.scale_frac_bits.mem.pi8[index],
          sa.zero_point.mem.pi16[index]};
}

/// Makes `tensor` a per-tensor sa one, as kernels describe their outputs.
void setPerTensorParams(mli_tensor &tensor, const quant::QuantParams &params);

/// The product of the extents, modulo 2^32; 1 for a scalar.
uint32_t countElements(const mli_tensor &tensor);

/// One entry per dimension, the outermost first, leading ones padded to four.
using Extents = std::array<uint32_t, MLI_MAX_RANK>;
using Strides = std::array<int64_t, MLI_MAX_RANK>;

/// The entry of `Extents` that a dimension of `tensor` has.
inline unsigned paddedDim(const mli_tensor &tensor, int32_t dim) {
  return MLI_MAX_RANK - tensor.rank + static_cast<uint32_t>(dim);
}

/// Extents, padded with ones.
inline Extents getExtents(const mli_tensor &tensor) {
  Extents extents = {1, 1, 1, 1};
  for (uint32_t i = 0; i < tensor.rank; ++i)
    extents[paddedDim(tensor, i)] = tensor.shape[i];
  return extents;
}

/// Strides in elements, padded with zeros.
inline Strides getStrides(const mli_tensor &tensor) {
  Strides strides = {};
  for (uint32_t i = 0; i < tensor.rank; ++i)
    strides[paddedDim(tensor, i)] = tensor.mem_stride[i];
  return strides;
}

/// Strides by dimension, not padded; zero ones are those of a tensor without
/// gaps.
Strides getCompleteStrides(const mli_tensor &tensor);

/// The strides of kernels that take the innermost one as 1.
inline Strides getDenseRowStrides(const mli_tensor &tensor) {
  Strides strides = getStrides(tensor);
  strides[MLI_MAX_RANK - 1] = 1;
  return strides;
}

/// Makes rows as long as they can be: dimensions that follow each other without
/// gaps in all tensors become one.
template <size_t N>
void mergeRows(Extents &extents, std::array<Strides, N> &strides) {
  for (size_t dim = MLI_MAX_RANK - 1; dim-- > 0;) {
    for (size_t k = 0; k < N && extents[dim] != 1; ++k)
      if (strides[k][dim] != strides[k][3] * extents[3])
        return;
    extents[3] *= extents[dim];
    extents[dim] = 1;
  }
}

/// Calls `row(coordinates, offsets)` for each index of the outer three
/// dimensions, with the offset of the row in each of the tensors.
template <size_t N, typename Row>
void forEachRow(const Extents &extents, const std::array<Strides, N> &strides,
                Row row) {
  Extents at = {};
  for (at[0] = 0; at[0] < extents[0]; ++at[0])
    for (at[1] = 0; at[1] < extents[1]; ++at[1])
      for (at[2] = 0; at[2] < extents[2]; ++at[2]) {
        std::array<int64_t, N> offsets = {};
        for (size_t k = 0; k < N; ++k)
          offsets[k] = at[0] * strides[k][0] + at[1] * strides[k][1] +
                       at[2] * strides[k][2];
        row(at, offsets);
      }
}

} // namespace mli::rt

#endif // MLI_LIB_RUNTIME_CORE_TENSOR_H
