// SPDX-License-Identifier: Apache-2.0
//
// Functions of elements and of rows in networks of TFLite.

#include "TFLiteProgram.h"

#include <cmath>

using namespace mlir;
using namespace mli;
using namespace mli::fuzz;
using schema::BuiltinOptions;

//===----------------------------------------------------------------------===//
// Two operands
//===----------------------------------------------------------------------===//

namespace {

struct Arithmetic {
  TFLiteCode code;
  BuiltinOptions options;
};

constexpr Arithmetic arithmetic[] = {
    {TFLiteCode::ADD, BuiltinOptions::AddOptions},
    {TFLiteCode::SUB, BuiltinOptions::SubOptions},
    {TFLiteCode::MUL, BuiltinOptions::MulOptions},
    {TFLiteCode::MAXIMUM, BuiltinOptions::NONE},
    {TFLiteCode::MINIMUM, BuiltinOptions::NONE},
};

} // namespace

/// The other operand: a map of the shape of `first`, a constant of one that is
/// repeated, or the map itself.
static int32_t chooseOther(TFLiteNetwork &network, const TFLiteMap &first,
                           bool isAlike, TFLiteMap &other) {
  Random &random = network.random;
  other = first;
  if (!isAlike) {
    other.scale = network.chooseScale(first.type);
    if (!network.has(Feature::Extremes))
      other.scale =
          first.scale *
          static_cast<float>(std::exp2(double(random.pick(-300, 300)) / 100));
    if (first.isWide())
      other.scale = std::ldexp(first.scale, int(random.pick(-3, 3)));
    other.zeroPoint = network.chooseZeroPoint(first.type);
  }
  std::optional<TFLiteMap> found = network.find([&](const TFLiteMap &map) {
    return map.shape == first.shape && map.type == first.type &&
           map.index != first.index && map.scale != 0 &&
           (!isAlike ||
            (map.scale == first.scale && map.zeroPoint == first.zeroPoint));
  });
  if (found && random.chance(60)) {
    other = *found;
    return found->index;
  }
  if (random.chance(10)) {
    other = first;
    return first.index;
  }
  SmallVector<int64_t> shape = first.shape;
  switch (random.pick(0, 3)) {
  case 0:
    shape.assign(random.pick(0, 1), 1);
    break;
  case 1: // Some dimensions are repeated.
    for (int64_t &extent : shape)
      if (random.chance(40))
        extent = 1;
    break;
  case 2:
    shape.erase(shape.begin(),
                shape.begin() + random.pick(0, first.getRank() - 1));
    break;
  default:
    break;
  }
  // A sum of 16 bits takes no single element that is computed.
  bool mayCompute = !first.isWide() || llvm::product_of(shape) > 1;
  if (mayCompute && !shape.empty() && random.chance(40)) {
    TFLiteMap input = network.addInput(shape, first.type);
    if (!isAlike) {
      other = input;
      return input.index;
    }
  }
  return network.addConstant(shape, other);
}

static void addSquaredDifference(TFLiteNetwork &network) {
  TFLiteMap first = network.need(network.random.pick(1, 4), /*hasWide=*/false),
            other;
  int32_t second =
      chooseOther(network, first, network.random.chance(40), other);
  network.add(TFLiteCode::SQUARED_DIFFERENCE, {first.index, second},
              network.addResult(first.shape, first.type));
}

