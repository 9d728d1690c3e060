// SPDX-License-Identifier: Apache-2.0
//
// Runs the steps of a part in any order, and takes them back.

#ifndef MLI_LIB_ORDERING_WALK_H
#define MLI_LIB_ORDERING_WALK_H

#include "Ordering/Part.h"

namespace mli::ordering {

/// The steps that have run, one bit each.
using StepSet = std::vector<uint64_t>;

class Walk {
public:
  explicit Walk(const Part &part);

  /// The steps that have run, in their order.
  const std::vector<int32_t> &getOrder() const { return order; }
  const StepSet &getDone() const { return done; }
  bool isComplete() const { return order.size() == part.steps.size(); }
  /// The steps that can run next, ascending.
  const std::vector<int32_t> &getReady() const { return ready; }
  bool isReady(int32_t step) const;
  /// Bytes that are live now, while no step runs.
  int64_t getLive() const { return live; }
  /// Bytes that are live while `step`, which is ready, runs.
  int64_t getBytes(int32_t step) const;
  /// Bytes that are live once `step`, which is ready, has run.
  int64_t getLiveAfter(int32_t step) const;

  /// Runs `step`, which is ready. Returns the step that became ready by that;
  /// -1 if none did, or several.
  int32_t run(int32_t step);
  /// Takes back all steps but the first `size`.
  void rewind(size_t size);

  /// Looks at steps up to now: what the work of a search is.
  int64_t getLooks() const { return looks; }

private:
  void undo();
  bool begins(int32_t buffer) const { return used[buffer] == 0; }
  bool ends(int32_t buffer) const { return left[buffer] == 1; }

  const Part &part;
  std::vector<int32_t> order, ready;
  StepSet done;
  /// The predecessors of each step that have not run.
  std::vector<int32_t> pending;
  /// The users of each buffer that have run, and those that have not. All steps
  /// in front of the part are one user, and so are all steps behind it.
  std::vector<int32_t> used, left;
  int64_t live;
  mutable int64_t looks = 0;
};

} // namespace mli::ordering

#endif // MLI_LIB_ORDERING_WALK_H
