// SPDX-License-Identifier: Apache-2.0

#include "ConstantData.h"

#include "mli/Analysis/CodeRanges.h"
#include "mli/IR/MLI.h"
#include "mli/Transforms/Passes.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mli {
#define GEN_PASS_DEF_LEGALIZECONVERSIONS
#include "mli/Transforms/Passes.h.inc"
} // namespace mli

using namespace mlir;
using namespace mli;

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

static QuantizedType perAxis(Type element) {
  auto type = dyn_cast<QuantizedType>(element);
  return type && type.isPerAxis() ? type : QuantizedType();
}

/// Whether the runtime converts between the two: parameters vary along one
/// axis.
static bool keepsAxis(Type in, Type out) {
  QuantizedType from = perAxis(in), to = perAxis(out);
  return !from || !to || from.getAxis() == to.getAxis();
}

/// Whether `check` holds of the formats of `types` at every index of their
/// axis.
static bool holdsForFormats(ArrayRef<Type> types,
                            function_ref<bool(size_t)> check) {
  size_t count = 1;
  for (Type type : types)
    if (QuantizedType axis = perAxis(type))
      count = std::max(count, axis.getNumParams());
  return llvm::all_of(llvm::seq<size_t>(0, count), check);
}

/// Whether codes of `range` come out of the two conversions as out of one.
static bool isComposable(Type in, Type middle, Type out,
                         const quant::CodeRange &range) {
  if (!keepsAxis(in, out) || !keepsAxis(in, middle) || !keepsAxis(middle, out))
    return false;
  return holdsForFormats({in, middle, out}, [&](size_t i) {
    return quant::isComposable(getNumberFormat(in, i),
                               getNumberFormat(middle, i),
                               getNumberFormat(out, i), range);
  });
}

static bool isIdentity(Type in, Type out, const quant::CodeRange &range) {
  return in == out && holdsForFormats({in}, [&](size_t i) {
           return quant::isIdentity(getNumberFormat(in, i), range);
         });
}

static Type elementOf(Value value) {
  return cast<ShapedType>(value.getType()).getElementType();
}

//===----------------------------------------------------------------------===//
// One conversion
//===----------------------------------------------------------------------===//

namespace {

class Conversions {
public:
  explicit Conversions(MLIRContext *context) : rewriter(context) {}

  /// Folds, joins and splits `op`, whose input is legal already.
  LogicalResult legalize(ConvertOp op);

  int64_t folded = 0, composed = 0, split = 0;

private:
  bool fold(ConvertOp op);
  bool join(ConvertOp op);
  bool joinThrough(ConvertOp op);
  LogicalResult splitAxes(ConvertOp op);
  void remark(ConvertOp op, const quant::CodeRange &range);

  IRRewriter rewriter;
};

} // namespace

bool Conversions::fold(ConvertOp op) {
  Value input = op.getInput();
  Value result = convertConstant(
      rewriter, input, cast<RankedTensorType>(op.getInit().getType()));
  if (!result &&
      isIdentity(elementOf(input), elementOf(op.getInit()),
                 getCodeRange(input)) &&
      input.getType() == op.getInit().getType())
    result = input;
  if (!result)
    return false;
  ++folded;
  rewriter.replaceOp(op, result);
  if (Operation *constant = input.getDefiningOp();
      constant && isOpTriviallyDead(constant))
    rewriter.eraseOp(constant);
  return true;
}

void Conversions::remark(ConvertOp op, const quant::CodeRange &range) {
  ++composed;
  emitRemark(op.getLoc(), "two conversions are one: all codes from ")
      << range.low << " to " << range.high << " come out the same";
}

/// convert(convert(x)) -> convert(x)
bool Conversions::join(ConvertOp op) {
  auto first = op.getInput().getDefiningOp<ConvertOp>();
  if (!first)
    return false;
  Value source = first.getInput();
  quant::CodeRange range = getCodeRange(source);
  if (!isComposable(elementOf(source), elementOf(first.getInit()),
                    elementOf(op.getInit()), range))
    return false;
  remark(op, range);
  rewriter.modifyOpInPlace(op, [&] { op.getInputMutable().assign(source); });
  if (first->use_empty())
    rewriter.eraseOp(first);
  return true;
}

/// Whether `op` moves elements and looks at none.
static bool movesOnly(Operation *op) {
  auto isZero = [](int64_t value) { return value == 0; };
  if (auto mov = dyn_cast<MovOp>(op))
    return !mov.isPartial() && llvm::all_of(mov.getPadLow(), isZero) &&
           llvm::all_of(mov.getPadHigh(), isZero);
  return isa<PermuteOp, ReshapeOp, SubtensorOp, tensor::ExtractSliceOp>(op);
}

/// An empty tensor as large as `like`, with elements of type `element`.
static Value createEmpty(OpBuilder &builder, Value like, Type element) {
  Location loc = like.getLoc();
  return tensor::EmptyOp::create(
      builder, loc, tensor::getMixedSizes(builder, loc, like), element,
      cast<RankedTensorType>(like.getType()).getEncoding());
}

