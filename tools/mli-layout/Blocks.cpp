// SPDX-License-Identifier: Apache-2.0

#include "Blocks.h"

#include "mli/Layout/ElementMap.h"

#include <algorithm>

namespace mli::layout {

int64_t countBlockRows(const TensorLayout &layout) {
  return packedShape(layout).n * channelsPerNpu(layout);
}

int64_t offsetOfBlockRow(const TensorLayout &layout, int64_t row) {
  int64_t rounds = channelsPerNpu(layout);
  return layout.offset +
         (row / rounds * layout.strides.n + row % rounds * layout.strides.c) *
             packedBytes(layout);
}

std::string getFeatures(const TensorLayout &layout, int64_t row, int64_t npu) {
  ByteContent first = contentAt(layout, {npu, offsetOfBlockRow(layout, row)});
  if (first.content != Content::Element)
    return "";
  int64_t last =
      std::min(first.index.n + packFactor(layout.mode), layout.shape.n) - 1;
  std::string n = std::to_string(first.index.n);
  if (last != first.index.n)
    n += "-" + std::to_string(last);
  return n + "," + std::to_string(first.index.c);
}

} // namespace mli::layout
