// SPDX-License-Identifier: Apache-2.0
//
// Steps on feature maps and on any tensor, without weights.

#include "Layers.h"

#include <algorithm>
#include <numeric>

using namespace mlir;
using namespace mli;
using namespace mli::fuzz;

static constexpr ElementKind mapKinds[] = {ElementKind::Sa8, ElementKind::Sa8,
                                           ElementKind::Fx16, ElementKind::Fx8};

static int64_t anyRank(Writer &w) { return w.random.pick(1, 4); }

static MLIRContext *contextOf(Writer &w) { return w.builder.getContext(); }

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

Value fuzz::addPool(Writer &w, Value input, bool isAverage,
                    const MapWindows &windows) {
  const WindowChoice &y = windows.rows, &x = windows.columns;
  ArrayRef<int64_t> in = typeOf(input).getShape();
  Type element = typeOf(input).getElementType();
  if (isAverage && w.random.chance(50))
    element = w.types.getMapElement(*getKind(element));
  SmallVector<int64_t> shape = {y.output, x.output, in[2]};
  if (windows.isChannelsFirst)
    shape = {in[0], y.output, x.output};
  SmallVector<NamedAttribute> attributes = {
      w.attribute("static_padding", {y.before, y.after, x.before, x.after}),
      w.attribute("kernel", {y.kernel, x.kernel}),
      w.attribute("strides", {y.stride, x.stride})};
  if (windows.isChannelsFirst)
    attributes.push_back(w.attribute(
        "layout", MapLayoutAttr::get(contextOf(w), MapLayout::chw)));
  return w.kernel(isAverage ? "avepool" : "maxpool", {input},
                  w.getType(shape, element), attributes);
}

bool fuzz::makePool(Writer &w) {
  Value input = w.need(3, mapKinds);
  bool isAverage = w.random.chance(50), isChw = w.has(Feature::ChannelsFirst);
  ArrayRef<int64_t> in = typeOf(input).getShape();
  WindowChoice y = chooseWindow(w.random, in[isChw ? 1 : 0], false);
  WindowChoice x = chooseWindow(w.random, in[isChw ? 2 : 1], false);
  // All of the map, as at the end of networks.
  if (w.random.chance(15) && *std::max_element(in.begin(), in.end()) < 256) {
    y = {in[isChw ? 1 : 0], in[isChw ? 1 : 0], 1, 1, 0, 0, 1};
    x = {in[isChw ? 2 : 1], in[isChw ? 2 : 1], 1, 1, 0, 0, 1};
  }
  addPool(w, input, isAverage, {y, x, isChw});
  return true;
}

//===----------------------------------------------------------------------===//
// Element by element
//===----------------------------------------------------------------------===//

Value fuzz::addEltwise(Writer &w, EltwiseKind kind, Value lhs, Value rhs) {
  static constexpr const char *names[] = {"eltwise_add", "eltwise_sub",
                                          "eltwise_mul", "eltwise_min",
                                          "eltwise_max"};
  RankedTensorType type = typeOf(lhs);
  SmallVector<Value> operands = {lhs, rhs};
  if (w.random.chance(30))
    std::swap(operands[0], operands[1]);
  Type element = type.getElementType();
  if (!w.random.chance(40))
    element = w.types.getMapElement(*getKind(element));
  return w.kernel(names[static_cast<size_t>(kind)], operands,
                  w.getType(type.getShape(), element));
}

bool fuzz::makeEltwise(Writer &w) {
  auto op = static_cast<EltwiseKind>(w.random.pick(0, 4));
  Value lhs = w.need(anyRank(w), mapKinds);
  RankedTensorType type = typeOf(lhs);
  ElementKind kind = *getKind(type.getElementType());
  Value rhs = w.find([&](RankedTensorType other) {
    return other.getShape() == type.getShape() &&
           getMapKind(other.getElementType()) == kind &&
           (!comparesValues(op) || other == type);
  });
  if (!rhs || w.random.chance(25)) {
    Type element = comparesValues(op) ? type.getElementType()
                                      : w.types.getMapElement(kind);
    bool isScalar = w.random.chance(60);
    // Of two scalars the result has the shape of the second.
    if (isScalar && type.getNumElements() == 1)
      return false;
    SmallVector<int64_t> shape(type.getShape());
    if (isScalar)
      shape.assign(w.random.pick(0, 2), 1);
    RankedTensorType other = w.getType(shape, element);
    rhs = isScalar ? w.constant(other, w.types.getValues(other))
                   : w.source(other);
  }
  addEltwise(w, op, lhs, rhs);
  return true;
}

