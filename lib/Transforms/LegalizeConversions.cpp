// SPDX-License-Identifier: Apache-2.0
//
// mli-legalize-conversions folds, joins and splits conversions until the
// runtime has a kernel for each that is left.

#include "Transforms/Legalization/ConversionProof.h"
#include "Transforms/Legalization/ConvertPairs.h"
#include "Transforms/Legalization/Legalization.h"

#include "mli/Analysis/CodeRanges.h"
#include "mli/IR/ConstantData.h"
#include "mli/IR/EmptyTensor.h"
#include "mli/IR/MLI.h"
#include "mli/Transforms/Passes.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "mli-legalize-conversions"

namespace mli {
#define GEN_PASS_DEF_LEGALIZECONVERSIONS
#include "mli/Transforms/Passes.h.inc"
} // namespace mli

using namespace mlir;
using namespace mli;

//===----------------------------------------------------------------------===//
// One conversion
//===----------------------------------------------------------------------===//

namespace {

class Conversions {
public:
  explicit Conversions(MLIRContext *context) : rewriter(context) {}

  /// Folds, joins and splits `op`, a convert, a concatenation or an insertion,
  /// whose operands are legal already.
  LogicalResult legalize(Operation *op);

  int64_t folded = 0, composed = 0, merged = 0, split = 0;

private:
  bool fold(ConvertOp op);
  bool join(ConvertOp op);
  bool joinThrough(ConvertOp op);
  LogicalResult splitAxes(ConvertOp op);
  void merge(Operation *op);
  bool joinOrFold(ConvertOp op);
  void remark(Location loc, const quant::CodeRange &range);

  IRRewriter rewriter;
  ConversionProofs proofs;
};

} // namespace

bool Conversions::fold(ConvertOp op) {
  Value input = op.getInput();
  Value result = convertConstant(
      rewriter, input, cast<RankedTensorType>(op.getInit().getType()));
  if (!result &&
      proofs.isIdentity(getElementTypeOrSelf(input),
                        getElementTypeOrSelf(op.getInit()),
                        getCodeRange(input)) &&
      input.getType() == op.getInit().getType())
    result = input;
  if (!result)
    return false;
  ++folded;
  LDBG() << op.getLoc() << ": conversion to "
         << getElementTypeOrSelf(op.getInit()) << " is folded";
  rewriter.replaceOp(op, result);
  if (Operation *constant = input.getDefiningOp();
      constant && isOpTriviallyDead(constant))
    rewriter.eraseOp(constant);
  return true;
}

void Conversions::remark(Location loc, const quant::CodeRange &range) {
  ++composed;
  LDBG() << loc << ": two conversions join";
  emitRemark(loc, "two conversions are one: all codes from ")
      << range.low << " to " << range.high << " come out the same";
}

/// convert(convert(x)) -> convert(x)
bool Conversions::join(ConvertOp op) {
  auto first = op.getInput().getDefiningOp<ConvertOp>();
  if (!first)
    return false;
  Value source = first.getInput();
  quant::CodeRange range = getCodeRange(source);
  auto verdict = proofs.isComposable(getElementTypeOrSelf(source),
                                     getElementTypeOrSelf(first.getInit()),
                                     getElementTypeOrSelf(op.getInit()), range);
  if (verdict == ConversionProofs::Verdict::TooMany)
    emitRemark(op.getLoc(), "two conversions stay: expected at most ")
        << ConversionProofs::maxCodes
        << " codes of all parameters to try, but got more";
  if (verdict != ConversionProofs::Verdict::Yes)
    return false;
  remark(op.getLoc(), range);
  rewriter.modifyOpInPlace(op, [&] { op.getInputMutable().assign(source); });
  if (first->use_empty())
    rewriter.eraseOp(first);
  return true;
}

/// convert(permute(convert(x))) -> permute(convert(x)), and so with all data
/// movement
bool Conversions::joinThrough(ConvertOp op) {
  ConvertPairs pairs(op, proofs);
  if (!pairs.isProfitable()) {
    LDBG() << op.getLoc()
           << ": joining across data movement does not isProfitable";
    return false;
  }
  Location loc = op.getLoc();
  Value result = pairs.join(
      rewriter, [&](const quant::CodeRange &range) { remark(loc, range); });
  if (Operation *mover = result.getDefiningOp())
    merge(mover);
  return true;
}

/// concat(convert(slice), convert(slice)) -> convert(slice)
void Conversions::merge(Operation *op) {
  ConvertOp all = mergeConverts(rewriter, op);
  if (!all)
    return;
  ++merged;
  LDBG() << all.getLoc() << ": conversions of adjacent slices merge";
  emitRemark(all.getLoc(), "conversions of adjacent slices are one");
  joinOrFold(all);
}

/// Splits a convert between two axes into two, through a type of 32 bits that
/// is quantised per tensor and holds every quantised value.
LogicalResult Conversions::splitAxes(ConvertOp op) {
  Type in = getElementTypeOrSelf(op.getInput()),
       out = getElementTypeOrSelf(op.getInit());
  if (keepsAxis(in, out))
    return success();
  QuantizedType from = getPerAxisType(in);
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
           << "but got " << getPerAxisType(out).getAxis() << " and none";
  ++split;
  LDBG() << op.getLoc() << ": axis changes from " << from.getAxis() << " to "
         << getPerAxisType(out).getAxis() << " in 32 bits";
  rewriter.setInsertionPoint(op);
  Value init = createEmptyLike(rewriter, op.getInput(),
                               Sa32Type::get(op.getContext(), *middle));
  auto first = ConvertOp::create(rewriter, op.getLoc(), op.getInput(), init);
  rewriter.modifyOpInPlace(
      op, [&] { op.getInputMutable().assign(first->getResult(0)); });
  return success();
}

/// Joins `op` with its producer, or folds it. Returns whether `op` is erased.
bool Conversions::joinOrFold(ConvertOp op) {
  rewriter.setInsertionPoint(op);
  while (join(op))
    ;
  return fold(op) || joinThrough(op);
}

LogicalResult Conversions::legalize(Operation *op) {
  if (auto convert = dyn_cast<ConvertOp>(op))
    return success(joinOrFold(convert) || succeeded(splitAxes(convert)));
  merge(op);
  return success();
}

namespace {

struct LegalizeConversionsPass
    : mli::impl::LegalizeConversionsBase<LegalizeConversionsPass> {
  void runOnOperation() override {
    SmallVector<Operation *> ops;
    getOperation().walk([&](Operation *op) {
      auto convert = dyn_cast<ConvertOp>(op);
      if (convert ? convert.hasPureTensorSemantics() : isConcatOrInsertion(op))
        ops.push_back(op);
    });
    if (ops.empty())
      return markAllAnalysesPreserved();
    Conversions conversions(&getContext());
    for (Operation *op : ops)
      if (failed(conversions.legalize(op)))
        return signalPassFailure();
    numFolded += conversions.folded;
    numComposed += conversions.composed;
    numMerged += conversions.merged;
    numSplit += conversions.split;
  }
};

} // namespace
