// SPDX-License-Identifier: Apache-2.0
//
// Explains why buffers do not fit, by as few of them as possible, and lists
// changes with which they would.

#ifndef MLI_ALLOCATION_CONFLICT_H
#define MLI_ALLOCATION_CONFLICT_H

#include "mli/Allocation/Constraints.h"
#include "mli/Allocation/Planner.h"

#include <functional>

namespace mli::allocation {

struct ConstraintOf {
  int64_t buffer = -1;
  Constraint constraint = Constraint::Pinned;
};

/// A change after which the planner found a plan that passed `validate`.
struct Fix {
  enum class Kind {
    /// The memory has `bytes` bytes; nothing else changes.
    GrowCapacity,
    /// `buffer` lies elsewhere, e.g. in system memory.
    Evict,
    /// `buffer` is at most `bytes` long.
    Shrink,
    /// `constraint` of `buffer` is dropped.
    Drop,
  };
  Kind kind = Kind::GrowCapacity;
  int64_t buffer = -1;
  Constraint constraint = Constraint::Pinned;
  int64_t bytes = 0;
  /// Peak of the plan with the fix.
  int64_t peak = 0;
};

struct Conflict {
  /// Bytes with which it fits: the peak of the lowest plan found; 0 if none
  /// was.
  int64_t required = 0;
  /// Bytes below which it is proven not to fit.
  int64_t atLeast = 0;
  /// The capacity, if there is one.
  std::optional<int64_t> available;
  /// required - available; 0 if nothing is known to suffice.
  int64_t excess = 0;
  /// The time of peak usage, one NPU where it is reached, and the buffers that
  /// are live there.
  int64_t peakTime = 0;
  int32_t peakNpu = 0;
  std::vector<int64_t> liveAtPeak;
  /// Buffers that cannot be together. Ascending. None where only the budget or
  /// the algorithm is what failed.
  std::vector<int64_t> core;
  /// The constraints of the core without which it would fit.
  std::vector<ConstraintOf> constraints;
  /// The core is proven not to fit; else the planner has not found a plan.
  bool proven = false;
  /// Without any one buffer of the core, the rest of it was made to fit.
  bool minimal = false;
  std::vector<Fix> fixes;
  /// The lowest plan found; its peak is `required`. Without placements, its
  /// status is Infeasible if no plan exists at any capacity.
  Plan lowest;
};

/// Explains a problem for which `plan` found no plan that fits.
/// `options.budget` bounds each of the plans made on the way, and a few times
/// that all of them together.
Conflict explain(const Problem &problem, const Plan &failed,
                 const PlannerOptions &options = {});

/// Returns the name of `kind` in reports: `grow-capacity`.
std::string_view toString(Fix::Kind kind);

/// The words of the caller for what a conflict is about.
struct ConflictNames {
  /// The name of a buffer of the problem: `'conv1'`, `id 7`.
  std::function<std::string(int64_t)> buffer;
  /// The name of the attribute or column that sets `Constraint::Pinned`.
  std::string_view pinned;
};

/// The bytes with which it would fit, after `expected ... but got`: `24, 8 too
/// many`, or that there is no plan.
std::string describeRequired(const Conflict &conflict);

/// The sentence on the core, whose buffers are called `subject`; `isProven` if
/// it is proven not to fit.
std::string describeCore(const Conflict &conflict, const std::string &subject,
                         bool isProven);

/// The note on one of `Conflict::constraints`: `'guard' of id 7 is part of it`.
std::string describe(const ConstraintOf &part, const ConflictNames &names);

/// The change of `fix`, and the peak with it: `64 bytes of memory: the peak is
/// then 60`.
std::string describe(const Fix &fix, const ConflictNames &names);

/// `liveAtPeak` by the addresses of `lowest`, where that has placements.
std::vector<int64_t> sortLiveByAddress(const Conflict &conflict);

} // namespace mli::allocation

#endif // MLI_ALLOCATION_CONFLICT_H
