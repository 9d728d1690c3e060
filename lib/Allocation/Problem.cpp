// SPDX-License-Identifier: Apache-2.0

#include "mli/Allocation/Problem.h"

namespace mli::allocation {

template <typename Integer>
static std::string expected(const char *field, const std::string &condition,
                            Integer value) {
  return std::string("expected '") + field + "' to " + condition +
         ", but got " + std::to_string(value);
}

static std::string between(int64_t least, int64_t most) {
  return "be in [" + std::to_string(least) + ", " + std::to_string(most) + "]";
}

static std::string checkGaps(const Buffer &buffer) {
  int64_t from = buffer.live.lower;
  for (const Interval &gap : buffer.gaps) {
    if (gap.lower < from)
      return expected("gaps", "begin at or after " + std::to_string(from),
                      gap.lower);
    if (gap.upper <= gap.lower)
      return expected("gaps", "end after " + std::to_string(gap.lower),
                      gap.upper);
    if (gap.upper > buffer.live.upper)
      return expected("gaps",
                      "end at or before " + std::to_string(buffer.live.upper),
                      gap.upper);
    from = gap.upper;
  }
  return {};
}

/// Empty if the buffer is as it has to be.
static std::string checkBuffer(const Buffer &buffer, const Memory &memory) {
  constexpr int64_t most = int64_t(1) << 40;
  if (buffer.size < 0 || buffer.size > maxBytes)
    return expected("size", between(0, maxBytes), buffer.size);
  if (buffer.alignment < 1 || buffer.alignment > most)
    return expected("alignment", between(1, most), buffer.alignment);
  for (int64_t time : {buffer.live.lower, buffer.live.upper})
    if (time < -maxBytes || time > maxBytes)
      return expected("lifetime", between(-maxBytes, maxBytes), time);
  if (buffer.live.upper < buffer.live.lower)
    return expected("upper",
                    "be at least 'lower' " + std::to_string(buffer.live.lower),
                    buffer.live.upper);
  if (buffer.pinned && (*buffer.pinned < 0 || *buffer.pinned > maxBytes))
    return expected("fixed", between(0, maxBytes), *buffer.pinned);
  if (buffer.guard < 0 || buffer.guard > maxBytes)
    return expected("guard", between(0, maxBytes), buffer.guard);
  if (buffer.aliasOffset < 0 || buffer.aliasOffset > maxBytes)
    return expected("alias offset", between(0, maxBytes), buffer.aliasOffset);
  if (buffer.npuSpan < 1 || buffer.npuSpan > memory.npus)
    return expected("NPU span", between(1, memory.npus), buffer.npuSpan);
  uint64_t all = ~uint64_t(0) >> (64 - memory.npus);
  if ((buffer.startNpus & all) == 0)
    return expected("start NPUs",
                    "have one below " + std::to_string(memory.npus),
                    buffer.startNpus);
  if (buffer.avoidBanks != 0 && memory.bankBytes == 0)
    return expected("avoid banks", "be 0 where 'bank bytes' is",
                    buffer.avoidBanks);
  return checkGaps(buffer);
}

static std::string checkMemory(const Memory &memory) {
  if (memory.npus < 1 || memory.npus > 64)
    return expected("npus", between(1, 64), memory.npus);
  if (memory.capacity && (*memory.capacity < 0 || *memory.capacity > maxBytes))
    return expected("capacity", between(0, maxBytes), *memory.capacity);
  if (memory.bankBytes < 0 || memory.bankBytes > maxBytes / 64)
    return expected("bank bytes", between(0, maxBytes / 64), memory.bankBytes);
  return {};
}

// A12
std::optional<ProblemError> checkProblem(const Problem &problem) {
  if (std::string message = checkMemory(problem.memory); !message.empty())
    return ProblemError{-1, message};
  int64_t sum = 0;
  for (size_t i = 0; i < problem.buffers.size(); ++i) {
    const Buffer &buffer = problem.buffers[i];
    std::string message = checkBuffer(buffer, problem.memory);
    if (message.empty()) {
      sum += buffer.size + buffer.guard + buffer.alignment;
      sum += buffer.aliasSet < 0 ? 0 : buffer.aliasOffset;
      if (sum > maxBytes)
        message = expected(
            "size",
            "keep the sum of all at or below " + std::to_string(maxBytes), sum);
    }
    if (!message.empty())
      return ProblemError{int64_t(i), message};
  }
  return std::nullopt;
}

} // namespace mli::allocation
