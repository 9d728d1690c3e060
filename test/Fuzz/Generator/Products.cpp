// SPDX-License-Identifier: Apache-2.0
//
// Steps that multiply with weights.

#include "Layers.h"

#include <algorithm>

using namespace mlir;
using namespace mli;
using namespace mli::fuzz;

namespace {

/// Weights and bias of a kernel, and the element that its sums have.
struct Operands {
  Value weights, bias;
  Type result;
};

} // namespace

/// For a kernel of `input` whose weights have `shape` and, maybe, parameters
/// along `axis`, with a bias of `biasShape` and `count` products an output.
static Operands makeOperands(Writer &w, Type input, ArrayRef<int64_t> shape,
                             int64_t axis, ArrayRef<int64_t> biasShape,
                             int64_t count) {
  ElementKind kind = *getKind(input);
  // fx16 has weights of fx8, too.
  if (kind == ElementKind::Fx16 && w.random.chance(50))
    kind = ElementKind::Fx8;
  bool isPerAxis = kind == ElementKind::Sa8 && w.has(Feature::PerAxis);
  Type element =
      w.types.getWeightElement(kind, isPerAxis ? axis : -1, shape[axis]);
  RankedTensorType type = w.getType(shape, element);
  RankedTensorType biasType =
      w.getType(biasShape, w.types.getBiasElement(input, element));
  Operands operands;
  if (w.random.chance(75)) {
    operands.weights = w.constant(type, w.types.getWeights(type, axis));
    operands.bias = w.constant(biasType, w.types.getBias(biasType, count));
  } else {
    operands.weights = w.argument(type);
    operands.bias = w.argument(biasType);
  }
  operands.result = w.types.getSumElement(input, element, count);
  return operands;
}

static NamedAttribute reluOf(Writer &w) {
  auto kind =
      static_cast<ReluKind>(w.random.chance(60) ? 0 : w.random.pick(1, 3));
  return w.attribute("relu", ReluKindAttr::get(w.builder.getContext(), kind));
}

/// The shape of a map in the order that its kernel has.
static SmallVector<int64_t> ordered(ArrayRef<int64_t> hwc, bool isChw) {
  if (isChw)
    return {hwc[2], hwc[0], hwc[1]};
  return SmallVector<int64_t>(hwc);
}

Value fuzz::addConvolution(Writer &w, Value input,
                           const ConvolutionChoice &choice) {
  static constexpr const char *names[] = {"conv2d", "depthwise_conv2d",
                                          "group_conv2d", "transpose_conv2d"};
  bool isChw = choice.windows.isChannelsFirst,
       isTransposed = choice.kind == ConvolutionKind::Transposed;
  const WindowChoice &y = choice.windows.rows, &x = choice.windows.columns;
  ArrayRef<int64_t> in = typeOf(input).getShape();
  int64_t rows = in[isChw ? 1 : 0], columns = in[isChw ? 2 : 1],
          channels = in[isChw ? 0 : 2];
  int64_t groups = 1, filters = choice.filters;
  if (choice.kind == ConvolutionKind::Depthwise)
    filters = groups = channels;
  else if (choice.kind == ConvolutionKind::Grouped) {
    SmallVector<int64_t> divisors;
    for (int64_t i = 1; i <= channels; ++i)
      if (channels % i == 0)
        divisors.push_back(i);
    groups = w.random.pick(ArrayRef<int64_t>(divisors));
    filters = groups * w.random.pick(1, 3);
  } else if (filters == 0) {
    filters = w.types.getExtent();
  }
  int64_t depth = channels / groups;
  // Small ones, so that there are many.
  if (rows * columns * channels * filters * y.kernel * x.kernel > 400000 ||
      y.output * x.output * filters > 6000)
    return {};
  Operands operands = makeOperands(
      w, typeOf(input).getElementType(), {y.kernel, x.kernel, depth, filters},
      /*axis=*/3, {filters}, y.kernel * x.kernel * depth);
  SmallVector<NamedAttribute> attributes = {
      w.attribute("static_padding", {y.before, y.after, x.before, x.after}),
      w.attribute("strides", {y.stride, x.stride}), reluOf(w)};
  if (!isTransposed)
    attributes.push_back(w.attribute("dilations", {y.dilation, x.dilation}));
  if (isChw)
    attributes.push_back(w.attribute(
        "layout", MapLayoutAttr::get(w.builder.getContext(), MapLayout::chw)));
  return w.kernel(
      names[static_cast<size_t>(choice.kind)],
      {input, operands.weights, operands.bias},
      w.getType(ordered({y.output, x.output, filters}, isChw), operands.result),
      attributes);
}

