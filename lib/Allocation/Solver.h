// SPDX-License-Identifier: Apache-2.0
//
// Plans one instance: greedy plans, exact search, windows, in this order.

#ifndef MLI_LIB_ALLOCATION_SOLVER_H
#define MLI_LIB_ALLOCATION_SOLVER_H

#include "Allocation/Search.h"
#include "mli/Allocation/Planner.h"

#include <memory>

namespace mli::allocation {

class Solver {
public:
  Solver(const Instance &whole, Algorithm wanted);

  /// Greedy plans until one ends at or below `target`; little search.
  void greedy(int64_t target, int64_t budget);
  /// Searches for a plan that ends at or below `target`.
  void fit(int64_t target, int64_t budget);
  /// Searches for the lowest plan.
  void minimise(int64_t budget);

  /// The best plan's offsets and end; none if there is no plan yet.
  std::vector<int64_t> offsets;
  int64_t peak = noOffset;
  const char *winner = "";
  /// No plan ends below this: proven. noOffset: there is no plan at all.
  int64_t bound = 0;
  int64_t live = 0, aligned = 0;
  int64_t nodes = 0;

private:
  void lowerWindows(int64_t target, int64_t budget);
  void repeatSkyline(int64_t target, int64_t budget);
  bool nearlyAt(int64_t target) const;
  int64_t getEnd(const std::vector<int64_t> &candidate) const;
  void offer(std::vector<int64_t> candidate, const char *name);
  /// The search for a plan below one target: many runs.
  struct SearchSession {
    int64_t target = 0;
    /// Runs so far.
    int run = 0;
    /// Takes turns with all kinds of next item.
    bool anyNext = false;
    Failures failures;
  };
  Search::Result advance(SearchSession &session, int64_t nodesLeft);
  void attempt(SearchSession &session, int64_t budget);
  bool searchable();
  void lower(std::vector<SearchSession> &sessions, int64_t end);
  void refill(std::vector<SearchSession> &sessions) const;

  const Instance &instance;
  Algorithm algorithm;
  std::unique_ptr<Search> search;
  /// Ends of plans are multiples of this.
  int64_t unit = 1;
};

/// Changes `offsets`, a right plan, so that it ends at or below `target`, in at
/// most `budget` nodes. Returns the nodes used; `offsets` stays a right plan.
int64_t lowerByWindows(const Instance &instance, int64_t target, int64_t budget,
                       std::vector<int64_t> &offsets);

} // namespace mli::allocation

#endif // MLI_LIB_ALLOCATION_SOLVER_H
