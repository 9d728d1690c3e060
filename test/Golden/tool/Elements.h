// SPDX-License-Identifier: Apache-2.0
//
// The elements of tensors in vectors: their types, places and values.

#ifndef MLI_TEST_GOLDEN_TOOL_ELEMENTS_H
#define MLI_TEST_GOLDEN_TOOL_ELEMENTS_H

#include "Spec.h"

#include "mli/Runtime/C/mli_types.h"

namespace mli::golden {

/// The element type of a name in a vector.
std::optional<mli_element_type> elementTypeOf(llvm::StringRef name);

/// Bytes of one element, 1 of types that the helper knows no size of.
size_t elementBytes(const mli_tensor &tensor);

/// Writes a value as an element.
void store(uint8_t *target, mli_element_type type, double value);

/// An element as text: of floats with its bits.
std::string load(const uint8_t *source, mli_element_type type);

/// The strides of a view, where zero ones are those of a contiguous tensor.
Integers completeStrides(const Integers &shape, Integers strides);

/// How many elements there are; the greatest number if that is too many.
uint64_t countOf(const Integers &shape);

/// Elements from the first to behind the last in memory, likewise.
uint64_t getSpan(const Integers &shape, const Integers &strides);

/// Calls `visit(index, offset)` for the elements of a view in row-major order.
template <typename Visit>
void forEachElement(const Integers &shape, const Integers &strides,
                    Visit visit) {
  int64_t count = 1;
  for (int64_t extent : shape)
    count *= extent;
  for (int64_t index = 0; index < count; ++index) {
    int64_t rest = index;
    int64_t offset = 0;
    for (size_t i = shape.size(); i-- > 0;) {
      offset += rest % shape[i] * strides[i];
      rest /= shape[i];
    }
    visit(index, offset);
  }
}

} // namespace mli::golden

#endif // MLI_TEST_GOLDEN_TOOL_ELEMENTS_H
