// SPDX-License-Identifier: Apache-2.0
//
// The ranges of kernels that tests try as parts.

#ifndef MLI_TEST_UNIT_TRANSFORMS_PARTRANGES_H
#define MLI_TEST_UNIT_TRANSFORMS_PARTRANGES_H

#include "Transforms/Parts/PartChoices.h"

namespace mli::test {

/// Calls `visit` with each range of `least` to `most` kernels of `all`, with
/// and without what it reads inside, and what it returns kept.
inline void
forEachRange(const parts::PartGraph &all, size_t least, size_t most,
             llvm::function_ref<void(const parts::PartRange &)> visit) {
  size_t count = all.kernels.size();
  for (size_t begin = 0; begin < count; ++begin)
    for (size_t end = begin + least; end <= std::min(count, begin + most);
         ++end)
      for (unsigned places = 0; places < 4; ++places) {
        parts::PartRange range = {begin, end, {}, {}};
        if (places & 1)
          range.inside.push_back(
              all.graph.vertices[begin].rowReads.front().value);
        if (places & 2)
          range.kept.push_back(all.graph.vertices[end - 1].results[0]);
        visit(range);
      }
}

} // namespace mli::test

#endif // MLI_TEST_UNIT_TRANSFORMS_PARTRANGES_H
