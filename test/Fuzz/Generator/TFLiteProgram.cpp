// SPDX-License-Identifier: Apache-2.0

#include "TFLiteProgram.h"

#include <cmath>

using namespace mlir;
using namespace mli;
using namespace mli::fuzz;
using schema::ActivationFunctionType;
using schema::BuiltinOptions;

TFLiteNetwork::TFLiteNetwork(const Settings &settings)
    : settings(settings), random(settings.seed),
      types(nullptr, this->settings, random) {}

//===----------------------------------------------------------------------===//
// Quantisation
//===----------------------------------------------------------------------===//

TFLiteType TFLiteNetwork::chooseType(bool hasWide) {
  if (hasWide && has(Feature::Wide))
    return TFLiteType::INT16;
  return has(Feature::Unsigned) ? TFLiteType::UINT8 : TFLiteType::INT8;
}

float TFLiteNetwork::chooseScale(TFLiteType type) {
  if (type == TFLiteType::INT16) {
    auto exponent = static_cast<int>(random.pick(-15, -6));
    // Others than powers of two, where nothing fixes them, are there, too.
    double mantissa =
        random.chance(90) ? 1 : 1 + std::ldexp(double(random.pick(0, 99)), -7);
    return static_cast<float>(std::ldexp(mantissa, exponent));
  }
  bool isExtreme = has(Feature::Extremes) && random.chance(40);
  auto exponent =
      static_cast<int>(isExtreme ? random.pick(-14, 6) : random.pick(-9, 0));
  double mantissa = 1 + std::ldexp(double(random.pick(0, 65535)), -16);
  return static_cast<float>(
      std::ldexp(random.chance(15) ? 1 : mantissa, exponent));
}

int64_t TFLiteNetwork::chooseZeroPoint(TFLiteType type) {
  if (type == TFLiteType::INT16)
    return 0;
  static constexpr int64_t zeroPoints[] = {-128, -128, 0, -5, 3, 17, 127, -100};
  int64_t zeroPoint = has(Feature::Extremes)
                          ? random.pick(-128, 127)
                          : random.pick(llvm::ArrayRef(zeroPoints));
  return type == TFLiteType::UINT8 ? zeroPoint + 128 : zeroPoint;
}

ActivationFunctionType TFLiteNetwork::chooseActivation() {
  static constexpr ActivationFunctionType activations[] = {
      ActivationFunctionType::RELU, ActivationFunctionType::RELU6,
      ActivationFunctionType::RELU_N1_TO_1};
  return random.chance(60) ? ActivationFunctionType::NONE
                           : random.pick(llvm::ArrayRef(activations));
}

//===----------------------------------------------------------------------===//
// Feature maps
//===----------------------------------------------------------------------===//

int32_t TFLiteNetwork::addTensor(const TFLiteMap &map) {
  TFLiteTensor tensor;
  tensor.shape.assign(map.shape.begin(), map.shape.end());
  tensor.type = map.type;
  tensor.name = "t" + std::to_string(maps.size());
  if (map.scale != 0) {
    tensor.scales = {map.scale};
    tensor.zeroPoints = {map.zeroPoint};
  }
  return writer.addTensor(tensor);
}

TFLiteMap TFLiteNetwork::addMap(ArrayRef<int64_t> shape, TFLiteType type,
                                float scale, int64_t zeroPoint) {
  TFLiteMap map{-1, llvm::to_vector(shape), type, scale, zeroPoint};
  map.index = addTensor(map);
  maps.push_back(map);
  return map;
}

TFLiteMap TFLiteNetwork::addResult(ArrayRef<int64_t> shape, TFLiteType type) {
  float scale = chooseScale(type);
  return addMap(shape, type, scale, chooseZeroPoint(type));
}

TFLiteMap TFLiteNetwork::addLike(const TFLiteMap &map, ArrayRef<int64_t> shape,
                                 int64_t percent) {
  if (map.scale == 0 || !random.chance(percent))
    return addMap(shape, map.type, map.scale, map.zeroPoint);
  int64_t zeroPoint = chooseZeroPoint(map.type);
  auto change = static_cast<float>(
      map.isWide() ? std::exp2(random.pick(-2, 2))
                   : std::exp2(double(random.pick(-200, 200)) / 100));
  return addMap(shape, map.type, map.scale * change, zeroPoint);
}

