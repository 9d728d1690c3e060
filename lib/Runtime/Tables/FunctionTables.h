// SPDX-License-Identifier: Apache-2.0
//
// Entry i of a table is `function((i - inputOffset) / 2^inFracBits) *
// 2^outFracBits`, rounded to the nearest, halves away from zero, and saturated
// to 16 bits.

#ifndef MLI_LIB_RUNTIME_TABLES_FUNCTIONTABLES_H
#define MLI_LIB_RUNTIME_TABLES_FUNCTIONTABLES_H

#include <cstdint>

namespace mli::rt {

/// A table and the formats of its arguments and results.
struct FunctionTable {
  const int16_t *entries;
  int32_t length;
  int32_t inFracBits;
  int32_t outFracBits;
  int32_t inputOffset;

  constexpr int32_t bytes() const {
    return length * static_cast<int32_t>(sizeof(int16_t));
  }
};

namespace tables {
extern const int16_t sigm[320];
extern const int16_t tanh[344];
extern const int16_t softmax[358];
extern const int16_t l2Normalize[97];
} // namespace tables

/// The tables of the library, by their functions in mli_kernels.def: of the
/// sigmoid, the hyperbolic tangent, the exponential up to 0, and the inverse
/// root.
// K37
namespace functions {
inline constexpr FunctionTable sigm = {tables::sigm, 320, 4, 15, 160};
inline constexpr FunctionTable tanh = {tables::tanh, 344, 5, 15, 172};
inline constexpr FunctionTable softmax = {tables::softmax, 358, 5, 15, 356};
inline constexpr FunctionTable l2Normalize = {tables::l2Normalize, 97, 0, 17,
                                              -32};
} // namespace functions

} // namespace mli::rt

#endif // MLI_LIB_RUNTIME_TABLES_FUNCTIONTABLES_H
