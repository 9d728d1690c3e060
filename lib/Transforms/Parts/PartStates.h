// SPDX-License-Identifier: Apache-2.0
//
// States say what is in local memory between two parts, and how it came there.

#ifndef MLI_LIB_TRANSFORMS_PARTS_PARTSTATES_H
#define MLI_LIB_TRANSFORMS_PARTS_PARTSTATES_H

#include "PartChoices.h"

namespace mli::parts {

/// An end at which no part from a state on is known: there is none, or, if that
/// is not sure, none that is better than what is known.
struct FailedEnd {
  size_t end;
  bool isSure;
};

/// What is in local memory before a vertex, and the parts that led there.
struct PartState {
  llvm::SmallVector<size_t, 4> residents;
  double cost = 0;
  int64_t again = 0;
  Part last;
  size_t before = 0;
  /// What moves in as a whole before the next part.
  llvm::SmallVector<size_t, 2> movedIn;
  /// The ends in a row at which no part from here on is known, ascending.
  llvm::SmallVector<FailedEnd, 0> failures;
  /// Whether no more parts from here on are looked for.
  bool isExhausted = false;
};

/// The states before each vertex, and after the last one: as far as they are
/// known, the cheapest one of those that have the same values in local memory.
class PartStates {
public:
  PartStates(const PartGraph &all, const PartRules &rules,
             const PartChoices &choices)
      : all(all), rules(rules), choices(choices),
        states(all.kernels.size() + 1) {
    states.front().emplace_back();
  }

  llvm::MutableArrayRef<PartState> get(size_t vertex) { return states[vertex]; }

  /// Adds what follows from `part` after `state`, which is `number` of those
  /// before it.
  void add(const PartState &state, size_t number, const Part &part);
  /// Whether a part of `range` after `state` may be better than what is known,
  /// if it costs at least `cost`.
  bool mayHelp(const PartState &state, const PartRange &range,
               double cost) const;
  /// Adds states in which something more is moved in as a whole before
  /// `begin`, to stay, and leaves the cheapest. No others come later.
  void finish(size_t begin);

private:
  using Values = llvm::SmallVector<size_t, 4>;

  /// What is in local memory behind a part before anything goes.
  struct Residents {
    /// The choices of what stays: all of `mayGo` may go by itself, or all of
    /// `values` at once.
    size_t countChoices() const;

    /// Ascending.
    Values values;
    /// The largest of them.
    Values mayGo;
  };

  Residents getResidents(const PartState &state, const PartRange &range) const;
  std::optional<double> getCost(const Residents &residents, double cost,
                                llvm::ArrayRef<size_t> staying) const;
  PartState *findPlace(llvm::ArrayRef<size_t> residents, double cost,
                       size_t begin, size_t end);
  void prune(size_t begin);

  const PartGraph &all;
  const PartRules &rules;
  const PartChoices &choices;
  std::vector<std::vector<PartState>> states;
};

} // namespace mli::parts

#endif // MLI_LIB_TRANSFORMS_PARTS_PARTSTATES_H