TFLiteMap TFLiteNetwork::addInput(ArrayRef<int64_t> shape, TFLiteType type) {
  TFLiteMap map = type == TFLiteType::FLOAT32 ? addMap(shape, type, 0, 0)
                                              : addResult(shape, type);
  inputs.push_back(map.index);
  return map;
}

TFLiteMap TFLiteNetwork::addVariable(ArrayRef<int64_t> shape, TFLiteType type,
                                     float scale, int64_t zeroPoint) {
  TFLiteTensor tensor;
  tensor.shape.assign(shape.begin(), shape.end());
  tensor.type = type;
  tensor.scales = {scale};
  tensor.zeroPoints = {zeroPoint};
  tensor.isVariable = true;
  return {writer.addTensor(tensor), llvm::to_vector(shape), type, scale,
          zeroPoint};
}

std::optional<TFLiteMap> TFLiteNetwork::find(Fits fits) {
  SmallVector<TFLiteMap> found;
  for (const TFLiteMap &map : maps)
    if (fits(map))
      found.push_back(map);
  if (found.empty())
    return std::nullopt;
  auto last = static_cast<int64_t>(found.size()) - 1;
  return found[random.chance(65)
                   ? std::max<int64_t>(0, last - random.pick(0, 2))
                   : random.pick(0, last)];
}

TFLiteMap TFLiteNetwork::need(int64_t rank, bool hasWide) {
  auto fits = [&](const TFLiteMap &map) {
    return map.scale != 0 && (map.isByte() || (hasWide && map.isWide()));
  };
  std::optional<TFLiteMap> map = find([&](const TFLiteMap &each) {
    return each.getRank() == rank && fits(each);
  });
  if (map && !random.chance(8))
    return *map;
  map = find(fits);
  if (map && random.chance(60)) {
    TFLiteMap result =
        addLike(*map, factorize(map->getNumElements(), rank, random));
    add(TFLiteCode::RESHAPE, {map->index, addIntegers(result.shape)}, result);
    return result;
  }
  SmallVector<int64_t> shape = types.getShape(rank);
  // A batch comes first.
  if (rank == 4 && !has(Feature::Batch))
    shape.front() = 1;
  return addInput(shape, chooseType(hasWide));
}

int32_t TFLiteNetwork::addConstant(ArrayRef<int64_t> shape,
                                   const TFLiteMap &like) {
  TFLiteTensor tensor;
  tensor.shape.assign(shape.begin(), shape.end());
  tensor.type = like.type;
  tensor.scales = {like.scale};
  tensor.zeroPoints = {like.zeroPoint};
  int64_t kind = random.pick(0, 5);
  auto any = [&](int64_t bits) {
    int64_t most = (int64_t{1} << (bits - 1)) - 1;
    return kind == 0   ? (random.chance(50) ? most : -most - 1)
           : kind == 1 ? random.pick(-2, 2)
                       : random.pick(-most - 1, most);
  };
  if (like.isWide()) {
    std::vector<int16_t> data;
    data.reserve(llvm::product_of(shape));
    for (int64_t i = 0; i < llvm::product_of(shape); ++i)
      data.push_back(static_cast<int16_t>(any(16)));
    tensor.buffer = writer.addBuffer(data);
  } else {
    std::vector<int8_t> data;
    data.reserve(llvm::product_of(shape));
    for (int64_t i = 0; i < llvm::product_of(shape); ++i)
      data.push_back(static_cast<int8_t>(any(8)));
    tensor.buffer = writer.addBuffer(data);
  }
  return writer.addTensor(tensor);
}

int32_t TFLiteNetwork::addIntegers(ArrayRef<int64_t> numbers) {
  auto [it, isNew] = integers.try_emplace(numbers.vec(), 0);
  if (!isNew && random.chance(50))
    return it->second;
  if (random.chance(15)) {
    TFLiteTensor tensor{{static_cast<int32_t>(numbers.size())},
                        TFLiteType::INT64};
    tensor.buffer = writer.addBuffer(numbers);
    it->second = writer.addTensor(tensor);
  } else {
    SmallVector<int32_t> narrow(numbers.begin(), numbers.end());
    it->second = writer.addIntegers(narrow);
  }
  return it->second;
}

