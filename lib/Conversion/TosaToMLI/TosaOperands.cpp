// SPDX-License-Identifier: Apache-2.0

#include "TosaOperands.h"

#include "mli/Frontend/Broadcast.h"
#include "mli/Frontend/Moves.h"

using namespace mlir;
using namespace mli;
using namespace mli::raising;

FailureOr<Operand> raising::readOperand(Operation *op, unsigned index,
                                        unsigned bits,
                                        MatchFailures &failures) {
  Value value = op->getOperand(index);
  FailureOr<RescaledValue> summand = readSummand(op, value, bits, failures);
  if (failed(summand))
    return failure();
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || !type.hasStaticShape())
    return failures.add(op, "expected operands of static shape, but got ",
                        value.getType());
  return Operand{*summand, llvm::to_vector(type.getShape())};
}

/// Whether `own` without its leading dimensions of 1 are the last dimensions
/// of `shape`.
static bool isTail(ArrayRef<int64_t> own, ArrayRef<int64_t> shape) {
  own = dropLeadingOnes(own);
  return own.size() <= shape.size() && shape.take_back(own.size()) == own;
}

/// The elements of the constant `operand`, repeated to `shape`; nothing if it
/// is no constant or has too many.
static std::optional<SmallVector<char>> repeat(const Operand &operand,
                                               ArrayRef<int64_t> shape) {
  ElementsAttr elements = getConstant(operand.value);
  std::optional<RawElements> raw =
      elements ? getRawElements(elements) : std::optional<RawElements>();
  if (!raw)
    return std::nullopt;
  ArrayRef<int64_t> own = operand.shape;
  return repeatBytes(raw->bytes, raw->isSplat ? ArrayRef<int64_t>() : own,
                     shape, raw->elementBytes);
}

LogicalResult raising::checkBroadcast(Operation *op, const Operand &operand,
                                      ArrayRef<int64_t> shape,
                                      MatchFailures &failures) {
  if (isTail(operand.shape, shape))
    return success();
  ElementsAttr elements = getConstant(operand.value);
  if (elements && getRawElements(elements) &&
      llvm::product_of(shape) <= maxRepeatedElements)
    return success();
  return checkTakes(op, operand.shape, *findRepeats(operand.shape, shape),
                    failures);
}

LogicalResult raising::checkShift(Operation *op, MatchFailures &failures) {
  auto product = dyn_cast<tosa::MulOp>(op);
  if (!product || isConstantSplat(product.getShift(), 0))
    return success();
  return failures.add(op, "expected 'shift' to be a constant 0, but got ",
                      product.getShift().getType());
}

LogicalResult raising::checkShapes(Operation *op, const Operand &left,
                                   const Operand &right,
                                   ArrayRef<int64_t> shape,
                                   MatchFailures &failures) {
  bool isBroadcast =
      left.shape.size() == shape.size() && right.shape.size() == shape.size();
  for (auto [extent, first, second] : llvm::zip(shape, left.shape, right.shape))
    isBroadcast &= extent == (first == 1 ? second : first) &&
                   (second == 1 || second == extent);
  if (isBroadcast)
    return success();
  // The verifier of products does not look at it.
  return failures.add(op, "expected a result of the shape to which ",
                      op->getOperand(0).getType(), " and ",
                      op->getOperand(1).getType(), " are broadcast, but got ",
                      op->getResult(0).getType());
}

std::optional<SmallVector<double>>
raising::readChannels(const Operand &operand, ArrayRef<int64_t> shape) {
  int64_t channels = shape.empty() ? 1 : shape.back();
  ArrayRef<int64_t> own = dropLeadingOnes(operand.shape);
  if (own.size() > 1 || (own.size() == 1 && own[0] != channels))
    return std::nullopt;
  std::optional<SmallVector<int64_t>> codes = getIntegers(operand.value);
  if (!codes)
    return std::nullopt;
  if (own.empty())
    codes->assign(channels, int64_t(codes->front()));
  return llvm::map_to_vector(*codes, [&](int64_t code) {
    return operand.getNumber(static_cast<double>(code));
  });
}

Value raising::readBroadcast(Emitter &emitter, const Operand &operand,
                             Value result, bool repeatsOne) {
  SmallVector<int64_t> flat = getFlatShape(result);
  if (operand.params.isConstant())
    return emitter.zeros(result, flat);
  Value value = operand.value;
  ArrayRef<int64_t> shape = getShape(result);
  ArrayRef<int64_t> own = dropLeadingOnes(operand.shape);
  if (own.empty() && !repeatsOne)
    return emitter.read(value, getFlatShape(value));
  if (own == dropLeadingOnes(shape))
    return emitter.read(value, flat);
  if (std::optional<SmallVector<char>> bytes = repeat(operand, shape)) {
    auto type = RankedTensorType::get(
        flat, getConstant(operand.value).getElementType());
    return emitter.constant(DenseElementsAttr::getFromRawBuffer(type, *bytes),
                            emitter.getElement(value));
  }
  if (isTail(own, shape))
    return emitter.read(value, mergeDims(own));
  Value taken = createTakes(emitter, emitter.read(value), operand.shape,
                            *findRepeats(operand.shape, shape));
  return emitter.createReshape(taken, flat);
}
