// SPDX-License-Identifier: Apache-2.0
//
// Lists of attributes, and windows that move over a feature map.

#include "KernelContract.h"

#include "mli/Contract/Contract.h"

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
/// Direction `windowDim` (0 rows, 1 columns) of a window whose kernel is known.
/// Other sizes are dynamic here where they are in the operation.
struct Direction {
  Direction(WindowOpInterface op, int windowDim)
      : dimension(FeatureMapDims(op.getLayout()).height + windowDim),
        input(getSize(op.getInput())), result(getSize(op.getInit())),
        axis{op.getWindowSizes()[windowDim], op.getStrides()[windowDim],
             op.getDilations()[windowDim],
             op.getStaticPadding()[size_t{2} * windowDim],
             op.getStaticPadding()[size_t{2} * windowDim + 1]} {}

  int64_t getSize(Value map) const {
    return cast<ShapedType>(map.getType()).getDimSize(dimension);
  }

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
static LogicalResult verifyLists(WindowOpInterface op) {
  ArrayRef<int64_t> sides = op.getStaticPadding();
  auto padding = llvm::filter_to_vector(sides, ShapedType::isStatic);
  if (failed(contract::verifyCount(op, "pad", sides, 4)) ||
      failed(contract::verifyRange(op, "pad", padding,
                                   contract::paddingRange.least,
                                   contract::paddingRange.most)) ||
      failed(contract::verifyFactors(op, "strides", op.getStrides())) ||
      failed(contract::verifyFactors(op, "dilations", op.getDilations())))
    return failure();
  return verifyListOfOperandsOrIntegers(op, "pad", 4, sides, op.getPadding());
}

LogicalResult contract::verifyWindow(WindowOpInterface op) {
  if (failed(verifyLists(op)))
    return failure();
  for (int windowDim : {0, 1}) {
    Direction direction(op, windowDim);
    if (failed(op.isTransposed() ? verifyTransposedExtent(op, direction)
                                 : verifyExtent(op, direction)))
      return failure();
  }
  return success();
}