bool fuzz::makeEltwise(TFLiteNetwork &network) {
  Random &random = network.random;
  if (random.chance(8)) {
    addSquaredDifference(network);
    return true;
  }
  const Arithmetic &op = random.pick(ArrayRef(arithmetic));
  TFLiteMap first = network.need(random.pick(1, 4), /*hasWide=*/true), other;
  bool isOrder = op.options == BuiltinOptions::NONE;
  bool isAlike = random.chance(isOrder ? 80 : 15);
  int32_t second = chooseOther(network, first, isAlike, other);
  float scale = std::max(first.scale, other.scale);
  if (op.code == TFLiteCode::MUL)
    scale = first.scale * other.scale * (first.isWide() ? 1 << 14 : 64);
  if (isOrder && isAlike) {
    scale = first.scale;
  } else if (first.isWide()) {
    scale = std::ldexp(scale, int(random.pick(-1, 1)));
  } else if (network.has(Feature::Extremes)) {
    scale = network.chooseScale(first.type);
  } else {
    scale *=
        static_cast<float>(std::exp2(double(random.pick(-100, 150)) / 100));
  }
  // Scales are normal numbers.
  scale = std::clamp(scale, 1e-30F, 1e30F);
  TFLiteMap result =
      network.addMap(first.shape, first.type, scale,
                     isOrder && isAlike ? first.zeroPoint
                                        : network.chooseZeroPoint(first.type));
  bool isSwapped = random.chance(40);
  flatbuffers::Offset<void> options = 0;
  if (!isOrder)
    options = schema::CreateActivationOptions(network.builder(),
                                              network.chooseActivation())
                  .Union();
  network.add(op.code,
              isSwapped ? ArrayRef<int32_t>{second, first.index}
                        : ArrayRef<int32_t>{first.index, second},
              result, op.options, options);
  return true;
}

//===----------------------------------------------------------------------===//
// One operand
//===----------------------------------------------------------------------===//

bool fuzz::makeRelu(TFLiteNetwork &network) {
  static constexpr TFLiteCode codes[] = {TFLiteCode::RELU, TFLiteCode::RELU6,
                                         TFLiteCode::RELU_N1_TO_1};
  TFLiteMap input = network.need(network.random.pick(1, 4), false);
  TFLiteMap result = network.addLike(input, input.shape, 50);
  network.add(network.random.pick(ArrayRef(codes)), {input.index}, result);
  return true;
}

bool fuzz::makeSlopes(TFLiteNetwork &network) {
  Random &random = network.random;
  int64_t kind = random.pick(0, 2);
  TFLiteMap input = network.need(random.pick(1, 4), kind != 1);
  TFLiteMap result = network.addLike(input, input.shape, 50);
  if (kind == 0) {
    static constexpr float alphas[] = {0.01F, 0.1F, 0.2F,  0.3F, 0.5F,
                                       1.0F,  0.0F, -0.5F, 1.5F};
    network.add(TFLiteCode::LEAKY_RELU, {input.index}, result,
                BuiltinOptions::LeakyReluOptions,
                schema::CreateLeakyReluOptions(network.builder(),
                                               random.pick(ArrayRef(alphas)))
                    .Union());
  } else if (kind == 1) {
    SmallVector<int64_t> shape(std::max<int64_t>(1, input.getRank() - 1), 1);
    if (random.chance(80))
      shape.back() = input.shape.back();
    TFLiteMap alpha{-1, shape, input.type,
                    static_cast<float>(std::exp2(random.pick(-9, -6))), 0};
    if (random.chance(30))
      alpha.zeroPoint = random.pick(-128, 127);
    if (input.type == TFLiteType::UINT8)
      alpha.zeroPoint += 128;
    network.add(TFLiteCode::PRELU,
                {input.index, network.addConstant(shape, alpha)}, result);
  } else {
    network.add(TFLiteCode::ABS, {input.index}, result);
  }
  return true;
}

bool fuzz::makeActivation(TFLiteNetwork &network) {
  Random &random = network.random;
  int64_t kind = random.pick(0, 1);
  TFLiteMap input = network.need(random.pick(1, 4), /*hasWide=*/true);
  if (input.isWide()) {
    network.add(
        kind == 0 ? TFLiteCode::LOGISTIC : TFLiteCode::TANH, {input.index},
        random.chance(75) ? network.addMap(input.shape, input.type, 0x1p-15F, 0)
                          : network.addResult(input.shape, input.type));
    return true;
  }
  int64_t offset = input.type == TFLiteType::UINT8 ? 128 : 0;
  network.add(
      kind == 0 ? TFLiteCode::LOGISTIC : TFLiteCode::TANH, {input.index},
      random.chance(75) ? network.addMap(input.shape, input.type,
                                         kind == 0 ? 1.0F / 256 : 1.0F / 128,
                                         kind == 0 ? offset - 128 : offset)
                        : network.addResult(input.shape, input.type));
  return true;
}

