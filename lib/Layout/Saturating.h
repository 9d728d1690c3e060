// SPDX-License-Identifier: Apache-2.0
//
// Arithmetic of sizes: not negative, and what does not fit 64 bits becomes
// `unrepresentable`, which exceeds every size, so that the one check of the
// result finds an overflow anywhere before.

#ifndef MLI_LIB_LAYOUT_SATURATING_H
#define MLI_LIB_LAYOUT_SATURATING_H

#include <cstdint>

namespace mli::layout {

inline constexpr int64_t unrepresentable = INT64_MAX;

constexpr int64_t add(int64_t a, int64_t b) {
  int64_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? unrepresentable : sum;
}

constexpr int64_t multiply(int64_t a, int64_t b) {
  int64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? unrepresentable : product;
}

/// `a / b` rounded up, for positive `a` and `b`.
constexpr int64_t ceilDivide(int64_t a, int64_t b) { return (a - 1) / b + 1; }

/// `a`, which is positive, rounded up to a multiple of `b`.
constexpr int64_t roundUp(int64_t a, int64_t b) {
  return multiply(ceilDivide(a, b), b);
}

} // namespace mli::layout

#endif // MLI_LIB_LAYOUT_SATURATING_H
