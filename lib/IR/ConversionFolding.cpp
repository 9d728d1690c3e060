// SPDX-License-Identifier: Apache-2.0
//
// Conversions that do nothing, or that another one does: proven by trying all
// quantised values with the arithmetic of the kernel.

#include "mli/IR/ConstantFolding.h"

#include "mli/Quant/CodeConversion.h"

#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mli;

/// The format of one element, as the kernel reads it.
static quant::NumberFormat getFormat(QuantizedType type, size_t index) {
  return {static_cast<int>(type.getStorageWidth()), false,
          type.getParam(type.isPerAxis() ? index : 0)};
}

/// The most quantised values that are worth trying.
static constexpr int64_t maxTries = 1 << 20;

/// Whether `prove(index, codes)` succeeds with all quantised values of `type`,
/// for each index of `sets` sets of parameters.
static bool
holdsForAll(QuantizedType type, size_t sets,
            function_ref<bool(size_t, const quant::CodeRange &)> prove) {
  quant::CodeRange codes =
      quant::allCodes(static_cast<int>(type.getStorageWidth()));
  if (static_cast<int64_t>(sets) * codes.count() > maxTries)
    return false;
  return llvm::all_of(llvm::seq(sets),
                      [&](size_t index) { return prove(index, codes); });
}

// F3
bool mli::convertsAtOnce(Type from, Type through, Type to) {
  auto first = dyn_cast<QuantizedType>(from);
  auto middle = dyn_cast<QuantizedType>(through);
  auto last = dyn_cast<QuantizedType>(to);
  if (!first || !middle || !last)
    return false;
  // E4
  if (first.isPerAxis() && last.isPerAxis() &&
      first.getAxis() != last.getAxis())
    return false;
  size_t sets = std::max(
      {first.getNumParams(), middle.getNumParams(), last.getNumParams()});
  return holdsForAll(
      first, sets, [&](size_t index, const quant::CodeRange &codes) {
        return quant::isComposable(getFormat(first, index),
                                   getFormat(middle, index),
                                   getFormat(last, index), codes);
      });
}

// F3
bool mli::convertsToItself(Type type) {
  auto quantized = dyn_cast<QuantizedType>(type);
  if (!quantized)
    return type.isF32();
  return holdsForAll(quantized, quantized.getNumParams(),
                     [&](size_t index, const quant::CodeRange &codes) {
                       return quant::isIdentity(getFormat(quantized, index),
                                                codes);
                     });
}

LogicalResult ConvertOp::fold(FoldAdaptor,
                              SmallVectorImpl<OpFoldResult> &results) {
  if (!hasPureTensorSemantics() ||
      getInput().getType() != getInit().getType() ||
      !convertsToItself(getInput().getType().getElementType()))
    return failure();
  results.push_back(getInput());
  return success();
}

LogicalResult ConvertOp::canonicalize(ConvertOp op, PatternRewriter &rewriter) {
  auto producer = op.getInput().getDefiningOp<ConvertOp>();
  if (!producer)
    return rewriter.notifyMatchFailure(op, "input is not converted");
  if (!convertsAtOnce(producer.getInput().getType().getElementType(),
                      op.getInput().getType().getElementType(),
                      op.getInit().getType().getElementType()))
    return rewriter.notifyMatchFailure(op, "codes depend on the step between");
  rewriter.replaceOpWithNewOp<ConvertOp>(op, producer.getInput(), op.getInit());
  return success();
}
