// SPDX-License-Identifier: Apache-2.0
//
// Raising the integer softmax that legalisers write out: exponentials from
// tables, their sum, its reciprocal by Newton's iteration, and the product.

#include "TosaEmitter.h"
#include "TosaExponentials.h"
#include "TosaPatterns.h"

#include <cmath>

using namespace mlir;
using namespace mli;
using namespace mli::raising;

namespace {

class SoftmaxGroup : public Group {
public:
  using Group::Group;

  SmallVector<Constraint> getConstraints() const override {
    return {Constraint::zeroPoint(input, inputZero),
            Constraint::scale(input, inputScale),
            Constraint::zeroPoint(getResult(), -128),
            Constraint::scale(getResult(), std::ldexp(1, -8))};
  }

  Value emit(Emitter &emitter) const override {
    auto shape = cast<RankedTensorType>(input.getType()).getShape();
    bool isWhole =
        shape[axis] == cast<ShapedType>(input.getType()).getNumElements();
    ArrayRef<int64_t> used = isWhole ? shape.slice(axis, 1) : shape;
    Value source = emitter.read(input, used);
    Value init = emitter.empty(getResult(), used);
    return SoftmaxOp::create(emitter.getBuilder(), emitter.getLoc(), source,
                             init, isWhole ? -1 : static_cast<int32_t>(axis))
        .getResult(0);
  }

  Value input;
  int64_t inputZero = 0;
  double inputScale = 0; ///< with the factor that the logits have in exp
  int64_t axis = 0;
};

} // namespace

//===----------------------------------------------------------------------===//
// Parts of the island
//===----------------------------------------------------------------------===//

/// The other operand of a commutative `Op` with a constant `number`.
template <typename Op>
static Value otherThan(Value value, int64_t number) {
  auto op = definingOp<Op>(value);
  for (unsigned i = 0; op && i < 2; ++i)
    if (isSplatOf(op->getOperand(i), number))
      return op->getOperand(1 - i);
  return {};
}

/// The second operand of an `Op` whose first is the constant `number`.
static Value subtractedFrom(Value value, int64_t number) {
  auto op = definingOp<tosa::SubOp>(value);
  return op && isSplatOf(op.getInput1(), number) ? op.getInput2() : Value();
}

/// A product whose result is shifted by `shift`; null if it is none.
static tosa::MulOp product(Value value, int64_t shift) {
  auto op = definingOp<tosa::MulOp>(value);
  return op && isSplatOf(op.getShift(), shift) ? op : tosa::MulOp();
}

/// The operand of a product that is not `known`.
static Value otherFactor(tosa::MulOp op, Value known) {
  if (!op)
    return {};
  if (op.getInput1() == known)
    return op.getInput2();
  return op.getInput2() == known ? op.getInput1() : Value();
}

/// The rescale that `value` is, if it multiplies by `factor`; TOSA allows zero
/// points for i8 only.
static tosa::RescaleOp rescaledBy(Value value, double factor) {
  auto op = definingOp<tosa::RescaleOp>(value);
  Refusals unused;
  if (!op)
    return {};
  FailureOr<RescaleParams> params = readRescale(op, unused);
  if (failed(params) || params->factors.size() != 1 ||
      params->factors.front() != factor)
    return {};
  return op;
}

/// `x` of a Newton step `x + 4 * x * (1/4 - x * half)` in Q29.
static Value beforeNewton(Value value, Value half) {
  auto sum = value.getDefiningOp<tosa::AddOp>();
  for (unsigned i = 0; sum && i < 2; ++i) {
    Value x = sum->getOperand(i);
    Value step = otherThan<tosa::MulOp>(sum->getOperand(1 - i), 4);
    Value error = otherFactor(product(step, 31), x);
    Value known = subtractedFrom(error, int64_t(1) << 29);
    if (otherFactor(product(known, 31), x) == half && known)
      return x;
  }
  return {};
}

/// Whether `value` approximates 1 / `half`: three steps from the best line.
static bool isReciprocal(Value value, Value half) {
  for (int step = 0; step < 3 && value; ++step)
    value = beforeNewton(value, half);
  Value line = value ? otherThan<tosa::AddOp>(value, 1515870810) : Value();
  return product(line, 31) && otherThan<tosa::MulOp>(line, -1010580540) == half;
}

