// SPDX-License-Identifier: Apache-2.0
//
// Legalizes the integer softmax that legalisers expand: exponentials from
// tables, their sum, its reciprocal by Newton's iteration, and the product.

#include "Conversion/TosaToMLI/Scales/TosaEmitter.h"
#include "TosaPatterns.h"

#include <cmath>

using namespace mlir;
using namespace mli;
using namespace mli::raising;

namespace {

class SoftmaxCluster : public Cluster {
public:
  using Cluster::Cluster;

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
    return emitter.createOp<SoftmaxOp>(
        source, init, isWhole ? -1 : static_cast<int32_t>(axis));
  }

  Value input;
  int64_t inputZero = 0;
  double inputScale = 0; ///< multiplied by beta
  int64_t axis = 0;
};

} // namespace

//===----------------------------------------------------------------------===//
// Tables of exponentials
//===----------------------------------------------------------------------===//

namespace {

/// The table exp(-scale * k) in Q31 for every difference k of two quantized
/// values.
struct Exponentials {
  mlir::Value index; ///< the index into the tables
  double entries[256] = {};
};

} // namespace

/// Matches a rounded shift to the right by `shift` and returns its operand,
/// else null.
static Value matchRightShift(Value value, int64_t shift) {
  auto op = getDefiningOp<tosa::ArithmeticRightShiftOp>(value);
  return op && op.getRound() && isConstantSplat(op.getInput2(), shift)
             ? op.getInput1()
             : Value();
}

/// Adds one table, shifted by the place of its byte, to `sum`.
static bool addTable(Value value, Exponentials &sum) {
  // A table of 16 bits returns 7 fraction bits, all of them 0 here.
  double weight = std::ldexp(1, 7);
  Value shifted;
  if (auto op = value.getDefiningOp<tosa::LogicalLeftShiftOp>()) {
    std::optional<SmallVector<int64_t>> shift = getIntegers(op.getInput2());
    if (!shift || shift->size() != 1 || shift->front() < 0 ||
        shift->front() > 31)
      return false;
    weight = std::ldexp(weight, static_cast<int>(shift->front()));
    shifted = op.getInput1();
  } else {
    weight = 1;
    shifted = matchRightShift(value, 7);
  }
  auto table = getDefiningOp<tosa::TableOp>(shifted);
  if (!table || (sum.index && sum.index != table.getInput1()))
    return false;
  sum.index = table.getInput1();
  std::optional<SmallVector<int64_t>> numbers = getIntegers(table.getTable());
  if (!numbers || numbers->size() != 513)
    return false;
  for (auto [k, entry] : llvm::enumerate(sum.entries))
    entry += weight * static_cast<double>((*numbers)[256 - k]);
  return true;
}

/// Reads a sum of tables, one for each byte of the number.
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
  // Rounding of an entry matters least where entry times difference is largest.
  size_t best = 1;
  for (size_t k = 2; k < entries.size(); ++k)
    if (entries[k] * k > entries[best] * best)
      best = k;
  double one = std::ldexp(1, 31);
  double scale = -std::log(entries[best] / one) / static_cast<double>(best);
  if (!(scale > 0) || !std::isfinite(scale))
    return std::nullopt;
  // Legalisers compute the entries in integers, exact to 2^-21; the table of
  // the kernel has 15 bits.
  for (auto [k, entry] : llvm::enumerate(entries))
    if (std::abs(entry - std::exp(-scale * k) * one) > std::ldexp(1, 10))
      return std::nullopt;
  return scale;
}

//===----------------------------------------------------------------------===//
// AxisView of the softmax
//===----------------------------------------------------------------------===//

/// Matches a commutative `Op` with a constant `number` and returns its other
/// operand, else null.
template <typename Op>
static Value getOtherOperand(Value value, int64_t number) {
  auto op = getDefiningOp<Op>(value);
  for (unsigned i = 0; op && i < 2; ++i)
    if (isConstantSplat(op->getOperand(i), number))
      return op->getOperand(1 - i);
  return {};
}

/// Matches a subtraction from the constant `number` and returns what is
/// subtracted, else null.
static Value matchSubtraction(Value value, int64_t number) {
  auto op = getDefiningOp<tosa::SubOp>(value);
  return op && isConstantSplat(op.getInput1(), number) ? op.getInput2()
                                                       : Value();
}

/// Matches a product whose result is shifted by `shift`.
static tosa::MulOp matchProduct(Value value, int64_t shift) {
  auto op = getDefiningOp<tosa::MulOp>(value);
  return op && isConstantSplat(op.getShift(), shift) ? op : tosa::MulOp();
}

/// Returns the operand of a product that is not `known`; null if both are not.
static Value getOtherFactor(tosa::MulOp op, Value known) {
  if (!op)
    return {};
  if (op.getInput1() == known)
    return op.getInput2();
  return op.getInput2() == known ? op.getInput1() : Value();
}

/// Matches a rescale by `factor`. Zero points are 0, since TOSA allows others
/// for i8 only.
static tosa::RescaleOp matchRescale(Value value, double factor) {
  auto op = getDefiningOp<tosa::RescaleOp>(value);
  MatchFailures unused;
  if (!op)
    return {};
  FailureOr<RescaleParams> params = readRescale(op, unused);
  if (failed(params) || params->factors.size() != 1 ||
      params->factors.front() != factor)
    return {};
  return op;
}

