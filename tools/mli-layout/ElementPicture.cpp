// SPDX-License-Identifier: Apache-2.0
//
// A panel for each NPU; lines of packed elements, with the offset of the first.

#include "Picture.h"

#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace mli::layout {

static constexpr int64_t maxCells = 8192;
static constexpr int panelsPerRow = 4;
static constexpr int cellHeight = 16;
static constexpr int labelWidth = 36;

bool canDrawElements(const TensorLayout &layout) {
  int64_t cells = bytesPerNpu(layout) / layout.elementBytes;
  return cells <= maxCells / layout.target.npus;
}

static std::string label(const Request &request, const ByteContent &content) {
  if (content.content != Content::Element)
    return "";
  return join(map_range(spelledIndex(request, content.index),
                        [](int64_t i) { return std::to_string(i); }),
              ",");
}

/// The cells of one NPU from (x, y) on.
static void drawPanel(const Request &request, int64_t npu, int x, int y,
                      int cellsPerLine, int cellWidth, Svg &svg) {
  const TensorLayout &layout = request.layout;
  int64_t size = layout.elementBytes;
  int64_t count = bytesPerNpu(layout) / size;
  svg.text(x + labelWidth, y - 4, "NPU " + Twine(npu));
  for (int64_t i = 0; i < count; ++i) {
    Location location = {npu, layout.offset + i * size};
    ByteContent content = contentAt(layout, location);
    int column = static_cast<int>(i % cellsPerLine);
    int line = static_cast<int>(i / cellsPerLine);
    if (column == 0)
      svg.text(x, y + line * cellHeight + 11, Twine(location.offset));
    svg.box(x + labelWidth + column * cellWidth, y + line * cellHeight,
            cellWidth, cellHeight, Svg::getStyle(content.content),
            label(request, content));
  }
}

Expected<Svg> drawElements(const Request &request) {
  const TensorLayout &layout = request.layout;
  if (!canDrawElements(layout))
    return makeError("expected a picture of elements to have at most " +
                     Twine(maxCells) + " of them, but got " +
                     Twine(bytesPerNpu(layout) / layout.elementBytes) +
                     " in each of " + Twine(layout.target.npus) + " NPUs");
  Svg svg;
  const Dims &shape = layout.shape;
  int cellWidth = std::max(
      request.isMatrix ? 30 : 42,
      Svg::getWidth(
          label(request, {Content::Element,
                          {shape.n - 1, shape.c - 1, shape.h - 1, shape.w - 1},
                          0})));
  // Eight elements, or packed elements of eight in all.
  int cellsPerLine = 8;
  int64_t count = bytesPerNpu(layout) / layout.elementBytes;
  int lines = static_cast<int>((count + cellsPerLine - 1) / cellsPerLine);
  int panelWidth = labelWidth + cellsPerLine * cellWidth + 14;
  int panelHeight = lines * cellHeight + 26;
  for (int64_t npu = 0; npu < layout.target.npus; ++npu)
    drawPanel(request, npu, static_cast<int>(npu % panelsPerRow) * panelWidth,
              static_cast<int>(npu / panelsPerRow) * panelHeight + 14,
              cellsPerLine, cellWidth, svg);
  svg.legend({Content::Element, Content::Dummy, Content::Padding,
              Content::EmptyBlock});
  return svg;
}

} // namespace mli::layout