static bool makeConvolution(Writer &w, ConvolutionKind kind) {
  Value input =
      w.need(3, {ElementKind::Sa8, ElementKind::Sa8, ElementKind::Fx16});
  bool isChw = w.has(Feature::ChannelsFirst);
  ArrayRef<int64_t> in = typeOf(input).getShape();
  auto choose = [&](int64_t extent) {
    return kind == ConvolutionKind::Transposed
               ? chooseTransposedWindow(w.random, extent)
               : chooseWindow(w.random, extent, /*hasDilation=*/true);
  };
  WindowChoice y = choose(in[isChw ? 1 : 0]), x = choose(in[isChw ? 2 : 1]);
  return addConvolution(w, input, {kind, {y, x, isChw}}) != nullptr;
}

bool fuzz::makeConv2d(Writer &w) {
  return makeConvolution(w, ConvolutionKind::Plain);
}
bool fuzz::makeDepthwiseConv2d(Writer &w) {
  return makeConvolution(w, ConvolutionKind::Depthwise);
}
bool fuzz::makeGroupConv2d(Writer &w) {
  return makeConvolution(w, ConvolutionKind::Grouped);
}
bool fuzz::makeTransposeConv2d(Writer &w) {
  return makeConvolution(w, ConvolutionKind::Transposed);
}

bool fuzz::makeFullyConnected(Writer &w) {
  Value input =
      w.need(w.random.pick(1, 3), {ElementKind::Sa8, ElementKind::Sa8,
                                   ElementKind::Fx16, ElementKind::Fx8});
  int64_t count = typeOf(input).getNumElements();
  int64_t outputs = w.types.getExtent();
  if (count * outputs > 20000)
    return false;
  Operands operands =
      makeOperands(w, typeOf(input).getElementType(), {count, outputs},
                   /*axis=*/1, {outputs}, count);
  SmallVector<NamedAttribute> attributes = {reluOf(w)};
  if (isa<Sa8Type>(typeOf(input).getElementType()) && w.random.chance(10))
    attributes.push_back(w.attribute("extended_bias", w.builder.getUnitAttr()));
  w.kernel("fully_connected", {input, operands.weights, operands.bias},
           w.getType({outputs}, operands.result), attributes);
  return true;
}

bool fuzz::makeRnnDense(Writer &w) {
  ElementKind kind = w.random.chance(60) ? ElementKind::Sa8 : ElementKind::Fx16;
  int64_t count = w.random.pick(1, 4), outputs = w.types.getExtent();
  SmallVector<Value> inputs, weights;
  Type result, weightKind;
  Value bias;
  for (int64_t i = 0; i < count; ++i) {
    Value input = w.need(w.random.pick(1, 2), {kind});
    int64_t elements = typeOf(input).getNumElements();
    if (elements * outputs > 10000)
      return false;
    Type element = typeOf(input).getElementType();
    Type weight = w.types.getWeightElement(
        kind == ElementKind::Fx16 && weightKind && isa<Fx8Type>(weightKind)
            ? ElementKind::Fx8
        : kind == ElementKind::Fx16 && !weightKind && w.random.chance(50)
            ? ElementKind::Fx8
            : kind,
        -1, 0);
    weightKind = weight;
    RankedTensorType type = w.getType({elements, outputs}, weight);
    weights.push_back(w.constant(type, w.types.getWeights(type, 1)));
    inputs.push_back(input);
    if (i == 0) {
      RankedTensorType biasType =
          w.getType({outputs}, w.types.getBiasElement(element, weight));
      bias = w.constant(biasType, w.types.getBias(biasType, elements));
      result = w.types.getSumElement(element, weight, elements);
    } else if (kind == ElementKind::Fx16) {
      // No more fraction bits than any product.
      auto bits = [](Type type) {
        return cast<QuantizedType>(type).getParam(0).fracBits;
      };
      result = Fx16Type::get(
          w.builder.getContext(),
          std::min<int32_t>(bits(result), bits(element) + bits(weight)));
    }
  }
  RankedTensorType type = w.getType({outputs}, result);
  w.add(RnnDenseOp::create(w.builder, w.loc, TypeRange{type}, inputs, weights,
                           bias, w.init(type))
            ->getResult(0));
  return true;
}

