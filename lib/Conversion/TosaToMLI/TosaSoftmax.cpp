// SPDX-License-Identifier: Apache-2.0
//
// Raising the integer softmax that legalisers write out: exponentials from
// tables, their sum, its reciprocal by Newton's iteration, and the product.

#include "TosaEmitter.h"
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
// Tables of exponentials
//===----------------------------------------------------------------------===//

namespace {

/// exp(-scale * k) in Q31 for every difference k of two codes.
struct Exponentials {
  mlir::Value index; ///< what the tables are read at
  double entries[256] = {};
};

} // namespace

/// The operand of a rounded shift to the right by `shift`; null if `value` is
/// none.
static Value shiftedRight(Value value, int64_t shift) {
  auto op = definingOp<tosa::ArithmeticRightShiftOp>(value);
  return op && op.getRound() && isSplatOf(op.getInput2(), shift)
             ? op.getInput1()
             : Value();
}

/// Adds one table, shifted by its place in the number, to `sum`.
static bool addTable(Value value, Exponentials &sum) {
  // A table of 16 bits gives 7 fraction bits, all of them 0 here.
  double weight = std::ldexp(1, 7);
  Value shifted;
  if (auto op = value.getDefiningOp<tosa::LogicalLeftShiftOp>()) {
    std::optional<SmallVector<int64_t>> shift = integersOf(op.getInput2());
    if (!shift || shift->size() != 1 || shift->front() < 0 ||
        shift->front() > 31)
      return false;
    weight = std::ldexp(weight, static_cast<int>(shift->front()));
    shifted = op.getInput1();
  } else {
    weight = 1;
    shifted = shiftedRight(value, 7);
  }
  auto table = definingOp<tosa::TableOp>(shifted);
  if (!table || (sum.index && sum.index != table.getInput1()))
    return false;
  sum.index = table.getInput1();
  std::optional<SmallVector<int64_t>> numbers = integersOf(table.getTable());
  if (!numbers || numbers->size() != 513)
    return false;
  for (auto [k, entry] : llvm::enumerate(sum.entries))
    entry += weight * static_cast<double>((*numbers)[256 - k]);
  return true;
}

/// Reads the sum of tables that `value` is: one for each byte of the number.
static bool readTables(Value value, Exponentials &sum) {
  SmallVector<Value> parts{value};
  for (int tables = 0; !parts.empty();) {
    Value part = parts.pop_back_val();
    if (auto add = part.getDefiningOp<tosa::AddOp>())
      parts.append({add.getInput1(), add.getInput2()});
    else if (++tables > 4 || !addTable(part, sum))
      return false;
    if (parts.size() > 4)
      return false;
  }
  return true;
}

/// The scale for which the entries are exp(-scale * k); nothing if there is
/// none.
static std::optional<double> findScale(const Exponentials &exponentials) {
  ArrayRef<double> entries(exponentials.entries);
  // Rounding of the entry hurts least where entry times difference is largest.
  size_t best = 1;
  for (size_t k = 2; k < entries.size(); ++k)
    if (entries[k] * k > entries[best] * best)
      best = k;
  double one = std::ldexp(1, 31);
  double scale = -std::log(entries[best] / one) / static_cast<double>(best);
  if (!(scale > 0) || !std::isfinite(scale))
    return std::nullopt;
  // Legalisers compute them in integers, good to 2^-21; the table of the kernel
  // has 15 bits.
  for (auto [k, entry] : llvm::enumerate(entries))
    if (std::abs(entry - std::exp(-scale * k) * one) > std::ldexp(1, 10))
      return std::nullopt;
  return scale;
}

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
