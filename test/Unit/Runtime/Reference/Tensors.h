// SPDX-License-Identifier: Apache-2.0
//
// Tensors of the C API by coordinates.

#ifndef MLI_TEST_UNIT_RUNTIME_REFERENCE_TENSORS_H
#define MLI_TEST_UNIT_RUNTIME_REFERENCE_TENSORS_H

#include "Numbers.h"

#include <array>
#include <cassert>
#include <cstring>
#include <initializer_list>

namespace mli::ref {

/// An index along each dimension.
class Coords {
public:
  explicit Coords(size_t rank) : rank(rank) { assert(rank <= at.size()); }
  Coords(std::initializer_list<int64_t> indices) : rank(indices.size()) {
    assert(rank <= at.size());
    std::copy(indices.begin(), indices.end(), at.begin());
  }
  size_t size() const { return rank; }
  int64_t &operator[](size_t i) { return at[i]; }
  int64_t operator[](size_t i) const { return at[i]; }

private:
  std::array<int64_t, MLI_MAX_RANK> at = {};
  size_t rank;
};

/// Codes in row-major order of their coordinates.
using Codes = std::vector<int64_t>;

inline std::vector<int64_t> getShape(const mli_tensor &t) {
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

inline int64_t getOffset(const mli_tensor &t, const Coords &at) {
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
  if (getBits(t.el_type) == 8)
    return bytes[offset];
  if (getBits(t.el_type) == 16) {
    int16_t code = 0;
    std::memcpy(&code, bytes + 2 * offset, 2);
    return code;
  }
  int32_t code = 0;
  std::memcpy(&code, bytes + 4 * offset, 4);
  return code;
}

inline int64_t codeAt(const mli_tensor &t, const Coords &at) {
  return codeAtOffset(t, getOffset(t, at));
}

/// Calls `visit(offset)` for each element in row-major order.
template <typename Visit>
void forEachOffset(const mli_tensor &t, Visit visit) {
  int64_t rows = 1;
  for (uint32_t i = 0; i + 1 < t.rank; ++i)
    rows *= t.shape[i];
  int64_t columns = t.rank == 0 ? 1 : t.shape[t.rank - 1];
  int64_t step = t.rank == 0 ? 0 : t.mem_stride[t.rank - 1];
  for (int64_t row = 0; row < rows; ++row) {
    int64_t offset = 0;
    int64_t rest = row;
    for (int64_t i = int64_t{t.rank} - 2; i >= 0; rest /= t.shape[i], --i)
      offset += rest % t.shape[i] * t.mem_stride[i];
    for (int64_t column = 0; column < columns; ++column)
      visit(offset + column * step);
  }
}

inline Codes getCodes(const mli_tensor &t) {
  Codes codes;
  codes.reserve(countOf(getShape(t)));
  forEachOffset(
      t, [&](int64_t offset) { codes.push_back(codeAtOffset(t, offset)); });
  return codes;
}

} // namespace mli::ref

#endif // MLI_TEST_UNIT_RUNTIME_REFERENCE_TENSORS_H
