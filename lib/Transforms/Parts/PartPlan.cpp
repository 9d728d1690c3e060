// SPDX-License-Identifier: Apache-2.0

#include "PartStates.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace mli;
using namespace mli::parts;
using namespace mli::streams;

/// Ends in a row at which there is no part, after which none is looked for:
/// what does not fit does not fit with more kernels either, but for some whose
/// results are larger.
static constexpr size_t maxFailures = 4;

namespace {

class PartPlanner {
public:
  PartPlanner(const PartGraph &all, const PartRules &rules,
              PartChoices &choices)
      : all(all), rules(rules), choices(choices), states(all, rules, choices) {
    for (const StreamVertex &vertex : all.graph.vertices)
      llvm::copy_if(
          vertex.results, std::back_inserter(mayStay.emplace_back()),
          [&](size_t result) { return all.values[result].localBytes > 0; });
  }

  std::optional<std::vector<Part>> run();

private:
  using Visit = llvm::function_ref<void(const PartRange &, int64_t room)>;

  void extendTo(size_t end);
  void extend(size_t begin, size_t number, size_t end);
  void skip(size_t begin, size_t number);
  void forEachKept(const PartState &state, PartRange range, Visit visit) const;
  std::optional<bool> tryRange(PartState &state, size_t number,
                               const PartRange &range);
  bool isPart(const PartState &state, const PartRange &range);
  bool isExhausted(PartState &state, size_t begin);
  void addFailure(PartState &state, FailedEnd failure);

  const PartGraph &all;
  const PartRules &rules;
  PartChoices &choices;
  PartStates states;
  /// The results of each vertex that may stay.
  std::vector<SmallVector<size_t, 1>> mayStay;
};

} // namespace

/// Calls `visit` with `range` after `state`, each choice of what of its
/// results stays, and the bytes that are then free.
void PartPlanner::forEachKept(const PartState &state, PartRange range,
                              Visit visit) const {
  for (size_t value : state.residents) {
    ArrayRef<size_t> users = all.graph.values[value].users;
    const size_t *user = llvm::lower_bound(users, range.begin);
    if (user != users.end() && *user < range.end)
      range.inside.push_back(value);
  }
  SmallVector<size_t, 4> results;
  for (size_t vertex = range.begin; vertex < range.end; ++vertex)
    for (size_t result : mayStay[vertex])
      if (all.graph.values[result].livesAt(range.end))
        results.push_back(result);
  // Of a stream that a file says the first ones may stay.
  if (results.size() > maxResults && !choices.findGiven(range))
    return;
  results.resize(std::min(results.size(), maxResults));
  int64_t free =
      rules.getRoom(range.begin, range.end) - all.getBytes(state.residents);
  for (unsigned kept = 0; kept < (1u << results.size()); ++kept) {
    range.kept.clear();
    for (auto [i, value] : llvm::enumerate(results))
      if (kept >> i & 1)
        range.kept.push_back(value);
    if (int64_t room = free - all.getBytes(range.kept); room >= 0)
      visit(range, room);
  }
}

/// Adds all ways to compute `range` after `state` that may be better than what
/// is known. Returns whether there are any; nothing if that is not known.
std::optional<bool> PartPlanner::tryRange(PartState &state, size_t number,
                                          const PartRange &range) {
  std::optional<bool> isComputed = false;
  bool isGiven = choices.findGiven(range), isTiled = choices.isTiled(range),
       isStreamed = choices.isStreamed(range);
  auto addPart = [&](const std::optional<Part> &part) {
    if (!part)
      return;
    states.add(state, number, *part);
    isComputed = true;
  };
  forEachKept(state, range, [&](const PartRange &kept, int64_t room) {
    if (isTiled && !isExhausted(state, range.begin))
      addPart(choices.computeTiled(kept, room));
    if (!isStreamed)
      return;
    if (!isGiven &&
        !states.mayHelp(state, kept, choices.getStreamCostBound(kept))) {
      if (isComputed == false)
        isComputed = std::nullopt;
    } else if (!isExhausted(state, range.begin)) {
      addPart(choices.computeStream(kept, room));
    }
  });
  return isComputed;
}

/// Whether there is any way to compute `range` after `state`.
bool PartPlanner::isPart(const PartState &state, const PartRange &range) {
  bool isComputed = false;
  forEachKept(state, range, [&](const PartRange &kept, int64_t room) {
    isComputed = isComputed || choices.computeTiled(kept, room) ||
                 choices.computeStream(kept, room);
  });
  return isComputed;
}

