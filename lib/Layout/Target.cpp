// SPDX-License-Identifier: Apache-2.0

#include "mli/Layout/Target.h"

namespace mli::layout {

static std::optional<Problem> checkPowerOfTwo(const char *parameter,
                                              int64_t value) {
  if ((value & (value - 1)) == 0)
    return std::nullopt;
  return Problem{parameter, "be a power of", 2, value};
}

bool Target::operator==(const Target &other) const {
  return npus == other.npus && npuBytes == other.npuBytes &&
         banks == other.banks && unit == other.unit &&
         dmaAlignment == other.dmaAlignment;
}

// L37
std::optional<Problem> verify(const Target &target) {
  // Each number fits the 32 bits of a local address, so products fit 64.
  constexpr int64_t most = int64_t{1} << 32;
  std::optional<Problem> problem =
      checkRange("npus", target.npus, 1, INT32_MAX);
  if (!problem)
    problem = checkRange("npu-bytes", target.npuBytes, 1, most / target.npus);
  if (!problem)
    problem = checkRange("unit", target.unit, 1, target.npuBytes);
  if (!problem)
    problem = checkPowerOfTwo("unit", target.unit);
  if (!problem)
    problem = checkRange("banks", target.banks, 1, target.npuBytes);
  if (!problem)
    problem = checkRange("dma-align", target.dmaAlignment, 1, target.npuBytes);
  if (!problem)
    problem = checkPowerOfTwo("dma-align", target.dmaAlignment);
  for (int64_t divisor : {target.unit, target.banks, target.dmaAlignment})
    if (!problem)
      problem = checkDivisible("npu-bytes", target.npuBytes, divisor);
  return problem;
}

} // namespace mli::layout
