// SPDX-License-Identifier: Apache-2.0
//
// Conversions that do nothing, or what another does: proven by trying all
// codes with the arithmetic of the kernel.

#include "mli/IR/ConstantFolding.h"

#include "mli/Quant/CodeConversion.h"

#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mli;
using quant::Rounding;

/// What the kernel makes of one element.
static quant::CodeConversion makeConversion(QuantizedType from,
                                            QuantizedType to, size_t index,
                                            Rounding rounding) {
  auto formatOf = [index](QuantizedType type) {
    return quant::NumberFormat{static_cast<int>(type.getStorageWidth()), false,
                               type.getParam(type.isPerAxis() ? index : 0)};
  };
  return {formatOf(from), formatOf(to), rounding};
}

/// The codes that are worth trying.
static constexpr int64_t maxTries = 1 << 20;

/// Whether `makeTest(index, rounding)` holds for each code of `type`, for each
/// index of `sets` sets of parameters and for each rounding.
template <typename MakeTest>
static bool holdsForAll(QuantizedType type, size_t sets, MakeTest makeTest) {
  unsigned width = type.getStorageWidth();
  if (width > 16 || static_cast<int64_t>(sets << width) > maxTries)
    return false;
  for (Rounding rounding : {Rounding::Up, Rounding::Convergent})
    for (size_t index = 0; index < sets; ++index) {
      auto test = makeTest(index, rounding);
      for (int64_t code = llvm::minIntN(width); code <= llvm::maxIntN(width);
           ++code)
        if (!test(static_cast<int32_t>(code)))
          return false;
    }
  return true;
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
  return holdsForAll(first, sets, [&](size_t index, Rounding rounding) {
    auto there = makeConversion(first, middle, index, rounding);
    auto on = makeConversion(middle, last, index, rounding);
    auto atOnce = makeConversion(first, last, index, rounding);
    return [=](int32_t code) {
      return on.toCode(there.toCode(code)) == atOnce.toCode(code);
    };
  });
}

// F3
bool mli::convertsToItself(Type type) {
  auto quantized = dyn_cast<QuantizedType>(type);
  if (!quantized)
    return type.isF32();
  return holdsForAll(
      quantized, quantized.getNumParams(),
      [&](size_t index, Rounding rounding) {
        auto same = makeConversion(quantized, quantized, index, rounding);
        return [=](int32_t code) { return same.toCode(code) == code; };
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
