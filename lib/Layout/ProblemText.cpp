// SPDX-License-Identifier: Apache-2.0
//
// Apart from the rest, which takes no C++ runtime.

#include "mli/Layout/Problem.h"

namespace mli::layout {

std::string toString(const Problem &problem) {
  char text[256];
  print(problem, text, sizeof(text));
  return text;
}

} // namespace mli::layout
