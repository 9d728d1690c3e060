// SPDX-License-Identifier: Apache-2.0

#include "mli/Frontend/ScaleRatios.h"

#include "mli/IR/MLI.h"
#include "mli/Quant/Requantize.h"

#include <cmath>

using namespace mlir;
using namespace mli;

/// Whether each value of `in`, times the ratio of its scale to that of `out`,
/// is one of 32 bits.
static bool fits(QuantizedType in, QuantizedType out) {
  size_t count = std::max(in.getNumParams(), out.getNumParams());
  double most = std::ldexp(1, static_cast<int>(elementWidth(in)));
  for (size_t i = 0; i < count; ++i) {
    quant::Ratio ratio =
        quant::requantize(in.getParam(in.isPerAxis() ? i : 0),
                          out.getParam(out.isPerAxis() ? i : 0))
            .ratio;
    if (std::ldexp(most * ratio.multiplier, -ratio.shift) > 0x1p31)
      return false;
  }
  return true;
}

LogicalResult mli::verifyScaleRatios(Operation *op) {
  bool isSum = isa<EltwiseAddOp, EltwiseSubOp>(op);
  if (!isSum && !isa<ConvertOp>(op))
    return success();
  auto kernel = cast<DestinationStyleOpInterface>(op);
  auto getType = [](Value value) {
    return dyn_cast<QuantizedType>(getElementTypeOrSelf(value.getType()));
  };
  QuantizedType out = getType(kernel.getDpsInits().front());
  if (!out || elementWidth(out) > 16)
    return success();
  for (Value input : kernel.getDpsInputs()) {
    QuantizedType in = getType(input);
    if (in && elementWidth(in) <= 16 && !fits(in, out))
      return op->emitOpError("expected elements that are numbers of 32 bits in "
                             "the scale of the result, but got ")
             << in << " for " << out;
  }
  return success();
}
