// SPDX-License-Identifier: Apache-2.0
//
// NPUs across, block rows down; each cell holds one feature (n, c).

#include "Blocks.h"
#include "Picture.h"

using namespace llvm;

namespace mli::layout {

static constexpr int64_t maxBlocks = 16384;
static constexpr int cellHeight = 24;
static constexpr int labelWidth = 56;

Expected<Svg> drawFeatures(const Request &request) {
  const TensorLayout &layout = request.layout;
  int64_t npus = layout.target.npus;
  int64_t rows = countBlockRows(layout);
  if (rows > maxBlocks / npus)
    return makeError("expected a picture to have at most " + Twine(maxBlocks) +
                     " blocks, but got " + Twine(rows) + " in each of " +
                     Twine(npus) + " NPUs");
  int64_t channels = layout.shape.c;
  // The widest text is that of the last channel of the last group.
  std::string last =
      getFeatures(layout, rows - 1, (layout.startNpu + channels - 1) % npus);
  int cellWidth = std::max(58, Svg::getWidth("(" + last + ")"));
  Svg svg;
  for (int64_t npu = 0; npu < npus; ++npu)
    svg.text(labelWidth + static_cast<int>(npu) * cellWidth + 10, 10,
             "NPU " + Twine(npu));
  for (int64_t row = 0; row < rows; ++row) {
    int y = 14 + static_cast<int>(row) * cellHeight;
    svg.text(0, y + 15, Twine(offsetOfBlockRow(layout, row)));
    for (int64_t npu = 0; npu < npus; ++npu) {
      std::string features = getFeatures(layout, row, npu);
      bool isEmpty = features.empty();
      svg.box(labelWidth + static_cast<int>(npu) * cellWidth, y, cellWidth,
              cellHeight,
              Svg::getStyle(isEmpty ? Content::EmptyBlock : Content::Element),
              isEmpty ? "" : "(" + features + ")");
    }
  }
  svg.legend({Content::Element, Content::EmptyBlock});
  return svg;
}

} // namespace mli::layout
