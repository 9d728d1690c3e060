// SPDX-License-Identifier: Apache-2.0
//
// Separate from the rest, which takes no C++ runtime.

#include "mli/Layout/Violation.h"

namespace mli::layout {

std::string toString(const Violation &violation) {
  char text[256];
  print(violation, text, sizeof(text));
  return text;
}

} // namespace mli::layout
