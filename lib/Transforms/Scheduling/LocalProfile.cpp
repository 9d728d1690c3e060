// SPDX-License-Identifier: Apache-2.0

#include "LocalProfile.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mli;

FailureOr<LocalProfile> LocalProfile::of(func::FuncOp function,
                                         const tiling::CostModel &cost) {
  LocalProfile profile(cost);
  MemoryAnalysis analysis(function);
  MemoryRules rules;
  rules.space = Space::local;
  FailureOr<MemoryProblem> problem = analysis.getProblem(rules);
  if (failed(problem))
    return failure();
  if (problem->target)
    profile.engines.npus = problem->target->npus;
  profile.addKernels(function, *problem, analysis.getLifetimes());
  return profile;
}

/// Adds the changes of the bytes in use where `buffer` begins and ends to live.
static void addChanges(const allocation::Buffer &buffer, Interval live,
                       SmallVectorImpl<std::pair<int64_t, int64_t>> &changes) {
  auto bytes = static_cast<int64_t>(llvm::alignTo(
      buffer.size,
      static_cast<uint64_t>(std::max<int64_t>(buffer.alignment, 1))));
  changes.push_back({live.lower, bytes});
  changes.push_back({live.upper, -bytes});
}

void LocalProfile::addKernels(func::FuncOp function,
                              const MemoryProblem &problem,
                              const BufferLifetimes &lifetimes) {
  SmallVector<std::pair<int64_t, int64_t>> changes;
  // Buffers that a kernel computes in place count as one.
  llvm::MapVector<int32_t, std::pair<size_t, Interval>> shared;
  for (auto [i, user] : llvm::enumerate(problem.users)) {
    const allocation::Buffer &buffer = problem.problem.buffers[i];
    if (user.range) {
      sizes[user.range->buffer] = static_cast<int64_t>(
          llvm::alignTo(buffer.size, static_cast<uint64_t>(buffer.alignment)));
      live[user.range->buffer] = buffer.live;
    }
    if (buffer.aliasSet < 0) {
      addChanges(buffer, buffer.live, changes);
      continue;
    }
    auto [entry, isNew] = shared.insert({buffer.aliasSet, {i, buffer.live}});
    entry->second.second.extend(buffer.live);
  }
  for (const auto &[set, entry] : shared)
    addChanges(problem.problem.buffers[entry.first], entry.second, changes);
  // At one position, buffers that end come first.
  llvm::sort(changes);
  const auto *next = changes.begin();
  int64_t bytes = 0;
  function.walk<WalkOrder::PreOrder>([&](Operation *op) {
    int64_t position = lifetimes.positions.lookup(op).lower;
    while (next != changes.end() && next->first <= position)
      bytes += (next++)->second;
    if (!isLocalCompute(op))
      return;
    taken[op] = bytes;
    positions[op] = position;
  });
}

bool LocalProfile::isLive(Value buffer, Operation *kernel) const {
  int64_t position = positions.lookup(kernel);
  return live.lookup(buffer).contains(position) ||
         extended.contains({buffer, kernel});
}

void LocalProfile::extend(Value buffer, Operation *kernel) {
  if (isLive(buffer, kernel))
    return;
  extended.insert({buffer, kernel});
  taken[kernel] += getBytes(buffer);
}

void LocalProfile::copyKernel(Operation *copy, Operation *kernel,
                              int64_t extra) {
  int64_t bytes = taken.lookup(kernel) + extra;
  int64_t position = positions.lookup(kernel);
  taken[copy] = bytes;
  positions[copy] = position;
}

void LocalProfile::copyBuffer(Value copy, Value buffer) {
  int64_t bytes = sizes.lookup(buffer);
  sizes[copy] = bytes;
  live[copy] = {0, 0};
}
