// SPDX-License-Identifier: Apache-2.0
//
// Legalizes elementwise arithmetic of two operands: each operand is rescaled to
// 32 bits, and the result is rescaled to i8.

#include "TosaOperands.h"
#include "TosaPatterns.h"

#include "mli/Analysis/CodeRanges.h"
#include "mli/Frontend/Broadcast.h"
#include "mli/Frontend/ShiftedMap.h"
#include "mli/Frontend/Sums.h"
#include "mli/IR/TensorSize.h"

#include <cmath>

using namespace mlir;
using namespace mli;
using namespace mli::raising;

namespace {

template <typename KernelOp>
class BinaryCluster : public Cluster {
public:
  BinaryCluster(Operation *root, Operation *subject, Operand left,
                Operand right, const RescaleParams &rescale)
      : Cluster(root, subject), operands{std::move(left), std::move(right)},
        outputZero(rescale.outputZero), factor(rescale.factors.front()) {}

  SmallVector<Constraint> getConstraints() const override;
  Value emit(Emitter &emitter) const override;

private:
  static constexpr bool isProduct = std::is_same_v<KernelOp, EltwiseMulOp>;
  static constexpr bool isSum =
      llvm::is_one_of<KernelOp, EltwiseAddOp, EltwiseSubOp>::value;
  static constexpr bool isOrder =
      llvm::is_one_of<KernelOp, EltwiseMinOp, EltwiseMaxOp>::value;

  Value createConstantSum(Emitter &emitter, unsigned variable) const;

  Operand operands[2];
  int64_t outputZero;
  double factor; ///< the factor of the rescale of the result
};

} // namespace

template <typename KernelOp>
SmallVector<Constraint> BinaryCluster<KernelOp>::getConstraints() const {
  SmallVector<Constraint> constraints{
      Constraint::zeroPoint(getResult(), outputZero)};
  double product = factor;
  for (const Operand &operand : operands) {
    if (operand.params.isConstant())
      continue;
    double own = operand.params.factors.front();
    product *= own;
    constraints.push_back(
        Constraint::zeroPoint(operand.value, operand.params.inputZero));
    if (!isProduct)
      constraints.push_back(
          Constraint::ratio(operand.value, getResult(), own * factor));
  }
  if (isProduct)
    constraints.push_back(Constraint::product(
        operands[0].value, operands[1].value, getResult(), product));
  return constraints;
}

/// The sum with a constant, rounded once; null if operand `variable` meets
/// none, or if the kernel is as good.
template <typename KernelOp>
Value BinaryCluster<KernelOp>::createConstantSum(Emitter &emitter,
                                                 unsigned variable) const {
  const Operand &operand = operands[variable],
                &constant = operands[1 - variable];
  ArrayRef<int64_t> shape = getShape(getResult());
  if (operand.params.isConstant() || constant.params.isConstant() ||
      llvm::product_of(operand.shape) != llvm::product_of(shape))
    return {};
  auto numbers = readChannels(constant, shape);
  if (!numbers)
    return {};
  constexpr double signs[] = {1, std::is_same_v<KernelOp, EltwiseSubOp> ? -1.0
                                                                        : 1.0};
  double own = operand.params.factors.front();
  for (double &number : *numbers)
    number *= signs[1 - variable] / own;
  Value source = emitter.read(operand.value, getFlatShape(getResult()));
  auto element = cast<Sa8Type>(emitter.getElement(getResult()));
  mli::quant::CodeRange range = getCodeRange(source);
  auto zero = static_cast<int32_t>(operand.params.inputZero);
  ShiftedMap map = {signs[variable],
                    *numbers,
                    own * factor,
                    {range.low - zero, range.high - zero},
                    element.getParams().front(),
                    {INT8_MIN, INT8_MAX}};
  auto round = [&](double number) {
    return std::floor(number * map.factor + 0.5);
  };
  return mli::createConstantSum(
      emitter, source, map, element, chooseClip(map.limits, map.out),
      [&](double value, double number) {
        return round(map.sign * value) + round(number);
      });
}

