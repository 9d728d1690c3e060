// SPDX-License-Identifier: Apache-2.0

#include "InPlacePairs.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace mli;
using allocation::PlannerOptions;
using allocation::PlanStatus;
using allocation::Problem;

Problem mli::takeBuffers(const Problem &problem, ArrayRef<int64_t> buffers) {
  Problem part;
  part.memory = problem.memory;
  for (int64_t i : buffers)
    part.buffers.push_back(problem.buffers[i]);
  return part;
}

/// Relaxes `problem`: of buffers that may be one, each is live only where those
/// before it are not any more, and may lie anywhere. Each plan of any choice is
/// a plan of this, too.
static Problem relax(Problem problem) {
  std::vector<size_t> order(problem.buffers.size());
  for (size_t i = 0; i < order.size(); ++i)
    order[i] = i;
  llvm::sort(order, [&](size_t a, size_t b) {
    return std::make_pair(problem.buffers[a].live.lower, a) <
           std::make_pair(problem.buffers[b].live.lower, b);
  });
  llvm::DenseMap<int32_t, int64_t> end;
  for (size_t i : order) {
    allocation::Buffer &buffer = problem.buffers[i];
    if (buffer.aliasSet < 0)
      continue;
    auto [last, isNew] = end.insert({buffer.aliasSet, buffer.live.upper});
    if (!isNew) {
      buffer.live.lower = std::min(std::max(buffer.live.lower, last->second),
                                   buffer.live.upper);
      last->second = std::max(last->second, buffer.live.upper);
    }
    buffer.aliasSet = -1;
  }
  return problem;
}

bool mli::isInfeasible(const Problem &problem, PlannerOptions options) {
  options.onlyIfItFits = true;
  return allocation::plan(problem, options).status == PlanStatus::Infeasible;
}

InPlacePairs mli::findPairs(const Problem &problem) {
  llvm::MapVector<int32_t, SmallVector<int64_t>> sets;
  for (size_t i = 0; i < problem.buffers.size(); ++i)
    if (int32_t set = problem.buffers[i].aliasSet; set >= 0)
      sets[set].push_back(static_cast<int64_t>(i));
  InPlacePairs pairs;
  for (auto &[set, chain] : sets) {
    llvm::sort(chain, [&](int64_t a, int64_t b) {
      return std::make_pair(problem.buffers[a].live.lower, a) <
             std::make_pair(problem.buffers[b].live.lower, b);
    });
    for (size_t k = 1; k < chain.size(); ++k)
      pairs.push_back({chain[k - 1], chain[k]});
  }
  return pairs;
}

Problem mli::join(Problem problem, ArrayRef<InPlacePair> pairs) {
  for (allocation::Buffer &buffer : problem.buffers)
    buffer.aliasSet = -1;
  for (InPlacePair pair : pairs) {
    int32_t &set = problem.buffers[pair.input].aliasSet;
    if (set < 0)
      set = static_cast<int32_t>(pair.input);
    problem.buffers[pair.result].aliasSet = set;
  }
  return problem;
}

SmallVector<ArrayRef<InPlacePair>>
mli::splitIntoChains(ArrayRef<InPlacePair> pairs) {
  SmallVector<ArrayRef<InPlacePair>> chains;
  for (size_t begin = 0, k = 0; k < pairs.size(); ++k)
    if (k + 1 == pairs.size() || pairs[k].result != pairs[k + 1].input) {
      chains.push_back(pairs.slice(begin, k + 1 - begin));
      begin = k + 1;
    }
  return chains;
}

/// Whether all buffers of `chain` can not be one, whatever else there is.
static bool contradictsItself(const Problem &problem,
                              ArrayRef<InPlacePair> chain,
                              const PlannerOptions &options) {
  SmallVector<int64_t> members = {chain.front().input};
  for (InPlacePair pair : chain)
    members.push_back(pair.result);
  Problem one = takeBuffers(problem, members);
  for (allocation::Buffer &buffer : one.buffers)
    buffer.aliasSet = 0;
  return isInfeasible(one, options);
}

InPlacePairs mli::dropContradictions(const Problem &problem,
                                     ArrayRef<InPlacePair> pairs,
                                     const PlannerOptions &options) {
  InPlacePairs kept;
  for (const InPlacePair &pair : pairs)
    if (!contradictsItself(problem, pair, options))
      kept.push_back(pair);
  return kept;
}

InPlacePairs mli::cutContradictions(const Problem &problem,
                                    ArrayRef<InPlacePair> pairs,
                                    const PlannerOptions &options) {
  InPlacePairs kept;
  for (ArrayRef<InPlacePair> chain : splitIntoChains(pairs))
    while (!chain.empty()) {
      // The more are one, the less they can be.
      size_t most = 1, tooMany = chain.size() + 1;
      for (size_t step = 1; most + 1 < tooMany;) {
        size_t next = std::min(most + step, tooMany - 1);
        bool isTooMany =
            contradictsItself(problem, chain.take_front(next), options);
        (isTooMany ? tooMany : most) = next;
        step = isTooMany ? std::max<size_t>((tooMany - most) / 2, 1) : 2 * step;
      }
      kept.append(chain.begin(), chain.begin() + most);
      chain = chain.drop_front(std::min(most + 1, chain.size()));
    }
  return kept;
}

bool mli::isBeyondAll(const Problem &problem, ArrayRef<InPlacePair> pairs,
                      const PlannerOptions &options) {
  return isInfeasible(relax(join(problem, pairs)), options);
}

SmallVector<InPlacePairs> mli::getChoices(ArrayRef<InPlacePair> pairs) {
  SmallVector<InPlacePairs> choices(size_t(1) << pairs.size());
  for (size_t choice = 0; choice < choices.size(); ++choice)
    for (size_t k = 0; k < pairs.size(); ++k)
      if (choice >> k & 1)
        choices[choice].push_back(pairs[k]);
  return choices;
}
