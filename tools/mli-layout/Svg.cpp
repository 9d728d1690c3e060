// SPDX-License-Identifier: Apache-2.0

#include "Picture.h"

#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace mli::layout {

static constexpr StringLiteral styleSheet =
    "text{font:9px monospace;fill:#111;text-anchor:middle}"
    ".t{font-size:12px;text-anchor:start}"
    ".l{font-size:10px;text-anchor:start}"
    "rect{stroke:#667;stroke-width:.6}"
    ".e{fill:#bcdcf7}.d{fill:url(#h)}.p{fill:#e3e3e3}"
    ".x{fill:#fff;stroke-dasharray:2 2}.n{fill:#fff}.m{fill:#f6b26b}";

/// The filling of dummies, by the name that the style sheet has.
static constexpr StringLiteral hatching =
    "<defs><pattern id=\"h\" width=\"5\" height=\"5\" "
    "patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\">"
    "<rect width=\"5\" height=\"5\" style=\"fill:#fff;stroke:none\"/>"
    "<rect width=\"2\" height=\"5\" style=\"fill:#c77;stroke:none\"/>"
    "</pattern></defs>\n";

StringRef Svg::getStyle(Content content) {
  switch (content) {
  case Content::Element:
    return "e";
  case Content::Dummy:
    return "d";
  case Content::Padding:
    return "p";
  case Content::EmptyBlock:
    return "x";
  case Content::Nothing:
    break;
  }
  return "n";
}

int Svg::getWidth(StringRef label) {
  // Letters of 9 pixels that are .6 as wide as high, and a margin.
  return static_cast<int>(label.size()) * 27 / 5 + 4;
}

void Svg::grow(int x, int y) {
  width = std::max(width, x);
  height = std::max(height, y);
}

void Svg::box(int x, int y, int boxWidth, int boxHeight, StringRef style,
              const Twine &label) {
  body.add("rect", {{"class", style},
                    {"x", x},
                    {"y", y},
                    {"width", boxWidth},
                    {"height", boxHeight}});
  std::string inside = label.str();
  if (!inside.empty())
    body.add("text", {{"x", x + boxWidth / 2}, {"y", y + boxHeight / 2 + 3}},
             inside);
  body.append("\n");
  grow(x + boxWidth, y + boxHeight);
}

void Svg::text(int x, int y, const Twine &label) {
  std::string line = label.str();
  body.add("text", {{"class", "l"}, {"x", x}, {"y", y}}, line);
  body.append("\n");
  grow(x + 6 * static_cast<int>(line.size()), y + 4);
}

void Svg::legend(ArrayRef<Content> contents) {
  int x = 0;
  int y = height + 12;
  for (Content content : contents) {
    std::string name(toString(content));
    box(x, y, 20, 12, getStyle(content));
    text(x + 25, y + 10, name);
    x += 45 + 6 * static_cast<int>(name.size());
  }
}

void Svg::write(StringRef title, raw_ostream &os) const {
  constexpr int margin = 10;
  constexpr int titleHeight = 22;
  int fullWidth =
      std::max(width, 8 * static_cast<int>(title.size())) + 2 * margin;
  int fullHeight = height + titleHeight + 2 * margin;
  SvgWriter svg;
  svg.open("svg",
           {{"xmlns", "http://www.w3.org/2000/svg"},
            {"width", fullWidth},
            {"height", fullHeight},
            {"viewBox", formatv("0 0 {0} {1}", fullWidth, fullHeight).str()}});
  svg.append("\n<style>");
  svg.append(styleSheet);
  svg.append("</style>\n");
  svg.append(hatching);
  svg.add("rect", {{"x", 0},
                   {"y", 0},
                   {"width", fullWidth},
                   {"height", fullHeight},
                   {"style", "fill:#fff;stroke:none"}});
  svg.append("\n");
  svg.add("text", {{"class", "t"}, {"x", margin}, {"y", margin + 12}}, title);
  svg.append("\n");
  svg.open(
      "g",
      {{"transform",
        formatv("translate({0},{1})", margin, margin + titleHeight).str()}});
  svg.append("\n" + body.str());
  svg.close("g");
  svg.append("\n");
  svg.close("svg");
  os << svg.str() << "\n";
}

} // namespace mli::layout
