// SPDX-License-Identifier: Apache-2.0
//
// Where bytes and times are in a picture, in integers so that it is the same
// everywhere.

#ifndef MLI_LIB_ALLOCATION_PICTUREAXES_H
#define MLI_LIB_ALLOCATION_PICTUREAXES_H

#include "mli/Allocation/Picture.h"

namespace mli::allocation {

/// Maps [low, high] to [0, pixels].
struct Scale {
  int64_t low = 0, high = 1;
  int64_t pixels = 1;

  int64_t operator()(int64_t value) const;
  /// The distance of round numbers of which at most `count` lie on the scale.
  int64_t getTickDistance(int64_t count) const;
};

/// Maps bytes to pixels. What no buffer ever uses has few of them where it
/// would take most.
class ByteAxis {
public:
  /// Bytes on which the scale is one.
  struct Part {
    Scale scale;
    /// Its first pixel, and whether buffers use it.
    int64_t first = 0;
    bool isUsed = true;
  };

  /// Bytes that `plan` uses, up to `top`, on `height` pixels.
  ByteAxis(const Problem &problem, const Plan &plan, int64_t top,
           int64_t height);

  int64_t getTop() const { return parts.back().scale.high; }
  int64_t operator()(int64_t offset) const;
  const std::vector<Part> &getParts() const { return parts; }

private:
  /// Shares `height` pixels among the parts.
  void setPixels(int64_t height);

  std::vector<Part> parts;
};

/// Maps times to pixels: all steps are as wide, and what is between them has no
/// width. Without steps all times are as wide.
class TimeAxis {
public:
  /// Times of `problem`, whose columns are `steps`.
  TimeAxis(const Problem &problem, const std::vector<PictureStep> &steps);

  int64_t getWidth() const { return pixels; }
  /// The pixel at which `time` begins.
  int64_t operator()(int64_t time) const;
  /// The scale of numbers, where there are no steps.
  const Scale &getNumbers() const { return numbers; }

private:
  const std::vector<PictureStep> &steps;
  int64_t pixels;
  Scale numbers;
};

} // namespace mli::allocation

#endif // MLI_LIB_ALLOCATION_PICTUREAXES_H
