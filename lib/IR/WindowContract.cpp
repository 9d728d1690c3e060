// SPDX-License-Identifier: Apache-2.0
//
// Lists of attributes, and windows that move over a feature map.

#include "KernelContract.h"

#include "mli/Quant/Contract.h"

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
  return verifyRange(op, name, values, windowStepRange.least,
                     windowStepRange.most);
}

namespace {
/// Direction `way` (0 rows, 1 columns) of a window whose kernel is known. What
/// else is dynamic is dynamic here, and not asked for then.
struct Direction {
  Direction(const contract::Window &window, int way)
      : dimension(window.height + way),
        input(window.input.type.getDimSize(dimension)),
        result(window.init.type.getDimSize(dimension)),
        axis{window.kernel[way], window.strides[way], window.dilations[way],
             window.padding[size_t{2} * way],
             window.padding[size_t{2} * way + 1]} {}

  bool isKnown() const {
    return llvm::all_of(
        ArrayRef<int64_t>{input, result, axis.paddingBefore, axis.paddingAfter},
        ShapedType::isStatic);
  }

  int64_t dimension, input, result;
  contract::WindowAxis axis;
};
} // namespace

/// Padding stays below the window.
static LogicalResult verifyPadding(Operation *op, const Direction &direction) {
  const contract::WindowAxis &axis = direction.axis;
  for (int64_t pad : {axis.paddingBefore, axis.paddingAfter})
    // T16
    if (ShapedType::isStatic(pad) && !axis.allowsPadding(pad))
      return op->emitOpError("expected padding of dimension ")
             << direction.dimension << " to be less than the window of "
             << axis.extent() << ", but got " << pad;
  return success();
}

/// The input holds all windows of a direction.
static LogicalResult verifyExtent(Operation *op, const Direction &direction) {
  const contract::WindowAxis &axis = direction.axis;
  if (ShapedType::isDynamic(axis.kernel))
    return success();
  if (failed(verifyPadding(op, direction)))
    return failure();
  if (!direction.isKnown())
    return success();
  // T17
  if (!axis.covers(direction.input, direction.result))
    return op->emitOpError("expected dimension ")
           << direction.dimension << " of 'input' with padding to be at least "
           << axis.needed(direction.result) << ", which " << direction.result
           << " windows need, but got " << axis.padded(direction.input);
  return success();
}

/// The result is all that the windows of a direction reach.
static LogicalResult verifyTransposedExtent(Operation *op,
                                            const Direction &direction) {
  const contract::WindowAxis &axis = direction.axis;
  if (ShapedType::isDynamic(axis.kernel))
    return success();
  if (failed(verifyPadding(op, direction)))
    return failure();
  // C11
  if (!axis.leavesNoGaps())
    return op->emitOpError("expected stride of dimension ")
           << direction.dimension << " to be at most the window of "
           << axis.kernel << ", but got " << axis.stride;
  if (!direction.isKnown())
    return success();
  // C12
  if (direction.result != axis.reached(direction.input))
    return op->emitOpError("expected dimension ")
           << direction.dimension << " of 'init' to be "
           << axis.reached(direction.input) << ", which " << direction.input
           << " windows reach, but got " << direction.result;
  return success();
}

/// The lists of the attributes.
static LogicalResult verifyLists(Operation *op,
                                 const contract::Window &window) {
  SmallVector<int64_t> padding;
  llvm::copy_if(window.padding, std::back_inserter(padding),
                ShapedType::isStatic);
  if (failed(contract::verifyCount(op, "pad", window.padding, 4)) ||
      failed(contract::verifyRange(op, "pad", padding,
                                   contract::paddingRange.least,
                                   contract::paddingRange.most)) ||
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
    if (failed(verifyExtent(op, Direction(window, way))))
      return failure();
  return success();
}

LogicalResult contract::verifyTransposedWindow(Operation *op,
                                               const Window &window) {
  if (failed(verifyLists(op, window)))
    return failure();
  for (int way : {0, 1})
    if (failed(verifyTransposedExtent(op, Direction(window, way))))
      return failure();
  return success();
}
