// SPDX-License-Identifier: Apache-2.0
//
// Pools and reductions in networks of TFLite.

#include "TFLiteProgram.h"

using namespace mlir;
using namespace mli;
using namespace mli::fuzz;
using schema::BuiltinOptions;
using schema::Padding;

static int32_t narrow(int64_t number) { return static_cast<int32_t>(number); }

bool fuzz::makePool(TFLiteNetwork &network) {
  Random &random = network.random;
  TFLiteMap input = network.need(4, /*hasWide=*/false);
  WindowChoice rows = chooseWindow(random, input.shape[1], false),
               columns = chooseWindow(random, input.shape[2], false);
  // Over the whole map, as networks end.
  if (random.chance(20)) {
    rows.kernel = input.shape[1];
    columns.kernel = input.shape[2];
  }
  bool isSame = random.chance(50) || rows.kernel > input.shape[1] ||
                columns.kernel > input.shape[2];
  SmallVector<int64_t> shape = input.shape;
  for (auto [i, window] : {std::pair(1, rows), std::pair(2, columns)})
    shape[i] = ((isSame ? shape[i] : shape[i] - window.kernel + 1) +
                window.stride - 1) /
               window.stride;
  bool isMax = random.chance(50);
  TFLiteMap result = network.addLike(input, shape, isMax ? 0 : 8);
  network.add(isMax ? TFLiteCode::MAX_POOL_2D : TFLiteCode::AVERAGE_POOL_2D,
              {input.index}, result, BuiltinOptions::Pool2DOptions,
              schema::CreatePool2DOptions(
                  network.builder(), isSame ? Padding::SAME : Padding::VALID,
                  narrow(columns.stride), narrow(rows.stride),
                  narrow(columns.kernel), narrow(rows.kernel),
                  network.chooseActivation())
                  .Union());
  return true;
}

bool fuzz::makeReduce(TFLiteNetwork &network) {
  Random &random = network.random;
  int64_t rank = random.pick(1, 4);
  TFLiteMap input = network.need(rank, /*hasWide=*/false);
  static constexpr TFLiteCode codes[] = {TFLiteCode::MEAN, TFLiteCode::MEAN,
                                         TFLiteCode::SUM,
                                         TFLiteCode::REDUCE_MAX};
  TFLiteCode code = random.pick(ArrayRef(codes));
  bool keepsDims = random.chance(50);
  SmallVector<int64_t> axes, shape;
  int64_t count = 1;
  for (int64_t i = 0; i < rank; ++i) {
    bool isReduced =
        rank == 4 && random.chance(60) ? i == 1 || i == 2 : random.chance(40);
    if (isReduced) {
      axes.push_back(network.spellAxis(i, rank));
      count *= input.shape[i];
    }
    if (!isReduced || keepsDims)
      shape.push_back(isReduced ? 1 : input.shape[i]);
  }
  if (axes.empty())
    return false;
  shuffle(axes, random);
  TFLiteMap result;
  if (code == TFLiteCode::SUM)
    result = network.addMap(shape, input.type,
                            input.scale *
                                static_cast<float>(random.pick(1, 2 * count)),
                            network.chooseZeroPoint(input.type));
  else
    result =
        network.addLike(input, shape, code == TFLiteCode::REDUCE_MAX ? 0 : 25);
  network.add(
      code, {input.index, network.addIntegers(axes)}, result,
      BuiltinOptions::ReducerOptions,
      schema::CreateReducerOptions(network.builder(), keepsDims).Union());
  return true;
}
