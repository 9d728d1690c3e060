// SPDX-License-Identifier: Apache-2.0

#include "mli/Layout/Violation.h"

#include <cstdio>

namespace mli::layout {

void print(const Violation &violation, char *text, size_t size) {
  std::snprintf(text, size, "expected '%s' to %s %lld%s, but got %lld",
                violation.parameter, violation.condition,
                static_cast<long long>(violation.bound), violation.rest,
                static_cast<long long>(violation.value));
}

std::optional<Violation> checkRange(const char *parameter, int64_t value,
                                    int64_t low, int64_t high) {
  if (value < low)
    return Violation{parameter, "be at least", low, value};
  if (value > high)
    return Violation{parameter, "be at most", high, value};
  return std::nullopt;
}

std::optional<Violation> checkDivisible(const char *parameter, int64_t value,
                                        int64_t divisor) {
  if (value % divisor == 0)
    return std::nullopt;
  return Violation{parameter, "be divisible by", divisor, value};
}

} // namespace mli::layout