Value fuzz::addRelu(Writer &w, Value input) {
  auto kind = static_cast<ReluKind>(w.random.pick(0, 3));
  return w.kernel("relu", {input}, typeOf(input),
                  w.attribute("relu", ReluKindAttr::get(contextOf(w), kind)));
}

bool fuzz::makeRelu(Writer &w) {
  addRelu(w, w.need(anyRank(w), mapKinds));
  return true;
}

Value fuzz::addSlopes(Writer &w, Value input) {
  RankedTensorType type = typeOf(input);
  ElementKind kind = *getKind(type.getElementType());
  Type slope = w.types.getMapElement(kind);
  Type result = type.getElementType();
  if (kind == ElementKind::Sa8 && w.random.chance(50))
    result = w.types.getMapElement(kind);
  bool isLeaky = w.random.chance(50);
  int64_t axis = w.random.pick(-1, type.getRank() - 1);
  SmallVector<int64_t> shape(isLeaky || axis < 0 ? 1 : type.getRank(), 1);
  if (!isLeaky && axis >= 0)
    shape[axis] = type.getDimSize(axis);
  Value slopes = w.source(w.getType(shape, slope));
  SmallVector<NamedAttribute> attributes;
  if (!isLeaky)
    attributes.push_back(w.attribute32("axis", axis));
  return w.kernel(isLeaky ? "leaky_relu" : "prelu", {input, slopes},
                  w.getType(type.getShape(), result), attributes);
}

bool fuzz::makeSlopes(Writer &w) {
  addSlopes(w, w.need(anyRank(w), mapKinds));
  return true;
}

bool fuzz::makeConvert(Writer &w) {
  Value input = w.any();
  if (isa<IntegerType>(typeOf(input).getElementType()))
    return false;
  RankedTensorType type = typeOf(input);
  auto quantized = dyn_cast<QuantizedType>(type.getElementType());
  if (quantized && w.random.chance(12)) {
    w.convert(input, w.builder.getF32Type());
    return true;
  }
  static constexpr ElementKind kinds[] = {ElementKind::Sa8, ElementKind::Fx16,
                                          ElementKind::Fx8, ElementKind::Sa32};
  bool isPerAxis = w.has(Feature::PerAxis) && w.random.chance(30);
  if (isPerAxis && (!quantized || !quantized.isPerAxis())) {
    int64_t axis = w.random.pick(0, type.getRank() - 1);
    ElementKind kind =
        w.random.chance(50) ? ElementKind::Sa8 : ElementKind::Sa32;
    w.convert(input,
              w.types.getWeightElement(kind, axis, type.getDimSize(axis)));
    return true;
  }
  w.convert(input, w.types.getMapElement(kinds));
  return true;
}

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

/// Adds the kernel `name` with `table`, which may be null.
static Value addTableKernel(Writer &w, StringRef name, Value input, Value table,
                            Type result, ArrayRef<NamedAttribute> attributes) {
  RankedTensorType type = w.getType(typeOf(input).getShape(), result);
  OperationState state(w.loc, ("mli." + name).str());
  state.addOperands({input, w.init(type)});
  if (table)
    state.addOperands(table);
  state.addTypes(type);
  state.addAttributes(attributes);
  return w.add(w.builder.create(state)->getResult(0));
}