/// Matches a Newton step `x + 4 * x * (1/4 - x * half)` in Q29 and returns `x`.
static Value matchNewtonStep(Value value, Value half) {
  auto sum = value.getDefiningOp<tosa::AddOp>();
  for (unsigned i = 0; sum && i < 2; ++i) {
    Value x = sum->getOperand(i);
    Value step = getOtherOperand<tosa::MulOp>(sum->getOperand(1 - i), 4);
    Value error = getOtherFactor(matchProduct(step, 31), x);
    Value known = matchSubtraction(error, int64_t(1) << 29);
    if (getOtherFactor(matchProduct(known, 31), x) == half && known)
      return x;
  }
  return {};
}

/// Whether `value` approximates 1 / `half` by three steps from the best line.
static bool isReciprocal(Value value, Value half) {
  for (int step = 0; step < 3 && value; ++step)
    value = matchNewtonStep(value, half);
  Value line =
      value ? getOtherOperand<tosa::AddOp>(value, 1515870810) : Value();
  return matchProduct(line, 31) &&
         getOtherOperand<tosa::MulOp>(line, -1010580540) == half;
}

//===----------------------------------------------------------------------===//
// The softmax
//===----------------------------------------------------------------------===//

namespace {

/// The values that the steps of the match pass on.
struct SoftmaxMatch {
  Value exponentials;
  Value logits; ///< i8
  int64_t axis = 0;
  int64_t inputZero = 0;
  Exponentials tables;
};

} // namespace

/// Matches from the sum of exponentials `total` back to the exponentials.
static bool matchTotal(Value total, SoftmaxMatch &softmax) {
  auto sum = total.getDefiningOp<tosa::ReduceSumOp>();
  if (!sum || matchRightShift(sum.getInput(), 12) != softmax.exponentials)
    return false;
  softmax.axis = sum.getAxis();
  return true;
}

/// Matches from the exponentials back to the logits, less their maximum.
static bool matchLogits(SoftmaxMatch &softmax) {
  if (!readTables(softmax.exponentials, softmax.tables))
    return false;
  auto index = matchRescale(softmax.tables.index, 128);
  if (!index)
    return false;
  auto below = index.getInput().getDefiningOp<tosa::SubOp>();
  auto largest =
      getDefiningOp<tosa::ReduceMaxOp>(below ? below.getInput2() : Value());
  if (!largest || largest.getInput() != below.getInput1() ||
      largest.getAxis() != softmax.axis)
    return false;
  auto wide = matchRescale(below.getInput1(), 1);
  if (!wide)
    return false;
  softmax.inputZero = getIntegers(wide.getInputZp())->front();
  softmax.logits = wide.getInput();
  return true;
}

/// Matches all operations before the last rescale, whose input is `value`.
static bool matchOperations(Value value, SoftmaxMatch &softmax) {
  auto shift = value.getDefiningOp<tosa::ArithmeticRightShiftOp>();
  auto scaled = shift && shift.getRound() ? matchProduct(shift.getInput1(), 30)
                                          : tosa::MulOp();
  Value zeros = scaled ? matchSubtraction(shift.getInput2(), 35) : Value();
  auto count = getDefiningOp<tosa::ClzOp>(zeros);
  if (!count)
    return false;
  Value total = count.getInput1();
  for (unsigned i = 0; i < 2; ++i) {
    softmax.exponentials = scaled->getOperand(i);
    Value reciprocal = scaled->getOperand(1 - i);
    if (!matchTotal(total, softmax))
      continue;
    for (Operation *user : total.getUsers()) {
      auto half = dyn_cast<tosa::LogicalLeftShiftOp>(user);
      auto less = getDefiningOp<tosa::SubOp>(half ? half.getInput2() : Value());
      if (less && less.getInput1() == zeros &&
          isConstantSplat(less.getInput2(), 1) && half.getInput1() == total &&
          isReciprocal(reciprocal, half))
        return matchLogits(softmax);
    }
  }
  return false;
}

ClusterPtr raising::matchSoftmax(tosa::RescaleOp op, MatchFailures &failures) {
  if (failed(checkFeatureMap(op, op.getOutput(), "output", failures)))
    return nullptr;
  SoftmaxMatch softmax;
  if (!matchRescale(op.getOutput(), 1) ||
      !matchOperations(op.getInput(), softmax))
    return failures.reject(op, "expected the operations of an integer softmax "
                               "before it, but got others");
  int64_t outputZero = getIntegers(op.getOutputZp())->front();
  if (outputZero != -128)
    return failures.reject(op,
                           "expected 'output_zp' of a softmax to be -128, but "
                           "got ",
                           outputZero);
  if (failed(checkFeatureMap(op, softmax.logits, "input of the softmax",
                             failures)))
    return nullptr;
  if (failed(verifyCompatibleShape(softmax.logits.getType(),
                                   op.getOutput().getType())))
    return failures.reject(op, "expected the softmax to keep the shape of ",
                           softmax.logits.getType(), ", but got ",
                           op.getOutput().getType());
  std::optional<double> scale = findScale(softmax.tables);
  if (!scale)
    return failures.reject(op, "expected the tables of the softmax to hold "
                               "exp(-scale * k), but got others");
  auto cluster = std::make_unique<SoftmaxCluster>(op, op);
  cluster->input = softmax.logits;
  cluster->inputZero = softmax.inputZero;
  cluster->inputScale = *scale;
  cluster->axis = softmax.axis;
  return cluster;
}
