// SPDX-License-Identifier: Apache-2.0
//
// Numbers in the remarks of mli-tile-to-fit, mli-explain-fit and
// mli-double-buffer.

#ifndef MLI_LIB_TRANSFORMS_TILESELECTION_TILETEXT_H
#define MLI_LIB_TRANSFORMS_TILESELECTION_TILETEXT_H

#include "llvm/Support/FormatVariadic.h"

#include <string>

namespace mli::tiling {

/// `[8, 16, 32]`.
template <typename Numbers>
std::string listText(const Numbers &numbers) {
  return llvm::formatv("[{0:$[, ]}]",
                       llvm::make_range(numbers.begin(), numbers.end()));
}

/// `1,152`.
inline std::string numberText(int64_t number) {
  return llvm::formatv("{0:N}", number);
}

/// `1,152 B`.
inline std::string bytesText(int64_t bytes) { return numberText(bytes) + " B"; }

} // namespace mli::tiling

#endif // MLI_LIB_TRANSFORMS_TILESELECTION_TILETEXT_H
