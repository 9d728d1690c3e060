// SPDX-License-Identifier: Apache-2.0
//
// Local memory as a whole, with places that have names.

#include "Picture.h"

#include <map>

using namespace llvm;

namespace mli::layout {

static constexpr int64_t maxNpus = 64;
static constexpr int cellsPerLine = 32;
static constexpr int cellSize = 18;
static constexpr int labelWidth = 60;

Expected<Svg> drawMarks(const Target &target, const std::vector<Mark> &marks) {
  if (target.npus > maxNpus)
    return makeError("expected a picture of memory to have at most " +
                     Twine(maxNpus) + " NPUs, but got " + Twine(target.npus));
  int64_t bytesPerCell = std::max<int64_t>(4, target.npuBytes / 256);
  int64_t cells = (target.npuBytes + bytesPerCell - 1) / bytesPerCell;
  std::map<std::pair<int64_t, int64_t>, std::string> names;
  for (const Mark &mark : marks)
    names[{mark.location.npu, mark.location.offset / bytesPerCell}] +=
        mark.name;
  Svg svg;
  int y = 0;
  for (int64_t npu = 0; npu < target.npus; ++npu) {
    y += 14;
    svg.text(0, y - 4, "NPU " + Twine(npu));
    for (int64_t cell = 0; cell < cells; ++cell) {
      int column = static_cast<int>(cell % cellsPerLine);
      if (column == 0 && cell != 0)
        y += cellSize;
      if (column == 0)
        svg.text(0, y + 12, Twine(cell * bytesPerCell));
      auto name = names.find({npu, cell});
      bool isMarked = name != names.end();
      svg.box(labelWidth + column * cellSize, y, cellSize, cellSize,
              isMarked ? "m" : "n", isMarked ? name->second : "");
    }
    y += cellSize + 4;
  }
  for (const Mark &mark : marks)
    svg.text(0, svg.bottom() + 12,
             mark.name + " = NPU " + Twine(mark.location.npu) + " + " +
                 Twine(mark.location.offset));
  return svg;
}

} // namespace mli::layout