/// `op`, which moves elements only, on `source` instead. Its result goes to
/// `init`, or to a new tensor if that is null.
static Value rebuildOn(OpBuilder &builder, Operation *op, Value source,
                       Value init) {
  Type element = elementOf(source);
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  IRMapping mapping;
  mapping.map(op->getOperand(0), source);
  Operation *clone = builder.clone(*op, mapping);
  if (auto kernel = dyn_cast<DestinationStyleOpInterface>(clone)) {
    builder.setInsertionPoint(clone);
    kernel.setDpsInitOperand(
        0, init ? init : createEmpty(builder, op->getResult(0), element));
    builder.setInsertionPointAfter(clone);
  }
  clone->getResult(0).setType(
      RankedTensorType::get(type.getShape(), element, type.getEncoding()));
  return clone->getResult(0);
}

/// Whether `movers` take elements of type `element`, and neither `first` before
/// them nor `op` behind goes to other memory.
static bool canMove(ArrayRef<Operation *> movers, Type element, ConvertOp first,
                    ConvertOp op) {
  auto encoding = [](Value value) {
    return cast<RankedTensorType>(value.getType()).getEncoding();
  };
  bool isPermuted = llvm::any_of(
      movers, [](Operation *mover) { return isa<PermuteOp>(mover); });
  return encoding(first.getInput()) == encoding(first.getInit()) &&
         encoding(op.getInput()) == encoding(op.getInit()) &&
         (!isPermuted || isa<Fx8Type, Fx16Type, Sa8Type>(element));
}

/// convert(permute(convert(x))) -> permute(convert(x)), and so with everything
/// that moves elements only
bool Conversions::joinThrough(ConvertOp op) {
  // From the last to the first.
  SmallVector<Operation *> movers;
  Operation *producer = op.getInput().getDefiningOp();
  while (producer && producer->hasOneUse() && movesOnly(producer)) {
    movers.push_back(producer);
    producer = producer->getOperand(0).getDefiningOp();
  }
  auto first = dyn_cast_or_null<ConvertOp>(producer);
  if (!first || movers.empty() ||
      !canMove(movers, elementOf(op.getInit()), first, op))
    return false;
  Value source = first.getInput();
  Type in = elementOf(source), middle = elementOf(first.getInit());
  Type out = elementOf(op.getInit());
  quant::CodeRange range = getCodeRange(source);
  if (perAxis(in) || perAxis(middle) || perAxis(out) ||
      !isComposable(in, middle, out, range))
    return false;
  remark(op, range);
  rewriter.setInsertionPoint(op);
  if (!isIdentity(in, out, range))
    source = ConvertOp::create(rewriter, op.getLoc(), source,
                               createEmpty(rewriter, source, out))
                 ->getResult(0);
  for (Operation *mover : llvm::reverse(movers))
    source = rebuildOn(rewriter, mover, source,
                       mover == movers.front() ? op.getInit() : Value());
  rewriter.replaceOp(op, source);
  for (Operation *mover : movers)
    rewriter.eraseOp(mover);
  if (first->use_empty())
    rewriter.eraseOp(first);
  return true;
}

/// Through a type of 32 bits for the whole tensor, which loses nothing.
LogicalResult Conversions::splitAxes(ConvertOp op) {
  Type in = elementOf(op.getInput()), out = elementOf(op.getInit());
  if (keepsAxis(in, out))
    return success();
  QuantizedType from = perAxis(in);
  std::vector<quant::QuantParams> params;
  params.reserve(from.getNumParams());
  for (size_t i = 0; i < from.getNumParams(); ++i)
    params.push_back(from.getParam(i));
  std::optional<quant::QuantParams> middle = quant::findLosslessParams(
      params, static_cast<int>(from.getStorageWidth()),
      getCodeRange(op.getInput()));
  if (!middle)
    return op.emitOpError("expected quantised axis of 'init' to be that of "
                          "'input', ")
           << from.getAxis() << ", or a type that holds every code of 'input', "
           << "but got " << perAxis(out).getAxis() << " and none";
  ++split;
  rewriter.setInsertionPoint(op);
  Value init = createEmpty(rewriter, op.getInput(),
                           Sa32Type::get(op.getContext(), *middle));
  auto first = ConvertOp::create(rewriter, op.getLoc(), op.getInput(), init);
  rewriter.modifyOpInPlace(
      op, [&] { op.getInputMutable().assign(first->getResult(0)); });
  return success();
}

LogicalResult Conversions::legalize(ConvertOp op) {
  rewriter.setInsertionPoint(op);
  while (join(op))
    ;
  if (fold(op) || joinThrough(op))
    return success();
  return splitAxes(op);
}

namespace {

struct LegalizeConversionsPass
    : mli::impl::LegalizeConversionsBase<LegalizeConversionsPass> {
  void runOnOperation() override {
    SmallVector<ConvertOp> ops;
    getOperation().walk([&](ConvertOp op) {
      if (op.hasPureTensorSemantics())
        ops.push_back(op);
    });
    Conversions conversions(&getContext());
    for (ConvertOp op : ops)
      if (failed(conversions.legalize(op)))
        return signalPassFailure();
    numFolded += conversions.folded;
    numComposed += conversions.composed;
    numSplit += conversions.split;
  }
};

} // namespace
