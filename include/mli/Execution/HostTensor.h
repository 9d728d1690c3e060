// SPDX-License-Identifier: Apache-2.0
//
// A dense tensor in the memory of the host: the inputs and results of programs.

#ifndef MLI_EXECUTION_HOSTTENSOR_H
#define MLI_EXECUTION_HOSTTENSOR_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace mli {

/// The storage of one element, in the byte order of the host.
enum class HostElement : uint8_t { I8, U8, I16, I32, F32 };

/// Bytes of one element: 1, 2 or 4.
size_t getElementBytes(HostElement element);

/// `int8`, `uint8`, `int16`, `int32` or `float32`.
const char *getElementName(HostElement element);

/// Elements in row-major order without gaps. `data` holds the product of
/// `shape` times `getElementBytes(element)` bytes; no extent is negative.
struct HostTensor {
  HostElement element = HostElement::I8;
  std::vector<int64_t> shape;
  std::vector<char> data;

  size_t getNumElements() const {
    return data.size() / getElementBytes(element);
  }
  /// Element `index` in row-major order, exactly.
  double get(size_t index) const;
};

/// `[1, 96, 96, 1]`; of more than eight extents the first eight and the number
/// of all.
std::string formatShape(const std::vector<int64_t> &shape);

/// The difference of the bytes of two tensors.
struct Difference {
  /// Elements whose bytes are not equal.
  size_t elements = 0;
  /// The greatest distance of two values, exactly; NaN if only NaNs differ.
  double greatest = 0;
  /// The first such element in row-major order.
  size_t first = 0;
};

/// Compares tensors of the same type and number of elements.
Difference compare(const HostTensor &tensor, const HostTensor &reference);

} // namespace mli

#endif // MLI_EXECUTION_HOSTTENSOR_H
