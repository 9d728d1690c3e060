// SPDX-License-Identifier: Apache-2.0
//
// Random graphs of kernels, and their least live bytes by trying everything.
// Shares no code with the search.

#ifndef MLI_TEST_UNIT_ORDERING_RANDOMGRAPHS_H
#define MLI_TEST_UNIT_ORDERING_RANDOMGRAPHS_H

#include "mli/Ordering/Ordering.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <map>
#include <random>
#include <set>

namespace mli::ordering::test {

/// The full count if MLI_TEST_FULL is set, else a part of it.
inline int manyOf(int full, int bounded) {
  const char *wanted = std::getenv("MLI_TEST_FULL");
  return wanted && *wanted == '1' ? full : bounded;
}

/// Writes the problem of a network: one buffer for each value.
class GraphWriter {
public:
  /// Adds a kernel that reads the results of `inputs` and writes `bytes`, in
  /// the place of an input of as many bytes if `isInPlace`. Returns its number.
  int32_t add(const std::vector<int32_t> &inputs, int64_t bytes,
              bool isInPlace = false) {
    auto number = static_cast<int32_t>(problem.steps.size());
    Step step;
    for (int32_t input : std::set<int32_t>(inputs.begin(), inputs.end())) {
      step.predecessors.push_back(input);
      problem.buffers[input].users.push_back(number);
      if (isInPlace && problem.buffers[input].bytes == bytes)
        step.replaceable.push_back(input);
    }
    step.result = number;
    problem.steps.push_back(step);
    problem.buffers.push_back({bytes, {number}});
    return number;
  }

  Problem problem;
};

class RandomGraphs {
public:
  explicit RandomGraphs(uint64_t seed) : engine(seed) {}

  int64_t between(int64_t least, int64_t most) {
    return least + int64_t(engine() % uint64_t(most - least + 1));
  }
  bool oneIn(int64_t n) { return between(1, n) == 1; }

  /// Each pair of kernels is joined with a chance of a fifth.
  Problem makeIndependent(int32_t kernels) {
    Edges edges(kernels);
    for (int32_t i = 0; i < kernels; ++i)
      for (int32_t k = 0; k < i; ++k)
        if (oneIn(5))
          edges[i].insert(k);
    return write(edges);
  }

  /// Kernels in a ring are joined with their two next ones on each side, and
  /// three of four joins lead to any kernel instead.
  Problem makeSmallWorld(int32_t kernels) {
    Edges edges(kernels);
    for (int32_t i = 0; i < kernels; ++i)
      for (int32_t distance : {1, 2}) {
        int32_t other = (i + distance) % kernels;
        if (!oneIn(4))
          other = int32_t(between(0, kernels - 1));
        if (other != i)
          edges[std::max(i, other)].insert(std::min(i, other));
      }
    return write(edges);
  }

private:
  using Edges = std::vector<std::set<int32_t>>;

  /// A kernel that reads the input comes first, and one that reads all results
  /// that no other reads comes last. One in three works element by element.
  Problem write(const Edges &edges) {
    GraphWriter writer;
    std::set<int32_t> unread = {writer.add({}, between(1, 2))};
    for (const std::set<int32_t> &inputs : edges) {
      std::vector<int32_t> read;
      read.reserve(inputs.size() + 1);
      for (int32_t input : inputs)
        read.push_back(input + 1);
      if (read.empty())
        read.push_back(0);
      for (int32_t input : read)
        unread.erase(input);
      unread.insert(writer.add(read, between(1, 2), oneIn(3)));
    }
    writer.add({unread.begin(), unread.end()}, 1);
    return writer.problem;
  }

  std::mt19937_64 engine;
};

/// Runs steps, by the words of the contract.
class Simulation {
public:
  explicit Simulation(const Problem &problem)
      : problem(problem), done(problem.steps.size()) {}