//===----------------------------------------------------------------------===//
// Cells
//===----------------------------------------------------------------------===//

/// Attributes that both cells have.
static void addDirections(Writer &w, Operation *op, bool hasAllResults) {
  if (w.random.chance(30))
    op->setAttr("backward", w.builder.getUnitAttr());
  if (hasAllResults)
    op->setAttr("all_results", w.builder.getUnitAttr());
}

static bool makeCell(Writer &w, int64_t gates) {
  ElementKind kind = w.random.chance(60) ? ElementKind::Sa8 : ElementKind::Fx16;
  Value input = w.need(2, {kind});
  int64_t steps = typeOf(input).getDimSize(0),
          inputs = typeOf(input).getDimSize(1), outputs = w.random.pick(1, 9);
  if (steps * inputs > 300)
    return false;
  Type element = typeOf(input).getElementType();
  Operands first = makeOperands(w, element, {gates, inputs, outputs},
                                /*axis=*/0, {gates, outputs}, inputs);
  auto quantized = cast<QuantizedType>(typeOf(first.weights).getElementType());
  RankedTensorType recurrent = w.getType(
      {gates, outputs, outputs},
      w.types.getWeightElement(*getKind(quantized),
                               quantized.isPerAxis() ? 0 : -1, gates));
  Value weightsOut = w.constant(recurrent, w.types.getWeights(recurrent, 0));
  bool hasAllResults = w.random.chance(50);
  RankedTensorType result = w.getType({hasAllResults ? steps : 1, outputs},
                                      w.types.getMapElement(kind));
  // The output of one call goes on into the next.
  RankedTensorType previousType =
      w.getType({outputs}, w.types.getMapElement(kind));
  Value previous = w.find([&](RankedTensorType type) {
    auto other = dyn_cast<QuantizedType>(type.getElementType());
    return type.getRank() == 1 && type.getDimSize(0) == outputs && other &&
           getKind(other) == kind && !other.isPerAxis();
  });
  if (!previous)
    previous = w.source(previousType);
  Operation *op;
  if (gates == 4) {
    RankedTensorType cell = w.getType({outputs}, w.types.getMapElement(kind));
    op = LstmCellOp::create(
        w.builder, w.loc, TypeRange{cell, result}, input, previous,
        first.weights, weightsOut, first.bias, w.source(cell), w.init(result),
        /*tanh_lut=*/Value(), /*sigm_lut=*/Value(), /*backward=*/false,
        /*all_results=*/hasAllResults, static_cast<RnnAct>(w.random.pick(0, 2)),
        LutFormatAttr(), LutFormatAttr());
    w.add(op->getResult(0));
  } else {
    op =
        GruCellOp::create(w.builder, w.loc, TypeRange{result}, input, previous,
                          first.weights, weightsOut, first.bias, w.init(result),
                          /*tanh_lut=*/Value(), /*sigm_lut=*/Value(),
                          /*backward=*/false, /*all_results=*/hasAllResults,
                          LutFormatAttr(), LutFormatAttr());
  }
  addDirections(w, op, hasAllResults);
  w.add(op->getResults().back());
  return true;
}

bool fuzz::makeLstmCell(Writer &w) { return makeCell(w, 4); }
bool fuzz::makeGruCell(Writer &w) { return makeCell(w, 3); }
