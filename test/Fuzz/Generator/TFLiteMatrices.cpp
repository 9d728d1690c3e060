// SPDX-License-Identifier: Apache-2.0
//
// Products of matrices of which none is a constant.

#include "TFLiteProgram.h"

#include <cmath>

using namespace mlir;
using namespace mli;
using namespace mli::fuzz;
using schema::BuiltinOptions;

/// A map of `shape` for the product with `like`: one that is there, or an
/// input.
static TFLiteMap needShape(TFLiteNetwork &network, ArrayRef<int64_t> shape,
                           const TFLiteMap &like) {
  std::optional<TFLiteMap> found = network.find([&](const TFLiteMap &map) {
    return ArrayRef(map.shape) == shape && map.type == like.type &&
           map.scale != 0;
  });
  return found ? *found : network.addInput(shape, like.type);
}

bool fuzz::makeMatrices(TFLiteNetwork &network) {
  Random &random = network.random;
  TFLiteMap left = network.need(random.pick(2, 4), /*hasWide=*/false);
  int64_t rank = left.getRank(), columns = random.pick(1, 9);
  bool isLeft = random.chance(25), isRight = random.chance(50);
  int64_t rows = left.shape[rank - 2], inner = left.shape[rank - 1];
  if (isLeft)
    std::swap(rows, inner);
  SmallVector<int64_t> shape(left.shape), result(left.shape);
  shape[rank - 2] = isRight ? columns : inner;
  shape[rank - 1] = isRight ? inner : columns;
  result[rank - 2] = rows;
  result[rank - 1] = columns;
  TFLiteMap right = needShape(network, shape, left);
  double scale = double(left.scale) * right.scale *
                 std::sqrt(static_cast<double>(inner)) *
                 std::exp2(static_cast<double>(random.pick(3, 9)));
  TFLiteMap product = network.addMap(
      result, left.type, static_cast<float>(std::clamp(scale, 1e-30, 1e30)),
      network.chooseZeroPoint(left.type));
  network.add(
      TFLiteCode::BATCH_MATMUL, {left.index, right.index}, product,
      BuiltinOptions::BatchMatMulOptions,
      schema::CreateBatchMatMulOptions(network.builder(), isLeft, isRight)
          .Union());
  return true;
}
