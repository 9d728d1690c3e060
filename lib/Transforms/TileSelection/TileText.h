// SPDX-License-Identifier: Apache-2.0
//
// How reports of tiles spell numbers.

#ifndef MLI_LIB_TRANSFORMS_TILESELECTION_TILETEXT_H
#define MLI_LIB_TRANSFORMS_TILESELECTION_TILETEXT_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/StringExtras.h"

#include <string>

namespace mli::tiling {

/// `[8, 16, 32]`.
template <typename Numbers>
std::string listText(const Numbers &numbers) {
  return "[" +
         llvm::join(
             llvm::map_range(
                 numbers, [](auto number) { return std::to_string(number); }),
             ", ") +
         "]";
}

/// `1,152`.
inline std::string numberText(int64_t number) {
  std::string text = std::to_string(number);
  size_t first = number < 0 ? 1 : 0;
  for (size_t i = text.size(); i > first + 3;)
    text.insert(i -= 3, ",");
  return text;
}

/// `1,152 B`.
inline std::string bytesText(int64_t bytes) { return numberText(bytes) + " B"; }

} // namespace mli::tiling

#endif // MLI_LIB_TRANSFORMS_TILESELECTION_TILETEXT_H
