// SPDX-License-Identifier: Apache-2.0
//
// Legalizes sums, differences and products of i16 between rescales with any
// factors. Scales of 16 bits are powers of two, so kernels multiply by the
// rest.

#include "TosaOperands.h"

#include "mli/Frontend/Broadcast.h"
#include "mli/Frontend/WideSum.h"

using namespace mlir;
using namespace mli;
using namespace mli::raising;

namespace {

class WideCluster : public Cluster {
public:
  WideCluster(Operation *root, Operation *subject, Operand left, Operand right,
              const RescaleParams &rescale)
      : Cluster(root, subject), operands{std::move(left), std::move(right)},
        outputZero(rescale.outputZero), factor(rescale.factors.front()) {}

  SmallVector<Constraint> getConstraints() const override {
    return {
        Constraint::zeroPoint(operands[0].value, operands[0].params.inputZero),
        Constraint::zeroPoint(operands[1].value, operands[1].params.inputZero),
        Constraint::zeroPoint(getResult(), outputZero)};
  }

protected:
  static Fx16Type getElement(const Scales &scales, Value value) {
    return cast<Fx16Type>(scales.getElement(value));
  }
  /// The factor of an operand alone.
  double getFactor(unsigned operand) const {
    return operands[operand].params.factors.front();
  }

  Operand operands[2];
  int64_t outputZero;
  double factor; ///< the factor of the rescale of the result
};

class WideSumCluster : public WideCluster {
public:
  using WideCluster::WideCluster;

  LogicalResult choose(const Scales &scales, MatchFailures &failures) override;
  Value emit(Emitter &emitter) const override;

private:
  WideTerms terms;
};

class WideProductCluster : public WideCluster {
public:
  using WideCluster::WideCluster;

  LogicalResult choose(const Scales &scales, MatchFailures &failures) override;
  Value emit(Emitter &emitter) const override;

private:
  WideSteps steps;
};

} // namespace

LogicalResult raising::checkFactor(Operation *op, double factor, Fx16Type from,
                                   Fx16Type to, MatchFailures &failures) {
  if (findFactorElement(factor, from, to))
    return success();
  return failures.add(op, "expected a factor in the range of 16 bits, but got ",
                      factor);
}

LogicalResult WideSumCluster::choose(const Scales &scales,
                                     MatchFailures &failures) {
  Fx16Type element = getElement(scales, getResult());
  for (const Operand &operand : operands)
    if (failed(checkFactor(getSubject(), 1, getElement(scales, operand.value),
                           element, failures)))
      return failure();
  double sign = isa<tosa::SubOp>(getSubject()) ? -1 : 1;
  double factors[] = {getFactor(0) * factor, sign * getFactor(1) * factor};
  std::string reason;
  auto chosen = chooseTerms(element, element, factors, {0.0},
                            /*isClippedAtZero=*/false, maxWideError, reason);
  if (failed(chosen))
    return failures.add(getSubject(), reason);
  terms = std::move(*chosen);
  return success();
}

Value WideSumCluster::emit(Emitter &emitter) const {
  auto element = cast<Fx16Type>(emitter.getElement(getResult()));
  auto read = [&](const Operand &operand) {
    Value value =
        readBroadcast(emitter, operand, getResult(), /*repeatsOne=*/true);
    // The same codes, since the factors are those of codes.
    return getElementTypeOrSelf(value) == element
               ? value
               : createWideFactor(emitter, value, 1, element);
  };
  Value left = read(operands[0]), right = read(operands[1]);
  LayerOperands layer = createOperands(emitter, terms, {1, 1, 2, 1});
  return createBroadcast(
      emitter, left, right, element, getFlatShape(getResult()),
      [&](Value lhs, Value rhs, Value) {
        return createPairSum(emitter, lhs, rhs, layer, element);
      });
}

LogicalResult WideProductCluster::choose(const Scales &scales,
                                         MatchFailures &failures) {
  std::string reason;
  FailureOr<WideSteps> split =
      splitFactor(getElement(scales, operands[0].value),
                  getElement(scales, operands[1].value),
                  getFactor(0) * getFactor(1) * factor, reason);
  if (failed(split))
    return failures.add(getSubject(), reason);
  steps = *split;
  return checkFactor(getSubject(), steps.rest, steps.product,
                     getElement(scales, getResult()), failures);
}

Value WideProductCluster::emit(Emitter &emitter) const {
  Value left = readBroadcast(emitter, operands[0], getResult());
  Value right = readBroadcast(emitter, operands[1], getResult());
  return createBroadcast(
      emitter, left, right, emitter.getElement(getResult()),
      getFlatShape(getResult()), [&](Value lhs, Value rhs, Value init) {
        return createWideProduct(emitter, lhs, rhs, steps, init);
      });
}

//===----------------------------------------------------------------------===//
// Matching
//===----------------------------------------------------------------------===//

/// Fails, with a reason for `op`, if a sum of pairs of `shape` has no pair for
/// some elements of `operand`.
static LogicalResult checkPairs(Operation *op, const Operand &operand,
                                ArrayRef<int64_t> shape,
                                MatchFailures &failures) {
  int64_t count = llvm::product_of(shape);
  if (count == 1 || !dropLeadingOnes(operand.shape).empty() ||
      (getConstant(operand.value) && count <= maxRepeatedElements))
    return success();
  return failures.add(op, "expected operands of i16 with dimensions, but got ",
                      operand.value.getType());
}

static ClusterPtr match(tosa::RescaleOp root, Operation *op,
                        const RescaleParams &rescale, MatchFailures &failures) {
  if (failed(checkShift(op, failures)) ||
      failed(checkUniform(root, rescale, failures)) ||
      failed(checkCodes(root, root.getOutput(), "output", 16, failures)))
    return nullptr;
  bool isProduct = isa<tosa::MulOp>(op);
  ArrayRef<int64_t> shape = getShape(root.getOutput());
  FailureOr<Operand> left = readOperand(op, 0, 16, failures);
  FailureOr<Operand> right = readOperand(op, 1, 16, failures);
  if (failed(left) || failed(right) ||
      failed(checkShapes(op, *left, *right, shape, failures)))
    return nullptr;
  for (const Operand *operand : {&*left, &*right}) {
    if (operand->isNumber() || operand->params.isConstant())
      return failures.reject(op,
                             "expected two tensors of i16 that are not "
                             "rescaled by 0, but got ",
                             operand->value.getType());
    if (failed(checkBroadcast(op, *operand, shape, failures)) ||
        (!isProduct && failed(checkPairs(op, *operand, shape, failures))))
      return nullptr;
  }
  if (isProduct)
    return std::make_unique<WideProductCluster>(root, op, *left, *right,
                                                rescale);
  return std::make_unique<WideSumCluster>(root, op, *left, *right, rescale);
}

/// Whether `op` has an operand of i16. Others are within a softmax.
static bool isWide(Operation *op) {
  MatchFailures ignored;
  return llvm::any_of(op->getOperands().take_front(2), [&](Value value) {
    FailureOr<RescaledValue> summand = readSummand(op, value, 16, ignored);
    return succeeded(summand) && isStoredIn(summand->value.getType(), 16);
  });
}

ClusterPtr raising::matchWideBinary(tosa::RescaleOp root,
                                    const RescaledValue &sums,
                                    MatchFailures &failures) {
  Operation *op = sums.value.getDefiningOp();
  if (!isWide(op))
    return nullptr;
  ClusterPtr cluster = match(root, op, sums.params, failures);
  if (!cluster)
    rejectRoot(root, op, failures);
  return cluster;
}
