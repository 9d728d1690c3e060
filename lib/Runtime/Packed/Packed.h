// SPDX-License-Identifier: Apache-2.0
//
// Checks that packed layers of all kinds share, of modes and of tensors; and
// packed depthwise convolutions.

#ifndef MLI_LIB_RUNTIME_PACKED_PACKED_H
#define MLI_LIB_RUNTIME_PACKED_PACKED_H

#include "Runtime/Convolution/ConvolutionCall.h"
#include "Runtime/Core/Checks.h"
#include "Runtime/Simd/ChannelBlock.h"
#include "mli/Runtime/C/mli_packed.h"

#include <array>

namespace mli::rt::simd {

/// Bytes before what is packed.
inline constexpr size_t packedHeaderBytes = 256;

/// An element type in a header: a number, as any bytes are one.
struct StoredType {
  uint32_t code;
  StoredType &operator=(mli_element_type type) {
    code = type;
    return *this;
  }
  /// Needs a header that was checked.
  operator mli_element_type() const {
    return static_cast<mli_element_type>(code);
  }
  bool operator==(mli_element_type type) const { return code == type; }
  bool operator==(StoredType other) const { return code == other.code; }
};

/// Sets parts of a header member by member: what lies between them stays zero,
/// wherever one packs.
inline void setParams(quant::QuantParams &to,
                      const quant::QuantParams &params) {
  to.scale = params.scale;
  to.fracBits = params.fracBits;
  to.zeroPoint = params.zeroPoint;
}
inline void setFormat(OutputFormat &to, const OutputFormat &format) {
  to.zeroPoint = format.zeroPoint;
  to.low = format.low;
  to.high = format.high;
  to.shift = format.shift;
  to.hasLateBias = format.hasLateBias;
}

/// The arguments of a call.
struct PackedCall {
  const mli_tensor *in;
  const mli_data_container *packed;
  /// Null for the rows that the layer was packed for.
  const mli_packed_rows *rows;
  int threads;
  mli_tensor *out;
};

/// Whether the modes are those that packed layers compute in.
bool arePackedModes(mli_element_type type);
/// NOT_SUPPORTED unless they are.
mli_status checkPackedModes(mli_element_type type);

/// BAD_FUNC_CFG if the pointer is null.
mli_status checkPackedContainer(const mli_data_container *packed);

/// A map that a layer takes: height, width and channels.
struct PackedMap {
  std::array<uint32_t, 3> shape;
  const quant::QuantParams &params;
};
struct PackedMaps {
  mli_element_type type;
  /// True for matrix products, which take tensors of any rank without gaps: 1,
  /// 1 and their elements.
  bool areVectors;
  PackedMap in;
  PackedMap out;
};

/// The maps of a header of either kind.
template <typename Header>
PackedMaps getMaps(const Header &header, bool areVectors) {
  return {header.type,
          areVectors,
          {{header.in[0], header.in[1], header.in[2]}, header.inParams},
          {{header.out[0], header.out[1], header.out[2]}, header.outParams}};
}

/// BAD_FUNC_CFG: a header with `bytes` is none of a layer.
mli_status rejectPackedHeader(uint64_t bytes);

/// Status of the checks of tensors; SHAPE_MISMATCH or INCOMPATEBLE if `in` and
/// `out` are not what was packed.
mli_status checkPackedMaps(const Argument &in, const Argument &out,
                           const PackedMaps &maps);

/// The same of maps of any heights; BAD_FUNC_CFG unless their rows may have
/// `window`.
mli_status checkPackedRows(const Argument &in, const Argument &out,
                           PackedMaps maps, const contract::WindowAxis &window);

/// The memory of `packed`, for a layer of `bytes`, below 2^32. It is null if
/// there is none: `packed->capacity` becomes the bytes that it takes.
/// NOT_ENGH_MEM if it is too small, what alignment fails with if it is not at
/// 64 bytes.
mli_status findPackedMemory(uint64_t bytes, mli_data_container *packed,
                            char *&memory);

/// Whether `packed` holds a depthwise convolution.
bool isPackedDepthwise(const mli_data_container &packed);

/// Packs a depthwise convolution that has passed its checks.
mli_status packDepthwise(const ConvolutionCall &call,
                         mli_data_container *packed);

/// Status of the checks of a call of a depthwise convolution.
mli_status checkPackedDepthwise(const PackedCall &call);
/// Makes it.
mli_status runPackedDepthwise(const PackedCall &call);

} // namespace mli::rt::simd

#endif // MLI_LIB_RUNTIME_PACKED_PACKED_H
