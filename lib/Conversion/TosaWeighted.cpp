// SPDX-License-Identifier: Apache-2.0

#include "TosaWeighted.h"

#include "TosaEmitter.h"

#include "mli/Quant/KernelScales.h"

using namespace mlir;
using namespace mli;
using namespace mli::raising;

LogicalResult WeightedGroup::choose(const Scales &scales, Refusals &refusals) {
  mli::quant::QuantParams in = scales.getParams(input);
  mli::quant::QuantParams out = scales.getParams(getResult());
  weightsParams.clear();
  biasParams.clear();
  for (auto [i, factor] : llvm::enumerate(rescale.factors)) {
    std::optional<mli::quant::QuantParams> weights =
        mli::quant::weightsParams(in, out, factor);
    std::optional<mli::quant::QuantParams> bias;
    if (weights)
      bias = mli::quant::biasParams(in, *weights);
    if (!bias)
      return refusals.add(getSubject(), "expected factor ", i,
                          " of the rescale to be in range of a scale, but got ",
                          factor);
    weightsParams.push_back(*weights);
    biasParams.push_back(*bias);
  }
  return success();
}

/// `values`, channels last, with zeros in the channels of factor 0.
static ElementsAttr clearChannels(ElementsAttr values,
                                  ArrayRef<double> factors) {
  RawElements raw = *rawElements(values);
  ShapedType type = values.getShapedType();
  SmallVector<char> bytes;
  bytes.reserve(type.getNumElements() * raw.elementBytes);
  for (int64_t i = 0; i < type.getNumElements(); ++i)
    if (factors[i % factors.size()] == 0)
      bytes.append(raw.elementBytes, '\0');
    else
      llvm::append_range(bytes,
                         raw.bytes.slice(raw.isSplat ? 0 : i * raw.elementBytes,
                                         raw.elementBytes));
  return DenseElementsAttr::getFromRawBuffer(type, bytes);
}

void WeightedGroup::clearDeadChannels() {
  MutableArrayRef<double> factors = rescale.factors;
  if (!llvm::is_contained(factors, 0))
    return;
  weights = clearChannels(weights, factors);
  bias = clearChannels(bias, factors);
  const double *live = llvm::find_if(factors, [](double f) { return f != 0; });
  llvm::replace(factors, 0.0, double(*live));
}

template <typename Type>
Type WeightedGroup::elementOf(int32_t axis,
                              ArrayRef<mli::quant::QuantParams> params) const {
  MLIRContext *context = getRoot()->getContext();
  return rescale.isPerChannel ? Type::get(context, axis, params)
                              : Type::get(context, params.front());
}

Value WeightedGroup::create(Emitter &emitter, ValueRange operands,
                            Value init) const {
  OpBuilder &builder = emitter.getBuilder();
  Location loc = emitter.getLoc();
  Value source = operands[0], weights = operands[1], bias = operands[2];
  auto createConv = [&](auto kernel) -> Value {
    return decltype(kernel)::create(builder, loc, source, weights, bias, init,
                                    window.padding, window.strides,
                                    window.dilations, ReluKind::none)
        .getResult(0);
  };
  switch (kernel) {
  case Kernel::Conv2D:
    return createConv(Conv2DOp());
  case Kernel::Depthwise:
    return createConv(DepthwiseConv2DOp());
  case Kernel::Grouped:
    return createConv(GroupConv2DOp());
  case Kernel::Transposed:
    return TransposeConv2DOp::create(builder, loc, source, weights, bias, init,
                                     window.padding, window.strides,
                                     ReluKind::none)
        .getResult(0);
  case Kernel::FullyConnected:
    return FullyConnectedOp::create(builder, loc, source, weights, bias, init,
                                    ReluKind::none)
        .getResult(0);
  }
  llvm_unreachable("unknown kernel");
}

Value WeightedGroup::emit(Emitter &emitter) const {
  ArrayRef<int64_t> shape = weights.getShapedType().getShape();
  auto axis = static_cast<int32_t>(shape.size()) - 1;
  Value weightsTensor =
      emitter.constant(weights, elementOf<Sa8Type>(axis, weightsParams));
  Value biasTensor = emitter.constant(bias, elementOf<Sa32Type>(0, biasParams));
  auto compute = [&](Value source, Value init) {
    return create(emitter, {source, weightsTensor, biasTensor}, init);
  };
  if (kernel != Kernel::FullyConnected)
    return emitter.createMaps(input, getResult(), compute);
  int64_t rows = llvm::product_of(shapeOf(input)) / shape.front();
  return emitter.createSlices(input, {rows, shape.front()}, getResult(),
                              {rows, shape.back()}, compute);
}

ElementsAttr raising::readWeights(Operation *op, Value value, Value zeroPoint,
                                  StringRef name, StringRef zeroName,
                                  Refusals &refusals) {
  FailureOr<int64_t> zero = readZeroPoint(op, zeroPoint, zeroName, refusals);
  if (failed(zero))
    return {};
  if (*zero != 0) {
    (void)refusals.add(op, "expected '", zeroName, "' to be 0, but got ",
                       *zero);
    return {};
  }
  ElementsAttr weights = constantOf(value);
  if (weights && failed(checkBytes(op, weights.getShapedType(), 8,
                                   ("'" + name + "'").str(), refusals)))
    return {};
  if (weights && rawElements(weights))
    return weights;
  (void)refusals.add(op, "expected '", name, "' to be constant, but got ",
                     value.getType());
  return {};
}
