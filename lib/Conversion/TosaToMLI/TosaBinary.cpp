// SPDX-License-Identifier: Apache-2.0
//
// Raising arithmetic of two operands, element by element: each is rescaled to
// 32 bits, and so is the result to i8.

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
class BinaryGroup : public Group {
public:
  BinaryGroup(Operation *root, Operation *subject, RescaledValue left,
              RescaledValue right, const RescaleParams &rescale)
      : Group(root, subject), operands{std::move(left), std::move(right)},
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
  double factor; ///< of the rescale of the result
};

} // namespace

template <typename KernelOp>
SmallVector<Constraint> BinaryGroup<KernelOp>::getConstraints() const {
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

/// One element in any shape, all of `shape`, or its last dimensions; zeros
/// where nothing is left of it.
template <typename KernelOp>
Value BinaryGroup<KernelOp>::readOperand(Emitter &emitter,
                                         const RescaledValue &operand,
                                         ArrayRef<int64_t> shape) const {
  if (operand.params.isConstant())
    return emitter.zeros(getResult(), shape);
  Value value = operand.value;
  ArrayRef<int64_t> own = withoutLeadingOnes(shapeOf(value));
  if (own.empty())
    return emitter.read(value, withoutBatch(value));
  if (own == withoutLeadingOnes(shape))
    return emitter.read(value, shape);
  ElementsAttr codes = constantOf(value);
  std::optional<RawElements> raw =
      codes ? rawElements(codes) : std::optional<RawElements>();
  if (!raw)
    return emitter.read(value, own);
  std::optional<SmallVector<char>> bytes =
      repeatBytes(raw->bytes, raw->isSplat ? ArrayRef<int64_t>() : own, shape);
  if (!bytes)
    return emitter.read(value, own);
  auto type = RankedTensorType::get(shape, codes.getElementType());
  return emitter.constant(DenseElementsAttr::getFromRawBuffer(type, *bytes),
                          emitter.getElement(value));
}

template <typename KernelOp>
Value BinaryGroup<KernelOp>::emit(Emitter &emitter) const {
  Type element = emitter.getElement(getResult());
  ArrayRef<int64_t> shape = withoutBatch(getResult());
  Value left = readOperand(emitter, operands[0], shape);
  Value right = readOperand(emitter, operands[1], shape);
  // The kernel compares codes.
  if (isOrder && getElementTypeOrSelf(left) != getElementTypeOrSelf(right)) {
    left = emitter.createConvert(left, element);
    right = emitter.createConvert(right, element);
  }
  bool isExact = isSum && emitter.hasExactSums();
  if (isExact && !isTensorSize(tensorBytes(shape, 16))) {
    emitRemark(getSubject()->getLoc(),
               "each operand is rounded by itself, since the sum in fx16 would "
               "have over 2147483647 bytes");
    isExact = false;
  }
  return createBroadcast(
      emitter, left, right, element, shape,
      [&](Value lhs, Value rhs, Value init) -> Value {
        if (isExact)
          return createExactSum<KernelOp>(emitter, lhs, rhs, init);
        return KernelOp::create(emitter.getBuilder(), emitter.getLoc(), lhs,
                                rhs, init)
            .getResult(0);
      });
}

//===----------------------------------------------------------------------===//
// Matching
//===----------------------------------------------------------------------===//

/// Whether kernels meet `operand` of a result of `shape`, in a loop or not.
static bool isMet(Value operand, ArrayRef<int64_t> shape) {
  ArrayRef<int64_t> own = withoutLeadingOnes(shapeOf(operand));
  if (own.size() <= shape.size() && shape.take_back(own.size()) == own)
    return true;
  ElementsAttr codes = constantOf(operand);
  return codes && rawElements(codes) &&
         llvm::product_of(shape) <= maxRepeatedElements;
}

template <typename KernelOp>
static GroupPtr match(Operation *op, tosa::RescaleOp root,
                      const RescaleParams &rescale, Refusals &refusals) {
  if (failed(checkMap(root, root.getOutput(), "output", refusals)) ||
      failed(checkUniform(root, rescale, refusals)))
    return nullptr;
  FailureOr<RescaledValue> left = readWidening(op, op->getOperand(0), refusals);
  FailureOr<RescaledValue> right =
      readWidening(op, op->getOperand(1), refusals);
  if (failed(left) || failed(right))
    return nullptr;
  bool isZero[] = {left->params.isConstant(), right->params.isConstant()};
  bool isProduct = std::is_same_v<KernelOp, EltwiseMulOp>;
  if (isProduct ? isZero[0] || isZero[1] : isZero[0] && isZero[1])
    return matchConstant(root, rescale.outputZero, refusals);
  for (Value operand : {left->value, right->value})
    if (!isMet(operand, shapeOf(root.getOutput())))
      return refusals.refuse(op,
                             "expected operands of one shape, its last "
                             "dimensions or one element, but got ",
                             left->value.getType(), " and ",
                             right->value.getType());
  return std::make_unique<BinaryGroup<KernelOp>>(root, op, *left, *right,
                                                 rescale);
}

GroupPtr raising::matchBinary(tosa::RescaleOp root, const RescaledValue &sums,
                              Refusals &refusals) {
  Operation *op = sums.value.getDefiningOp();
  const RescaleParams &rescale = sums.params;
  if (isa<tosa::AddOp>(op))
    return match<EltwiseAddOp>(op, root, rescale, refusals);
  if (isa<tosa::SubOp>(op))
    return match<EltwiseSubOp>(op, root, rescale, refusals);
  if (isa<tosa::MaximumOp>(op))
    return match<EltwiseMaxOp>(op, root, rescale, refusals);
  if (isa<tosa::MinimumOp>(op))
    return match<EltwiseMinOp>(op, root, rescale, refusals);
  auto product = cast<tosa::MulOp>(op);
  if (!isSplatOf(product.getShift(), 0))
    return refusals.refuse(op, "expected 'shift' to be a constant 0, but got ",
                           product.getShift().getType());
  return match<EltwiseMulOp>(op, root, rescale, refusals);
}
