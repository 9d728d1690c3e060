// SPDX-License-Identifier: Apache-2.0

#include "Search.h"

#include "llvm/Support/DebugLog.h"

#include <limits>

#define DEBUG_TYPE "mli-reduce-by-patterns"

using namespace mlir;
using namespace mli;
using namespace mli::reducer;

/// How finely the operations that a pattern matches are parted. A round of few
/// parts that makes the program smaller saves many tests of single operations.
static constexpr size_t fewParts = 8;
static constexpr size_t allParts = std::numeric_limits<size_t>::max();

/// The name of `pattern`: that of its class without what it is declared in.
StringRef reducer::getPatternName(const RewritePattern &pattern) {
  StringRef name = pattern.getDebugName();
  return name.drop_front(name.rfind(':') + 1);
}

/// Applies `pattern` to `roots`. Returns whether that is the best program then.
bool Search::tryRoots(const RewritePattern &pattern, ArrayRef<unsigned> roots,
                      SmallVector<unsigned> &matched) {
  std::optional<Candidate> candidate =
      applyPattern(*best.module, pattern, roots, matched);
  if (!candidate || candidate->size >= best.size ||
      known.contains(candidate->hash))
    return false;
  if (tester.isInteresting(*candidate->module).first !=
      Tester::Interestingness::True) {
    known.insert(candidate->hash);
    return false;
  }
  LDBG() << getPatternName(pattern) << ": " << best.size[0] << " operations, "
         << best.size[1] << " elements become " << candidate->size[0] << ", "
         << candidate->size[1];
  best = std::move(*candidate);
  return true;
}

/// Tries `pattern` on all operations, then on parts of them, at most
/// `maxParts`. Returns whether the program has become smaller.
bool Search::reduceBy(const RewritePattern &pattern, size_t maxParts) {
  SmallVector<unsigned> roots = findRoots(*best.module, pattern), matched;
  if (tryRoots(pattern, roots, matched))
    return true;
  // A pattern on all operations takes the chance to match from some. In the
  // last round each of them gets it.
  if (maxParts != allParts)
    roots = matched;
  bool isSmaller = false;
  for (size_t part = roots.size(); part > 1;) {
    part = (part + 1) / 2;
    if (roots.size() / part > maxParts)
      break;
    for (size_t first = 0; first < roots.size();) {
      size_t count = std::min(part, roots.size() - first);
      if (!tryRoots(pattern, ArrayRef(roots).slice(first, count), matched)) {
        first += count;
        continue;
      }
      isSmaller = true;
      // What was matched is gone, and the next ones stand there.
      roots = findRoots(*best.module, pattern);
    }
  }
  return isSmaller;
}

void Search::run(ArrayRef<const RewritePattern *> patterns) {
  for (size_t maxParts = fewParts;;) {
    bool isSmaller = false;
    for (const RewritePattern *pattern : patterns)
      isSmaller |= reduceBy(*pattern, maxParts);
    if (!isSmaller && maxParts == allParts)
      return;
    maxParts = isSmaller ? fewParts : allParts;
  }
}
