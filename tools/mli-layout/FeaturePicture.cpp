// SPDX-License-Identifier: Apache-2.0
//
// NPUs across, block rows down; each cell holds one feature (n, c).

#include "Picture.h"

using namespace llvm;

namespace mli::layout {

static constexpr int64_t mostBlocks = 16384;
static constexpr int cellWidth = 58;
static constexpr int cellHeight = 24;
static constexpr int labelWidth = 56;

static void drawBlock(const TensorLayout &layout, int64_t group, int64_t round,
                      int64_t npu, Svg &svg) {
  int64_t factor = packFactor(layout.mode);
  int64_t row = group * channelsPerNpu(layout) + round;
  int64_t channel = round * layout.target.npus + npu - layout.startNpu;
  bool isEmpty = channel < 0 || channel >= layout.shape.c;
  std::string label;
  if (!isEmpty) {
    int64_t first = group * factor;
    int64_t last = std::min(first + factor, layout.shape.n) - 1;
    label = "(" + std::to_string(first);
    if (last != first)
      label += "-" + std::to_string(last);
    label += "," + std::to_string(channel) + ")";
  }
  svg.box(labelWidth + static_cast<int>(npu) * cellWidth,
          14 + static_cast<int>(row) * cellHeight, cellWidth, cellHeight,
          Svg::styleOf(isEmpty ? Content::EmptyBlock : Content::Element),
          label);
}

Expected<Svg> drawFeatures(const Request &request) {
  const TensorLayout &layout = request.layout;
  int64_t rounds = channelsPerNpu(layout);
  int64_t rows = packedShape(layout).n * rounds;
  if (rows > mostBlocks / layout.target.npus)
    return makeError("expected a picture to have at most " + Twine(mostBlocks) +
                     " blocks, but got " + Twine(rows) + " in each of " +
                     Twine(layout.target.npus) + " NPUs");
  Svg svg;
  for (int64_t npu = 0; npu < layout.target.npus; ++npu)
    svg.text(labelWidth + static_cast<int>(npu) * cellWidth + 10, 10,
             "NPU " + Twine(npu));
  for (int64_t row = 0; row < rows; ++row) {
    int64_t group = row / rounds;
    int64_t round = row % rounds;
    int64_t offset =
        layout.offset + (group * layout.strides.n + round * layout.strides.c) *
                            packedBytes(layout);
    svg.text(0, 14 + static_cast<int>(row) * cellHeight + 15, Twine(offset));
    for (int64_t npu = 0; npu < layout.target.npus; ++npu)
      drawBlock(layout, group, round, npu, svg);
  }
  svg.legend({Content::Element, Content::EmptyBlock});
  return svg;
}

} // namespace mli::layout
