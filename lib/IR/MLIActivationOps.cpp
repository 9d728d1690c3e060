// SPDX-License-Identifier: Apache-2.0
//
// Verifiers of the activations.

#include "KernelContract.h"

#include "mli/Quant/Formats.h"

using namespace mlir;
using namespace mli;
using contract::Family;
using contract::Operand;
using contract::Role;
using contract::TableRange;

LogicalResult ReluOp::verify() {
  auto input = Operand::of(Family::Relu, Role::Input, getInput().getType());
  auto init = Operand::of(Family::Relu, Role::Init, getInit().getType());
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
static LogicalResult verifySlopes(SlopeOp op, Family family) {
  auto input = Operand::of(family, Role::Input, op.getInput().getType());
  auto slope = Operand::of(family, Role::Other, op.getSlope().getType());
  auto init = Operand::of(family, Role::Init, op.getInit().getType());
  if (failed(contract::verifyMaps(op, input, init)) ||
      failed(contract::verifyTensors(op, {slope})) ||
      failed(contract::verifySameKind(op, input, slope)) ||
      failed(contract::verifySameKind(op, input, init)) ||
      failed(contract::verifyActivation(op, input)) ||
      failed(contract::verifyActivation(op, slope)) ||
      failed(contract::verifyActivation(op, init)))
    return failure();
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
  if (failed(verifySlopes(*this, Family::LeakyRelu)))
    return failure();
  return verifyOneSlope(*this, {"slope", getSlope().getType()});
}

LogicalResult PreluOp::verify() {
  ShapedType input = getInput().getType();
  auto slope = Operand::of(Family::Prelu, Role::Other, getSlope().getType());
  auto axis = static_cast<int32_t>(getAxis());
  if (failed(verifySlopes(*this, Family::Prelu)) ||
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
  if (failed(contract::verifyMemory(*this, {slope})))
    return failure();
  return contract::verifyContiguous(*this, {slope});
}

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

/// The format of results that the kernels fix.
static Type fixedElement(Type input, TableRange range) {
  auto type = cast<QuantizedType>(input);
  quant::QuantParams params = contract::tableFormat(
      range, static_cast<int>(type.getStorageWidth()), isa<Sa8Type>(input));
  if (isa<Fx8Type>(input))
    return Fx8Type::get(input.getContext(), params.fracBits);
  if (isa<Fx16Type>(input))
    return Fx16Type::get(input.getContext(), params.fracBits);
  return Sa8Type::get(input.getContext(), params);
}

template <typename TableOp>
static LogicalResult verifyTable(TableOp op, Family family, TableRange range) {
  auto input = Operand::of(family, Role::Input, op.getInput().getType());
  auto init = Operand::of(family, Role::Init, op.getInit().getType());
  if (failed(contract::verifyMaps(op, input, init)) ||
      failed(contract::verifyActivation(op, input)))
    return failure();
  return contract::verifyFixedElement(op, init,
                                      fixedElement(input.element(), range));
}

template <typename SliceOp>
static LogicalResult verifySlices(SliceOp op, Family family, TableRange range) {
  if (failed(verifyTable(op, family, range)))
    return failure();
  return contract::verifyAxisAttr(op, static_cast<int32_t>(op.getAxis()),
                                  op.getInput().getType().getRank());
}

LogicalResult SigmOp::verify() {
  return verifyTable(*this, Family::Sigm, TableRange::Positive);
}
LogicalResult TanhOp::verify() {
  return verifyTable(*this, Family::Tanh, TableRange::Signed);
}
LogicalResult SoftmaxOp::verify() {
  return verifySlices(*this, Family::Softmax, TableRange::Positive);
}
LogicalResult L2NormalizeOp::verify() {
  return verifySlices(*this, Family::L2Normalize, TableRange::Signed);
}
