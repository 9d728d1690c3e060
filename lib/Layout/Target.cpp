// SPDX-License-Identifier: Apache-2.0

#include "mli/Layout/Target.h"

#include <numeric>

namespace mli::layout {

static std::optional<Violation> checkPowerOfTwo(const char *parameter,
                                                int64_t value) {
  if ((value & (value - 1)) == 0)
    return std::nullopt;
  return Violation{parameter, "be a power of", 2, value};
}

bool Target::operator==(const Target &other) const {
  for (const Field &field : fields)
    if (this->*field.member != other.*field.member)
      return false;
  return true;
}

/// The largest value of `field`.
static int64_t getMax(const Target::Field &field, const Target &target) {
  // Each number fits the 32 bits of a local address, so products fit 64.
  if (field.member == &Target::npus)
    return INT32_MAX;
  if (field.member == &Target::npuBytes)
    return (int64_t{1} << 32) / target.npus;
  return target.npuBytes;
}

// L37
std::optional<Violation> verify(const Target &target) {
  std::optional<Violation> violation;
  for (const Target::Field &field : Target::fields) {
    int64_t value = target.*field.member;
    violation = checkRange(field.name, value, 1, getMax(field, target));
    if (!violation && field.isAlignment)
      violation = checkPowerOfTwo(field.name, value);
    if (violation)
      return violation;
  }
  for (const Target::Field &field : Target::fields)
    if (field.dividesBytes && !violation)
      violation =
          checkDivisible("npu-bytes", target.npuBytes, target.*field.member);
  return violation;
}

// L37
int64_t roundUpNpuBytes(int64_t bytes, const Target &target) {
  int64_t step = 1;
  for (const Target::Field &field : Target::fields)
    if (field.dividesBytes)
      step = std::lcm(step, target.*field.member);
  return (bytes + step - 1) / step * step;
}

} // namespace mli::layout