//===----------------------------------------------------------------------===//
// The island
//===----------------------------------------------------------------------===//

namespace {

/// The values that its parts meet in.
struct Island {
  Value exponentials;
  Value logits; ///< i8
  int64_t axis = 0;
  int64_t inputZero = 0;
  Exponentials tables;
};

} // namespace

/// From the sum of exponentials `total` back to them.
static bool matchTotal(Value total, Island &island) {
  auto sum = total.getDefiningOp<tosa::ReduceSumOp>();
  if (!sum || shiftedRight(sum.getInput(), 12) != island.exponentials)
    return false;
  island.axis = sum.getAxis();
  return true;
}

/// From the exponentials back to the logits: differences to their maximum.
static bool matchLogits(Island &island) {
  if (!readTables(island.exponentials, island.tables))
    return false;
  auto index = rescaledBy(island.tables.index, 128);
  if (!index)
    return false;
  auto below = index.getInput().getDefiningOp<tosa::SubOp>();
  auto largest =
      definingOp<tosa::ReduceMaxOp>(below ? below.getInput2() : Value());
  if (!largest || largest.getInput() != below.getInput1() ||
      largest.getAxis() != island.axis)
    return false;
  auto wide = rescaledBy(below.getInput1(), 1);
  if (!wide)
    return false;
  island.inputZero = integersOf(wide.getInputZp())->front();
  island.logits = wide.getInput();
  return true;
}

/// Matches everything in front of the last rescale, whose input is `value`.
static bool matchIsland(Value value, Island &island) {
  auto shift = value.getDefiningOp<tosa::ArithmeticRightShiftOp>();
  auto scaled = shift && shift.getRound() ? product(shift.getInput1(), 30)
                                          : tosa::MulOp();
  Value zeros = scaled ? subtractedFrom(shift.getInput2(), 35) : Value();
  auto count = definingOp<tosa::ClzOp>(zeros);
  if (!count)
    return false;
  Value total = count.getInput1();
  for (unsigned i = 0; i < 2; ++i) {
    island.exponentials = scaled->getOperand(i);
    Value reciprocal = scaled->getOperand(1 - i);
    if (!matchTotal(total, island))
      continue;
    for (Operation *user : total.getUsers()) {
      auto half = dyn_cast<tosa::LogicalLeftShiftOp>(user);
      auto less = definingOp<tosa::SubOp>(half ? half.getInput2() : Value());
      if (less && less.getInput1() == zeros && isSplatOf(less.getInput2(), 1) &&
          half.getInput1() == total && isReciprocal(reciprocal, half))
        return matchLogits(island);
    }
  }
  return false;
}

GroupPtr raising::matchSoftmax(tosa::RescaleOp op, Refusals &refusals) {
  if (failed(checkMap(op, op.getOutput(), "output", refusals)))
    return nullptr;
  Island island;
  if (!rescaledBy(op.getOutput(), 1) || !matchIsland(op.getInput(), island))
    return refusals.refuse(op,
                           "expected the operations of an integer softmax in "
                           "front of it, but got others");
  int64_t outputZero = integersOf(op.getOutputZp())->front();
  if (outputZero != -128)
    return refusals.refuse(op,
                           "expected 'output_zp' of a softmax to be -128, but "
                           "got ",
                           outputZero);
  if (failed(checkMap(op, island.logits, "input of the softmax", refusals)))
    return nullptr;
  if (failed(verifyCompatibleShape(island.logits.getType(),
                                   op.getOutput().getType())))
    return refusals.refuse(op, "expected the softmax to keep the shape of ",
                           island.logits.getType(), ", but got ",
                           op.getOutput().getType());
  std::optional<double> scale = findScale(island.tables);
  if (!scale)
    return refusals.refuse(op, "expected the tables of the softmax to hold "
                               "exp(-scale * k), but got others");
  auto group = std::make_unique<SoftmaxGroup>(op, op);
  group->input = island.logits;
  group->inputZero = island.inputZero;
  group->inputScale = *scale;
  group->axis = island.axis;
  return group;
}
