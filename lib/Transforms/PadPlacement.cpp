// SPDX-License-Identifier: Apache-2.0
//
// What is padded.

#include "LegalizeSubtensors.h"
#include "SlicePlacement.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mli;

/// The code that `value`, a scalar, is, as one element of a constant; null if
/// it is not known.
static Attribute knownCode(Value value) {
  auto extract = value.getDefiningOp<tensor::ExtractOp>();
  auto constant =
      extract ? extract.getTensor().getDefiningOp<ConstantOp>() : ConstantOp();
  if (!constant || !constant.getValue().isSplat())
    return {};
  return constant.getValue().getSplatValue<Attribute>();
}

static bool isZeroCode(Value value) {
  if (matchPattern(value, m_PosZeroFloat()))
    return true;
  auto code = dyn_cast_or_null<IntegerAttr>(knownCode(value));
  return code && code.getValue().isZero();
}

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
  bool isZero = isKnown && isZeroCode(value);
  auto code =
      isKnown ? dyn_cast_or_null<IntegerAttr>(knownCode(value)) : IntegerAttr();
  if (!isZero && !code)
    return log.refuse(
        op, {std::nullopt,
             "expected 'tensor.pad' to have a constant as value and known "
             "padding, but got values",
             ""});
  std::string padding;
  llvm::raw_string_ostream os(padding);
  os << "expected no padding, but got [";
  llvm::interleaveComma(op.getStaticLow(), os);
  os << "] before and [";
  llvm::interleaveComma(op.getStaticHigh(), os);
  os << "] behind";
  CopyCause cause{CopyReason::padding, padding,
                  "padding of the kernel that reads it"};
  log.addCopy(op->getLoc(), cause, type);
  Value empty =
      tensor::EmptyOp::create(rewriter, op.getLoc(), type, ValueRange());
  CopyReasonAttr reason = getReasonAttr(op.getContext(), cause);
  if (isZero) {
    auto mov =
        MovOp::create(rewriter, op.getLoc(), op.getSource(), empty, reason);
    mov.setPadLow(op.getStaticLow());
    mov.setPadHigh(op.getStaticHigh());
    replace(op, mov->getResult(0));
    return eraseIfDead(value);
  }
  auto codes = RankedTensorType::get(type.getShape(), code.getType());
  Value filling =
      ConstantOp::create(rewriter, op.getLoc(), type,
                         DenseElementsAttr::get(codes, Attribute(code)));
  Value filled = MovOp::create(rewriter, op.getLoc(), filling, empty, reason)
                     ->getResult(0);
  TensorPart part{op.getSource(),
                  getAsIndexOpFoldResult(op.getContext(), op.getStaticLow()),
                  0};
  Value whole = moveIn(op, filled, part);
  replace(op, whole);
  eraseIfDead(value);
}
