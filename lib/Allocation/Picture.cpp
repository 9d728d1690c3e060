// SPDX-License-Identifier: Apache-2.0

#include "mli/Allocation/Picture.h"

#include "PictureLabels.h"
#include "PicturePanel.h"

#include <algorithm>

namespace mli::allocation {

static constexpr int64_t titleHeight = 14, lineHeight = 16, margin = 12;

static void addText(int64_t x, int64_t y, int64_t size, std::string_view text,
                    SvgWriter &svg) {
  svg.add("text", {{"x", x}, {"y", y}, {"font-size", size}}, text);
  svg.append("\n");
}

/// The rows of the legend that something is one of.
static std::vector<PictureKind> findUsedKinds(const PictureText &text) {
  std::vector<bool> isUsed(text.legend.size());
  for (size_t kind : text.kinds)
    isUsed[kind] = true;
  for (const PictureStep &step : text.steps)
    isUsed[step.kind] = true;
  std::vector<PictureKind> used;
  for (size_t kind = 0; kind < isUsed.size(); ++kind)
    if (isUsed[kind])
      used.push_back(text.legend[kind]);
  return used;
}

/// Draws what colours mean into lines of `width` from `top` on. Returns where
/// they end.
static int64_t drawLegend(const std::vector<PictureKind> &legend, int64_t left,
                          int64_t width, int64_t top, SvgWriter &svg) {
  constexpr int64_t box = 12, gap = 18;
  int64_t x = left;
  for (const PictureKind &kind : legend) {
    int64_t wide = box + 4 + getTextWidth(kind.name);
    if (x > left && x + wide > width) {
      x = left;
      top += lineHeight;
    }
    svg.add("rect", {{"class", "legend"},
                     {"x", x},
                     {"y", top},
                     {"width", box},
                     {"height", box},
                     {"fill", kind.fill},
                     {"stroke", "#333333"},
                     {"stroke-width", "0.5"}});
    svg.add("text", {{"x", x + box + 4}, {"y", top + box - 2}}, kind.name);
    svg.append("\n");
    x += wide + gap;
  }
  return legend.empty() ? top : top + lineHeight;
}

/// The part of `text` that fits a line of `width`, up to a space where there is
/// one; at least a letter.
static std::string_view takeLine(std::string_view &text, int64_t width) {
  size_t letters = text.size();
  while (letters > 1 && getTextWidth(text.substr(0, letters)) > width)
    --letters;
  if (letters < text.size())
    if (size_t space = text.rfind(' ', letters);
        space != std::string_view::npos && space > 0)
      letters = space;
  std::string_view line = text.substr(0, letters);
  text.remove_prefix(
      std::min(text.find_first_not_of(' ', letters), text.size()));
  return line;
}

/// Draws notes below `top`, in lines of `width`; what continues a note is
/// indented. Returns where they end.
static int64_t drawNotes(const std::vector<std::string> &notes, int64_t width,
                         int64_t top, SvgWriter &svg) {
  for (std::string_view rest : notes)
    for (int64_t indent = 0; !rest.empty(); indent = margin) {
      top += lineHeight;
      addText(margin + indent, top, letterHeight,
              takeLine(rest, width - indent), svg);
    }
  return top;
}

/// The NPUs from `first` to before `last` in words.
static std::string formatNpus(int32_t first, int32_t last) {
  if (last - first == 1)
    return "NPU " + std::to_string(first);
  return "NPU " + std::to_string(first) + " to " + std::to_string(last - 1);
}

void Picture::add(const Problem &problem, const Plan &plan,
                  const PictureText &text) {
  SvgWriter svg;
  Panel panel(problem, plan, text);
  int64_t wide = panel.getWidth() + margin;
  int64_t top = height + margin + titleHeight;
  addText(margin, top, titleHeight, text.title, svg);
  wide = std::max(wide, margin + getTextWidth(text.title, titleHeight));
  top = drawLegend(findUsedKinds(text), margin, wide, top + margin, svg);
  for (int32_t npu = 0, last = 0; npu < problem.memory.npus; npu = last) {
    for (last = npu + 1; last < problem.memory.npus; ++last)
      if (differsFromPrevious(problem, plan, last))
        break;
    if (problem.memory.npus > 1) {
      top += lineHeight;
      addText(panel.getLeft(), top, letterHeight, formatNpus(npu, last), svg);
    }
    top = panel.draw(npu, top + 2 * margin, svg) + margin;
  }
  top = drawNotes(text.notes, wide - margin, top, svg);
  body += svg.str();
  height = top + margin;
  width = std::max(width, wide + margin);
}

std::string Picture::format() const {
  SvgWriter svg;
  svg.open("svg", {{"xmlns", "http://www.w3.org/2000/svg"},
                   {"width", width},
                   {"height", height},
                   {"viewBox", "0 0 " + std::to_string(width) + " " +
                                   std::to_string(height)},
                   {"font-family", "monospace"},
                   {"font-size", letterHeight},
                   {"fill", "#111111"}});
  svg.append("\n");
  // Its own ground, so that it is legible on any page.
  svg.add("rect", {{"class", "ground"},
                   {"width", width},
                   {"height", height},
                   {"fill", "#ffffff"}});
  svg.append("\n" + body);
  svg.close("svg");
  svg.append("\n");
  return svg.str();
}

} // namespace mli::allocation
