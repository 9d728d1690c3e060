// SPDX-License-Identifier: Apache-2.0
//
// Whether bytes are the header of a packed layer.

#include "PackedHeader.h"

#include <cinttypes>

namespace mli::rt::simd {

/// Whether `axis` is one that `pack` writes for maps of `in` and `out` indices.
static bool isAxis(const PhaseAxis &axis, uint32_t in, uint32_t out) {
  return axis.in == in && axis.count == out && axis.outFirst == 0 &&
         axis.outStep == 1 && axis.tapFirst == 0 && axis.tapStep == 1 &&
         contract::windowStepRange.contains(axis.stride) &&
         contract::windowStepRange.contains(axis.dilation) &&
         contract::extentRange.contains(axis.taps) &&
         contract::paddingRange.contains(axis.padding) &&
         axis.extent(axis.count) <=
             axis.in + axis.padding + contract::paddingRange.most;
}

/// Whether `pack` may have written the header, so that nothing outside of the
/// tensors and of the layer is touched.
static bool isHeader(const PackedHeader &header) {
  bool isSa8 = header.type == MLI_EL_SA_8 && header.weightsType == MLI_EL_SA_8;
  bool isFx =
      header.type == MLI_EL_FX_16 &&
      (header.weightsType == MLI_EL_FX_8 || header.weightsType == MLI_EL_FX_16);
  bool isQuads = isSa8 && header.group == 4;
  bool isPairs = (isSa8 || isFx) && header.group == 2;
  bool isContiguous =
      (isSa8 || isFx) && header.group == contiguousInputs &&
      header.isMatrixProduct != 0 &&
      packsContiguously(header.weightsType, header.in, header.out);
  if (!isQuads && !isPairs && !isContiguous)
    return false;
  if (header.isMatrixProduct != 0 &&
      (!isVector(header.in) || !isVector(header.out)))
    return false;
  for (int i = 0; i < 3; ++i)
    if (!contract::extentRange.contains(header.in[i]) ||
        !contract::extentRange.contains(header.out[i]))
      return false;
  if (!isAxis(header.rows, header.in[0], header.out[0]) ||
      !isAxis(header.columns, header.in[1], header.out[1]))
    return false;
  // Each factor is below 2^31, and what they are worth below 2^32.
  int64_t weights = header.rows.taps;
  for (int64_t factor :
       {header.columns.taps, int64_t{header.in[2]}, int64_t{header.out[2]}}) {
    weights *= factor;
    if (weights > UINT32_MAX)
      return false;
  }
  int maxShift = header.weightsType == MLI_EL_FX_8 ? 31 : 46;
  if (header.format.shift < 0 || header.format.shift > maxShift)
    return false;
  const MatrixKernels &kernels = getKernels(header);
  Segments segments(header.rows, header.columns, header.in[2], header.in[2]);
  int64_t bytes =
      packedHeaderBytes +
      PackedChannels::getBytes(getPanelBytes(kernels, segments), header.out[2]);
  return header.bytes == static_cast<uint64_t>(bytes);
}

// K62
mli_status checkPackedLayer(const mli_data_container *container) {
  MLI_CHECK(checkPackedContainer(container));
  if (!container->mem.pi8 || container->capacity < packedHeaderBytes)
    return fail(MLI_STATUS_BAD_FUNC_CFG,
                "expected 'packed' to be a packed layer, but got %" PRIu32
                " bytes at %p",
                container->capacity, static_cast<void *>(container->mem.pi8));
  MLI_CHECK(checkAlignment("packed", container->mem.pi8, 64));
  const PackedHeader &header = getHeader(*container);
  if (header.magic != packedMagic || header.bytes > container->capacity)
    return fail(MLI_STATUS_BAD_FUNC_CFG,
                "expected 'packed' to be a packed layer of %" PRIu32
                " bytes, but got mark 0x%" PRIx32 " and %" PRIu64 " bytes",
                container->capacity, header.magic, header.bytes);
  if (!isHeader(header))
    return rejectPackedHeader(header.bytes);
  return checkPackedModes(header.type);
}

} // namespace mli::rt::simd
