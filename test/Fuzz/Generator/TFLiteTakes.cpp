// SPDX-License-Identifier: Apache-2.0
//
// Operators that take slices along axes, or blend them, in networks of TFLite.

#include "TFLiteProgram.h"

using namespace mlir;
using namespace mli;
using namespace mli::fuzz;
using schema::BuiltinOptions;

static void makeTile(TFLiteNetwork &network, const TFLiteMap &source) {
  SmallVector<int64_t> times, shape = source.shape;
  for (int64_t &extent : shape) {
    times.push_back(network.random.chance(50) ? 1 : network.random.pick(1, 3));
    extent *= times.back();
  }
  TFLiteMap result = network.addLike(source, shape);
  network.add(TFLiteCode::TILE, {source.index, network.addIntegers(times)},
              result);
}

static void makeBroadcastTo(TFLiteNetwork &network, const TFLiteMap &source) {
  SmallVector<int64_t> shape = source.shape;
  for (int64_t &extent : shape)
    if (extent == 1)
      extent = network.random.pick(1, 4);
  if (shape.size() < 4)
    shape.insert(shape.begin(), network.random.pick(1, 3));
  TFLiteMap result = network.addLike(source, shape);
  network.add(TFLiteCode::BROADCAST_TO,
              {source.index, network.addIntegers(shape)}, result);
}

static void makeGather(TFLiteNetwork &network, const TFLiteMap &source) {
  Random &random = network.random;
  int64_t axis = random.pick(0, source.getRank() - 1);
  SmallVector<int64_t> indices, shape = source.shape;
  for (int64_t i = random.pick(1, 5); i > 0; --i)
    indices.push_back(random.pick(0, shape[axis] - 1));
  shape[axis] = static_cast<int64_t>(indices.size());
  TFLiteMap result = network.addLike(source, shape, 10);
  network.add(TFLiteCode::GATHER, {source.index, network.addIntegers(indices)},
              result, BuiltinOptions::GatherOptions,
              schema::CreateGatherOptions(
                  network.builder(), static_cast<int32_t>(network.spellAxis(
                                         axis, source.getRank())))
                  .Union());
}

static void makeMirrorPad(TFLiteNetwork &network, const TFLiteMap &source) {
  Random &random = network.random;
  bool isReflected = random.chance(50);
  SmallVector<int32_t> amounts;
  SmallVector<int64_t> shape = source.shape;
  for (int64_t &extent : shape) {
    int64_t most = std::min<int64_t>(3, extent - (isReflected ? 1 : 0));
    for (int side = 0; side < 2; ++side)
      amounts.push_back(
          static_cast<int32_t>(random.chance(60) ? 0 : random.pick(0, most)));
    extent += amounts[amounts.size() - 2] + amounts.back();
  }
  TFLiteTensor pads{{static_cast<int32_t>(source.getRank()), 2},
                    TFLiteType::INT32};
  pads.buffer = network.writer.addBuffer(ArrayRef<int32_t>(amounts));
  TFLiteMap result = network.addLike(source, shape);
  network.add(
      TFLiteCode::MIRROR_PAD, {source.index, network.writer.addTensor(pads)},
      result, BuiltinOptions::MirrorPadOptions,
      schema::CreateMirrorPadOptions(
          network.builder(), isReflected ? schema::MirrorPadMode::REFLECT
                                         : schema::MirrorPadMode::SYMMETRIC)
          .Union());
}

bool fuzz::makeTake(TFLiteNetwork &network) {
  using Function = void (*)(TFLiteNetwork &, const TFLiteMap &);
  static constexpr Function functions[] = {makeTile, makeBroadcastTo,
                                           makeGather, makeMirrorPad};
  TFLiteMap source = network.need(network.random.pick(1, 4), /*hasWide=*/true);
  network.random.pick(ArrayRef(functions))(network, source);
  return true;
}

bool fuzz::makeResize(TFLiteNetwork &network) {
  Random &random = network.random;
  TFLiteMap source = network.need(4, /*hasWide=*/true);
  SmallVector<int64_t> shape = source.shape;
  for (int64_t dim : {1, 2})
    shape[dim] =
        random.chance(40) ? shape[dim] * random.pick(1, 3) : random.pick(1, 12);
  bool isAligned = random.chance(30),
       isCentered = !isAligned && random.chance(50);
  int32_t sizes = network.addIntegers({shape[1], shape[2]});
  TFLiteMap result = network.addLike(source, shape);
  if (random.chance(50))
    network.add(TFLiteCode::RESIZE_NEAREST_NEIGHBOR, {source.index, sizes},
                result, BuiltinOptions::ResizeNearestNeighborOptions,
                schema::CreateResizeNearestNeighborOptions(
                    network.builder(), isAligned, isCentered)
                    .Union());
  else
    network.add(TFLiteCode::RESIZE_BILINEAR, {source.index, sizes}, result,
                BuiltinOptions::ResizeBilinearOptions,
                schema::CreateResizeBilinearOptions(network.builder(), 0, 0,
                                                    isAligned, isCentered)
                    .Union());
  return true;
}
