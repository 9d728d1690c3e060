// SPDX-License-Identifier: Apache-2.0
//
// Tensors of the C API by coordinates.

#ifndef MLI_TEST_UNIT_RUNTIME_REFERENCE_TENSORS_H
#define MLI_TEST_UNIT_RUNTIME_REFERENCE_TENSORS_H

#include "Numbers.h"

#include <cstring>

namespace mli::ref {

using Coords = std::vector<int64_t>;
/// Codes in row-major order of their coordinates.
using Codes = std::vector<int64_t>;

inline std::vector<int64_t> shapeOf(const mli_tensor &t) {
  return {t.shape, t.shape + t.rank};
}

inline int64_t countOf(const std::vector<int64_t> &shape) {
  int64_t count = 1;
  for (int64_t extent : shape)
    count *= extent;
  return count;
}

/// The coordinates of element `index` in row-major order.
inline Coords coordsOf(const std::vector<int64_t> &shape, int64_t index) {
  Coords at(shape.size());
  for (size_t i = shape.size(); i-- > 0; index /= shape[i])
    at[i] = index % shape[i];
  return at;
}

inline int64_t offsetOf(const mli_tensor &t, const Coords &at) {
  int64_t offset = 0;
  for (size_t i = 0; i < at.size(); ++i)
    offset += at[i] * t.mem_stride[i];
  return offset;
}

/// The code that lies `offset` elements from the data; fp32 as its bits.
inline int64_t codeAtOffset(const mli_tensor &t, int64_t offset) {
  const void *data =
      t.rank == 0 ? static_cast<const void *>(&t.data.mem) : t.data.mem.pi8;
  const auto *bytes = static_cast<const int8_t *>(data);
  if (bitsOf(t.el_type) == 8)
    return bytes[offset];
  if (bitsOf(t.el_type) == 16) {
    int16_t code = 0;
    std::memcpy(&code, bytes + 2 * offset, 2);
    return code;
  }
  int32_t code = 0;
  std::memcpy(&code, bytes + 4 * offset, 4);
  return code;
}

inline int64_t codeAt(const mli_tensor &t, const Coords &at) {
  return codeAtOffset(t, offsetOf(t, at));
}

inline Codes codesOf(const mli_tensor &t) {
  std::vector<int64_t> shape = shapeOf(t);
  Codes codes(countOf(shape));
  for (size_t i = 0; i < codes.size(); ++i)
    codes[i] = codeAt(t, coordsOf(shape, static_cast<int64_t>(i)));
  return codes;
}

} // namespace mli::ref

#endif // MLI_TEST_UNIT_RUNTIME_REFERENCE_TENSORS_H
