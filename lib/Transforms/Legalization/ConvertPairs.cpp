// SPDX-License-Identifier: Apache-2.0

#include "ConvertPairs.h"

#include "mli/Analysis/CodeRanges.h"
#include "mli/IR/ConstantData.h"
#include "mli/IR/EmptyTensor.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mli;

static RankedTensorType tensorType(Value value) {
  return cast<RankedTensorType>(value.getType());
}

static bool isConstant(Value value) {
  return isa_and_nonnull<ConstantOp, arith::ConstantOp>(value.getDefiningOp());
}

static bool isEmpty(Value value) {
  return !!value.getDefiningOp<tensor::EmptyOp>();
}

/// Whether `mover` is a kernel that writes all of its result.
static bool writesAll(Operation *mover) {
  auto mov = dyn_cast<MovOp>(mover);
  return isa<PermuteOp>(mover) || (mov && !mov.isPartial());
}

//===----------------------------------------------------------------------===//
// Which pairs there are
//===----------------------------------------------------------------------===//

ConvertPairs::ConvertPairs(ConvertOp op, ConversionProofs &proofs)
    : op(op), proofs(proofs), middle(elementOf(op.getInput())),
      out(elementOf(op.getInit())), moved(op.getInput()) {
  for (auto [value, uses] : moved.sources)
    sources[value] = sourceOf(value, uses);
}

ConvertPairs::Proof ConvertPairs::prove(Type in,
                                        const quant::CodeRange &range) {
  if (perAxis(in) || perAxis(middle) || perAxis(out) ||
      proofs.isComposable(in, middle, out, range) !=
          ConversionProofs::Verdict::Yes)
    return {};
  return {true, proofs.isIdentity(in, out, range)};
}

ConvertPairs::Source ConvertPairs::sourceOf(Value value, unsigned uses) {
  Source source;
  source.uses = uses;
  auto first = value.getDefiningOp<ConvertOp>();
  if (!first || value == op.getInput() || !keepsMemory(first))
    return source;
  source.range = getCodeRange(first.getInput());
  source.dies = llvm::hasNItems(value.getUses(), uses);
  // One that others need stays in its place.
  if (!source.dies && getPlace(first.getInitMutable()))
    return source;
  Proof proof = prove(elementOf(first.getInput()), source.range);
  if (!proof.isComposable)
    return source;
  source.first = first;
  source.isIdentity = proof.isIdentity;
  return source;
}

/// Whether the moves take elements of the type behind them, and nothing but
/// they decides where their result is.
bool ConvertPairs::canMove() {
  bool isPermuted = llvm::any_of(moved.values, [&](Value value) {
    return !sources.contains(value) && value.getDefiningOp<PermuteOp>();
  });
  return keepsMemory(op) &&
         (!isPermuted || isa<Fx8Type, Fx16Type, Sa8Type>(out)) &&
         (writesAll(op.getInput().getDefiningOp()) ||
          !op.getInit().getDefiningOp<SubtensorOp>());
}

bool ConvertPairs::convertsLess() const {
  size_t before = 1, after = 0;
  for (const auto &[value, source] : sources) {
    before += source.first && source.dies;
    after += source.first ? !source.isIdentity
                          : !isConstant(value) && !isEmpty(value);
  }
  return after <= before;
}

int64_t ConvertPairs::countMoved(
    function_ref<bool(const Source &, Value)> isCopied) const {
  int64_t elements = 0;
  auto count = [&](Value value) {
    elements += tensorType(value).getNumElements();
  };
  for (Value value : moved.values) {
    Operation *mover = value.getDefiningOp();
    if (sources.contains(value))
      continue;
    bool isMov = isa<PermuteOp, MovOp>(mover);
    if (isMov)
      count(mover->getOperand(0));
    if (isMov ? writesAll(mover)
              : !isa<tensor::ConcatOp, tensor::InsertSliceOp>(mover))
      continue;
    // What it puts together: kernels compute that in its place.
    for (OpOperand *part : getMovedOperands(mover)) {
      const auto *found = sources.find(part->get());
      bool isRead = isMov && part->get() == mover->getOperand(0);
      bool isView = found == sources.end() &&
                    isa<ReshapeOp, SubtensorOp, tensor::ExtractSliceOp>(
                        part->get().getDefiningOp());
      if (!isRead && (isView || (found != sources.end() &&
                                 isCopied(found->second, part->get()))))
        count(part->get());
    }
  }
  return elements;
}

static int64_t bytesOf(Type element) { return elementWidth(element) / 8; }

int64_t ConvertPairs::bytesBefore() {
  int64_t moves = countMoved([](const Source &source, Value value) {
    return isConstant(value) || (source.first && !value.hasOneUse());
  });
  int64_t bytes =
      2 * bytesOf(middle) * moves + tensorType(op.getInit()).getNumElements() *
                                        (bytesOf(middle) + bytesOf(out));
  for (const auto &[value, source] : sources)
    if (source.first && source.dies)
      bytes +=
          tensorType(value).getNumElements() *
          (bytesOf(elementOf(source.first->getOperand(0))) + bytesOf(middle));
  return bytes;
}

