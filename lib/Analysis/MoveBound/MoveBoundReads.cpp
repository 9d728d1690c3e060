// SPDX-License-Identifier: Apache-2.0
//
// The elements of a feature map that a window reads.

#include "MoveBoundGraph.h"

#include "mli/IR/MLI.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mli;

/// How many of `inputs` indices the `results` indices from `first` on, `stride`
/// apart, are.
static int64_t countInside(int64_t first, int64_t stride, int64_t results,
                           int64_t inputs) {
  int64_t begin = first < 0 ? llvm::divideCeil(-first, stride) : 0;
  int64_t end =
      inputs <= first
          ? 0
          : static_cast<int64_t>(llvm::divideCeil(inputs - first, stride));
  return std::max<int64_t>(0, std::min(end, results) - begin);
}

namespace {

/// One axis of a window that moves over a map, or is spread over the result.
struct Axis {
  int64_t taps, stride, dilation, before, inputs, results;

  int64_t countSpread() const {
    int64_t begin =
        std::max<int64_t>(0, llvm::divideCeilSigned(before - taps + 1, stride));
    int64_t end = std::min(
        inputs, llvm::divideFloorSigned(results - 1 + before, stride) + 1);
    return std::max<int64_t>(0, end - begin);
  }

  /// At least so many indices of the map are read.
  int64_t countMoved() const {
    if (dilation == 1 && taps >= stride)
      return std::max<int64_t>(
          0, std::min(inputs, (results - 1) * stride - before + taps));
    // Taps closer than a stride read other indices each.
    bool isDisjoint = dilation == 1;
    int64_t count = 0;
    for (int64_t tap = 0; tap < taps; ++tap) {
      int64_t read =
          countInside(tap * dilation - before, stride, results, inputs);
      count = isDisjoint ? count + read : std::max(count, read);
    }
    return count;
  }
};

} // namespace

// MB2
int64_t mli::movebound::countWindowElements(Operation *op) {
  auto window = cast<WindowOpInterface>(op);
  auto input = cast<ShapedType>(window.getInput().getType());
  auto result = cast<ShapedType>(window.getInit().getType());
  FeatureMapDims dims(window.getLayout());
  int64_t elements = input.getDimSize(dims.channels);
  const int64_t mapDims[] = {dims.height, dims.width};
  for (auto [i, dim] : llvm::enumerate(mapDims)) {
    Axis axis{window.getWindowSizes()[i], window.getStrides()[i],
              window.getDilations()[i],   window.getStaticPadding()[2 * i],
              input.getDimSize(dim),      result.getDimSize(dim)};
    elements *= window.isTransposed() ? axis.countSpread() : axis.countMoved();
  }
  return elements;
}
