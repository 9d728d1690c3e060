// SPDX-License-Identifier: Apache-2.0
//
// Folds tensor.pad into the destination of its producer.

#include "DestinationPassing.h"
#include "LegalizeSubtensors.h"

#include "mli/IR/ConstantData.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mli;

/// The constant that `value`, a scalar, is: a float, or the quantised value of
/// all elements of an `mli.constant`. Null if it is not known.
static TypedAttr getConstantNumber(Value value) {
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

/// Whether `mli.mov` pads with `number`.
static bool isZero(TypedAttr number) {
  if (auto code = dyn_cast<IntegerAttr>(number))
    return code.getValue().isZero();
  return cast<FloatAttr>(number).getValue().isPosZero();
}

/// Creates a constant of `type` whose elements are all `number`.
static Value createFilling(OpBuilder &builder, Location loc,
                           RankedTensorType type, TypedAttr number) {
  auto values = DenseElementsAttr::get(
      RankedTensorType::get(type.getShape(), number.getType()),
      Attribute(number));
  if (isa<FloatAttr>(number))
    return arith::ConstantOp::create(builder, loc, values);
  return ConstantOp::create(builder, loc, type, values);
}

namespace {

/// A block of the result that holds padding only.
struct Border {
  SmallVector<int64_t> offsets, sizes;
};

} // namespace

/// The blocks that `op` adds: for each dimension those before and after the
/// source, which extend over the source only in the dimensions before it and
/// over the whole result in those after it.
static SmallVector<Border> getBorders(tensor::PadOp op) {
  ArrayRef<int64_t> shape = op.getResultType().getShape();
  ArrayRef<int64_t> inner = op.getSourceType().getShape();
  Border rest{SmallVector<int64_t>(shape.size(), 0),
              SmallVector<int64_t>(shape)};
  SmallVector<Border> borders;
  auto add = [&](size_t dim, int64_t offset, int64_t size) {
    if (size == 0)
      return;
    borders.push_back(rest);
    borders.back().offsets[dim] = offset;
    borders.back().sizes[dim] = size;
  };
  for (auto [dim, low, high] :
       llvm::enumerate(op.getStaticLow(), op.getStaticHigh())) {
    add(dim, 0, low);
    add(dim, low + inner[dim], high);
    rest.offsets[dim] = low;
    rest.sizes[dim] = inner[dim];
  }
  return borders;
}

/// Whether `mli.mov` can add `padding` indices at one side.
static bool isPaddingOfMov(int64_t padding) {
  return padding >= 0 && padding <= 255;
}

void DestinationPassingRewriter::fold(tensor::PadOp op) {
  auto type = cast<RankedTensorType>(op.getType());
  auto quantized = dyn_cast<QuantizedType>(type.getElementType());
  if (!isOfDialect(type) || (quantized && quantized.isPerAxis()))
    return;
  auto isNone = [](int64_t padding) { return padding == 0; };
  if (op.getSource().getType() == type &&
      llvm::all_of(op.getStaticLow(), isNone) &&
      llvm::all_of(op.getStaticHigh(), isNone))
    return replaceByOperand(op, op.getSource());
  rewriter.setInsertionPoint(op);
  Value value = op.getConstantPaddingValue();
  bool isKnown = value && type.hasStaticShape() &&
                 !ShapedType::isDynamicShape(op.getStaticLow()) &&
                 !ShapedType::isDynamicShape(op.getStaticHigh());
  TypedAttr number = isKnown ? getConstantNumber(value) : TypedAttr();
  if (!number)
    return remarks.reject(
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
  os << "] after";
  auto isCut = [](int64_t padding) { return padding < 0; };
  if (llvm::any_of(op.getStaticLow(), isCut) ||
      llvm::any_of(op.getStaticHigh(), isCut))
    return remarks.reject(op, {std::nullopt,
                               "expected padding that leaves elements of the "
                               "source, " +
                                   padding,
                               ""});
  CopyCause cause{CopyReason::padding, "expected no padding, " + padding,
                  "padding of the kernel that reads it"};
  SmallVector<int64_t> low(op.getStaticLow());
  InsertedValue source{op.getSource(),
                       getAsIndexOpFoldResult(op.getContext(), low)};
  bool isEmpty = llvm::is_contained(op.getSourceType().getShape(), 0);
  std::optional<Producer> producer =
      findProducer(op.getSource(), op->getBlock());
  bool isComputed = producer && takesSlice(*producer, type, source, op);
  if (isZero(number) && !isEmpty && !isComputed &&
      llvm::all_of(low, isPaddingOfMov) &&
      llvm::all_of(op.getStaticHigh(), isPaddingOfMov)) {
    Value empty =
        tensor::EmptyOp::create(rewriter, op.getLoc(), type, ValueRange());
    remarks.addCopy(op->getLoc(), cause, type);
    auto mov = MovOp::create(rewriter, op.getLoc(), op.getSource(), empty,
                             getReasonAttr(op.getContext(), cause));
    mov.setPadLow(op.getStaticLow());
    mov.setPadHigh(op.getStaticHigh());
    replace(op, mov->getResult(0));
    return eraseIfDead(value);
  }
  if (isEmpty) {
    Value empty =
        tensor::EmptyOp::create(rewriter, op.getLoc(), type, ValueRange());
    remarks.addCopy(op->getLoc(), cause, type);
    Value filling = createFilling(rewriter, op.getLoc(), type, number);
    replace(op, MovOp::create(rewriter, op.getLoc(), filling, empty,
                              getReasonAttr(op.getContext(), cause))
                    ->getResult(0));
    return eraseIfDead(value);
  }
  SmallVector<InsertedValue> values = {source};
  for (const Border &border : getBorders(op)) {
    Value filling =
        createFilling(rewriter, op.getLoc(), type.clone(border.sizes), number);
    values.push_back({filling,
                      getAsIndexOpFoldResult(op.getContext(), border.offsets),
                      0, cause});
  }
  replace(op, buildDestination(
                  op, type,
                  getAsIndexOpFoldResult(op.getContext(), type.getShape()),
                  values));
  eraseIfDead(value);
}