/// Adds a kernel with a table of any length and format, whose result has any
/// format.
static Value addOwnTableKernel(Writer &w, StringRef name, Value input,
                               ArrayRef<NamedAttribute> attributes) {
  int64_t length =
      w.random.chance(30) ? w.random.pick(2, 4) : w.random.pick(2, 400);
  Type entry = Fx16Type::get(contextOf(w), w.random.pick(0, 17));
  Value table = w.add(w.source(w.getType({length}, entry)));
  SmallVector<NamedAttribute> all(attributes);
  all.push_back(w.attribute(
      "lut_format",
      LutFormatAttr::get(contextOf(w),
                         static_cast<int32_t>(w.random.pick(-4, 12)),
                         static_cast<int32_t>(w.random.pick(-20, 300)))));
  ElementKind kind = *getKind(typeOf(input).getElementType());
  return addTableKernel(w, name, input, table, w.types.getMapElement(kind),
                        all);
}

/// Adds a kernel with a table: one that is there, a new one, or none.
static Value addTableKernel(Writer &w, StringRef name, LutFunction function,
                            Value input, Type result,
                            ArrayRef<NamedAttribute> attributes) {
  if (w.random.chance(20))
    return addOwnTableKernel(w, name, input, attributes);
  int64_t lengths[] = {320, 344, 358, 97}, bits[] = {15, 15, 15, 17};
  auto i = static_cast<size_t>(function);
  RankedTensorType type =
      w.getType({lengths[i]}, Fx16Type::get(contextOf(w), bits[i]));
  Value table;
  if (w.random.chance(40)) {
    table = w.find([&](RankedTensorType other) { return other == type; });
    if (!table) {
      table =
          w.random.chance(70)
              ? w.kernel("lut", {}, type,
                         w.attribute("function", LutFunctionAttr::get(
                                                     contextOf(w), function)))
              : w.add(w.source(type));
    }
  }
  return addTableKernel(w, name, input, table, result, attributes);
}

/// The element that a kernel with a table gives.
static Type resultOf(Writer &w, Type input, bool isPositive) {
  if (isa<Fx16Type>(input))
    return Fx16Type::get(contextOf(w), 15);
  if (isa<Fx8Type>(input))
    return Fx8Type::get(contextOf(w), 7);
  quant::QuantParams params;
  params.scale = 1;
  params.fracBits = isPositive ? 8 : 7;
  params.zeroPoint = isPositive ? -128 : 0;
  return Sa8Type::get(contextOf(w), params);
}

Value fuzz::addActivation(Writer &w, Value input) {
  bool isSigm = w.random.chance(50);
  return addTableKernel(w, isSigm ? "sigm" : "tanh",
                        isSigm ? LutFunction::sigm : LutFunction::tanh, input,
                        resultOf(w, typeOf(input).getElementType(), isSigm),
                        {});
}

bool fuzz::makeActivation(Writer &w) {
  addActivation(w, w.need(anyRank(w), mapKinds));
  return true;
}

bool fuzz::makeAlongAxis(Writer &w) {
  bool isSoftmax = w.random.chance(60);
  Value input = isSoftmax
                    ? w.need(anyRank(w), mapKinds)
                    : w.need(anyRank(w), {ElementKind::Sa8, ElementKind::Fx16});
  int64_t axis = w.random.pick(-1, typeOf(input).getRank() - 1);
  addTableKernel(w, isSoftmax ? "softmax" : "l2_normalize",
                 isSoftmax ? LutFunction::softmax : LutFunction::l2Normalize,
                 input, resultOf(w, typeOf(input).getElementType(), isSoftmax),
                 w.attribute32("axis", axis));
  return true;
}

//===----------------------------------------------------------------------===//
// Arrangement
//===----------------------------------------------------------------------===//

