// SPDX-License-Identifier: Apache-2.0

#include "Types.h"

#include "mli/Contract/Contract.h"

#include <algorithm>

using namespace mlir;
using namespace mli;
using namespace mli::fuzz;

std::optional<Feature> fuzz::findFeature(StringRef name) {
  for (auto [i, feature] : llvm::enumerate(features))
    if (name == feature.name)
      return static_cast<Feature>(i);
  return std::nullopt;
}

std::optional<ElementKind> fuzz::getKind(Type element) {
  if (isa<Fx8Type>(element))
    return ElementKind::Fx8;
  if (isa<Fx16Type>(element))
    return ElementKind::Fx16;
  if (isa<Sa8Type>(element))
    return ElementKind::Sa8;
  if (isa<Sa32Type>(element))
    return ElementKind::Sa32;
  return std::nullopt;
}

std::optional<ElementKind> fuzz::getMapKind(Type element) {
  auto quantized = dyn_cast<QuantizedType>(element);
  if (!quantized || quantized.isPerAxis() ||
      !contract::mapZeroPointRange.contains(quantized.getParam(0).zeroPoint))
    return std::nullopt;
  return getKind(element);
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

int64_t TypeChoice::getExtent() {
  if (has(Feature::Large))
    return random.pick(16, 40);
  static constexpr int64_t extents[] = {1, 1, 2, 3, 4, 5, 5, 6, 7, 8, 9, 11};
  return random.pick(llvm::ArrayRef(extents));
}

SmallVector<int64_t> TypeChoice::getShape(int64_t rank) {
  SmallVector<int64_t> shape;
  for (int64_t i = 0; i < rank; ++i)
    shape.push_back(getExtent());
  // Tests are many because they are small.
  int64_t count = 1;
  for (int64_t &extent : shape) {
    while (count * extent > 3000 && extent > 1)
      extent = (extent + 1) / 2;
    count *= extent;
  }
  return shape;
}

SmallVector<int64_t> fuzz::factorize(int64_t count, int64_t rank,
                                     Random &random) {
  SmallVector<int64_t> shape(rank, 1);
  for (int64_t factor = 2; count > 1; ++factor) {
    if (factor * factor > count)
      factor = count;
    for (; count % factor == 0; count /= factor)
      shape[random.pick(0, rank - 1)] *= factor;
  }
  return shape;
}

//===----------------------------------------------------------------------===//
// Quantisation
//===----------------------------------------------------------------------===//

Type TypeChoice::getElement(ElementKind kind, quant::QuantParams params) {
  switch (kind) {
  case ElementKind::Fx8:
    return Fx8Type::get(context, params.fracBits);
  case ElementKind::Fx16:
    return Fx16Type::get(context, params.fracBits);
  case ElementKind::Sa8:
    return Sa8Type::get(context, params);
  case ElementKind::Sa32:
    return Sa32Type::get(context, params);
  }
  llvm_unreachable("all kinds are handled");
}

quant::QuantParams TypeChoice::getMapParams() {
  quant::QuantParams params;
  static constexpr int64_t zeroPoints[] = {-128, -128, 0, -5, 3, 17, 127, -100};
  params.zeroPoint =
      static_cast<int16_t>(random.pick(llvm::ArrayRef(zeroPoints)));
  if (has(Feature::Extremes)) {
    params.scale =
        static_cast<int16_t>(random.chance(50)   ? random.pick(1, 32767)
                             : random.chance(50) ? 1
                                                 : 32767);
    params.fracBits = static_cast<int8_t>(random.pick(-8, 30));
    params.zeroPoint = static_cast<int16_t>(random.pick(-128, 127));
    return params;
  }
  // A mantissa of any length that stands for 2^-9 to 2^1.
  int64_t bits = random.pick(0, 14);
  params.scale = static_cast<int16_t>(
      random.pick(int64_t{1} << bits, (int64_t{2} << bits) - 1));
  params.fracBits = static_cast<int8_t>(bits + random.pick(-1, 9));
  return params;
}

Type TypeChoice::getMapElement(ElementKind kind) {
  quant::QuantParams params = getMapParams();
  if (kind == ElementKind::Sa8)
    return getElement(kind, params);
  if (kind == ElementKind::Sa32) {
    params.zeroPoint = random.chance(70) ? 0 : params.zeroPoint;
    return getElement(kind, params);
  }
  int64_t width = kind == ElementKind::Fx8 ? 7 : 15;
  params.fracBits = static_cast<int8_t>(
      has(Feature::Extremes) ? random.pick(-10, 30) : random.pick(0, width));
  return getElement(kind, params);
}

Type TypeChoice::getWeightElement(ElementKind kind, int64_t axis,
                                  int64_t count) {
  if (kind == ElementKind::Fx8 || kind == ElementKind::Fx16 || axis < 0) {
    Type element = getMapElement(kind);
    auto quantized = cast<QuantizedType>(element);
    quant::QuantParams params = quantized.getParam(0);
    params.zeroPoint = 0;
    return getElement(kind, params);
  }
  SmallVector<quant::QuantParams> all;
  quant::QuantParams params = getMapParams();
  params.zeroPoint = 0;
  for (int64_t i = 0; i < count; ++i) {
    // Channels differ, and some a lot.
    if (has(Feature::Extremes))
      params.fracBits = static_cast<int8_t>(random.pick(0, 30));
    params.scale = static_cast<int16_t>(
        random.pick(std::max<int64_t>(1, params.scale / 2),
                    std::min<int64_t>(32767, int64_t{2} * params.scale)));
    all.push_back(params);
  }
  if (kind == ElementKind::Sa8)
    return Sa8Type::get(context, static_cast<int32_t>(axis), all);
  return Sa32Type::get(context, static_cast<int32_t>(axis), all);
}

/// The product of two scales, whose mantissa fits.
static quant::QuantParams multiply(quant::QuantParams a, quant::QuantParams b) {
  int64_t scale = int64_t{a.scale} * b.scale;
  int64_t fracBits = int64_t{a.fracBits} + b.fracBits;
  while (scale > 32767) {
    scale = (scale + 1) / 2;
    --fracBits;
  }
  quant::QuantParams product;
  product.scale = static_cast<int16_t>(std::min<int64_t>(scale, 32767));
  product.fracBits = static_cast<int8_t>(fracBits);
  product.zeroPoint = 0;
  return product;
}

Type TypeChoice::getBiasElement(Type input, Type weights) {
  auto in = cast<QuantizedType>(input), w = cast<QuantizedType>(weights);
  quant::QuantParams first = in.getParam(0);
  if (isa<Sa8Type>(input)) {
    SmallVector<quant::QuantParams> all;
    for (size_t i = 0; i < w.getNumParams(); ++i)
      all.push_back(multiply(first, w.getParam(i)));
    if (w.isPerAxis())
      return Sa32Type::get(context, 0, all);
    return Sa32Type::get(context, all.front());
  }
  // No more fraction bits than both have together.
  int64_t most = int64_t{first.fracBits} + w.getParam(0).fracBits;
  quant::QuantParams params;
  params.fracBits = static_cast<int8_t>(
      std::clamp<int64_t>(most - random.pick(0, 8), -128, 127));
  return getElement(*getKind(weights), params);
}

Type TypeChoice::getSumElement(Type input, Type weights, int64_t count) {
  auto in = cast<QuantizedType>(input), w = cast<QuantizedType>(weights);
  int64_t growth = 0;
  while (int64_t{1} << growth < count)
    ++growth;
  if (isa<Sa8Type>(input)) {
    if (random.chance(20))
      return getMapElement(ElementKind::Sa8);
    quant::QuantParams params = multiply(in.getParam(0), w.getParam(0));
    // Sums of random products take about half of the bits. Where many bits of
    // an accumulator are dropped, 16 of them may be too few for it.
    int64_t distance =
        has(Feature::Extremes) ? random.pick(-14, 8) : random.pick(-2, 3);
    params.fracBits = static_cast<int8_t>(std::clamp<int64_t>(
        params.fracBits - 7 - growth / 2 + distance, -128, 127));
    params.zeroPoint = getMapParams().zeroPoint;
    return getElement(ElementKind::Sa8, params);
  }
  int64_t most = int64_t{in.getParam(0).fracBits} + w.getParam(0).fracBits;
  quant::QuantParams params;
  int64_t bits = isa<Fx8Type>(weights) ? 7 : 15;
  params.fracBits = static_cast<int8_t>(std::clamp<int64_t>(
      std::min(most, most - bits - growth / 2 + random.pick(0, 6)), -128, 127));
  return getElement(*getKind(input), params);
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

static std::pair<int64_t, int64_t> getRange(Type element) {
  unsigned width = elementWidth(element);
  return {-(int64_t{1} << (width - 1)), (int64_t{1} << (width - 1)) - 1};
}

DenseElementsAttr TypeChoice::toAttribute(RankedTensorType type,
                                          ArrayRef<int64_t> values) {
  auto storage = IntegerType::get(context, elementWidth(type.getElementType()));
  SmallVector<APInt> integers;
  for (int64_t value : values)
    integers.push_back(APInt(storage.getWidth(), value, /*isSigned=*/true));
  return DenseElementsAttr::get(RankedTensorType::get(type.getShape(), storage),
                                integers);
}

DenseElementsAttr TypeChoice::getValues(RankedTensorType type) {
  auto [least, most] = getRange(type.getElementType());
  int64_t kind = random.pick(0, 9);
  SmallVector<int64_t> values;
  for (int64_t i = 0, e = type.getNumElements(); i < e; ++i)
    values.push_back(kind == 0   ? (random.chance(50) ? least : most)
                     : kind == 1 ? random.pick(-3, 3)
                     : kind == 2 ? (values.empty() ? random.pick(least, most)
                                                   : values.front())
                                 : random.pick(least, most));
  return toAttribute(type, values);
}

DenseElementsAttr TypeChoice::getWeights(RankedTensorType type,
                                         int64_t output) {
  auto [least, most] = getRange(type.getElementType());
  int64_t outputs = type.getDimSize(output), inner = 1;
  for (int64_t dim = output + 1; dim < type.getRank(); ++dim)
    inner *= type.getDimSize(dim);
  SmallVector<int64_t> kinds, values;
  for (int64_t i = 0; i < outputs; ++i)
    kinds.push_back(has(Feature::DeadChannels) ? 0
                    : has(Feature::Extremes)   ? random.pick(1, 3)
                                               : 4);
  for (int64_t i = 0, e = type.getNumElements(); i < e; ++i) {
    switch (kinds[i / inner % outputs]) {
    case 0:
      values.push_back(0);
      break;
    case 1:
      values.push_back(least);
      break;
    case 2:
      values.push_back(most);
      break;
    case 3:
      values.push_back(random.pick(-1, 1));
      break;
    default:
      values.push_back(random.pick(least, most));
    }
  }
  return toAttribute(type, values);
}

DenseElementsAttr TypeChoice::getBias(RankedTensorType type, int64_t count) {
  auto [least, most] = getRange(type.getElementType());
  SmallVector<int64_t> values;
  for (int64_t i = 0, e = type.getNumElements(); i < e; ++i) {
    int64_t reach = std::min<int64_t>(most, count * 127 * 255);
    switch (has(Feature::Extremes) ? random.pick(3, 6) : random.pick(0, 2)) {
    case 0:
      values.push_back(0);
      break;
    case 1:
      values.push_back(random.pick(std::max<int64_t>(least, -2000),
                                   std::min<int64_t>(most, 2000)));
      break;
    case 2: // As far as products lead.
      values.push_back(random.pick(-reach / 8, reach / 8));
      break;
    case 3:
      values.push_back(random.chance(50) ? least : most);
      break;
    case 4: // Around a power of two.
      values.push_back(std::clamp((int64_t{1} << random.pick(0, 30)) *
                                          (random.chance(50) ? 1 : -1) +
                                      random.pick(-1, 1),
                                  least, most));
      break;
    case 5: { // Products lead over the limits of the accumulator.
      int64_t limit = int64_t{1} << (random.chance(50) ? 23 : 31);
      int64_t value = limit - random.pick(0, reach);
      values.push_back(
          std::clamp(random.chance(50) ? value : -value, least, most));
      break;
    }
    default:
      values.push_back(random.pick(least, most));
    }
  }
  return toAttribute(type, values);
}

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

WindowChoice fuzz::chooseWindow(Random &random, int64_t input,
                                bool hasDilation) {
  WindowChoice window;
  static constexpr int64_t kernels[] = {1, 1, 2, 3, 3, 3, 4, 5, 7};
  window.kernel = random.pick(llvm::ArrayRef(kernels));
  window.stride = random.chance(60) ? 1 : random.pick(1, 4);
  window.dilation = hasDilation && random.chance(25) ? random.pick(2, 3) : 1;
  window.input = input != 0 ? input : random.pick(1, 11);
  // Padding makes up for a kernel that is larger than the map.
  int64_t reach = (window.kernel - 1) * window.dilation + 1;
  int64_t missing = std::max<int64_t>(0, reach - window.input);
  window.before =
      random.chance(50) ? (reach - 1) / 2 : random.pick(0, reach - 1);
  window.after =
      random.chance(50) ? (reach - 1) / 2 : random.pick(0, reach - 1);
  if (window.before + window.after < missing) {
    window.before = std::min(reach - 1, missing);
    window.after = missing - window.before;
  }
  window.output =
      (window.input + window.before + window.after - reach) / window.stride + 1;
  // Not all that fits has to be computed.
  if (window.output > 1 && random.chance(15))
    --window.output;
  return window;
}

WindowChoice fuzz::chooseTransposedWindow(Random &random, int64_t input) {
  WindowChoice window;
  window.dilation = 1;
  window.input = input != 0 ? input : random.pick(1, 6);
  do {
    window.kernel = random.pick(1, 5);
    window.stride = random.pick(1, window.kernel);
    window.before = random.chance(50) ? 0 : random.pick(0, window.kernel - 1);
    window.after = random.chance(50) ? 0 : random.pick(0, window.kernel - 1);
    window.output = (window.input - 1) * window.stride + window.kernel -
                    window.before - window.after;
  } while (window.output < 1);
  return window;
}
