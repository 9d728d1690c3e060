// SPDX-License-Identifier: Apache-2.0

#include "PicturePanel.h"

#include <algorithm>

namespace mli::allocation {

static constexpr int64_t panelHeight = 400;
static constexpr int64_t lineHeight = letterHeight + 2;

//===----------------------------------------------------------------------===//
// What there is to draw
//===----------------------------------------------------------------------===//

/// The NPUs that hold a byte of the buffer.
static bool coversNpu(const Problem &problem, const Plan &plan, size_t buffer,
                      int32_t npu) {
  int32_t npus = problem.memory.npus;
  return (npu - plan.placements[buffer].startNpu + npus) % npus <
         problem.buffers[buffer].npuSpan;
}

bool differsFromPrevious(const Problem &problem, const Plan &plan,
                         int32_t npu) {
  for (size_t i = 0; i < problem.buffers.size(); ++i)
    if (coversNpu(problem, plan, i, npu) !=
        coversNpu(problem, plan, i, npu - 1))
      return true;
  return false;
}

Panel::Panel(const Problem &problem, const Plan &plan, const PictureText &text)
    : problem(problem), plan(plan), text(text), time(problem, text.steps),
      bytes(problem, plan, std::max(text.capacity.value_or(0), plan.peak),
            panelHeight),
      lines(findLines()) {
  left = std::max(getTextWidth(formatNumber(bytes.getTop())),
                  getTextWidth("bytes")) +
         2 * textSpace;
  for (const PictureLine &line : lines)
    right = std::max(right, getTextWidth(line.text));
  right += 2 * textSpace;
}

std::vector<PictureLine> Panel::findLines() const {
  std::vector<PictureLine> found;
  auto add = [&](int64_t value, const std::string &name,
                 std::string_view colour) {
    for (PictureLine &line : found)
      if (line.bytes == value) {
        line.text = name + " = " + line.text;
        return;
      }
    found.push_back({value, name + " " + formatNumber(value), colour});
  };
  if (text.hasBounds) {
    add(plan.liveBound, "lower bound", "#0a6ebd");
    add(plan.peak, "peak", "#444444");
  }
  if (text.capacity)
    add(*text.capacity, "capacity", "#c62828");
  std::sort(found.begin(), found.end(),
            [](const PictureLine &a, const PictureLine &b) {
              return a.bytes > b.bytes;
            });
  return found;
}

bool Panel::covers(size_t buffer, int32_t npu) const {
  const Buffer &one = problem.buffers[buffer];
  return one.size != 0 && !one.live.isEmpty() &&
         coversNpu(problem, plan, buffer, npu);
}

int64_t Panel::getY(int64_t top, int64_t offset) const {
  return top + panelHeight - bytes(offset);
}

//===----------------------------------------------------------------------===//
// Bytes
//===----------------------------------------------------------------------===//

static void drawLine(int64_t left, int64_t right, int64_t y,
                     std::string_view colour, std::string_view dashes,
                     SvgWriter &svg) {
  svg.add("line", {{"x1", left},
                   {"y1", y},
                   {"x2", right},
                   {"y2", y},
                   {"stroke", colour},
                   {"stroke-dasharray", dashes}});
  svg.append("\n");
}

void Panel::drawBytes(int64_t top, SvgWriter &svg, Labels &labels) const {
  constexpr int64_t tickPixels = 36;
  labels.add(left, top - tickHeight - 2, Anchor::End, "bytes");
  auto drawTick = [&](int64_t value) {
    int64_t y = getY(top, value);
    if (labels.add(left - tickHeight - 2, y + 4, Anchor::End,
                   formatNumber(value)))
      drawLine(left - tickHeight, left, y, "#444444", "none", svg);
  };
  for (const ByteAxis::Part &part : bytes.getParts()) {
    const Scale &scale = part.scale;
    drawTick(scale.low);
    if (!part.isUsed)
      continue;
    int64_t distance = scale.getTickDistance(scale.pixels / tickPixels + 1);
    for (int64_t value = scale.low - scale.low % distance + distance;
         value <= scale.high; value += distance)
      drawTick(value);
  }
  drawTick(bytes.getTop());
}

void Panel::drawGaps(int64_t top, SvgWriter &svg, Labels &labels) const {
  for (const ByteAxis::Part &part : bytes.getParts()) {
    if (part.isUsed)
      continue;
    int64_t y = getY(top, part.scale.high), low = getY(top, part.scale.low);
    svg.add("rect", {{"class", "gap"},
                     {"x", left},
                     {"y", y},
                     {"width", time.getWidth()},
                     {"height", low - y},
                     {"fill", "#e2e2e2"}});
    svg.append("\n");
    labels.add(left + time.getWidth() / 2, low - 3, Anchor::Middle,
               formatNumber(part.scale.high - part.scale.low) +
                   " bytes that no buffer uses");
  }
}

void Panel::drawBanks(int64_t top, SvgWriter &svg, Labels &labels) const {
  int64_t bankBytes = problem.memory.bankBytes;
  if (bankBytes == 0 || bankBytes >= text.capacity.value_or(bytes.getTop()))
    return;
  for (int64_t bank = 0; bank * bankBytes < bytes.getTop(); ++bank) {
    int64_t y = getY(top, bank * bankBytes);
    if (bank > 0)
      drawLine(left, left + time.getWidth(), y, "#999999", "2 4", svg);
    labels.add(left + time.getWidth() - textSpace / 2, y - 4, Anchor::End,
               "bank " + std::to_string(bank));
  }
}

/// Texts move down where lines are too near to each other.
void Panel::drawLines(int64_t top, SvgWriter &svg, Labels &labels) const {
  int64_t end = left + time.getWidth();
  int64_t next = top;
  for (const PictureLine &line : lines) {
    int64_t y = getY(top, line.bytes);
    drawLine(left, end, y, line.colour, "6 3", svg);
    next = std::max(next, y) + lineHeight;
    labels.add(end + textSpace, next - lineHeight + 4, Anchor::Start,
               line.text);
  }
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

static std::string formatRange(int64_t lower, int64_t upper) {
  return "[" + std::to_string(lower) + "," + std::to_string(upper) + ")";
}

void Panel::drawBuffer(size_t i, int64_t top, SvgWriter &svg) const {
  const Buffer &buffer = problem.buffers[i];
  int64_t offset = plan.placements[i].offset;
  int64_t x = time(buffer.live.lower), y = getY(top, offset + buffer.size);
  std::string fill = text.kinds.empty()
                         ? "hsl(" + std::to_string(i * 137 % 360) + ",60%,70%)"
                         : text.legend[text.kinds[i]].fill;
  svg.open("rect",
           {{"x", left + x},
            {"y", y},
            {"width", std::max<int64_t>(time(buffer.live.upper) - x, 1)},
            {"height", std::max<int64_t>(getY(top, offset) - y, 1)},
            {"fill", fill}});
  svg.add("title", {},
          text.titles.empty()
              ? text.names[i] + ": bytes " +
                    formatRange(offset, offset + buffer.size) + ", time " +
                    formatRange(buffer.live.lower, buffer.live.upper)
              : text.titles[i]);
  svg.close("rect");
  svg.append("\n");
}

/// The time of `i` in which no other buffer has the same bytes, as one that a
/// kernel writes in place.
Interval Panel::findFreeTime(size_t i) const {
  auto getBytes = [&](size_t at) {
    int64_t offset = plan.placements[at].offset;
    return Interval{offset, offset + problem.buffers[at].size};
  };
  auto overlap = [](const Interval &a, const Interval &b) {
    return a.lower < b.upper && b.lower < a.upper;
  };
  const Interval live = problem.buffers[i].live;
  Interval free = live;
  for (size_t other = 0; other < problem.buffers.size(); ++other) {
    const Interval &time = problem.buffers[other].live;
    if (other == i || !overlap(live, time) ||
        !overlap(getBytes(i), getBytes(other)))
      continue;
    if (live.lower < time.lower)
      free.upper = std::min(free.upper, time.lower);
    else
      free.lower = std::max(free.lower, time.upper);
  }
  return free;
}

/// The name lies, or stands where more of it fits so.
void Panel::nameBuffer(size_t i, int64_t top, Labels &labels) const {
  const Buffer &buffer = problem.buffers[i];
  int64_t offset = plan.placements[i].offset;
  int64_t high = getY(top, offset + buffer.size), low = getY(top, offset);
  if (low - high < lineHeight ||
      time(buffer.live.upper) - time(buffer.live.lower) < lineHeight)
    return;
  Interval free = findFreeTime(i);
  int64_t first = time(free.lower), last = time(free.upper);
  int64_t x = left + (first + last) / 2, y = (high + low) / 2;
  std::string lying = fitName(text.names[i], last - first - 2);
  std::string upright = fitName(text.names[i], low - high - 2);
  bool stands = last - first >= lineHeight && upright.size() > lying.size();
  if (stands)
    labels.addUpright(x + 4, y - getTextWidth(upright) / 2, upright);
  else if (!lying.empty())
    labels.add(x, y + 4, Anchor::Middle, lying);
}

//===----------------------------------------------------------------------===//
// All
//===----------------------------------------------------------------------===//

int64_t Panel::draw(int32_t npu, int64_t top, SvgWriter &svg) const {
  Labels labels(svg);
  svg.add("rect", {{"class", "axes"},
                   {"x", left},
                   {"y", top},
                   {"width", time.getWidth()},
                   {"height", panelHeight},
                   {"fill", "#f4f4f4"},
                   {"stroke", "#444444"}});
  svg.append("\n");
  drawBytes(top, svg, labels);
  drawGaps(top, svg, labels);
  svg.open("g", {{"class", "buffers"},
                 {"stroke", "#333333"},
                 {"stroke-width", "0.5"},
                 {"fill-opacity", "0.9"}});
  svg.append("\n");
  for (size_t i = 0; i < problem.buffers.size(); ++i)
    if (covers(i, npu))
      drawBuffer(i, top, svg);
  svg.close("g");
  svg.append("\n");
  drawLines(top, svg, labels);
  for (size_t i = 0; i < problem.buffers.size(); ++i)
    if (covers(i, npu))
      nameBuffer(i, top, labels);
  drawBanks(top, svg, labels);
  return drawTimes(top + panelHeight, svg, labels);
}

} // namespace mli::allocation
