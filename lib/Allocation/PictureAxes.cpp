// SPDX-License-Identifier: Apache-2.0

#include "PictureAxes.h"

#include <algorithm>
#include <limits>

namespace mli::allocation {

int64_t Scale::operator()(int64_t value) const {
  auto span = __int128(std::max<int64_t>(high - low, 1));
  auto pixel = int64_t((__int128(value) - low) * pixels / span);
  return std::clamp<int64_t>(pixel, 0, pixels);
}

int64_t Scale::getTickDistance(int64_t count) const {
  int64_t distance = 1;
  // 1, 2, 4, ..., of which people and memories are fond.
  while ((high - low) / distance > count)
    distance *= 2;
  return distance;
}

//===----------------------------------------------------------------------===//
// Bytes
//===----------------------------------------------------------------------===//

/// The bytes that buffers use at any time, ascending.
static std::vector<Interval> findUsed(const Problem &problem,
                                      const Plan &plan) {
  std::vector<Interval> used;
  for (size_t i = 0; i < problem.buffers.size(); ++i) {
    int64_t offset = plan.placements[i].offset;
    if (problem.buffers[i].size > 0 && !problem.buffers[i].live.isEmpty())
      used.push_back({offset, offset + problem.buffers[i].size});
  }
  joinTouching(used);
  return used;
}

static constexpr int64_t gapHeight = 14;

/// The bytes between `used`, and up to `top`, that are worth leaving out: the
/// largest, as half of `height` has room for.
static std::vector<Interval> findGaps(const std::vector<Interval> &used,
                                      int64_t top, int64_t height) {
  int64_t usedBytes = 0, end = 0;
  for (const Interval &range : used)
    usedBytes += range.size();
  std::vector<Interval> gaps;
  for (const Interval &range : used) {
    if (range.lower - end > usedBytes / 4)
      gaps.push_back({end, range.lower});
    end = range.upper;
  }
  if (!used.empty() && top - end > usedBytes)
    gaps.push_back({end, top});
  std::sort(gaps.begin(), gaps.end(), [](const Interval &a, const Interval &b) {
    return a.size() != b.size() ? a.size() > b.size() : a < b;
  });
  gaps.resize(std::min(gaps.size(), size_t(height / 2 / gapHeight)));
  std::sort(gaps.begin(), gaps.end());
  return gaps;
}

ByteAxis::ByteAxis(const Problem &problem, const Plan &plan, int64_t top,
                   int64_t height) {
  int64_t end = 0;
  auto add = [&](int64_t upper, bool isUsed) {
    if (end < upper)
      parts.push_back({{end, upper, gapHeight}, 0, isUsed});
    end = std::max(end, upper);
  };
  for (const Interval &gap : findGaps(findUsed(problem, plan), top, height)) {
    add(gap.lower, true);
    add(gap.upper, false);
  }
  add(std::max<int64_t>(top, end == 0), true);
  setPixels(height);
}

void ByteAxis::setPixels(int64_t height) {
  int64_t shown = 0;
  for (const Part &part : parts)
    if (part.isUsed)
      shown += part.scale.high - part.scale.low;
    else
      height -= part.scale.pixels;
  Scale all = {0, shown, std::max<int64_t>(height, 1)};
  int64_t first = 0, before = 0;
  for (Part &part : parts) {
    part.first = first;
    if (part.isUsed) {
      int64_t after = before + part.scale.high - part.scale.low;
      part.scale.pixels = all(after) - all(before);
      before = after;
    }
    first += part.scale.pixels;
  }
}

int64_t ByteAxis::operator()(int64_t offset) const {
  auto part = std::partition_point(
      parts.begin(), parts.end() - 1,
      [&](const Part &other) { return other.scale.high < offset; });
  return part->first + part->scale(offset);
}

//===----------------------------------------------------------------------===//
// Times
//===----------------------------------------------------------------------===//

/// As wide as all steps are legible, within limits.
static int64_t chooseWidth(size_t steps) {
  constexpr int64_t least = 1000, most = 2400, stepWidth = 8;
  return std::clamp<int64_t>(int64_t(steps) * stepWidth, least, most);
}

TimeAxis::TimeAxis(const Problem &problem,
                   const std::vector<PictureStep> &steps)
    : steps(steps), pixels(chooseWidth(steps.size())) {
  int64_t first = std::numeric_limits<int64_t>::max();
  int64_t last = std::numeric_limits<int64_t>::min();
  for (const Buffer &buffer : problem.buffers) {
    first = std::min(first, buffer.live.lower);
    last = std::max(last, buffer.live.upper);
  }
  numbers = {first, last, pixels};
  if (problem.buffers.empty())
    numbers = {0, 1, pixels};
}

int64_t TimeAxis::operator()(int64_t time) const {
  if (steps.empty())
    return numbers(time);
  // The first step that ends after it.
  auto step = std::partition_point(
      steps.begin(), steps.end(),
      [&](const PictureStep &other) { return other.time.upper <= time; });
  Scale scale = {0, int64_t(steps.size()), pixels};
  int64_t index = step - steps.begin();
  bool isInside = step != steps.end() && step->time.lower < time;
  // Half of a step, where something begins or ends in it.
  return isInside ? (scale(index) + scale(index + 1)) / 2 : scale(index);
}

} // namespace mli::allocation
