// SPDX-License-Identifier: Apache-2.0

#include "mli/Support/Json.h"

using namespace llvm;

namespace mli {

/// More brackets in one another than any file needs.
static constexpr int deepest = 100;

static bool isTooDeep(StringRef text) {
  int depth = 0;
  bool isText = false;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '"')
      isText = !isText;
    else if (isText && c == '\\')
      ++i;
    else if (!isText && (c == '[' || c == '{') && ++depth > deepest)
      return true;
    else if (!isText && (c == ']' || c == '}'))
      --depth;
  }
  return false;
}

Expected<json::Value> parseJson(StringRef text) {
  if (isTooDeep(text))
    return createStringError("expected at most " + Twine(deepest) +
                             " brackets in one another, but got more");
  return json::parse(text);
}

} // namespace mli
