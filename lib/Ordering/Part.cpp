// SPDX-License-Identifier: Apache-2.0

#include "Ordering/Part.h"

#include <algorithm>
#include <limits>
#include <unordered_map>

namespace mli::ordering {

/// The first step of each part. All steps before step i lead to it if each has
/// a successor that is not behind it, and it leads to all steps behind it if
/// each has a predecessor that is not before it.
static std::vector<int32_t> findBegins(const Problem &problem) {
  const auto count = static_cast<int32_t>(problem.steps.size());
  std::vector<int32_t> firstSuccessor(count, count), earliest(count + 1, count);
  for (int32_t i = count - 1; i >= 0; --i) {
    int32_t last = -1;
    for (int32_t before : problem.steps[i].predecessors) {
      firstSuccessor[before] = std::min(firstSuccessor[before], i);
      last = std::max(last, before);
    }
    earliest[i] = std::min(earliest[i + 1], last);
  }
  std::vector<int32_t> begins = {0};
  int32_t latest = 0;
  for (int32_t i = 0; i < count; ++i) {
    if (i > 0 && latest <= i && earliest[i + 1] >= i)
      begins.push_back(i);
    latest = std::max(latest, firstSuccessor[i]);
  }
  if (count > 0)
    begins.push_back(count);
  return begins;
}

Parts::Parts(const Problem &problem)
    : problem(problem), usedBuffers(problem.steps.size()),
      begins(findBegins(problem)) {
  for (size_t i = 0; i < problem.buffers.size(); ++i)
    for (int32_t user : problem.buffers[i].users)
      usedBuffers[user].push_back(static_cast<int32_t>(i));
}

Part Parts::make(int32_t begin, int32_t end, int64_t liveBefore) const {
  Part part;
  part.begin = begin;
  part.liveBefore = liveBefore;
  part.steps.resize(end - begin);
  std::unordered_map<int32_t, int32_t> numberOf;
  for (int32_t i = begin; i < end; ++i) {
    const Step &step = problem.steps[i];
    PartStep &own = part.steps[i - begin];
    own.scratchBytes = step.scratchBytes;
    for (int32_t before : step.predecessors)
      if (before >= begin) {
        part.steps[before - begin].successors.push_back(i - begin);
        ++own.predecessors;
      }
    for (int32_t buffer : usedBuffers[i]) {
      const Buffer &used = problem.buffers[buffer];
      auto [number, isNew] = numberOf.try_emplace(
          buffer, static_cast<int32_t>(part.buffers.size()));
      if (isNew)
        part.buffers.push_back({used.bytes, 0, used.users.front() < begin,
                                used.users.back() >= end});
      ++part.buffers[number->second].users;
      own.buffers.push_back(number->second);
    }
    for (int32_t buffer : step.replaceable) {
      own.result = numberOf.at(step.result);
      own.replaceable.push_back(numberOf.at(buffer));
    }
  }
  return part;
}

Part Parts::makeWhole() const {
  return make(0, static_cast<int32_t>(problem.steps.size()), 0);
}

int64_t getLowerBound(const Part &part) {
  auto isLiveThroughout = [](const PartBuffer &buffer) {
    return buffer.isLiveBefore && buffer.isLiveAfter;
  };
  int64_t throughout = part.liveBefore;
  for (const PartBuffer &buffer : part.buffers)
    if (buffer.isLiveBefore && !buffer.isLiveAfter)
      throughout -= buffer.bytes;
  int64_t bound = throughout;
  for (const PartStep &step : part.steps) {
    int64_t bytes = throughout + step.scratchBytes;
    for (int32_t buffer : step.buffers)
      if (!isLiveThroughout(part.buffers[buffer]))
        bytes += part.buffers[buffer].bytes;
    if (!step.replaceable.empty())
      bytes -= part.buffers[step.result].bytes;
    bound = std::max(bound, bytes);
  }
  return bound;
}

} // namespace mli::ordering
