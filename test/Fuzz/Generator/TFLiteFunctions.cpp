// SPDX-License-Identifier: Apache-2.0
//
// Steps of functions of single elements that become tables.

#include "TFLiteProgram.h"

using namespace mlir;
using namespace mli;
using namespace mli::fuzz;
using schema::BuiltinOptions;

/// Adds DIV or POW of a map and a number, in either order.
static void addWithNumber(TFLiteNetwork &network, const TFLiteMap &input,
                          bool isQuotient) {
  Random &random = network.random;
  SmallVector<int64_t> shape(random.pick(0, 1), 1);
  TFLiteMap number{-1, shape, input.type,
                   static_cast<float>(std::exp2(random.pick(-9, -4))),
                   random.pick(0, 100)};
  int32_t constant = network.addConstant(shape, number);
  SmallVector<int32_t> operands = {input.index, constant};
  if (random.chance(30))
    std::swap(operands[0], operands[1]);
  TFLiteMap result = network.addLike(input, input.shape, 60);
  if (isQuotient)
    network.add(TFLiteCode::DIV, operands, result, BuiltinOptions::DivOptions,
                schema::CreateActivationOptions(network.builder(),
                                                network.chooseActivation())
                    .Union());
  else
    network.add(TFLiteCode::POW, operands, result);
}

bool fuzz::makeFunction(TFLiteNetwork &network) {
  static constexpr TFLiteCode codes[] = {
      TFLiteCode::CEIL,  TFLiteCode::COS,   TFLiteCode::ELU,
      TFLiteCode::EXP,   TFLiteCode::FLOOR, TFLiteCode::HARD_SWISH,
      TFLiteCode::LOG,   TFLiteCode::NEG,   TFLiteCode::RELU_0_TO_1,
      TFLiteCode::ROUND, TFLiteCode::RSQRT, TFLiteCode::SIGN,
      TFLiteCode::SIN,   TFLiteCode::SQRT,  TFLiteCode::SQUARE};
  Random &random = network.random;
  TFLiteMap input = network.need(random.pick(1, 4), /*hasWide=*/false);
  if (random.chance(20)) {
    addWithNumber(network, input, random.chance(60));
    return true;
  }
  TFLiteMap result = network.addLike(input, input.shape, 60);
  if (random.chance(15))
    network.add(TFLiteCode::GELU, {input.index}, result,
                BuiltinOptions::GeluOptions,
                schema::CreateGeluOptions(network.builder(), random.chance(50))
                    .Union());
  else
    network.add(random.pick(ArrayRef(codes)), {input.index}, result);
  return true;
}
