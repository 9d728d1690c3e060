// SPDX-License-Identifier: Apache-2.0
//
// The rows and columns that kernels read for those of their results.

#include "ArenaBoundGraph.h"

#include "mli/IR/KernelOperands.h"
#include "mli/IR/TensorSize.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mli;
using namespace mli::bound;

MapRows MapRows::get(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || tensor.getRank() < 3)
    return {};
  int64_t bytes = getDenseBytes(tensor).value_or(0);
  ArrayRef<int64_t> shape = tensor.getShape();
  bool isMap = bytes > 0 && llvm::all_of(shape.drop_back(3), [](int64_t size) {
                 return size == 1;
               });
  int64_t rows = shape[shape.size() - 3];
  return isMap ? MapRows{rows, bytes / rows, shape[shape.size() - 2]}
               : MapRows();
}

Interval AxisWindow::getInputs(int64_t result) const {
  if (isSpread)
    return {
        std::max<int64_t>(
            0, llvm::divideCeilSigned(result + before - extent + 1, stride)),
        std::min(inputs, llvm::divideFloorSigned(result + before, stride) + 1)};
  // From the first tap to the last one that are in the map.
  int64_t lower = result * stride - before, last = lower + extent - 1;
  if (lower < 0)
    lower += llvm::divideCeil(-lower, dilation) * dilation;
  if (last >= inputs)
    last -= llvm::divideCeil(last - inputs + 1, dilation) * dilation;
  return {lower, last + 1};
}

int64_t AxisWindow::getEnd(int64_t count) const {
  while (count > 0 && getInputs(count - 1).size() <= 0)
    --count;
  return count == 0 ? 0 : getInputs(count - 1).upper;
}

int64_t AxisWindow::getFirst(int64_t result) const {
  while (result < results && getInputs(result).size() <= 0)
    ++result;
  return result == results ? inputs : getInputs(result).lower;
}

/// How `window` reads rows (0) or columns (1); nothing if that is not known.
static std::optional<AxisWindow> getAxis(WindowOpInterface window,
                                         size_t axis) {
  AxisWindow result;
  int64_t taps = window.getWindowSizes()[axis];
  result.before = window.getStaticPadding()[2 * axis];
  if (ShapedType::isDynamic(taps) || ShapedType::isDynamic(result.before))
    return std::nullopt;
  result.stride = window.getStrides()[axis];
  result.dilation = window.getDilations()[axis];
  result.extent = (taps - 1) * result.dilation + 1;
  result.isSpread = window.isTransposed();
  return result;
}

std::optional<RowRead> mli::bound::findRead(OpOperand &operand) {
  Operation *op = operand.getOwner();
  auto type = cast<ShapedType>(operand.get().getType());
  auto result = cast<ShapedType>(op->getResult(0).getType());
  AxisWindow rows, columns;
  if (op->hasTrait<ElementwiseKernel>()) {
    if (type.getShape() != result.getShape())
      return std::nullopt;
  } else {
    auto window = dyn_cast<WindowOpInterface>(op);
    if (!window || operand.get() != window.getInput() ||
        FeatureMapDims(window.getLayout()).height != 0)
      return std::nullopt;
    std::optional<AxisWindow> first = getAxis(window, 0),
                              second = getAxis(window, 1);
    if (!first || !second)
      return std::nullopt;
    rows = *first;
    columns = *second;
  }
  MapRows map = MapRows::get(type), made = MapRows::get(result);
  rows.inputs = map.count;
  rows.results = made.count;
  columns.inputs = map.columns;
  columns.results = made.columns;
  return RowRead{0, rows, columns};
}
