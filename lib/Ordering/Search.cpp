// SPDX-License-Identifier: Apache-2.0

#include "Ordering/Search.h"

#include <algorithm>
#include <tuple>

namespace mli::ordering {

size_t Search::Hash::operator()(const StepSet &set) const {
  uint64_t hash = 0;
  for (uint64_t word : set) {
    hash = (hash ^ word) * 0x9E3779B97F4A7C15U;
    hash ^= hash >> 32;
  }
  return hash;
}

/// Runs `step`, and the chain behind it, to where no more bytes are live than
/// before, if that keeps to the limit. No other step has to run in between:
///
/// What is live after a set of steps is submodular: the more have run, the
/// fewer bytes a step begins and the more it ends. Take any order of what is
/// left, and move these steps to its front. They keep to the limit there. What
/// is live after them is not more than before them nor than anywhere between,
/// so after any other steps they leave not more either. All other steps find as
/// many live bytes or fewer, and begin and end as before what they do not share
/// with them. A step that writes over a buffer still does, as none of these
/// uses that later.
///
/// This is what makes chains single steps and runs them down to their valleys.
bool Search::runSafely(int32_t step) {
  constexpr int maxSteps = 64; // Of a chain that goes on, the rest is searched.
  size_t begin = walk.getOrder().size();
  int64_t before = walk.getLive();
  for (int i = 0; i < maxSteps && step >= 0; ++i) {
    if (walk.getBytes(step) > limit)
      break;
    step = walk.run(step);
    if (walk.getLive() <= before)
      return true;
  }
  walk.rewind(begin);
  return false;
}

/// Runs all that can run safely.
void Search::settle() {
  for (bool hasRun = true; hasRun && !isSpent();) {
    hasRun = false;
    for (int32_t step : std::vector<int32_t>(walk.getReady()))
      hasRun |= walk.isReady(step) && runSafely(step);
  }
}

/// The steps that can run next within the limit, the best one last.
std::vector<int32_t> Search::findNext() {
  struct Choice {
    int64_t live;
    int32_t step;
  };
  std::vector<Choice> choices;
  for (int32_t step : walk.getReady()) {
    int64_t bytes = walk.getBytes(step);
    if (bytes <= limit)
      choices.push_back({walk.getLiveAfter(step), step});
    else
      bound = std::min(bound, bytes);
  }
  std::sort(choices.begin(), choices.end(), [](Choice a, Choice b) {
    return std::tie(a.live, a.step) > std::tie(b.live, b.step);
  });
  std::vector<int32_t> next;
  next.reserve(choices.size());
  for (Choice choice : choices)
    next.push_back(choice.step);
  return next;
}

Search::Answer Search::complete() {
  const size_t start = walk.getOrder().size();
  std::vector<Frame> frames;
  size_t begin = start;
  while (true) {
    if (!isSpent())
      settle();
    if (walk.isComplete())
      break;
    // A36
    if (isSpent()) {
      walk.rewind(start);
      return Answer::BudgetSpent;
    }
    auto [set, isNew] = failed.insert(walk.getDone());
    if (isNew) {
      ++sets;
      frames.push_back({&*set, begin, findNext()});
    } else {
      walk.rewind(begin);
    }
    while (!frames.empty() && frames.back().next.empty()) {
      walk.rewind(frames.back().begin);
      frames.pop_back();
    }
    if (frames.empty())
      return Answer::None;
    begin = walk.getOrder().size();
    walk.run(frames.back().next.back());
    frames.back().next.pop_back();
  }
  for (const Frame &frame : frames)
    failed.erase(failed.find(*frame.set));
  return Answer::Found;
}

} // namespace mli::ordering
