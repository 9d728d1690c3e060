// SPDX-License-Identifier: Apache-2.0
//
// Texts of a picture, which do not overlap.

#ifndef MLI_LIB_ALLOCATION_PICTURELABELS_H
#define MLI_LIB_ALLOCATION_PICTURELABELS_H

#include "mli/Support/Svg.h"

#include <optional>
#include <vector>

namespace mli::allocation {

/// Pixels of all letters but those of titles.
inline constexpr int64_t letterHeight = 11;

/// At least the pixels that `text` is wide in a font whose letters are all as
/// wide.
int64_t getTextWidth(std::string_view text, int64_t height = letterHeight);

/// `name`, of which as much is left out as `width` pixels need: what converters
/// join with `;`, scopes before `/` but for the last, what is after that, and
/// then its end. Empty if no part of it says anything.
std::string fitName(std::string_view name, int64_t width);

/// `value` with commas between thousands.
std::string formatNumber(int64_t value);

/// The side or the middle of a text that its place is of.
enum class Anchor { Start, Middle, End };

/// Writes texts into a picture, and none over another.
class Labels {
public:
  explicit Labels(SvgWriter &svg) : svg(svg) {}

  /// Writes `text` on the line `y`, unless something is there.
  bool add(int64_t x, int64_t y, Anchor anchor, std::string_view text);
  /// The same upwards, from below to `y`.
  bool addUpright(int64_t x, int64_t y, std::string_view text);

private:
  struct Box {
    int64_t left, top, right, bottom;
  };
  /// Whether `box` was free; then it is taken.
  bool take(Box box);

  SvgWriter &svg;
  std::vector<Box> boxes;
};

} // namespace mli::allocation

#endif // MLI_LIB_ALLOCATION_PICTURELABELS_H
