// SPDX-License-Identifier: Apache-2.0
//
// The reason why a layout, an address or a target is rejected, with both
// numbers; and a value or such a reason.

#ifndef MLI_LAYOUT_VIOLATION_H
#define MLI_LAYOUT_VIOLATION_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace mli::layout {

/// `expected '<parameter>' to <condition> <bound><rest>, but got <value>`. The
/// texts are literals.
struct Violation {
  const char *parameter;
  const char *condition;
  int64_t bound;
  int64_t value;
  const char *rest = "";
};

std::string toString(const Violation &violation);

/// Writes the text, cut to `size` bytes with the final zero.
void print(const Violation &violation, char *text, size_t size);

/// Nothing if `parameter` is in range; the reason otherwise.
std::optional<Violation> checkRange(const char *parameter, int64_t value,
                                    int64_t low, int64_t high);
std::optional<Violation> checkDivisible(const char *parameter, int64_t value,
                                        int64_t divisor);

/// A value, or why there is none.
template <typename T>
class [[nodiscard]] Result {
public:
  Result(const T &value) : value(value) {}
  Result(const Violation &violation) : reason(violation) {}

  explicit operator bool() const { return value.has_value(); }
  const T &operator*() const { return *value; }
  const T *operator->() const { return &*value; }
  const Violation &violation() const { return reason; }

private:
  std::optional<T> value;
  Violation reason = {};
};

} // namespace mli::layout

#endif // MLI_LAYOUT_VIOLATION_H
