// SPDX-License-Identifier: Apache-2.0
//
// Legalizes functions of one operand, and of one and a constant: by a table of
// all quantised values of 8 bits, or by a difference in fx16.

#include "Conversion/TosaToMLI/Scales/TosaEmitter.h"
#include "TosaPatterns.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mli;
using namespace mli::raising;

/// Fails, with a reason for `op`, unless `input` and result are tensors of one
/// shape that kernels compute in up to 16 bits.
static LogicalResult checkOperand(Operation *op, Value input,
                                  MatchFailures &failures) {
  if (isStoredIn(input.getType(), 32))
    return failures.add(op, "expected i8 or i16 input, but got i32; rescale it "
                            "to i8 before");
  if (failed(checkMove(op, input, op->getResult(0), failures, /*maxBits=*/16)))
    return failure();
  if (getShape(input) == getShape(op->getResult(0)))
    return success();
  return failures.add(op, "expected an operand in the shape of the result, ",
                      op->getResult(0).getType(), ", but got ",
                      input.getType());
}

/// Creates the table of `function`, whose results are saturated.
static ClusterPtr createSaturated(Operation *op, Value input,
                                  llvm::function_ref<int64_t(int64_t)> code) {
  SmallVector<int64_t> entries;
  for (int64_t x = INT8_MIN; x <= INT8_MAX; ++x)
    entries.push_back(std::clamp<int64_t>(code(x), INT8_MIN, INT8_MAX));
  return createTable(op, input, entries);
}

//===----------------------------------------------------------------------===//
// Of one operand
//===----------------------------------------------------------------------===//

namespace {

/// A constant less an operand of 16 bits, and the maximum of both operand and
/// difference for the absolute value. Nothing is rounded: all is in one format.
class DifferenceCluster : public SameScaleCluster {
public:
  DifferenceCluster(Operation *op, int64_t constant)
      : SameScaleCluster(op, op->getOperand(0)), constant(constant) {}

  Value emit(Emitter &emitter) const override {
    SmallVector<int64_t> shape = getFlatShape(input);
    Value source = emitter.read(input, shape);
    Value from =
        emitter.createScalar(emitter.getElement(input), shape, constant);
    Value rest = emitter.createOp<EltwiseSubOp>(
        from, source, emitter.empty(getResult(), shape));
    if (!isa<tosa::AbsOp>(getRoot()))
      return rest;
    return emitter.createOp<EltwiseMaxOp>(source, rest,
                                          emitter.empty(getResult(), shape));
  }

private:
  int64_t constant;
};

} // namespace

static ClusterPtr matchNegate(tosa::NegateOp op, MatchFailures &failures) {
  FailureOr<int64_t> inputZero =
      readZeroPoint(op, op.getInput1Zp(), "input1_zp", failures);
  FailureOr<int64_t> outputZero =
      readZeroPoint(op, op.getOutputZp(), "output_zp", failures);
  if (failed(inputZero) || failed(outputZero))
    return nullptr;
  if (isStoredIn(op.getInput1().getType(), 8))
    return createSaturated(op, op.getInput1(), [&](int64_t x) {
      return *inputZero - x + *outputZero;
    });
  // The verifier has zero points for i8 alone.
  return std::make_unique<DifferenceCluster>(op, 0);
}

ClusterPtr raising::matchUnary(Operation *op, MatchFailures &failures) {
  Value input = op->getOperand(0);
  if (failed(checkOperand(op, input, failures)))
    return nullptr;
  if (auto negate = dyn_cast<tosa::NegateOp>(op))
    return matchNegate(negate, failures);
  bool isNot = isa<tosa::BitwiseNotOp>(op);
  // Of bits, the complement of x is -1 - x.
  if (!isStoredIn(input.getType(), 8))
    return std::make_unique<DifferenceCluster>(op, isNot ? -1 : 0);
  return createSaturated(op, input,
                         [&](int64_t x) { return isNot ? ~x : std::abs(x); });
}

//===----------------------------------------------------------------------===//
// Of an operand and a constant
//===----------------------------------------------------------------------===//

ClusterPtr raising::matchBitwise(Operation *op, MatchFailures &failures) {
  Value input;
  std::optional<int64_t> mask = findNumber(op, input);
  if (!mask)
    return failures.reject(op,
                           "expected a constant of equal elements as one "
                           "operand, but got ",
                           op->getOperand(0).getType(), " and ",
                           op->getOperand(1).getType(),
                           "; compute it outside of the network");
  if (!isStoredIn(input.getType(), 8))
    return failures.reject(op, "expected i8 operands, but got ",
                           getElementTypeOrSelf(input.getType()),
                           "; compute it outside of the network");
  if (failed(checkOperand(op, input, failures)))
    return nullptr;
  return createSaturated(op, input, [&](int64_t x) {
    return llvm::TypeSwitch<Operation *, int64_t>(op)
        .Case([&](tosa::BitwiseAndOp) { return x & *mask; })
        .Case([&](tosa::BitwiseOrOp) { return x | *mask; })
        .Default([&](Operation *) { return x ^ *mask; });
  });
}

/// The quantised value `x` of 8 bits, shifted by `op`.
static int64_t shift(Operation *op, int64_t x, int64_t by) {
  if (isa<tosa::LogicalLeftShiftOp>(op))
    return static_cast<int8_t>(static_cast<uint8_t>(x) << by);
  if (isa<tosa::LogicalRightShiftOp>(op))
    return static_cast<int8_t>(static_cast<uint8_t>(x) >> by);
  bool isRounded = cast<tosa::ArithmeticRightShiftOp>(op).getRound();
  return (x >> by) + (isRounded && by > 0 ? (x >> (by - 1)) & 1 : 0);
}

ClusterPtr raising::matchShift(Operation *op, MatchFailures &failures) {
  Value input = op->getOperand(0);
  if (!isStoredIn(input.getType(), 8))
    return nullptr;
  std::optional<int64_t> by = getSplat(op->getOperand(1));
  if (!by || *by < 0 || *by > 7)
    return failures.reject(op,
                           "expected 'input2' to be a constant of equal "
                           "elements in [0, 7], but got ",
                           op->getOperand(1).getType());
  if (failed(checkOperand(op, input, failures)))
    return nullptr;
  return createSaturated(op, input,
                         [&](int64_t x) { return shift(op, x, *by); });
}
