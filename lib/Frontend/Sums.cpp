// SPDX-License-Identifier: Apache-2.0

#include "Sums.h"

#include <algorithm>
#include <cmath>

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mli;

Type mli::findSumElement(Value left, Value right) {
  double greatest = 0;
  for (Value operand : {left, right}) {
    auto element = dyn_cast<Sa8Type>(getElementTypeOrSelf(operand));
    if (!element)
      return {};
    mli::quant::QuantParams params = element.getParams().front();
    greatest +=
        mli::quant::realScale(params) *
        std::max(INT8_MAX - params.zeroPoint, params.zeroPoint - INT8_MIN);
  }
  auto fracBits =
      static_cast<int32_t>(std::floor(std::log2(INT16_MAX / greatest)));
  return Fx16Type::get(left.getContext(),
                       std::clamp<int32_t>(fracBits, INT8_MIN, INT8_MAX));
}