uint32_t TFLiteNetwork::addWeights(const std::vector<int8_t> &weights) {
  auto [it, isNew] = buffers.try_emplace(weights, 0);
  if (isNew)
    it->second = writer.addBuffer(weights);
  return it->second;
}

//===----------------------------------------------------------------------===//
// Networks
//===----------------------------------------------------------------------===//

void TFLiteNetwork::add(TFLiteCode code, ArrayRef<int32_t> operands,
                        ArrayRef<TFLiteMap> outputs, BuiltinOptions type,
                        flatbuffers::Offset<void> options) {
  SmallVector<int32_t> results;
  for (const TFLiteMap &output : outputs)
    results.push_back(output.index);
  used.insert(operands.begin(), operands.end());
  writer.addOperator(code, operands, results, type, options);
}

bool TFLiteNetwork::addStep() {
  static constexpr Step<TFLiteNetwork> steps[] = {
#define MLI_TFLITE_STEP(name) {Feature::name, make##name},
      MLI_TFLITE_STEPS(MLI_TFLITE_STEP)
#undef MLI_TFLITE_STEP
  };
  return addAnyStep(*this, steps);
}

/// Last maps that nobody reads, and now and then one that somebody does.
SmallVector<int32_t> TFLiteNetwork::chooseOutputs() {
  SmallVector<int32_t> outputs;
  int64_t most = random.pick(2, 5);
  for (const TFLiteMap &map : llvm::reverse(maps)) {
    bool isLast = !used.contains(map.index);
    bool isTaken = isLast || random.chance(4);
    if (isTaken && !llvm::is_contained(inputs, map.index) &&
        static_cast<int64_t>(outputs.size()) < most)
      outputs.push_back(map.index);
  }
  return outputs;
}

/// Adds a graph that sets variables to zeros.
void TFLiteNetwork::addStart() {
  for (const auto &[name, map] : variables) {
    TFLiteTensor value;
    value.shape.assign(map.shape.begin(), map.shape.end());
    value.type = map.type;
    value.scales = {map.scale};
    value.zeroPoints = {map.zeroPoint};
    std::vector<int8_t> zeros(map.getNumElements() * (map.isWide() ? 2 : 1),
                              static_cast<int8_t>(map.zeroPoint));
    value.buffer = writer.addBuffer(zeros);
    TFLiteTensor handle{{}, TFLiteType::RESOURCE};
    int32_t from = writer.addTensor(value), to = writer.addTensor(handle);
    writer.addOperator(
        TFLiteCode::VAR_HANDLE, {}, {to}, BuiltinOptions::VarHandleOptions,
        schema::CreateVarHandleOptionsDirect(writer.builder, "", name.c_str())
            .Union());
    writer.addOperator(TFLiteCode::ASSIGN_VARIABLE, {to, from}, {});
  }
  writer.endGraph({}, {}, "start");
}

std::string TFLiteNetwork::finish() {
  SmallVector<int32_t> outputs = chooseOutputs();
  if (outputs.empty()) {
    TFLiteMap map = need(random.pick(1, 4), /*hasWide=*/true);
    TFLiteMap result = addLike(map, map.shape);
    add(TFLiteCode::RESHAPE, {map.index, addIntegers(map.shape)}, result);
    outputs.push_back(result.index);
  }
  writer.endGraph(inputs, outputs, "main");
  if (!variables.empty())
    addStart();
  return writer.finish();
}

std::string fuzz::generateTFLite(const Settings &settings) {
  TFLiteNetwork network(settings);
  // Networks of one or two operators are there, too.
  int64_t size = network.random.pick(1, 2 * settings.size - 1);
  for (int64_t i = 0, tries = 0; i < size && tries < 20 * size; ++tries)
    i += network.addStep() ? 1 : 0;
  return network.finish();
}