template <typename KernelOp>
Value BinaryCluster<KernelOp>::emit(Emitter &emitter) const {
  if (isSum && emitter.getForms().sums != SumForm::Kernel)
    for (unsigned variable : {0, 1})
      if (Value sum = createConstantSum(emitter, variable))
        return sum;
  Type element = emitter.getElement(getResult());
  SmallVector<int64_t> shape = getFlatShape(getResult());
  Value left = readBroadcast(emitter, operands[0], getResult());
  Value right = readBroadcast(emitter, operands[1], getResult());
  // The kernel compares quantized values, so both need one format.
  if (isOrder && getElementTypeOrSelf(left) != getElementTypeOrSelf(right)) {
    left = emitter.createConvert(left, element);
    right = emitter.createConvert(right, element);
  }
  bool isExact = isSum && needsExactSum(emitter.getForms().sums, left, right,
                                        element, {INT8_MIN, INT8_MAX});
  if (isExact && !isTensorSize(tensorBytes(shape, 16))) {
    emitRemark(getSubject()->getLoc(),
               "each operand is rounded by itself, since the sum in fx16 would "
               "have over 2147483647 bytes");
    isExact = false;
  }
  return createBroadcast(emitter, left, right, element, shape,
                         [&](Value lhs, Value rhs, Value init) -> Value {
                           if (isExact)
                             return createExactSum<KernelOp>(emitter, lhs, rhs,
                                                             init);
                           return emitter.createOp<KernelOp>(lhs, rhs, init);
                         });
}

//===----------------------------------------------------------------------===//
// Matching
//===----------------------------------------------------------------------===//

template <typename KernelOp>
static ClusterPtr match(Operation *op, tosa::RescaleOp root,
                        const RescaleParams &rescale, MatchFailures &failures) {
  Value output = root.getOutput();
  if (failed(checkCodes(root, output, "output", 8, failures)) ||
      failed(checkUniform(root, rescale, failures)))
    return nullptr;
  FailureOr<Operand> left = readOperand(op, 0, 8, failures);
  FailureOr<Operand> right = readOperand(op, 1, 8, failures);
  if (failed(left) || failed(right) ||
      failed(checkShapes(op, *left, *right, getShape(output), failures)))
    return nullptr;
  bool isZero[] = {left->params.isConstant(), right->params.isConstant()};
  constexpr bool isProduct = std::is_same_v<KernelOp, EltwiseMulOp>;
  if (isProduct ? isZero[0] || isZero[1] : isZero[0] && isZero[1])
    return matchConstant(root, rescale.outputZero, failures);
  if (isOneCode(*left, *right, isProduct))
    return matchMap(op, root, rescale, *left, *right, failures);
  for (const Operand *operand : {&*left, &*right})
    if (failed(checkBroadcast(op, *operand, getShape(output), failures)))
      return nullptr;
  return std::make_unique<BinaryCluster<KernelOp>>(root, op, *left, *right,
                                                   rescale);
}

ClusterPtr raising::matchBinary(tosa::RescaleOp root, const RescaledValue &sums,
                                MatchFailures &failures) {
  Operation *op = sums.value.getDefiningOp();
  const RescaleParams &rescale = sums.params;
  if (isa<tosa::AddOp>(op))
    return match<EltwiseAddOp>(op, root, rescale, failures);
  if (isa<tosa::SubOp>(op))
    return match<EltwiseSubOp>(op, root, rescale, failures);
  if (isa<tosa::MaximumOp>(op))
    return match<EltwiseMaxOp>(op, root, rescale, failures);
  if (isa<tosa::MinimumOp>(op))
    return match<EltwiseMinOp>(op, root, rescale, failures);
  if (failed(checkShift(op, failures)))
    return nullptr;
  return match<EltwiseMulOp>(op, root, rescale, failures);
}
