// SPDX-License-Identifier: Apache-2.0

#include "PictureLabels.h"

namespace mli::allocation {

int64_t getTextWidth(std::string_view text, int64_t height) {
  // Letters are .6 as wide as high, and none has more bytes than it is wide.
  return (int64_t(text.size()) * height * 62 + 99) / 100;
}

/// Cuts the end off `name`, all bytes of a letter at once.
static std::string_view cutEnd(std::string_view name, int64_t width) {
  auto isInside = [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0) == 0x80;
  };
  while (!name.empty() && getTextWidth(name) > width) {
    while (name.size() > 1 && isInside(name.back()))
      name.remove_suffix(1);
    name.remove_suffix(1);
  }
  return name;
}

std::string fitName(std::string_view name, int64_t width) {
  constexpr std::string_view ellipsis = "..";
  constexpr size_t shortest = 3;
  if (getTextWidth(name) <= width)
    return std::string(name);
  name = name.substr(0, name.find(';'));
  while (getTextWidth(name) > width && name.find('/') != name.rfind('/'))
    name.remove_prefix(name.find('/') + 1);
  // What is left is `block/Relu`, of which the block says more.
  if (getTextWidth(name) > width)
    name = name.substr(0, name.find('/'));
  if (getTextWidth(name) <= width)
    return std::string(name);
  name = cutEnd(name, width - getTextWidth(ellipsis));
  if (name.size() < shortest)
    return {};
  return std::string(name) + std::string(ellipsis);
}

std::string formatNumber(int64_t value) {
  std::string digits = std::to_string(value);
  size_t first = value < 0 ? 1 : 0;
  for (size_t at = digits.size(); at > first + 3;) {
    at -= 3;
    digits.insert(at, ",");
  }
  return digits;
}

bool Labels::take(Box box) {
  for (const Box &other : boxes)
    if (box.left < other.right && other.left < box.right &&
        box.top < other.bottom && other.top < box.bottom)
      return false;
  boxes.push_back(box);
  return true;
}

/// The part of a letter that is below its line.
static constexpr int64_t descent = 3;

bool Labels::add(int64_t x, int64_t y, Anchor anchor, std::string_view text) {
  int64_t textWidth = getTextWidth(text);
  int64_t left = anchor == Anchor::Start    ? x
                 : anchor == Anchor::Middle ? x - textWidth / 2
                                            : x - textWidth;
  if (!take({left, y + descent - letterHeight, left + textWidth, y + descent}))
    return false;
  constexpr std::string_view names[] = {"start", "middle", "end"};
  svg.add("text", {{"x", x}, {"y", y}, {"text-anchor", names[size_t(anchor)]}},
          text);
  svg.append("\n");
  return true;
}

bool Labels::addUpright(int64_t x, int64_t y, std::string_view text) {
  if (!take(
          {x + descent - letterHeight, y, x + descent, y + getTextWidth(text)}))
    return false;
  std::string place = std::to_string(x) + " " + std::to_string(y);
  svg.add("text",
          {{"x", x},
           {"y", y},
           {"text-anchor", "end"},
           {"transform", "rotate(-90 " + place + ")"}},
          text);
  svg.append("\n");
  return true;
}

} // namespace mli::allocation
