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

/// Padding of direction `way` (0 rows, 1 columns) stays below the window of
/// `extent`.
static LogicalResult verifyPadding(Operation *op,
                                   const contract::Window &window, int way,
                                   int64_t extent) {
  for (int64_t pad : window.padding.slice(size_t{2} * way, 2))
    // T16
    if (ShapedType::isStatic(pad) && pad >= extent)
      return op->emitOpError("expected padding of dimension ")
             << window.height + way << " to be less than the window of "
             << extent << ", but got " << pad;
  return success();
}

namespace {
/// Direction `way` of a window, where all of it is known.
struct Extent {
  Extent(const contract::Window &window, int way)
      : input(window.input.type.getDimSize(window.height + way)),
        result(window.init.type.getDimSize(window.height + way)),
        before(window.padding[size_t{2} * way]),
        after(window.padding[size_t{2} * way + 1]) {}

  bool isKnown() const {
    return llvm::all_of(ArrayRef<int64_t>{input, result, before, after},
                        ShapedType::isStatic);
  }

  int64_t input, result, before, after;
};
} // namespace

/// The input holds all windows of direction `way`.
static LogicalResult verifyExtent(Operation *op, const contract::Window &window,
                                  int way) {
  int64_t kernel = window.kernel[way];
  if (ShapedType::isDynamic(kernel))
    return success();
  int64_t extent = (kernel - 1) * window.dilations[way] + 1;
  if (failed(verifyPadding(op, window, way, extent)))
    return failure();
  Extent known(window, way);
  if (!known.isKnown())
    return success();
  int64_t needed = (known.result - 1) * window.strides[way] + extent;
  int64_t padded = known.input + known.before + known.after;
  // T17
  if (needed > padded)
    return op->emitOpError("expected dimension ")
           << window.height + way << " of 'input' with padding to be at least "
           << needed << ", which " << known.result << " windows need, but got "
           << padded;
  return success();
}

/// The result is all that the windows of direction `way` reach.
static LogicalResult
verifyTransposedExtent(Operation *op, const contract::Window &window, int way) {
  int64_t kernel = window.kernel[way], stride = window.strides[way];
  if (ShapedType::isDynamic(kernel))
    return success();
  if (failed(verifyPadding(op, window, way, kernel)))
    return failure();
  // C11
  if (stride > kernel)
    return op->emitOpError("expected stride of dimension ")
           << window.height + way << " to be at most the window of " << kernel
           << ", but got " << stride;
  Extent known(window, way);
  if (!known.isKnown())
    return success();
  int64_t reached =
      (known.input - 1) * stride + kernel - known.before - known.after;
  // C12
  if (known.result != reached)
    return op->emitOpError("expected dimension ")
           << window.height + way << " of 'init' to be " << reached
           << ", which " << known.input << " windows reach, but got "
           << known.result;
  return success();
}

/// The lists of the attributes.
static LogicalResult verifyLists(Operation *op,
                                 const contract::Window &window) {
  SmallVector<int64_t> padding;
  llvm::copy_if(window.padding, std::back_inserter(padding),
                ShapedType::isStatic);
  if (failed(contract::verifyCount(op, "pad", window.padding, 4)) ||
      failed(contract::verifyRange(op, "pad", padding, 0, UINT8_MAX)) ||
      failed(contract::verifyFactors(op, "strides", window.strides)) ||
      failed(contract::verifyFactors(op, "dilations", window.dilations)))
    return failure();
  return verifyListOfOperandsOrIntegers(op, "pad", 4, window.padding,
                                        window.dynamicPadding);
}

LogicalResult contract::verifyWindow(Operation *op, const Window &window) {
  if (failed(verifyLists(op, window)))
    return failure();
  for (int way : {0, 1})
    if (failed(verifyExtent(op, window, way)))
      return failure();
  return success();
}

LogicalResult contract::verifyTransposedWindow(Operation *op,
                                               const Window &window) {
  if (failed(verifyLists(op, window)))
    return failure();
  for (int way : {0, 1})
    if (failed(verifyTransposedExtent(op, window, way)))
      return failure();
  return success();
}
