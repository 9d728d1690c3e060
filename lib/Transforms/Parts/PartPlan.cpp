// SPDX-License-Identifier: Apache-2.0

#include "PartChoices.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace mli;
using namespace mli::parts;
using namespace mli::streams;

/// The states of local memory between two parts that are followed.
static constexpr size_t maxStates = 8;

/// Values of which each may stay or go by itself, the largest: one more doubles
/// the states.
static constexpr size_t maxChoices = 8;

namespace {

using Values = SmallVector<size_t, 4>;

/// What is in local memory in front of a vertex, and the parts that led there.
struct State {
  Values residents;
  double cost = 0;
  int64_t again = 0;
  Part last;
  size_t before = 0;
  /// What moves in as a whole before the next part.
  SmallVector<size_t, 2> movedIn;
};

class PartPlanner {
public:
  PartPlanner(const PartGraph &all, const PartRules &rules,
              PartChoices &choices)
      : all(all), rules(rules), choices(choices),
        states(all.kernels.size() + 1) {}

  std::optional<std::vector<Part>> run();

private:
  void extend(size_t begin, size_t number);
  void moveIn(size_t begin);
  void prune(size_t begin);
  bool tryRange(const State &state, size_t number, PartRange range);
  void add(const State &state, size_t number, const Part &part,
           Values residents);
  void keep(State next, size_t end);
  bool livesAt(size_t value, size_t end) const {
    return all.graph.values[value].livesAt(end);
  }
  bool canStay(size_t value) const { return all.values[value].localBytes > 0; }

  const PartGraph &all;
  const PartRules &rules;
  PartChoices &choices;
  std::vector<std::vector<State>> states;
};

} // namespace

//===----------------------------------------------------------------------===//
// States
//===----------------------------------------------------------------------===//

/// Adds `next` to the states in front of `end`, if no other one is better.
void PartPlanner::keep(State next, size_t end) {
  if (next.again > rules.again)
    return;
  for (State &other : states[end])
    if (other.residents == next.residents) {
      if (next.cost < other.cost)
        other = std::move(next);
      return;
    }
  states[end].push_back(std::move(next));
}

/// Adds what follows from `part` behind `state`, with each choice of what of
/// the largest `residents` then stays, and with none.
void PartPlanner::add(const State &state, size_t number, const Part &part,
                      Values residents) {
  size_t end = part.range.end;
  llvm::erase_if(residents, [&](size_t value) { return !livesAt(value, end); });
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
    State next;
    next.cost = state.cost + part.cost;
    next.again = state.again + part.again;
    next.before = number;
    for (size_t value : residents) {
      if (!isDropped(value)) {
        next.residents.push_back(value);
        continue;
      }
      // It moves out behind the kernel that made it.
      next.cost += rules.cost.byte *
                   static_cast<double>(all.values[value].getSpilledBytes());
    }
    next.last = part;
    next.last.movedIn = state.movedIn;
    keep(std::move(next), end);
  }
}

/// Adds all ways to compute `range` behind `state`. Returns whether there are
/// any.
bool PartPlanner::tryRange(const State &state, size_t number, PartRange range) {
  for (size_t value : state.residents)
    for (size_t user : all.graph.values[value].users)
      if (user >= range.begin && user < range.end &&
          !llvm::is_contained(range.inside, value))
        range.inside.push_back(value);
  Values results;
  for (size_t vertex = range.begin; vertex < range.end; ++vertex)
    for (size_t result : all.graph.vertices[vertex].results)
      if (livesAt(result, range.end) && canStay(result))
        results.push_back(result);
  // Of a stream that a file says the first ones may stay.
  if (results.size() > maxResults && !choices.findGiven(range))
    return false;
  results.resize(std::min(results.size(), maxResults));
  bool isComputed = false;
  for (unsigned kept = 0; kept < (1u << results.size()); ++kept) {
    range.kept.clear();
    for (auto [i, value] : llvm::enumerate(results))
      if (kept >> i & 1)
        range.kept.push_back(value);
    int64_t room = rules.getRoom(range.begin, range.end) -
                   all.getBytes(state.residents) - all.getBytes(range.kept);
    if (room < 0)
      continue;
    Values residents = state.residents;
    llvm::append_range(residents, range.kept);
    for (Part &part : choices.compute(range, room)) {
      add(state, number, part, residents);
      isComputed = true;
    }
  }
  return isComputed;
}