bool fuzz::makeArgmax(Writer &w) {
  Value input = w.need(anyRank(w), {ElementKind::Sa8, ElementKind::Fx16});
  RankedTensorType type = typeOf(input);
  int64_t axis = w.random.pick(-1, type.getRank() - 1);
  int64_t slices = axis < 0 ? 1 : type.getDimSize(axis);
  int64_t topk =
      w.random.pick(1, std::min<int64_t>(5, type.getNumElements() / slices));
  quant::QuantParams position;
  position.scale = 1;
  position.fracBits = 0;
  position.zeroPoint = 0;
  w.kernel("argmax", {input},
           w.getType({slices, topk}, Sa32Type::get(contextOf(w), position)),
           {w.attribute32("axis", axis), w.attribute32("topk", topk)});
  return true;
}

/// The element of a tensor whose dimension `order[i]` becomes `i`.
static Type permuted(Type element, ArrayRef<int64_t> order) {
  auto quantized = dyn_cast<QuantizedType>(element);
  if (!quantized || !quantized.isPerAxis())
    return element;
  auto axis = static_cast<int32_t>(
      llvm::find(order, int64_t{quantized.getAxis()}) - order.begin());
  SmallVector<quant::QuantParams> params;
  for (size_t i = 0; i < quantized.getNumParams(); ++i)
    params.push_back(quantized.getParam(i));
  if (isa<Sa8Type>(element))
    return Sa8Type::get(element.getContext(), axis, params);
  return Sa32Type::get(element.getContext(), axis, params);
}

bool fuzz::makePermute(Writer &w) {
  Value input = w.find([](RankedTensorType type) {
    return isa<Fx8Type, Fx16Type, Sa8Type>(type.getElementType()) &&
           type.getRank() > 0;
  });
  if (!input)
    return false;
  RankedTensorType type = typeOf(input);
  SmallVector<int64_t> order(type.getRank()), shape;
  std::iota(order.begin(), order.end(), 0);
  shuffle(order, w.random);
  for (int64_t dim : order)
    shape.push_back(type.getDimSize(dim));
  w.kernel("permute", {input},
           w.getType(shape, permuted(type.getElementType(), order)),
           w.attribute("permutation", order));
  return true;
}

bool fuzz::makeMov(Writer &w) {
  Value input = w.find([](RankedTensorType type) {
    auto quantized = dyn_cast<QuantizedType>(type.getElementType());
    return (quantized && !quantized.isPerAxis()) ||
           type.getElementType().isF32();
  });
  if (!input || typeOf(input).getRank() == 0)
    return false;
  RankedTensorType type = typeOf(input);
  int64_t rank = type.getRank();
  SmallVector<int64_t> order(rank), low, high, steps, offsets, starts, shape;
  std::iota(order.begin(), order.end(), 0);
  if (w.random.chance(60))
    shuffle(order, w.random);
  bool isPlaced = w.random.chance(30);
  for (int64_t i = 0; i < rank; ++i) {
    low.push_back(w.random.chance(25) ? w.random.pick(1, 2) : 0);
    high.push_back(w.random.chance(25) ? w.random.pick(1, 2) : 0);
    steps.push_back(w.random.chance(25) ? w.random.pick(2, 3) : 1);
    offsets.push_back(
        w.random.chance(20) ? w.random.pick(0, type.getDimSize(i) - 1) : 0);
    starts.push_back(isPlaced ? w.random.pick(0, 2) : 0);
  }
  for (auto [i, dim] : llvm::enumerate(order)) {
    int64_t size = type.getDimSize(dim) - offsets[dim] + low[dim] + high[dim];
    shape.push_back((size - 1) / steps[dim] + 1 + starts[i]);
  }
  RankedTensorType result = w.getType(shape, type.getElementType());
  SmallVector<NamedAttribute> attributes = {
      w.attribute("permutation", order), w.attribute("pad_low", low),
      w.attribute("pad_high", high), w.attribute("steps", steps),
      w.attribute("offsets", offsets)};
  if (isPlaced)
    attributes.push_back(w.attribute("dst_offsets", starts));
  OperationState state(w.loc, "mli.mov");
  // What is not written stays, so it has to be there.
  state.addOperands({input, isPlaced ? w.argument(result) : w.init(result)});
  state.addTypes(result);
  state.addAttributes(attributes);
  w.add(w.builder.create(state)->getResult(0));
  return true;
}