/// Whether there is no part at `maxFailures` ends in a row from `state`, before
/// `begin`, on.
bool PartPlanner::isExhausted(PartState &state, size_t begin) {
  ArrayRef<FailedEnd> ends = state.failures;
  while (!state.isExhausted && ends.size() >= maxFailures) {
    // The last of them at which there is a part.
    size_t count = maxFailures;
    while (count > 0 && (ends[count - 1].isSure ||
                         !isPart(state, {begin, ends[count - 1].end, {}, {}})))
      --count;
    state.isExhausted = count == 0;
    ends = ends.drop_front(count);
  }
  state.failures.erase(state.failures.begin(), ends.begin());
  return state.isExhausted;
}

/// Adds `failure` to those of `state`. Whether there are parts that are of no
/// use makes no difference until one may be of use.
void PartPlanner::addFailure(PartState &state, FailedEnd failure) {
  state.failures.push_back(failure);
  ArrayRef<FailedEnd> last = ArrayRef(state.failures).take_back(maxFailures);
  state.isExhausted |=
      last.size() == maxFailures &&
      llvm::all_of(last, [](const FailedEnd &end) { return end.isSure; });
}

/// Goes on after what is no kernel to decide for, from a state before it.
void PartPlanner::skip(size_t begin, size_t number) {
  const PartState &state = states.get(begin)[number];
  const StreamVertex &first = all.graph.vertices[begin];
  Part part;
  part.range = {begin, begin + 1, {}, {}};
  // A call takes all of local memory, and what a decided kernel takes is not
  // known.
  bool clears = isa<func::CallOp>(first.op) || first.op->getNumRegions() > 0 ||
                tiling::isTileable(first.op) ||
                all.getBytes(state.residents) > rules.getRoom(begin, begin + 1);
  if (!clears) {
    states.add(state, number, part);
    return;
  }
  for (size_t value : state.residents)
    if (all.graph.values[value].livesAt(begin + 1))
      part.cost += rules.cost.byte *
                   static_cast<double>(all.values[value].getSpilledBytes());
  PartState cleared = state;
  cleared.residents.clear();
  states.add(cleared, number, part);
}

/// Adds the parts up to `end` from a state before `begin`.
void PartPlanner::extend(size_t begin, size_t number, size_t end) {
  PartState &state = states.get(begin)[number];
  PartRange range = {begin, end, {}, {}};
  if (state.isExhausted ||
      !(choices.isStreamed(range) || choices.isTiled(range)))
    return;
  std::optional<bool> isComputed = tryRange(state, number, range);
  if (isComputed == true)
    state.failures.clear();
  else
    addFailure(state, {end, isComputed.has_value()});
}

/// Adds all parts up to `end`, the shortest first: most long streams cost more
/// than several parts do.
void PartPlanner::extendTo(size_t end) {
  auto extendFrom = [&](size_t begin) {
    for (size_t number = 0; number < states.get(begin).size(); ++number)
      if (all.kernels[end - 1].numbers)
        extend(begin, number, end);
      else
        skip(begin, number);
  };
  const GivenPart *given = choices.findGiven({end - 1, end, {}, {}});
  if (given) {
    if (given->end == end)
      extendFrom(given->begin);
    return;
  }
  extendFrom(end - 1);
  size_t most = std::max(rules.maxStream, rules.maxGroup);
  size_t begin = end - 1;
  while (begin > 0 && end - begin < most && all.kernels[begin].numbers &&
         all.kernels[begin - 1].numbers && !rules.isGiven(begin - 1))
    extendFrom(--begin);
  choices.forget(begin);
}

// Z16
std::optional<std::vector<Part>> PartPlanner::run() {
  states.finish(0);
  for (size_t end = 1; end <= all.kernels.size(); ++end) {
    extendTo(end);
    states.finish(end);
  }
  ArrayRef<PartState> last = states.get(all.kernels.size());
  if (last.empty())
    return std::nullopt;
  std::vector<Part> parts;
  const PartState *state = &last.front();
  for (const PartState &other : last)
    if (other.cost < state->cost)
      state = &other;
  for (size_t end = all.kernels.size(); end > 0;) {
    parts.push_back(state->last);
    end = state->last.range.begin;
    state = &states.get(end)[state->before];
  }
  std::reverse(parts.begin(), parts.end());
  return parts;
}

std::optional<std::vector<Part>> mli::parts::planParts(const PartGraph &all,
                                                       const PartRules &rules,
                                                       PartChoices &choices) {
  return PartPlanner(all, rules, choices).run();
}
