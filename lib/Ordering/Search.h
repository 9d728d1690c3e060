// SPDX-License-Identifier: Apache-2.0
//
// Whether the steps of a part that are left can run within so many live bytes.

#ifndef MLI_LIB_ORDERING_SEARCH_H
#define MLI_LIB_ORDERING_SEARCH_H

#include "Ordering/Walk.h"

#include <limits>
#include <unordered_set>

namespace mli::ordering {

/// Depth-first search over sets of steps that have run. Which sets fail is kept
/// from one question to the next.
class Search {
public:
  /// Searches for orders with at most `limit` live bytes in at most `budget`
  /// nodes. All questions are about `walk`.
  Search(Walk &walk, int64_t limit, int64_t budget)
      : walk(walk), limit(limit), budget(budget), looksBefore(walk.getLooks()) {
  }

  enum class Answer { Found, None, BudgetSpent };

  /// Completes the order of the walk. Leaves it as it was if it finds none.
  Answer complete();

  int64_t getNodes() const {
    constexpr int64_t looksPerNode = 1024;
    return sets + (walk.getLooks() - looksBefore) / looksPerNode;
  }
  bool isSpent() const { return getNodes() >= budget; }
  /// After the answer `None`: no order has fewer live bytes.
  int64_t getBound() const { return bound; }

private:
  /// A set that is being searched, with what may run next.
  struct Frame {
    const StepSet *set;
    /// The size of the order before the steps that lead to the set.
    size_t begin;
    std::vector<int32_t> next;
  };

  bool runSafely(int32_t step);
  void settle();
  std::vector<int32_t> findNext();

  Walk &walk;
  int64_t limit, budget, looksBefore;
  int64_t sets = 0;
  int64_t bound = std::numeric_limits<int64_t>::max();
  struct Hash {
    size_t operator()(const StepSet &set) const;
  };
  /// The sets from which no order within the limit is known to lead on.
  std::unordered_set<StepSet, Hash> failed;
};

} // namespace mli::ordering

#endif // MLI_LIB_ORDERING_SEARCH_H
