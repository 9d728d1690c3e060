// SPDX-License-Identifier: Apache-2.0
//
// Plans as a picture: time to the right, addresses upwards.

#ifndef MLI_ALLOCATION_PICTURE_H
#define MLI_ALLOCATION_PICTURE_H

#include "mli/Allocation/Planner.h"

namespace mli::allocation {

/// A row of a legend: what is filled with a colour.
struct PictureKind {
  std::string name, fill;
};

/// Something that runs: a column of the picture.
struct PictureStep {
  Interval time;
  /// Steps that follow each other with one label have it once; those without
  /// are passed over.
  std::string label;
  /// What is shown where the pointer rests on it.
  std::string title;
  /// Its row of the legend.
  size_t kind = 0;
};

/// What a picture says beside the numbers of a plan.
struct PictureText {
  std::string title;
  /// The names of the buffers.
  std::vector<std::string> names;
  /// What is shown where the pointer rests on a buffer, and the row of the
  /// legend of each; if these are empty it is made of numbers, and each buffer
  /// has a colour of its own.
  std::vector<std::string> titles = {};
  std::vector<size_t> kinds = {};
  std::vector<PictureKind> legend = {};
  /// Ascending; if there are none, time has numbers.
  std::vector<PictureStep> steps = {};
  /// Bytes of the memory; nothing if it has no end.
  std::optional<int64_t> capacity = {};
  /// Whether there are lines for the peak and the lower bound.
  bool hasBounds = true;
  /// Lines of text below all else.
  std::vector<std::string> notes = {};
};

/// Plans below each other.
class Picture {
public:
  /// `plan`, which has placements for `problem`, in one panel for each NPU that
  /// differs from the one before it.
  void add(const Problem &problem, const Plan &plan, const PictureText &text);

  /// All that was added, as SVG: equal plans give equal bytes.
  std::string format() const;

private:
  std::string body;
  int64_t width = 0, height = 0;
};

} // namespace mli::allocation

#endif // MLI_ALLOCATION_PICTURE_H
