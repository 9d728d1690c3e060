// SPDX-License-Identifier: Apache-2.0
//
// Chooses the NPUs on which buffers start.

#include "ProblemParts.h"

#include "llvm/ADT/IntEqClasses.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mli;

namespace {

class StartNpuAssigner {
public:
  StartNpuAssigner(MemoryProblem &problem, const MemoryRules &rules)
      : problem(problem), rules(rules) {}

  /// Start NPUs on which buffers of one group are smallest together, and what
  /// they take there.
  LogicalResult run() {
    // Buffers that have a view in common move together.
    llvm::IntEqClasses together(problem.users.size());
    llvm::SmallDenseMap<Value, unsigned> firstOf;
    llvm::SmallDenseMap<int32_t, unsigned> firstOfGroup;
    for (auto [i, user] : llvm::enumerate(problem.users)) {
      if (!user.range)
        continue;
      auto index = static_cast<unsigned>(i);
      for (Value alias : user.range->aliases)
        together.join(index, firstOf.try_emplace(alias, index).first->second);
      int32_t group = problem.problem.buffers[i].startGroup;
      if (group >= 0)
        together.join(index,
                      firstOfGroup.try_emplace(group, index).first->second);
    }
    together.compress();
    llvm::MapVector<unsigned, SmallVector<size_t, 1>> members;
    for (size_t i = 0; i < problem.users.size(); ++i)
      if (problem.users[i].range)
        members[together[static_cast<unsigned>(i)]].push_back(i);
    for (auto &[group, indices] : members)
      if (failed(assignStartNpus(static_cast<int32_t>(group), indices)))
        return failure();
    return success();
  }

private:
  LogicalResult assignStartNpus(int32_t group, ArrayRef<size_t> members) {
    SmallVector<int64_t, 1> allowed = problem.users[members.front()].startNpus;
    for (size_t i : members) {
      SmallVector<int64_t, 1> common;
      const auto &starts = problem.users[i].startNpus;
      std::set_intersection(allowed.begin(), allowed.end(), starts.begin(),
                            starts.end(), std::back_inserter(common));
      allowed = std::move(common);
    }
    Operation *first = problem.users[members.front()].op;
    // A10
    if (allowed.empty())
      return first->emitOpError("expected buffers of one start group to have a "
                                "start NPU in common, but got none");
    SmallVector<int64_t, 1> best;
    int64_t fewest = std::numeric_limits<int64_t>::max();
    for (int64_t npu : allowed) {
      std::optional<int64_t> bytes = getBytes(members, npu);
      if (!bytes || *bytes > fewest)
        continue;
      if (*bytes < fewest)
        best.clear();
      fewest = *bytes;
      best.push_back(npu);
    }
    // A30
    if (best.empty())
      return first->emitOpError("expected a buffer in local memory to have a "
                                "layout that is legal there, but got ")
             << problem.users[members.front()].type;
    for (size_t i : members)
      setStarts(i, best, members.size() > 1 ? group : -1);
    return success();
  }

  /// Caches footprints by type: the buffers of a network have few types.
  std::optional<LocalFootprint> getFootprint(size_t i, int64_t npu) {
    MemRefType type = problem.users[i].type;
    auto [found, isNew] = footprints.try_emplace({type, npu});
    if (isNew)
      found->second = getLocalFootprint(type, *problem.target, npu,
                                        rules.reusesEmptyBlocks);
    return found->second;
  }

  /// The bytes that buffers which all start on `npu` take of all NPUs; nothing
  /// if one can not start there.
  std::optional<int64_t> getBytes(ArrayRef<size_t> members, int64_t npu) {
    int64_t bytes = 0;
    for (size_t i : members) {
      std::optional<LocalFootprint> footprint = getFootprint(i, npu);
      if (!footprint)
        return std::nullopt;
      bytes += footprint->bytes * footprint->npus;
    }
    return bytes;
  }

  void setStarts(size_t i, ArrayRef<int64_t> starts, int32_t group) {
    allocation::Buffer &buffer = problem.problem.buffers[i];
    problem.users[i].startNpus.assign(starts.begin(), starts.end());
    if (rules.reusesEmptyBlocks) {
      buffer.startNpus = 0;
      buffer.startGroup = group;
    }
    for (int64_t npu : starts) {
      LocalFootprint footprint = *getFootprint(i, npu);
      buffer.size = std::max(buffer.size, footprint.bytes);
      buffer.alignment = footprint.alignment;
      if (!rules.reusesEmptyBlocks)
        continue;
      buffer.startNpus |= uint64_t(1) << npu;
      buffer.npuSpan =
          std::max(buffer.npuSpan, static_cast<int32_t>(footprint.npus));
    }
  }

  MemoryProblem &problem;
  const MemoryRules &rules;
  llvm::DenseMap<std::pair<Type, int64_t>, std::optional<LocalFootprint>>
      footprints;
};

} // namespace

LogicalResult mli::chooseStartNpus(MemoryProblem &problem,
                                   const MemoryRules &rules) {
  return StartNpuAssigner(problem, rules).run();
}
