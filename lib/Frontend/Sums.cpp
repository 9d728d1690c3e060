// SPDX-License-Identifier: Apache-2.0

#include "mli/Frontend/Sums.h"

#include "mli/Analysis/CodeRanges.h"

#include <algorithm>
#include <cmath>

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mli;

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
