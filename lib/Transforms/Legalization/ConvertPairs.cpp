// SPDX-License-Identifier: Apache-2.0

#include "ConvertPairs.h"

#include "mli/Analysis/CodeRanges.h"
#include "mli/IR/ConstantData.h"
#include "mli/IR/EmptyTensor.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TypeUtilities.h"

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

/// Whether `mover` is a kernel that writes all elements of its result.
static bool writesWholeResult(Operation *mover) {
  auto mov = dyn_cast<MovOp>(mover);
  return isa<PermuteOp>(mover) || (mov && !mov.isPartial());
}

//===----------------------------------------------------------------------===//
// Finding pairs
//===----------------------------------------------------------------------===//

ConvertPairs::ConvertPairs(ConvertOp op, ConversionProofs &proofs)
    : op(op), proofs(proofs), middle(getElementTypeOrSelf(op.getInput())),
      out(getElementTypeOrSelf(op.getInit())), moved(op.getInput()) {
  for (auto [value, uses] : moved.sources)
    sources[value] = getSource(value, uses);
}

ConvertPairs::Proof ConvertPairs::prove(Type in,
                                        const quant::CodeRange &range) {
  if (getPerAxisType(in) || getPerAxisType(middle) || getPerAxisType(out) ||
      proofs.isComposable(in, middle, out, range) !=
          ConversionProofs::Verdict::Yes)
    return {};
  return {true, proofs.isIdentity(in, out, range)};
}

ConvertPairs::Source ConvertPairs::getSource(Value value, unsigned uses) {
  Source source;
  source.uses = uses;
  auto first = value.getDefiningOp<ConvertOp>();
  if (!first || value == op.getInput() || !keepsMemory(first))
    return source;
  source.range = getCodeRange(first.getInput());
  source.dies = llvm::hasNItems(value.getUses(), uses);
  // A convert with other users keeps its destination.
  if (!source.dies && getDestinationSlice(first.getInitMutable()))
    return source;
  Proof proof = prove(getElementTypeOrSelf(first.getInput()), source.range);
  if (!proof.isComposable)
    return source;
  source.first = first;
  source.isIdentity = proof.isIdentity;
  return source;
}

/// Whether the data movement takes elements of type `out`, and `op` does not
/// write to memory that an insertion would have to.
bool ConvertPairs::canMove() {
  bool isPermuted = llvm::any_of(moved.values, [&](Value value) {
    return !sources.contains(value) && value.getDefiningOp<PermuteOp>();
  });
  return keepsMemory(op) &&
         (!isPermuted || isa<Fx8Type, Fx16Type, Sa8Type>(out)) &&
         (writesWholeResult(op.getInput().getDefiningOp()) ||
          !op.getInit().getDefiningOp<SubtensorOp>());
}

bool ConvertPairs::hasFewerConverts() const {
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
    if (isMov ? writesWholeResult(mover)
              : !isa<tensor::ConcatOp, tensor::InsertSliceOp>(mover))
      continue;
    // Kernels compute other operands in their destination.
    for (OpOperand *operand : getMovedOperands(mover)) {
      const auto *found = sources.find(operand->get());
      bool isRead = isMov && operand->get() == mover->getOperand(0);
      bool isView = found == sources.end() &&
                    isa<ReshapeOp, SubtensorOp, tensor::ExtractSliceOp>(
                        operand->get().getDefiningOp());
      if (!isRead && (isView || (found != sources.end() &&
                                 isCopied(found->second, operand->get()))))
        count(operand->get());
    }
  }
  return elements;
}

static int64_t getBytes(Type element) { return elementWidth(element) / 8; }

int64_t ConvertPairs::getBytesBefore() {
  int64_t moves = countMoved([](const Source &source, Value value) {
    return isConstant(value) || (source.first && !value.hasOneUse());
  });
  int64_t bytes =
      2 * getBytes(middle) * moves + tensorType(op.getInit()).getNumElements() *
                                         (getBytes(middle) + getBytes(out));
  for (const auto &[value, source] : sources)
    if (source.first && source.dies)
      bytes += tensorType(value).getNumElements() *
               (getBytes(getElementTypeOrSelf(source.first->getOperand(0))) +
                getBytes(middle));
  return bytes;
}

int64_t ConvertPairs::getBytesAfter() const {
  int64_t moves = countMoved([](const Source &source, Value value) {
    return isConstant(value) || source.isIdentity ||
           (source.uses > 1 && !isEmpty(value));
  });
  int64_t bytes = 2 * getBytes(out) * moves;
  for (const auto &[value, source] : sources) {
    Type in = source.first ? getElementTypeOrSelf(source.first->getOperand(0))
                           : middle;
    if (!source.isIdentity && !isConstant(value) && !isEmpty(value))
      bytes +=
          tensorType(value).getNumElements() * (getBytes(in) + getBytes(out));
  }
  return bytes;
}

bool ConvertPairs::movesFewerBytes() {
  bool isKnown = llvm::all_of(moved.values, [](Value value) {
    return tensorType(value).hasStaticShape();
  });
  if (isKnown)
    return getBytesAfter() <= getBytesBefore();
  // With dynamic shapes it must hold for any sizes.
  return getBytes(out) <= getBytes(middle) &&
         llvm::all_of(sources,
                      [](const auto &entry) { return entry.second.dies; });
}

bool ConvertPairs::isProfitable() {
  bool hasPair = llvm::any_of(
      sources, [](const auto &entry) { return !!entry.second.first; });
  return hasPair && canMove() && hasFewerConverts() && movesFewerBytes();
}

//===----------------------------------------------------------------------===//
// Joining
//===----------------------------------------------------------------------===//

/// Creates what is written instead of `init`, with elements of type `out`: the
/// same slice of the rebuilt destination, or else an empty tensor.
Value ConvertPairs::createInit(OpOperand &init) {
  SubtensorOp slice = getDestinationSlice(init);
  Value destination = slice ? rebuilt.lookup(slice.getSource()) : Value();
  if (!destination)
    return createEmptyLike(*rewriter, init.get(), out);
  auto block = cast<OffsetSizeAndStrideOpInterface>(slice.getOperation());
  return SubtensorOp::create(*rewriter, slice.getLoc(), destination,
                             block.getMixedOffsets(), block.getMixedSizes(),
                             tensorType(slice.getResult()).getRank());
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
      result = convert(result, createInit(first.getInitMutable()));
    } else if (getDestinationSlice(first.getInitMutable())) {
      auto reason =
          CopyReasonAttr::get(op.getContext(), CopyReason::placed_elsewhere);
      result = MovOp::create(*rewriter, op.getLoc(), result,
                             createInit(first.getInitMutable()), reason)
                   ->getResult(0);
    }
    return;
  }
  // Another block may run more often than that of the data movement.
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
  // The last kernel of the data movement writes the destination of `op`.
  bool isLast =
      writesWholeResult(mover) && mover->getResult(0) == op.getInput();
  rewriter->setInsertionPoint(isLast ? op : mover);
  Value init;
  if (writesWholeResult(mover))
    init = isLast ? op.getInit() : createInit(mover->getOpOperand(1));
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
