// SPDX-License-Identifier: Apache-2.0

#include "Sums.h"

#include "mli/Analysis/CodeRanges.h"

#include <cmath>

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mli;
using namespace mli::tflite;

/// What the rules for real networks leave to sums.
static constexpr double greatestShare = 0.15;

static mli::quant::QuantParams paramsOf(Value value) {
  return cast<Sa8Type>(getElementTypeOrSelf(value)).getParams().front();
}

/// All codes of `operand`, in units of `out`: the one that a constant has, or
/// all that there are.
static SmallVector<double> termsOf(Value operand,
                                   const mli::quant::QuantParams &out) {
  mli::quant::QuantParams in = paramsOf(operand);
  double ratio = mli::quant::realScale(in) / mli::quant::realScale(out);
  mli::quant::CodeRange codes = getCodeRange(operand);
  if (codes.count() > 1)
    codes = mli::quant::allCodes(8);
  SmallVector<double> terms;
  for (int32_t code : llvm::seq_inclusive(codes.low, codes.high))
    terms.push_back(ratio * (code - in.zeroPoint));
  return terms;
}

/// The share of all pairs of codes whose sum, each term rounded, is another
/// code than the rounded sum. A difference has the same.
static double shareOff(ArrayRef<double> left, ArrayRef<double> right,
                       const mli::quant::QuantParams &out,
                       const mli::quant::Limits &limits) {
  double zero = out.zeroPoint, low = limits.low, high = limits.high;
  auto rounded = [](double number) { return std::floor(number + 0.5); };
  auto code = [&](double sum) { return std::clamp(sum + zero, low, high); };
  size_t count = 0;
  for (double a : left) {
    double first = rounded(a);
    for (double b : right)
      if (code(first + rounded(b)) != code(rounded(a + b)))
        ++count;
  }
  return static_cast<double>(count) /
         static_cast<double>(left.size() * right.size());
}

bool tflite::needsExactSum(GraphImporter &importer, Value left, Value right,
                           Type element, const mli::quant::Limits &limits) {
  SumForm form = importer.getImportOptions().sums;
  bool isBytes = llvm::all_of(TypeRange{left.getType(), right.getType()},
                              [](Type type) {
                                return isa<Sa8Type>(getElementTypeOrSelf(type));
                              }) &&
                 isa<Sa8Type>(element);
  if (form == SumForm::Kernel || !isBytes)
    return false;
  mli::quant::QuantParams out = cast<Sa8Type>(element).getParams().front();
  return form == SumForm::Exact ||
         shareOff(termsOf(left, out), termsOf(right, out), out, limits) >
             greatestShare;
}
