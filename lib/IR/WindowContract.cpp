// SPDX-License-Identifier: Apache-2.0
//
// Lists of attributes, and windows that move over a feature map.

#include "KernelContract.h"

using namespace mlir;
using namespace mli;

LogicalResult contract::verifyRange(Operation *op, StringRef name,
                                    ArrayRef<int64_t> values, int64_t least,
                                    int64_t most) {
  for (int64_t value : values)
    // T14
    if (value < least || value > most)
      return op->emitOpError("expected '")
             << name << "' to be in [" << least << ", " << most << "], but got "
             << value;
  return success();
}

LogicalResult contract::verifyCount(Operation *op, StringRef name,
                                    ArrayRef<int64_t> values, size_t count) {
  // T15
  if (values.size() != count)
    return op->emitOpError("expected '")
           << name << "' to have " << count << " entries, but got "
           << values.size();
  return success();
}

LogicalResult contract::verifyFactors(Operation *op, StringRef name,
                                      ArrayRef<int64_t> values) {
  if (failed(verifyCount(op, name, values, 2)))
    return failure();
  return verifyRange(op, name, values, 1, UINT8_MAX);
}

/// Dimension `dim` (0 rows, 1 columns): padding stays below the window, and
/// the input holds all windows.
static LogicalResult verifyExtent(Operation *op, const contract::Window &window,
                                  size_t dim) {
  int64_t kernel = window.kernel[dim];
  if (ShapedType::isDynamic(kernel))
    return success();
  int64_t extent = (kernel - 1) * window.dilations[dim] + 1;
  int64_t before = window.padding[2 * dim], after = window.padding[2 * dim + 1];
  for (int64_t pad : {before, after})
    // T16
    if (ShapedType::isStatic(pad) && pad >= extent)
      return op->emitOpError("expected padding of dimension ")
             << dim << " to be less than the window of " << extent
             << ", but got " << pad;
  int64_t input = window.input.type.getDimSize(dim);
  int64_t result = window.init.type.getDimSize(dim);
  if (ShapedType::isDynamic(before) || ShapedType::isDynamic(after) ||
      ShapedType::isDynamic(input) || ShapedType::isDynamic(result))
    return success();
  int64_t needed = (result - 1) * window.strides[dim] + extent;
  // T17
  if (needed > input + before + after)
    return op->emitOpError("expected dimension ")
           << dim << " of 'input' with padding to be at least " << needed
           << ", which " << result << " windows need, but got "
           << input + before + after;
  return success();
}

LogicalResult contract::verifyWindow(Operation *op, const Window &window) {
  SmallVector<int64_t> padding;
  llvm::copy_if(window.padding, std::back_inserter(padding),
                ShapedType::isStatic);
  if (failed(verifyCount(op, "pad", window.padding, 4)) ||
      failed(verifyRange(op, "pad", padding, 0, UINT8_MAX)) ||
      failed(verifyFactors(op, "strides", window.strides)) ||
      failed(verifyFactors(op, "dilations", window.dilations)) ||
      failed(verifyListOfOperandsOrIntegers(op, "pad", 4, window.padding,
                                            window.dynamicPadding)))
    return failure();
  for (size_t dim : {0, 1})
    if (failed(verifyExtent(op, window, dim)))
      return failure();
  return success();
}
