// SPDX-License-Identifier: Apache-2.0
//
// What is padded.

#include "LegalizeSubtensors.h"
#include "SlicePlacement.h"

#include "mli/IR/ConstantData.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mli;

/// The number that `value`, a scalar, is: that of a float, or the code that is
/// one element of a constant. Null if it is not known.
static TypedAttr knownNumber(Value value) {
  FloatAttr number;
  if (matchPattern(value, m_Constant(&number)))
    return number;
  auto extract = value.getDefiningOp<tensor::ExtractOp>();
  auto constant =
      extract ? extract.getTensor().getDefiningOp<ConstantOp>() : ConstantOp();
  if (!constant || !constant.getValue().isSplat())
    return {};
  Type storage = constant.getValue().getElementType();
  ArrayRef<char> bytes = *getHeldBytes(constant.getValue());
  auto code = DenseElementsAttr::getFromRawBuffer(
      RankedTensorType::get({1}, storage),
      bytes.take_front(storage.getIntOrFloatBitWidth() / 8));
  return code.getSplatValue<IntegerAttr>();
}

/// What a mov pads with.
static bool isZero(TypedAttr number) {
  if (auto code = dyn_cast<IntegerAttr>(number))
    return code.getValue().isZero();
  return cast<FloatAttr>(number).getValue().isPosZero();
}

/// A tensor of `number`s.
static Value createFilling(OpBuilder &builder, Location loc,
                           RankedTensorType type, TypedAttr number) {
  auto values = DenseElementsAttr::get(
      RankedTensorType::get(type.getShape(), number.getType()),
      Attribute(number));
  if (isa<FloatAttr>(number))
    return arith::ConstantOp::create(builder, loc, values);
  return ConstantOp::create(builder, loc, type, values);
}

/// What a mov adds at one side.
static bool isOfMov(int64_t padding) { return padding >= 0 && padding <= 255; }

void Placement::place(tensor::PadOp op) {
  auto type = cast<RankedTensorType>(op.getType());
  auto quantized = dyn_cast<QuantizedType>(type.getElementType());
  if (!isOfDialect(type) || (quantized && quantized.isPerAxis()))
    return;
  auto isNone = [](int64_t padding) { return padding == 0; };
  if (op.getSource().getType() == type &&
      llvm::all_of(op.getStaticLow(), isNone) &&
      llvm::all_of(op.getStaticHigh(), isNone))
    return replaceByPart(op, op.getSource());
  rewriter.setInsertionPoint(op);
  Value value = op.getConstantPaddingValue();
  bool isKnown = value && type.hasStaticShape() &&
                 !ShapedType::isDynamicShape(op.getStaticLow()) &&
                 !ShapedType::isDynamicShape(op.getStaticHigh());
  TypedAttr number = isKnown ? knownNumber(value) : TypedAttr();
  if (!number)
    return log.refuse(
        op, {std::nullopt,
             "expected 'tensor.pad' to have a constant as value and known "
             "padding, but got values",
             ""});
  std::string padding;
  llvm::raw_string_ostream os(padding);
  os << "but got [";
  llvm::interleaveComma(op.getStaticLow(), os);
  os << "] before and [";
  llvm::interleaveComma(op.getStaticHigh(), os);
  os << "] behind";
  auto isCut = [](int64_t padding) { return padding < 0; };
  if (llvm::any_of(op.getStaticLow(), isCut) ||
      llvm::any_of(op.getStaticHigh(), isCut))
    return log.refuse(op, {std::nullopt,
                           "expected padding that leaves elements of the "
                           "source, " +
                               padding,
                           ""});
  CopyCause cause{CopyReason::padding, "expected no padding, " + padding,
                  "padding of the kernel that reads it"};
  log.addCopy(op->getLoc(), cause, type);
  Value empty =
      tensor::EmptyOp::create(rewriter, op.getLoc(), type, ValueRange());
  CopyReasonAttr reason = getReasonAttr(op.getContext(), cause);
  bool isEmpty = llvm::is_contained(op.getSourceType().getShape(), 0);
  if (isZero(number) && !isEmpty && llvm::all_of(op.getStaticLow(), isOfMov) &&
      llvm::all_of(op.getStaticHigh(), isOfMov)) {
    auto mov =
        MovOp::create(rewriter, op.getLoc(), op.getSource(), empty, reason);
    mov.setPadLow(op.getStaticLow());
    mov.setPadHigh(op.getStaticHigh());
    replace(op, mov->getResult(0));
    return eraseIfDead(value);
  }
  Value filling = createFilling(rewriter, op.getLoc(), type, number);
  Value filled = MovOp::create(rewriter, op.getLoc(), filling, empty, reason)
                     ->getResult(0);
  if (isEmpty) {
    replace(op, filled);
    return eraseIfDead(value);
  }
  TensorPart part{op.getSource(),
                  getAsIndexOpFoldResult(op.getContext(), op.getStaticLow()),
                  0};
  Value whole = moveIn(op, filled, part);
  replace(op, whole);
  eraseIfDead(value);
}
