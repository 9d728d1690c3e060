// SPDX-License-Identifier: Apache-2.0
//
// Convolutions and matrix products packed once: what lies before their blocks
// and panels, and how they run.

#ifndef MLI_LIB_RUNTIME_PACKED_PACKEDHEADER_H
#define MLI_LIB_RUNTIME_PACKED_PACKEDHEADER_H

#include "Packed.h"
#include "Runtime/Convolution/Simd/MatrixConvolution.h"

namespace mli::rt::simd {

inline constexpr uint32_t packedMagic = 0x334b504d; // "MPK3"

struct PackedHeader {
  uint32_t magic;
  int32_t group;
  uint64_t bytes;
  StoredType type;
  StoredType weightsType;
  /// Heights, widths and channels; of matrix products 1, 1 and all.
  uint32_t in[3];
  uint32_t out[3];
  quant::QuantParams inParams;
  quant::QuantParams outParams;
  OutputFormat format;
  PhaseAxis rows;
  PhaseAxis columns;
  /// Or 0: a number, as any bytes are one.
  uint32_t isMatrixProduct;
};
static_assert(sizeof(PackedHeader) <= packedHeaderBytes);

/// Needs a container that was checked.
inline const PackedHeader &getHeader(const mli_data_container &container) {
  return *reinterpret_cast<const PackedHeader *>(container.mem.pi8);
}

/// Whether outputs of this shape are one pixel.
inline bool isVector(const uint32_t *shape) {
  return shape[0] == 1 && shape[1] == 1;
}

/// Whether a matrix product that is to be packed by pairs has its weights
/// packed contiguously instead.
inline bool packsContiguously(StoredType weights, const uint32_t *in,
                              const uint32_t *out) {
  return (weights == MLI_EL_SA_8 || weights == MLI_EL_FX_8) &&
         in[2] >= minContiguousInputs && out[2] <= maxContiguousChannels;
}

/// The blocks and panels after a header.
inline PackedChannels getPackedChannels(const PackedHeader &header) {
  return {reinterpret_cast<char *>(const_cast<PackedHeader *>(&header)) +
              packedHeaderBytes,
          header.out[2]};
}

/// The kernels of a header that was checked.
inline const MatrixKernels &getKernels(const PackedHeader &header) {
  return *kernelsFor(header.type, header.weightsType, isVector(header.out),
                     header.group);
}

/// BAD_FUNC_CFG or MISALIGNMENT_ERROR if `container` holds no such layer,
/// NOT_SUPPORTED if it does not run in the modes of this moment.
mli_status checkPackedLayer(const mli_data_container *container);

/// Status of the checks of a call.
mli_status checkPackedMatrix(const PackedCall &call);
/// Makes it.
mli_status runPackedMatrix(const PackedCall &call);

} // namespace mli::rt::simd

#endif // MLI_LIB_RUNTIME_PACKED_PACKEDHEADER_H
