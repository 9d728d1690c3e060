// SPDX-License-Identifier: Apache-2.0
//
// Draws the axis of times below a panel: steps with their layers, or numbers.

#include "PicturePanel.h"

#include <algorithm>

namespace mli::allocation {

/// Letters of a layer below the axis.
static constexpr int64_t stepLetters = 36;
static constexpr int64_t stripHeight = 8;

void Panel::drawSteps(int64_t top, SvgWriter &svg) const {
  for (const PictureStep &step : text.steps) {
    int64_t x = time(step.time.lower);
    svg.open("rect",
             {{"x", left + x},
              {"y", top},
              {"width", std::max<int64_t>(time(step.time.upper) - x, 1)},
              {"height", stripHeight},
              {"fill", text.legend[step.kind].fill}});
    svg.add("title", {}, step.title);
    svg.close("rect");
    svg.append("\n");
  }
}

/// A mark of the axis at `x`, from `top` down.
static void drawTick(int64_t x, int64_t top, SvgWriter &svg) {
  svg.add("line", {{"x1", x},
                   {"y1", top},
                   {"x2", x},
                   {"y2", top + tickHeight},
                   {"stroke", "#444444"}});
  svg.append("\n");
}

int64_t Panel::nameSteps(int64_t top, SvgWriter &svg, Labels &labels) const {
  constexpr int64_t width = stepLetters * letterHeight * 62 / 100;
  int64_t end = top + tickHeight;
  const std::vector<PictureStep> &steps = text.steps;
  for (size_t first = 0, last = 0; first < steps.size(); first = last) {
    int64_t upper = steps[first].time.upper;
    for (last = first + 1; last < steps.size(); ++last) {
      bool isOther = !steps[last].label.empty();
      if (isOther && steps[last].label != steps[first].label)
        break;
      if (isOther)
        upper = steps[last].time.upper;
    }
    if (steps[first].label.empty())
      continue;
    int64_t x = left + (time(steps[first].time.lower) + time(upper)) / 2;
    drawTick(x, top, svg);
    std::string name = fitName(steps[first].label, width);
    int64_t from = top + tickHeight + 2;
    if (labels.addUpright(x + 4, from, name))
      end = std::max(end, from + getTextWidth(name));
  }
  return end;
}

int64_t Panel::drawNumbers(int64_t top, SvgWriter &svg, Labels &labels) const {
  constexpr int64_t ticks = 12;
  const Scale &numbers = time.getNumbers();
  int64_t distance = numbers.getTickDistance(ticks);
  int64_t first = numbers.low;
  // Round numbers, also below 0.
  if (first % distance != 0)
    first += (first > 0 ? distance : 0) - first % distance;
  for (int64_t value = first; value <= numbers.high; value += distance) {
    int64_t x = left + numbers(value);
    std::string number = std::to_string(value);
    int64_t half = getTextWidth(number) / 2 + 1;
    drawTick(x, top, svg);
    if (x >= half && x + half <= getWidth())
      labels.add(x, top + tickHeight + letterHeight, Anchor::Middle, number);
  }
  return top + tickHeight + letterHeight;
}

int64_t Panel::drawTimes(int64_t top, SvgWriter &svg, Labels &labels) const {
  labels.add(left + time.getWidth() + textSpace, top + letterHeight,
             Anchor::Start, text.steps.empty() ? "time" : "layers");
  if (text.steps.empty())
    return drawNumbers(top, svg, labels);
  drawSteps(top, svg);
  return nameSteps(top + stripHeight, svg, labels);
}

} // namespace mli::allocation
