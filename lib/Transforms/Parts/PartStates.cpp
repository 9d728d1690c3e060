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

/// The place of a state before `end`, after a part from `begin` on; null if
/// another one is better. Of equal ones that counts whose last part is the
/// longest.
PartState *PartStates::findPlace(ArrayRef<size_t> residents, double cost,
                                 size_t begin, size_t end) {
  for (PartState &other : states[end])
    if (ArrayRef<size_t>(other.residents) == residents)
      return cost < other.cost ||
                     (cost == other.cost && begin < other.last.range.begin)
                 ? &other
                 : nullptr;
  return &states[end].emplace_back();
}

PartStates::Residents PartStates::getResidents(const PartState &state,
                                               const PartRange &range) const {
  Residents residents;
  for (ArrayRef<size_t> list :
       {ArrayRef<size_t>(state.residents), ArrayRef<size_t>(range.kept)})
    for (size_t value : list)
      if (all.graph.values[value].livesAt(range.end))
        residents.values.push_back(value);
  llvm::sort(residents.values);
  residents.mayGo = residents.values;
  if (residents.mayGo.size() <= maxChoices)
    return residents;
  llvm::sort(residents.mayGo, [&](size_t one, size_t other) {
    int64_t bytes = all.values[one].localBytes;
    int64_t others = all.values[other].localBytes;
    return bytes != others ? bytes > others : one < other;
  });
  residents.mayGo.truncate(maxChoices);
  return residents;
}

size_t PartStates::Residents::countChoices() const {
  return (size_t(1) << mayGo.size()) + (mayGo.size() < values.size() ? 1 : 0);
}

/// What a state costs of which only `staying`, ascending, are left of
/// `residents`, which cost `cost`; nothing if that is no choice.
std::optional<double> PartStates::getCost(const Residents &residents,
                                          double cost,
                                          ArrayRef<size_t> staying) const {
  const size_t *next = staying.begin();
  for (size_t value : residents.values) {
    if (next != staying.end() && *next == value) {
      ++next;
      continue;
    }
    if (!staying.empty() && !llvm::is_contained(residents.mayGo, value))
      return std::nullopt;
    // It moves out after the kernel that made it.
    cost += rules.cost.byte *
            static_cast<double>(all.values[value].getSpilledBytes());
  }
  if (next != staying.end())
    return std::nullopt;
  return cost;
}

void PartStates::add(const PartState &state, size_t number, const Part &part) {
  int64_t again = state.again + part.again;
  if (again > rules.again)
    return;
  Residents residents = getResidents(state, part.range);
  for (size_t gone = 0, count = residents.countChoices(); gone < count;
       ++gone) {
    Values staying;
    if (gone >> residents.mayGo.size() == 0) {
      staying = residents.values;
      for (auto [i, value] : llvm::enumerate(residents.mayGo))
        if (gone >> i & 1)
          staying.erase(llvm::find(staying, value));
    }
    double cost = *getCost(residents, state.cost + part.cost, staying);
    PartState *next =
        findPlace(staying, cost, part.range.begin, part.range.end);
    if (!next)
      continue;
    *next = PartState();
    next->residents = std::move(staying);
    next->cost = cost;
    next->again = again;
    next->before = number;
    next->last = part;
    next->last.movedIn = state.movedIn;
  }
}

bool PartStates::mayHelp(const PartState &state, const PartRange &range,
                         double cost) const {
  Residents residents = getResidents(state, range);
  ArrayRef<PartState> known = states[range.end];
  size_t count = residents.countChoices();
  if (known.size() < count)
    return true;
  auto isCheaper = [&](const PartState &other) {
    std::optional<double> ours =
        getCost(residents, state.cost + cost, other.residents);
    return ours && other.cost < *ours;
  };
  return static_cast<size_t>(llvm::count_if(known, isCheaper)) < count;
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
      if (PartState *place = findPlace(next.residents, next.cost, begin, begin))
        *place = std::move(next);
    }
    prune(begin);
  }
}
