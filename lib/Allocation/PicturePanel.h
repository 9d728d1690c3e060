// SPDX-License-Identifier: Apache-2.0
//
// The memory of one NPU in a picture: axes, buffers, and lines at bounds.

#ifndef MLI_LIB_ALLOCATION_PICTUREPANEL_H
#define MLI_LIB_ALLOCATION_PICTUREPANEL_H

#include "PictureAxes.h"
#include "PictureLabels.h"

namespace mli::allocation {

/// Pixels between axes and what is written at them.
inline constexpr int64_t textSpace = 6;
inline constexpr int64_t tickHeight = 5;

/// A number of bytes with a line across all times.
struct PictureLine {
  int64_t bytes;
  std::string text;
  std::string_view colour;
};

class Panel {
public:
  Panel(const Problem &problem, const Plan &plan, const PictureText &text);

  /// The first pixels of the axes, and all that the panel is wide.
  int64_t getLeft() const { return left; }
  int64_t getWidth() const { return left + time.getWidth() + right; }

  /// Draws the memory of the NPUs that hold what `npu` holds from `top` on.
  /// Returns where it ends.
  int64_t draw(int32_t npu, int64_t top, SvgWriter &svg) const;

private:
  std::vector<PictureLine> findLines() const;
  bool covers(size_t buffer, int32_t npu) const;
  int64_t getY(int64_t top, int64_t offset) const;

  void drawBytes(int64_t top, SvgWriter &svg, Labels &labels) const;
  void drawGaps(int64_t top, SvgWriter &svg, Labels &labels) const;
  void drawBanks(int64_t top, SvgWriter &svg, Labels &labels) const;
  void drawLines(int64_t top, SvgWriter &svg, Labels &labels) const;
  void drawBuffer(size_t i, int64_t top, SvgWriter &svg) const;
  Interval findFreeTime(size_t i) const;
  void nameBuffer(size_t i, int64_t top, Labels &labels) const;
  int64_t drawTimes(int64_t top, SvgWriter &svg, Labels &labels) const;
  void drawSteps(int64_t top, SvgWriter &svg) const;
  int64_t nameSteps(int64_t top, SvgWriter &svg, Labels &labels) const;
  int64_t drawNumbers(int64_t top, SvgWriter &svg, Labels &labels) const;

  const Problem &problem;
  const Plan &plan;
  const PictureText &text;
  TimeAxis time;
  ByteAxis bytes;
  std::vector<PictureLine> lines;
  int64_t left = 0, right = 0;
};

/// Whether `npu` holds something else than the one before it.
bool differsFromPrevious(const Problem &problem, const Plan &plan, int32_t npu);

} // namespace mli::allocation

#endif // MLI_LIB_ALLOCATION_PICTUREPANEL_H
