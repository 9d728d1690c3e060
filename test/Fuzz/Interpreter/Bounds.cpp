// SPDX-License-Identifier: Apache-2.0

#include "Bounds.h"

#include <algorithm>
#include <cmath>

using namespace mli::fuzz;

static double clamp(long double number, Bounds limits) {
  return static_cast<double>(
      std::clamp<long double>(number, limits.low, limits.high));
}

Bounds mli::fuzz::round(long double number, long double error, Bounds limits) {
  return {clamp(std::floor(number - error + 0.5L), limits),
          clamp(std::floor(number + error + 0.5L), limits)};
}

Bounds mli::fuzz::around(long double number, double steps, Bounds limits) {
  Bounds near = mli::fuzz::round(number, middle, limits);
  return {clamp(near.low - steps, limits), clamp(near.high + steps, limits)};
}

Bounds mli::fuzz::within(long double number, long double error, Bounds limits) {
  return {clamp(std::ceil(number - 1 - error), limits),
          clamp(std::floor(number + 1 + error), limits)};
}
