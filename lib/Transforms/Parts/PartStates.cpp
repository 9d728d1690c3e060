// SPDX-License-Identifier: Apache-2.0
//
// Keeps the cheapest states of local memory between parts.

#include "PartStates.h"

using namespace mlir;
using namespace mli;
using namespace mli::parts;
using namespace mli::streams;

/// The states of local memory between two parts that are followed.
static constexpr size_t maxStates = 8;

/// Values of which each may stay or go by itself, the largest: one more doubles
/// the states.
static constexpr size_t maxChoices = 8;

/// Adds `next` to the states before `end`, if no other one is better. Of
/// equal ones that counts whose last part is the longest.
void PartStates::keep(PartState next, size_t end) {
  if (next.again > rules.again)
    return;
  for (PartState &other : states[end])
    if (other.residents == next.residents) {
      bool isLonger = next.movedIn.empty() &&
                      next.last.range.begin < other.last.range.begin;
      if (next.cost < other.cost || (next.cost == other.cost && isLonger))
        other = std::move(next);
      return;
    }
  states[end].push_back(std::move(next));
}

/// Calls `visit` with what follows from `range`, of `cost`, after `state`: each
/// choice of what of the largest values in local memory then stays, and none.
void PartStates::forEachNext(const PartState &state, const PartRange &range,
                             double cost, VisitNext visit) const {
  Values residents = state.residents;
  llvm::append_range(residents, range.kept);
  llvm::erase_if(residents, [&](size_t value) {
    return !all.graph.values[value].livesAt(range.end);
  });
  llvm::sort(residents);
  Values choices = residents;
  llvm::sort(choices, [&](size_t one, size_t other) {
    int64_t bytes = all.values[one].localBytes;
    int64_t others = all.values[other].localBytes;
    return bytes != others ? bytes > others : one < other;
  });
  bool areAll = choices.size() <= maxChoices;
  choices.resize(std::min(choices.size(), maxChoices));
  unsigned count = (1u << choices.size()) + (areAll ? 0 : 1);
  for (unsigned dropped = 0; dropped < count; ++dropped) {
    auto isDropped = [&](size_t value) {
      auto choice = llvm::find(choices, value) - choices.begin();
      return dropped >> choices.size() != 0 || (dropped >> choice & 1) != 0;
    };
    Values staying;
    double total = state.cost + cost;
    for (size_t value : residents)
      if (isDropped(value))
        // It moves out after the kernel that made it.
        total += rules.cost.byte *
                 static_cast<double>(all.values[value].getSpilledBytes());
      else
        staying.push_back(value);
    visit(std::move(staying), total);
  }
}

void PartStates::add(const PartState &state, size_t number, const Part &part) {
  forEachNext(state, part.range, part.cost, [&](Values staying, double cost) {
    PartState next;
    next.residents = std::move(staying);
    next.cost = cost;
    next.again = state.again + part.again;
    next.before = number;
    next.last = part;
    next.last.movedIn = state.movedIn;
    keep(std::move(next), part.range.end);
  });
}

bool PartStates::mayHelp(const PartState &state, const PartRange &range,
                         double cost) const {
  bool mayHelp = false;
  forEachNext(state, range, cost, [&](Values staying, double cost) {
    mayHelp |= llvm::none_of(states[range.end], [&](const PartState &other) {
      return other.cost < cost && other.residents == staying;
    });
  });
  return mayHelp;
}

/// Leaves the cheapest states before `begin`.
void PartStates::prune(size_t begin) {
  std::vector<PartState> &here = states[begin];
  llvm::sort(here, [](const PartState &one, const PartState &other) {
    return one.cost != other.cost ? one.cost < other.cost
                                  : one.residents < other.residents;
  });
  if (here.size() <= maxStates)
    return;
  // Nothing in local memory always leads on.
  auto empty = llvm::find_if(
      here, [](const PartState &state) { return state.residents.empty(); });
  if (empty - here.begin() >= static_cast<std::ptrdiff_t>(maxStates))
    std::swap(here[maxStates - 1], *empty);
  here.resize(maxStates);
}

// States with more moved in cost more than those that they come from, so the
// cheapest are always known.
void PartStates::finish(size_t begin) {
  prune(begin);
  for (size_t number = 0; number < states[begin].size(); ++number) {
    PartState state = states[begin][number];
    for (size_t value : choices.getLive(begin)) {
      const PartValue &local = all.values[value];
      const StreamValue &from = all.graph.values[value];
      if (from.users.empty() || from.users.back() < begin ||
          llvm::is_contained(state.residents, value))
        continue;
      PartState next = state;
      next.residents.push_back(value);
      llvm::sort(next.residents);
      if (all.getBytes(next.residents) > rules.capacity)
        continue;
      next.cost += rules.cost.byte * static_cast<double>(local.movedBytes);
      next.movedIn.push_back(value);
      keep(std::move(next), begin);
    }
    prune(begin);
  }
}
