// SPDX-License-Identifier: Apache-2.0
//
// Conversions that do nothing, or what another does: proven by trying all
// codes with the arithmetic of the kernel.

#include "mli/IR/ConstantFolding.h"

#include "mli/Quant/Requantize.h"

#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mli;
using quant::Rounding;

namespace {

/// One element's conversion, as the kernel computes it.
class CodeConversion {
public:
  CodeConversion(QuantizedType from, QuantizedType to, size_t index,
                 Rounding rounding)
      : in(from.getParam(from.isPerAxis() ? index : 0)),
        out(to.getParam(to.isPerAxis() ? index : 0)), rounding(rounding),
        ratio(quant::requantize(in, out, rounding).ratio),
        isWide(from.getStorageWidth() == 32 || to.getStorageWidth() == 32),
        most(llvm::maxIntN(to.getStorageWidth())) {}

  int32_t operator()(int32_t code) const {
    int32_t converted =
        isWide ? quant::convertWideCode(code, in, out, ratio, rounding)
               : quant::convertCode(code, in, out, ratio, rounding);
    return static_cast<int32_t>(
        std::clamp<int64_t>(converted, -most - 1, most));
  }

private:
  quant::QuantParams in, out;
  Rounding rounding;
  quant::Ratio ratio;
  bool isWide;
  int64_t most;
};

} // namespace

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
    CodeConversion there(first, middle, index, rounding);
    CodeConversion on(middle, last, index, rounding);
    CodeConversion atOnce(first, last, index, rounding);
    return [=](int32_t code) { return on(there(code)) == atOnce(code); };
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
        CodeConversion conversion(quantized, quantized, index, rounding);
        return [=](int32_t code) { return conversion(code) == code; };
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
