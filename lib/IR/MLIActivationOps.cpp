// SPDX-License-Identifier: Apache-2.0
//
// Verifiers of the activations.

#include "KernelContract.h"

#include "mli/Quant/Contract.h"

using namespace mlir;
using namespace mli;
using contract::Operand;

LogicalResult ReluOp::verify() {
  Operand input{"input", getInput().getType()};
  Operand init{"init", getInit().getType()};
  if (failed(contract::verifyMaps(*this, input, init)) ||
      failed(contract::verifyActivation(*this, input)))
    return failure();
  return contract::verifySameElement(*this, input, init);
}

//===----------------------------------------------------------------------===//
// Slopes
//===----------------------------------------------------------------------===//

/// Everything but how many slopes there are.
template <typename SlopeOp>
static LogicalResult verifySlopes(SlopeOp op) {
  Operand input{"input", op.getInput().getType()};
  Operand slope{"slope", op.getSlope().getType()};
  Operand init{"init", op.getInit().getType()};
  if (failed(contract::verifyMaps(op, input, init)) ||
      failed(contract::verifyTensors(op, {slope})) ||
      failed(contract::verifySameKind(op, input, slope)) ||
      failed(contract::verifySameKind(op, input, init)) ||
      failed(contract::verifyActivation(op, input)) ||
      failed(contract::verifyPerTensor(op, slope)) ||
      failed(contract::verifyActivation(op, init)))
    return failure();
  int16_t zeroPoint = slope.quantized().getParam(0).zeroPoint;
  // E5
  if (!contract::slopeZeroPointRange.contains(zeroPoint))
    return op.emitOpError("expected zero point of 'slope' to be in "
                          "[-16384, 16383], but got ")
           << zeroPoint;
  return isa<Sa8Type>(input.element())
             ? success()
             : contract::verifySameElement(op, input, init);
}

static LogicalResult verifyOneSlope(Operation *op, Operand slope) {
  // E6
  if (slope.type.hasStaticShape() && slope.type.getNumElements() != 1)
    return op->emitOpError("expected 'slope' to have 1 element, but got ")
           << slope.type.getNumElements();
  return success();
}

LogicalResult LeakyReluOp::verify() {
  if (failed(verifySlopes(*this)))
    return failure();
  return verifyOneSlope(*this, {"slope", getSlope().getType()});
}

LogicalResult PreluOp::verify() {
  ShapedType input = getInput().getType();
  Operand slope{"slope", getSlope().getType()};
  auto axis = static_cast<int32_t>(getAxis());
  if (failed(verifySlopes(*this)) ||
      failed(contract::verifyAxisAttr(*this, axis, input.getRank())))
    return failure();
  if (axis == -1)
    return verifyOneSlope(*this, slope);
  SmallVector<int64_t> expected(input.getRank(), 1);
  expected[axis] = input.getDimSize(axis);
  // E7
  if (failed(verifyCompatibleShape(slope.type.getShape(), expected)))
    return emitOpError("expected 'slope' to have shape ")
           << contract::shapeText(slope.type.clone(expected))
           << ", a slope for each index of axis " << axis << ", but got "
           << contract::shapeText(slope.type);
  // The kernel reads them without strides.
  if (failed(contract::verifyUnitStrides(*this, {slope})))
    return failure();
  return contract::verifyContiguous(*this, {slope});
}

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

/// The formats of results that the kernels fix: numbers up to 1, and in sa8
/// from `zeroPoint` on with `fracBits`.
static Type fixedElement(Type input, int8_t fracBits, int16_t zeroPoint) {
  if (isa<Fx8Type>(input))
    return Fx8Type::get(input.getContext(), 7);
  if (isa<Fx16Type>(input))
    return Fx16Type::get(input.getContext(), 15);
  quant::QuantParams params;
  params.fracBits = fracBits;
  params.zeroPoint = zeroPoint;
  return Sa8Type::get(input.getContext(), params);
}

/// Results in [0, 1) take all 256 codes; signed ones are symmetric.
enum class TableRange { Positive, Signed };

template <typename TableOp>
static LogicalResult verifyTable(TableOp op, TableRange range) {
  Operand input{"input", op.getInput().getType()};
  Operand init{"init", op.getInit().getType()};
  if (failed(contract::verifyMaps(op, input, init)) ||
      failed(contract::verifyActivation(op, input)))
    return failure();
  return contract::verifyFixedElement(
      op, init,
      range == TableRange::Positive ? fixedElement(input.element(), 8, -128)
                                    : fixedElement(input.element(), 7, 0));
}

template <typename SliceOp>
static LogicalResult verifySlices(SliceOp op, TableRange range) {
  if (failed(verifyTable(op, range)))
    return failure();
  return contract::verifyAxisAttr(op, static_cast<int32_t>(op.getAxis()),
                                  op.getInput().getType().getRank());
}

LogicalResult SigmOp::verify() {
  return verifyTable(*this, TableRange::Positive);
}
LogicalResult TanhOp::verify() {
  return verifyTable(*this, TableRange::Signed);
}
LogicalResult SoftmaxOp::verify() {
  return verifySlices(*this, TableRange::Positive);
}
LogicalResult L2NormalizeOp::verify() {
  return verifySlices(*this, TableRange::Signed);
}