bool fuzz::makeAlongAxis(TFLiteNetwork &network) {
  Random &random = network.random;
  bool isSoftmax = random.chance(70);
  TFLiteMap input = network.need(random.pick(1, 4), /*hasWide=*/isSoftmax);
  int64_t offset = input.type == TFLiteType::UINT8 ? 128 : 0;
  if (isSoftmax && !input.isWide() && random.chance(20)) {
    network.add(
        TFLiteCode::LOG_SOFTMAX, {input.index},
        network.addMap(input.shape, input.type, 1.0F / 16, offset + 127));
    return true;
  }
  if (isSoftmax) {
    static constexpr float betas[] = {0.5F, 2, 0.1F};
    float beta = random.chance(75) ? 1 : random.pick(ArrayRef(betas));
    network.add(
        TFLiteCode::SOFTMAX, {input.index},
        input.isWide()
            ? network.addMap(input.shape, input.type, 0x1p-15F, 0)
            : network.addMap(input.shape, input.type, 1.0F / 256, offset - 128),
        BuiltinOptions::SoftmaxOptions,
        schema::CreateSoftmaxOptions(network.builder(), beta).Union());
    return true;
  }
  network.add(TFLiteCode::L2_NORMALIZATION, {input.index},
              network.addMap(input.shape, input.type, 1.0F / 128, offset),
              BuiltinOptions::L2NormOptions,
              schema::CreateActivationOptions(network.builder()).Union());
  return true;
}

bool fuzz::makeArgmax(TFLiteNetwork &network) {
  Random &random = network.random;
  TFLiteMap input = network.need(random.pick(1, 4), /*hasWide=*/false);
  int64_t axis = random.chance(60) ? input.getRank() - 1
                                   : random.pick(0, input.getRank() - 1);
  SmallVector<int64_t> shape = input.shape;
  shape.erase(shape.begin() + axis);
  TFLiteMap result = network.addMap(
      shape, random.chance(50) ? TFLiteType::INT64 : TFLiteType::INT32, 0, 0);
  network.add(TFLiteCode::ARG_MAX,
              {input.index,
               network.addIntegers(network.spellAxis(axis, input.getRank()))},
              result);
  return true;
}

bool fuzz::makeConvert(TFLiteNetwork &network) {
  Random &random = network.random;
  int64_t kind = random.pick(0, 9);
  if (kind == 0) {
    TFLiteMap input = network.need(random.pick(1, 4), /*hasWide=*/true);
    network.add(TFLiteCode::DEQUANTIZE, {input.index},
                network.addMap(input.shape, TFLiteType::FLOAT32, 0, 0));
    return true;
  }
  if (kind == 1) {
    std::optional<TFLiteMap> found = network.find(
        [](const TFLiteMap &map) { return map.type == TFLiteType::FLOAT32; });
    TFLiteMap input =
        found ? *found
              : network.addInput(network.types.getShape(random.pick(1, 4)),
                                 TFLiteType::FLOAT32);
    network.add(TFLiteCode::QUANTIZE, {input.index},
                network.addResult(input.shape, network.chooseType(true)));
    return true;
  }
  TFLiteMap input = network.need(random.pick(1, 4), /*hasWide=*/true);
  TFLiteType type = random.chance(40)   ? input.type
                    : random.chance(60) ? TFLiteType::INT8
                                        : network.chooseType(/*hasWide=*/true);
  // About the same range of numbers.
  int bits = (type == TFLiteType::INT16 ? -8 : 0) + (input.isWide() ? 8 : 0);
  float scale = std::ldexp(input.scale, bits + int(random.pick(-2, 2)));
  if (type == TFLiteType::INT16)
    scale = static_cast<float>(std::exp2(std::round(std::log2(scale))));
  else if (random.chance(80))
    scale *= static_cast<float>(std::exp2(double(random.pick(-99, 99)) / 200));
  int64_t zeroPoint = network.chooseZeroPoint(type);
  // The same numbers as bytes of the other kind.
  if (input.isByte() && type != input.type && type != TFLiteType::INT16 &&
      random.chance(50)) {
    scale = input.scale;
    zeroPoint = input.zeroPoint + (type == TFLiteType::UINT8 ? 128 : -128);
  }
  network.add(TFLiteCode::QUANTIZE, {input.index},
              network.addMap(input.shape, type, scale, zeroPoint));
  return true;
}
