// SPDX-License-Identifier: Apache-2.0

#include "mli/Analysis/CodeRanges.h"

#include "mli/IR/ConstantData.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mli;

/// The most producers in a chain that are queried: ranges only get wider then.
static constexpr int maxDepth = 8;

static quant::CodeRange getRange(Value value, int depth);

/// Returns the quantised values that a kernel's activation leaves of `range`.
static quant::CodeRange clip(quant::CodeRange all, ReluKind relu, Type element,
                             quant::CodeRange range) {
  quant::NumberFormat format = getNumberFormat(element);
  quant::Limits limits = quant::reluLimits(static_cast<quant::Relu>(relu),
                                           format.params, all.low, all.high);
  return {std::clamp(range.low, limits.low, limits.high),
          std::clamp(range.high, limits.low, limits.high)};
}

static quant::CodeRange getRange(ConstantOp op, quant::CodeRange all) {
  auto dense = dyn_cast<DenseIntElementsAttr>(op.getValue());
  if (!dense || dense.empty())
    return all;
  quant::CodeRange range = {INT32_MAX, INT32_MIN};
  for (const APInt &code : dense.getValues<APInt>()) {
    range.low = std::min(range.low, static_cast<int32_t>(code.getSExtValue()));
    range.high =
        std::max(range.high, static_cast<int32_t>(code.getSExtValue()));
    if (dense.isSplat())
      break;
  }
  return range;
}

static quant::CodeRange getRange(ConvertOp op, quant::CodeRange all,
                                 int depth) {
  Type from = op.getInput().getType().getElementType();
  Type to = op.getInit().getType().getElementType();
  auto in = dyn_cast<QuantizedType>(from);
  auto out = dyn_cast<QuantizedType>(to);
  if (!in || in.isPerAxis() || out.isPerAxis())
    return all;
  return quant::convertRange(getNumberFormat(from), getNumberFormat(to),
                             getRange(op.getInput(), depth + 1));
}

static quant::CodeRange getRange(Value value, int depth) {
  Type element = getElementTypeOrSelf(value);
  auto quantized = dyn_cast<QuantizedType>(element);
  if (!quantized)
    return {0, 0};
  quant::CodeRange all =
      quant::allCodes(static_cast<int>(quantized.getStorageWidth()));
  Operation *op = value.getDefiningOp();
  if (!op || depth == maxDepth)
    return all;
  if (auto constant = dyn_cast<ConstantOp>(op))
    return getRange(constant, all);
  if (auto convert = dyn_cast<ConvertOp>(op))
    return getRange(convert, all, depth);
  if (auto weighted = dyn_cast<WeightedOpInterface>(op))
    return clip(all, weighted.getRelu(), element, all);
  if (auto relu = dyn_cast<ReluOp>(op))
    return clip(all, relu.getRelu(), element,
                getRange(relu.getInput(), depth + 1));
  // The elements are some of those of the source, whatever they are.
  if (isa<ReshapeOp, SubtensorOp, tensor::ExtractSliceOp, PermuteOp, MaxPoolOp>(
          op))
    return getRange(op->getOperand(0), depth + 1);
  return all;
}

quant::CodeRange mli::getCodeRange(Value value) { return getRange(value, 0); }
