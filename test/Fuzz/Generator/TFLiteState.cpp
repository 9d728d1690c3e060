// SPDX-License-Identifier: Apache-2.0
//
// Operators with state in networks of TFLite.

#include "TFLiteProgram.h"

#include <cmath>

using namespace mlir;
using namespace mli;
using namespace mli::fuzz;
using schema::BuiltinOptions;

static int32_t narrow(int64_t number) { return static_cast<int32_t>(number); }

/// Weights [rows, columns] of `scale`.
static int32_t addWeights(TFLiteNetwork &network, int64_t rows, int64_t columns,
                          float scale) {
  TFLiteMap like{-1, {}, TFLiteType::INT8, scale, 0};
  return network.addConstant({rows, columns}, like);
}

static int32_t addBias(TFLiteNetwork &network, int64_t count, float scale) {
  TFLiteTensor bias{{narrow(count)}, TFLiteType::INT32};
  bias.scales = {scale};
  bias.zeroPoints = {0};
  std::vector<int32_t> data;
  data.reserve(count);
  for (int64_t i = 0; i < count; ++i)
    data.push_back(narrow(network.random.pick(-9000, 9000)));
  bias.buffer = network.writer.addBuffer(data);
  return network.writer.addTensor(bias);
}

/// A scale of weights whose sums of `count` products take 8 bits of `to`.
static float fitScale(Random &random, float from, float to, int64_t count) {
  double usual = to / (from * 40 * std::sqrt(static_cast<double>(count)));
  return static_cast<float>(usual *
                            std::exp2(double(random.pick(-150, 100)) / 100));
}

bool fuzz::makeSvdf(TFLiteNetwork &network) {
  Random &random = network.random;
  TFLiteMap source = network.need(2, /*hasWide=*/false);
  if (source.shape[0] != 1)
    return false;
  int64_t rank = random.chance(60) ? 1 : random.pick(2, 3);
  int64_t units = random.pick(1, 6), filters = rank * units,
          steps = random.pick(1, 8);
  float held = network.chooseScale(TFLiteType::INT8);
  TFLiteMap state =
      network.addVariable({1, filters * steps}, TFLiteType::INT8, held,
                          network.chooseZeroPoint(TFLiteType::INT8));
  float scale = network.chooseScale(source.type);
  float inScale = fitScale(random, source.scale, held, source.shape[1]),
        timeScale = fitScale(random, held, scale, rank * steps);
  TFLiteMap result = network.addMap({1, units}, source.type, scale,
                                    network.chooseZeroPoint(source.type));
  SmallVector<int32_t> operands = {
      source.index, addWeights(network, filters, source.shape[1], inScale),
      addWeights(network, filters, steps, timeScale),
      random.chance(20) ? -1 : addBias(network, units, held * timeScale),
      state.index};
  network.add(TFLiteCode::SVDF, operands, result, BuiltinOptions::SVDFOptions,
              schema::CreateSVDFOptions(network.builder(), narrow(rank),
                                        network.chooseActivation())
                  .Union());
  return true;
}

bool fuzz::makeLstmCell(TFLiteNetwork &network) {
  Random &random = network.random;
  TFLiteMap source = network.need(3, /*hasWide=*/false);
  bool isTimeMajor = random.chance(40);
  if (source.shape[isTimeMajor ? 1 : 0] != 1)
    return false;
  int64_t inputs = source.shape[2], units = random.pick(1, 6);
  float held = 1.0F / 128;
  TFLiteMap output =
      network.addVariable({1, units}, TFLiteType::INT8, held,
                          random.chance(50) ? 0 : random.pick(-20, 20));
  auto exponent = static_cast<int>(random.pick(-13, -10));
  TFLiteMap cell = network.addVariable({1, units}, TFLiteType::INT16,
                                       std::ldexp(1.0F, exponent), 0);
  SmallVector<int32_t> operands = {source.index};
  SmallVector<float> scales;
  for (int gate = 0; gate < 4; ++gate) {
    scales.push_back(fitScale(random, source.scale, 1.0F / 32, inputs));
    operands.push_back(addWeights(network, units, inputs, scales.back()));
  }
  for (int gate = 0; gate < 4; ++gate)
    operands.push_back(addWeights(network, units, units,
                                  fitScale(random, held, 1.0F / 32, units)));
  operands.append(3, -1);
  for (int gate = 0; gate < 4; ++gate)
    operands.push_back(addBias(network, units, source.scale * scales[gate]));
  operands.append(2, -1);
  operands.append({output.index, cell.index});
  operands.append(4, -1);
  SmallVector<int64_t> shape = source.shape;
  shape[2] = units;
  TFLiteMap result =
      network.addMap(shape, TFLiteType::INT8, held, output.zeroPoint);
  network.add(TFLiteCode::UNIDIRECTIONAL_SEQUENCE_LSTM, operands, result,
              BuiltinOptions::UnidirectionalSequenceLSTMOptions,
              schema::CreateUnidirectionalSequenceLSTMOptions(
                  network.builder(), schema::ActivationFunctionType::TANH,
                  random.chance(50) ? 0.0F : 10.0F, 0.0F, isTimeMajor)
                  .Union());
  return true;
}

bool fuzz::makeVariables(TFLiteNetwork &network) {
  Random &random = network.random;
  TFLiteMap source = network.need(random.pick(1, 4), /*hasWide=*/false);
  std::string name = "v" + std::to_string(network.variables.size());
  auto &builder = network.builder();
  TFLiteTensor table{{}, TFLiteType::RESOURCE};
  if (network.variables.empty())
    network.add(TFLiteCode::CALL_ONCE, {}, {}, BuiltinOptions::CallOnceOptions,
                schema::CreateCallOnceOptions(builder, 1).Union());
  TFLiteMap handle{network.writer.addTensor(table), {}, TFLiteType::RESOURCE};
  network.add(
      TFLiteCode::VAR_HANDLE, {}, handle, BuiltinOptions::VarHandleOptions,
      schema::CreateVarHandleOptionsDirect(builder, "", name.c_str()).Union());
  TFLiteMap held = network.addLike(source, source.shape);
  network.add(TFLiteCode::READ_VARIABLE, {handle.index}, held);
  TFLiteMap sum = network.addLike(source, source.shape, 50);
  network.add(TFLiteCode::ADD, {source.index, held.index}, sum,
              BuiltinOptions::AddOptions,
              schema::CreateActivationOptions(builder).Union());
  network.add(TFLiteCode::ASSIGN_VARIABLE,
              {handle.index, random.chance(50) ? sum.index : source.index}, {});
  network.variables.emplace_back(name, held);
  return true;
}
