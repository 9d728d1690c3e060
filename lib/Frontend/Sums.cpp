// SPDX-License-Identifier: Apache-2.0

#include "mli/Frontend/Sums.h"

#include "mli/Analysis/CodeRanges.h"

#include "mlir/IR/TypeUtilities.h"

#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace mli;

/// The maximum share of sums that may be off by the rules for real networks.
static constexpr double maxErrorShare = 0.15;

/// The quantized values of `operand` in units of `out`: the one of a constant
/// splat, or all that the type has.
static SmallVector<double> getTerms(Value operand,
                                    const mli::quant::QuantParams &out) {
  auto in = getParams(operand);
  double ratio = mli::quant::realScale(in) / mli::quant::realScale(out);
  mli::quant::CodeRange range = getCodeRange(operand);
  if (range.count() > 1)
    range = mli::quant::allCodes(8);
  SmallVector<double> terms;
  for (int32_t value : llvm::seq_inclusive(range.low, range.high))
    terms.push_back(ratio * (value - in.zeroPoint));
  return terms;
}

/// The share of all pairs whose sum of rounded terms differs from the rounded
/// sum. It is the same for differences.
static double getErrorShare(ArrayRef<double> left, ArrayRef<double> right,
                            const mli::quant::QuantParams &out,
                            const mli::quant::Limits &limits) {
  double zero = out.zeroPoint, low = limits.low, high = limits.high;
  auto rounded = [](double number) { return std::floor(number + 0.5); };
  auto quantize = [&](double sum) { return std::clamp(sum + zero, low, high); };
  size_t count = 0;
  for (double a : left) {
    double first = rounded(a);
    for (double b : right)
      if (quantize(first + rounded(b)) != quantize(rounded(a + b)))
        ++count;
  }
  return static_cast<double>(count) /
         static_cast<double>(left.size() * right.size());
}

bool mli::needsExactSum(SumForm form, Value left, Value right, Type element,
                        const mli::quant::Limits &limits) {
  bool isBytes = llvm::all_of(TypeRange{left.getType(), right.getType()},
                              [](Type type) {
                                return isa<Sa8Type>(getElementTypeOrSelf(type));
                              }) &&
                 isa<Sa8Type>(element);
  if (form == SumForm::Kernel || !isBytes)
    return false;
  mli::quant::QuantParams out = cast<Sa8Type>(element).getParams().front();
  return form == SumForm::Exact ||
         getErrorShare(getTerms(left, out), getTerms(right, out), out, limits) >
             maxErrorShare;
}

Type mli::findSumElement(Value left, Value right) {
  double maxSum = 0;
  for (Value operand : {left, right}) {
    auto element = dyn_cast<Sa8Type>(getElementTypeOrSelf(operand));
    if (!element)
      return {};
    mli::quant::QuantParams params = element.getParams().front();
    mli::quant::CodeRange range = getCodeRange(operand);
    maxSum += mli::quant::realScale(params) *
              std::max(std::abs(range.low - params.zeroPoint),
                       std::abs(range.high - params.zeroPoint));
  }
  double fracBits = std::floor(std::log2(INT16_MAX / maxSum));
  return Fx16Type::get(
      left.getContext(),
      static_cast<int32_t>(std::clamp<double>(fracBits, INT8_MIN, INT8_MAX)));
}
