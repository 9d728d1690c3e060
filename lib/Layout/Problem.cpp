// SPDX-License-Identifier: Apache-2.0

#include "mli/Layout/Problem.h"

#include <cstdio>

namespace mli::layout {

void print(const Problem &problem, char *text, size_t size) {
  std::snprintf(text, size, "expected '%s' to %s %lld%s, but got %lld",
                problem.parameter, problem.condition,
                static_cast<long long>(problem.bound), problem.rest,
                static_cast<long long>(problem.value));
}

std::optional<Problem> checkRange(const char *parameter, int64_t value,
                                  int64_t low, int64_t high) {
  if (value < low)
    return Problem{parameter, "be at least", low, value};
  if (value > high)
    return Problem{parameter, "be at most", high, value};
  return std::nullopt;
}

std::optional<Problem> checkDivisible(const char *parameter, int64_t value,
                                      int64_t divisor) {
  if (value % divisor == 0)
    return std::nullopt;
  return Problem{parameter, "be divisible by", divisor, value};
}

} // namespace mli::layout