/// Leaves the cheapest states in front of `begin`.
void PartPlanner::prune(size_t begin) {
  std::vector<State> &here = states[begin];
  llvm::sort(here, [](const State &one, const State &other) {
    return one.cost != other.cost ? one.cost < other.cost
                                  : one.residents < other.residents;
  });
  if (here.size() <= maxStates)
    return;
  // Nothing in local memory always leads on.
  auto empty = llvm::find_if(
      here, [](const State &state) { return state.residents.empty(); });
  if (empty - here.begin() >= static_cast<std::ptrdiff_t>(maxStates))
    std::swap(here[maxStates - 1], *empty);
  here.resize(maxStates);
}

/// Adds states in which something more is moved in as a whole, to stay. They
/// cost more than those that they come from, so the cheapest are always known.
void PartPlanner::moveIn(size_t begin) {
  prune(begin);
  for (size_t number = 0; number < states[begin].size(); ++number) {
    State state = states[begin][number];
    for (size_t value : choices.getLive(begin)) {
      const PartValue &local = all.values[value];
      const StreamValue &from = all.graph.values[value];
      if (from.users.empty() || from.users.back() < begin ||
          llvm::is_contained(state.residents, value))
        continue;
      State next = state;
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

void PartPlanner::extend(size_t begin, size_t number) {
  State state = states[begin][number];
  const StreamVertex &first = all.graph.vertices[begin];
  if (!all.kernels[begin].numbers) {
    Part part;
    part.range = {begin, begin + 1, {}, {}};
    // A call takes all of local memory, and what a decided kernel takes is not
    // known.
    bool clears =
        isa<func::CallOp>(first.op) || first.op->getNumRegions() > 0 ||
        tiling::isTileable(first.op) ||
        all.getBytes(state.residents) > rules.getRoom(begin, begin + 1);
    Values residents = clears ? Values() : state.residents;
    if (clears)
      for (size_t value : state.residents)
        if (livesAt(value, begin + 1))
          part.cost += rules.cost.byte *
                       static_cast<double>(all.values[value].getSpilledBytes());
    add(state, number, part, residents);
    return;
  }
  // What does not fit does not fit with more kernels either, but for some whose
  // results are larger.
  size_t failures = 0;
  size_t most = std::max(rules.maxStream, rules.maxGroup);
  for (size_t end = begin + 1; end <= all.kernels.size() &&
                               all.kernels[end - 1].numbers && failures < 4;
       ++end) {
    PartRange range = {begin, end, {}, {}};
    const GivenPart *given = choices.findGiven(range);
    if (given && given->begin != begin)
      break;
    if (given && given->end > end)
      continue;
    if ((given && given->end < end) || (!given && end - begin > most))
      break;
    if (choices.isStreamed(range) || choices.isTiled(range))
      failures = tryRange(state, number, range) ? 0 : failures + 1;
  }
}

// Z16
std::optional<std::vector<Part>> PartPlanner::run() {
  states[0].emplace_back();
  for (size_t begin = 0; begin <= all.kernels.size(); ++begin) {
    moveIn(begin);
    choices.forget(begin);
    if (begin < all.kernels.size())
      for (size_t number = 0; number < states[begin].size(); ++number)
        extend(begin, number);
  }
  if (states.back().empty())
    return std::nullopt;
  std::vector<Part> parts;
  const State *state = &states.back().front();
  for (const State &other : states.back())
    if (other.cost < state->cost)
      state = &other;
  for (size_t end = all.kernels.size(); end > 0;) {
    parts.push_back(state->last);
    end = state->last.range.begin;
    state = &states[end][state->before];
  }
  std::reverse(parts.begin(), parts.end());
  return parts;
}

std::optional<std::vector<Part>> mli::parts::planParts(const PartGraph &all,
                                                       const PartRules &rules,
                                                       PartChoices &choices) {
  return PartPlanner(all, rules, choices).run();
}