int64_t ConvertPairs::bytesAfter() const {
  int64_t moves = countMoved([](const Source &source, Value value) {
    return isConstant(value) || source.isIdentity ||
           (source.uses > 1 && !isEmpty(value));
  });
  int64_t bytes = 2 * bytesOf(out) * moves;
  for (const auto &[value, source] : sources) {
    Type in = source.first ? elementOf(source.first->getOperand(0)) : middle;
    if (!source.isIdentity && !isConstant(value) && !isEmpty(value))
      bytes +=
          tensorType(value).getNumElements() * (bytesOf(in) + bytesOf(out));
  }
  return bytes;
}

bool ConvertPairs::movesLess() {
  bool isKnown = llvm::all_of(moved.values, [](Value value) {
    return tensorType(value).hasStaticShape();
  });
  if (isKnown)
    return bytesAfter() <= bytesBefore();
  // Of any size.
  return bytesOf(out) <= bytesOf(middle) &&
         llvm::all_of(sources,
                      [](const auto &entry) { return entry.second.dies; });
}

bool ConvertPairs::pay() {
  bool hasPair = llvm::any_of(
      sources, [](const auto &entry) { return !!entry.second.first; });
  return hasPair && canMove() && convertsLess() && movesLess();
}

//===----------------------------------------------------------------------===//
// Without them
//===----------------------------------------------------------------------===//

/// What is written instead of `init`, in the type behind the moves: the same
/// place in the new whole, or else an empty tensor.
Value ConvertPairs::initFor(OpOperand &init) {
  SubtensorOp place = getPlace(init);
  Value whole = place ? rebuilt.lookup(place.getSource()) : Value();
  if (!whole)
    return createEmptyLike(*rewriter, init.get(), out);
  auto block = cast<OffsetSizeAndStrideOpInterface>(place.getOperation());
  return SubtensorOp::create(*rewriter, place.getLoc(), whole,
                             block.getMixedOffsets(), block.getMixedSizes(),
                             tensorType(place.getResult()).getRank());
}

Value ConvertPairs::convert(Value value, Value init) {
  return ConvertOp::create(*rewriter, op.getLoc(), value, init)->getResult(0);
}

void ConvertPairs::rebuild(Value value, const Source &source) {
  Value &result = rebuilt[value];
  if (ConvertOp first = source.first) {
    rewriter->setInsertionPoint(first);
    result = first.getInput();
    if (!source.isIdentity) {
      result = convert(result, initFor(first.getInitMutable()));
    } else if (getPlace(first.getInitMutable())) {
      auto reason =
          CopyReasonAttr::get(op.getContext(), CopyReason::placed_elsewhere);
      result = MovOp::create(*rewriter, op.getLoc(), result,
                             initFor(first.getInitMutable()), reason)
                   ->getResult(0);
    }
    return;
  }
  // In the block of the moves: how often others run is not known.
  if (value.getParentBlock() == op->getBlock())
    rewriter->setInsertionPointAfterValue(value);
  else
    rewriter->setInsertionPointToStart(op->getBlock());
  auto type = cast<RankedTensorType>(tensorType(value).clone(out));
  if (isConstant(value))
    result = convertConstant(*rewriter, value, type);
  else if (isEmpty(value))
    result = createEmptyLike(*rewriter, value, out);
  else
    result = convert(value, createEmptyLike(*rewriter, value, out));
}

void ConvertPairs::rebuild(Operation *mover) {
  // A kernel in the place of the last conversion writes what that wrote.
  bool isLast = writesAll(mover) && mover->getResult(0) == op.getInput();
  rewriter->setInsertionPoint(isLast ? op : mover);
  Value init;
  if (writesAll(mover))
    init = isLast ? op.getInit() : initFor(mover->getOpOperand(1));
  Operation *clone = rewriter->clone(*mover);
  for (OpOperand *operand : getMovedOperands(mover))
    clone->setOperand(operand->getOperandNumber(),
                      rebuilt.lookup(operand->get()));
  if (init)
    clone->setOperand(1, init);
  Value result = clone->getResult(0);
  result.setType(cast<RankedTensorType>(tensorType(result).clone(out)));
  rebuilt[mover->getResult(0)] = result;
}

Value ConvertPairs::join(IRRewriter &theRewriter,
                         function_ref<void(const quant::CodeRange &)> joined) {
  rewriter = &theRewriter;
  for (Value value : moved.values) {
    auto *found = sources.find(value);
    if (found == sources.end()) {
      rebuild(value.getDefiningOp());
      continue;
    }
    rebuild(value, found->second);
    if (found->second.first)
      joined(found->second.range);
  }
  Value result = rebuilt.lookup(op.getInput());
  auto init = op.getInit().getDefiningOp<tensor::EmptyOp>();
  bool isMoved = moved.values.contains(op.getInit());
  rewriter->replaceOp(op, result);
  moved.eraseDead(*rewriter);
  if (init && !isMoved && init->use_empty())
    rewriter->eraseOp(init);
  return result;
}