  bool canRun(int32_t step) const {
    const std::vector<int32_t> &before = problem.steps[step].predecessors;
    return !done[step] && std::all_of(before.begin(), before.end(),
                                      [&](int32_t i) { return done[i]; });
  }
  int64_t getBytes(int32_t step) const {
    const Step &now = problem.steps[step];
    int64_t bytes = now.scratchBytes;
    for (const Buffer &buffer : problem.buffers)
      if (count(buffer, step) > 0 && !isOver(buffer))
        bytes += buffer.bytes;
    for (int32_t input : now.replaceable)
      if (count(problem.buffers[input], step) ==
          problem.buffers[input].users.size())
        return bytes - problem.buffers[now.result].bytes;
    return bytes;
  }
  void set(int32_t step, bool isDone) { done[step] = isDone; }
  const std::vector<bool> &getDone() const { return done; }

private:
  /// The users of `buffer` that have run once `step` has.
  size_t count(const Buffer &buffer, int32_t step) const {
    return std::count_if(buffer.users.begin(), buffer.users.end(),
                         [&](int32_t i) { return done[i] || i == step; });
  }
  bool isOver(const Buffer &buffer) const {
    return count(buffer, -1) == buffer.users.size();
  }

  const Problem &problem;
  std::vector<bool> done;
};

/// The most bytes that are live at once in `order`; -1 if it is none.
inline int64_t getBytes(const Problem &problem,
                        const std::vector<int32_t> &order) {
  Simulation simulation(problem);
  int64_t most = 0;
  for (int32_t step : order) {
    if (!simulation.canRun(step))
      return -1;
    most = std::max(most, simulation.getBytes(step));
    simulation.set(step, true);
  }
  return order.size() == problem.steps.size() ? most : -1;
}

/// The first of all orders, in the order of the numbers of their steps, of
/// those with the fewest bytes.
class AllOrders {
public:
  explicit AllOrders(const Problem &problem)
      : problem(problem), simulation(problem) {
    extend(0);
  }

  std::vector<int32_t> best;
  int64_t bytes = std::numeric_limits<int64_t>::max();

private:
  void extend(int64_t most) {
    if (most >= bytes)
      return;
    if (order.size() == problem.steps.size()) {
      bytes = most;
      best = order;
      return;
    }
    for (size_t i = 0; i < problem.steps.size(); ++i) {
      auto step = static_cast<int32_t>(i);
      if (!simulation.canRun(step))
        continue;
      int64_t now = simulation.getBytes(step);
      simulation.set(step, true);
      order.push_back(step);
      extend(std::max(most, now));
      order.pop_back();
      simulation.set(step, false);
    }
  }

  const Problem &problem;
  Simulation simulation;
  std::vector<int32_t> order;
};

/// The least bytes of all orders, by the best way to each set of steps.
inline int64_t getLeastBytes(const Problem &problem) {
  std::map<std::vector<bool>, int64_t> level = {
      {std::vector<bool>(problem.steps.size()), 0}};
  for (size_t i = 0; i < problem.steps.size(); ++i) {
    std::map<std::vector<bool>, int64_t> next;
    for (const auto &[done, most] : level) {
      Simulation simulation(problem);
      for (size_t k = 0; k < done.size(); ++k)
        simulation.set(static_cast<int32_t>(k), done[k]);
      for (size_t k = 0; k < done.size(); ++k) {
        auto step = static_cast<int32_t>(k);
        if (!simulation.canRun(step))
          continue;
        int64_t bytes = std::max(most, simulation.getBytes(step));
        std::vector<bool> then = done;
        then[k] = true;
        auto [found, isNew] = next.try_emplace(then, bytes);
        if (!isNew)
          found->second = std::min(found->second, bytes);
      }
    }
    level = std::move(next);
  }
  return level.begin()->second;
}

} // namespace mli::ordering::test

#endif // MLI_TEST_UNIT_ORDERING_RANDOMGRAPHS_H
