// SPDX-License-Identifier: Apache-2.0
//
// Legalizes elementwise arithmetic of two operands: each operand is rescaled to
// 32 bits, and the result is rescaled to i8.

#include "TosaEmitter.h"
#include "TosaPatterns.h"

#include "mli/Frontend/Broadcast.h"
#include "mli/Frontend/Sums.h"
#include "mli/IR/TensorSize.h"

using namespace mlir;
using namespace mli;
using namespace mli::raising;

namespace {

template <typename KernelOp>
class BinaryCluster : public Cluster {
public:
  BinaryCluster(Operation *root, Operation *subject, RescaledValue left,
                RescaledValue right, const RescaleParams &rescale)
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

  Value readOperand(Emitter &emitter, const RescaledValue &operand,
                    ArrayRef<int64_t> shape) const;

  RescaledValue operands[2];
  int64_t outputZero;
  double factor; ///< the factor of the rescale of the result
};

} // namespace

template <typename KernelOp>
SmallVector<Constraint> BinaryCluster<KernelOp>::getConstraints() const {
  SmallVector<Constraint> constraints{
      Constraint::zeroPoint(getResult(), outputZero)};
  double product = factor;
  for (const RescaledValue &operand : operands) {
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

/// Reads an operand as one element in any shape, in `shape` or in its last
/// dimensions; as zeros where its rescale multiplies by 0.
template <typename KernelOp>
Value BinaryCluster<KernelOp>::readOperand(Emitter &emitter,
                                           const RescaledValue &operand,
                                           ArrayRef<int64_t> shape) const {
  if (operand.params.isConstant())
    return emitter.zeros(getResult(), shape);
  Value value = operand.value;
  ArrayRef<int64_t> own = dropLeadingOnes(getShape(value));
  if (own.empty())
    return emitter.read(value, withoutBatch(value));
  if (own == dropLeadingOnes(shape))
    return emitter.read(value, shape);
  ElementsAttr elements = getConstant(value);
  std::optional<RawElements> raw =
      elements ? getRawElements(elements) : std::optional<RawElements>();
  if (!raw)
    return emitter.read(value, own);
  std::optional<SmallVector<char>> bytes =
      repeatBytes(raw->bytes, raw->isSplat ? ArrayRef<int64_t>() : own, shape);
  if (!bytes)
    return emitter.read(value, own);
  auto type = RankedTensorType::get(shape, elements.getElementType());
  return emitter.constant(DenseElementsAttr::getFromRawBuffer(type, *bytes),
                          emitter.getElement(value));
}

template <typename KernelOp>
Value BinaryCluster<KernelOp>::emit(Emitter &emitter) const {
  Type element = emitter.getElement(getResult());
  ArrayRef<int64_t> shape = withoutBatch(getResult());
  Value left = readOperand(emitter, operands[0], shape);
  Value right = readOperand(emitter, operands[1], shape);
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

/// Whether `operand` can be broadcast to `shape`: it has the last dimensions of
/// `shape`, or is a constant that can be repeated in memory.
static bool isBroadcastable(Value operand, ArrayRef<int64_t> shape) {
  ArrayRef<int64_t> own = dropLeadingOnes(getShape(operand));
  if (own.size() <= shape.size() && shape.take_back(own.size()) == own)
    return true;
  ElementsAttr elements = getConstant(operand);
  return elements && getRawElements(elements) &&
         llvm::product_of(shape) <= maxRepeatedElements;
}

template <typename KernelOp>
static ClusterPtr match(Operation *op, tosa::RescaleOp root,
                        const RescaleParams &rescale, MatchFailures &failures) {
  if (failed(checkFeatureMap(root, root.getOutput(), "output", failures)) ||
      failed(checkUniform(root, rescale, failures)))
    return nullptr;
  FailureOr<RescaledValue> left = readWidening(op, op->getOperand(0), failures);
  FailureOr<RescaledValue> right =
      readWidening(op, op->getOperand(1), failures);
  if (failed(left) || failed(right))
    return nullptr;
  bool isZero[] = {left->params.isConstant(), right->params.isConstant()};
  bool isProduct = std::is_same_v<KernelOp, EltwiseMulOp>;
  if (isProduct ? isZero[0] || isZero[1] : isZero[0] && isZero[1])
    return matchConstant(root, rescale.outputZero, failures);
  for (Value operand : {left->value, right->value})
    if (!isBroadcastable(operand, getShape(root.getOutput())))
      return failures.reject(op,
                             "expected operands of one shape, its last "
                             "dimensions or one element, but got ",
                             left->value.getType(), " and ",
                             right->value.getType());
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
  auto product = cast<tosa::MulOp>(op);
  if (!isConstantSplat(product.getShift(), 0))
    return failures.reject(op, "expected 'shift' to be a constant 0, but got ",
                           product.getShift().getType());
  return match<EltwiseMulOp>(op, root, rescale, failures);
}
