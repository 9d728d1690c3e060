// SPDX-License-Identifier: Apache-2.0
//
// Operators that only move elements in networks of TFLite.

#include "TFLiteProgram.h"

using namespace mlir;
using namespace mli;
using namespace mli::fuzz;
using schema::BuiltinOptions;

static int32_t narrow(int64_t number) { return static_cast<int32_t>(number); }

/// A map of any type that elements are moved of.
static TFLiteMap chooseSource(TFLiteNetwork &network, int64_t rank) {
  std::optional<TFLiteMap> found = network.find([&](const TFLiteMap &map) {
    return map.type != TFLiteType::FLOAT32 && map.getRank() == rank;
  });
  return found && network.random.chance(70)
             ? *found
             : network.need(rank, /*hasWide=*/true);
}

static TFLiteMap addMoved(TFLiteNetwork &network, const TFLiteMap &source,
                          ArrayRef<int64_t> shape) {
  return network.addLike(source, shape, 10);
}

//===----------------------------------------------------------------------===//
// Orders and shapes
//===----------------------------------------------------------------------===//

bool fuzz::makePermute(TFLiteNetwork &network) {
  int64_t rank = network.random.pick(2, 4);
  TFLiteMap source = chooseSource(network, rank);
  SmallVector<int64_t> order = llvm::to_vector(llvm::seq<int64_t>(rank)), shape;
  shuffle(order, network.random);
  for (int64_t dim : order)
    shape.push_back(source.shape[dim]);
  TFLiteMap result = addMoved(network, source, shape);
  network.add(TFLiteCode::TRANSPOSE, {source.index, network.addIntegers(order)},
              result);
  return true;
}

bool fuzz::makeReshape(TFLiteNetwork &network) {
  Random &random = network.random;
  TFLiteMap source = chooseSource(network, random.pick(1, 4));
  SmallVector<int64_t> shape;
  if (int64_t kind = random.pick(0, 3); kind == 0) {
    for (int64_t extent : source.shape)
      if (extent != 1)
        shape.push_back(extent);
    TFLiteMap result = addMoved(network, source, shape);
    network.add(TFLiteCode::SQUEEZE, {source.index}, result,
                BuiltinOptions::SqueezeOptions,
                schema::CreateSqueezeOptions(network.builder()).Union());
  } else if (kind == 1) {
    shape = source.shape;
    int64_t axis = random.pick(0, source.getRank());
    shape.insert(shape.begin() + axis, 1);
    TFLiteMap result = addMoved(network, source, shape);
    network.add(TFLiteCode::EXPAND_DIMS,
                {source.index, network.addIntegers(network.spellAxis(
                                   axis, source.getRank() + 1))},
                result);
  } else {
    shape = factorize(source.getNumElements(), random.pick(1, 5), random);
    TFLiteMap result = addMoved(network, source, shape);
    SmallVector<int32_t> narrowShape(shape.begin(), shape.end());
    // The shape is an operand, an option, or both.
    SmallVector<int32_t> operands = {source.index};
    if (kind == 2)
      operands.push_back(network.addIntegers(shape));
    network.add(
        TFLiteCode::RESHAPE, operands, result, BuiltinOptions::ReshapeOptions,
        schema::CreateReshapeOptions(
            network.builder(), network.builder().CreateVector(
                                   narrowShape.data(), narrowShape.size()))
            .Union());
  }
  return true;
}

bool fuzz::makeBlocks(TFLiteNetwork &network) {
  Random &random = network.random;
  TFLiteMap source = chooseSource(network, 4);
  int64_t size = random.pick(1, 3);
  SmallVector<int64_t> shape = source.shape;
  bool isToDepth = random.chance(50);
  if (isToDepth) {
    if (shape[1] % size != 0 || shape[2] % size != 0)
      return false;
    shape = {shape[0], shape[1] / size, shape[2] / size,
             shape[3] * size * size};
  } else {
    if (shape[3] % (size * size) != 0)
      return false;
    shape = {shape[0], shape[1] * size, shape[2] * size,
             shape[3] / (size * size)};
  }
  TFLiteMap result = addMoved(network, source, shape);
  network.add(isToDepth ? TFLiteCode::SPACE_TO_DEPTH
                        : TFLiteCode::DEPTH_TO_SPACE,
              {source.index}, result,
              isToDepth ? BuiltinOptions::SpaceToDepthOptions
                        : BuiltinOptions::DepthToSpaceOptions,
              schema::CreateSpaceToDepthOptions(network.builder(), narrow(size))
                  .Union());
  return true;
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

static bool makeStridedSlice(TFLiteNetwork &network, const TFLiteMap &source) {
  Random &random = network.random;
  SmallVector<int64_t> begins, ends, steps, shape;
  int32_t beginMask = 0, endMask = 0, shrinkMask = 0;
  for (auto [i, extent] : llvm::enumerate(source.shape)) {
    int64_t begin = random.pick(0, extent - 1);
    int64_t end = random.pick(begin + 1, extent);
    int64_t step = random.chance(60) ? 1 : random.pick(1, 3);
    if (random.chance(30)) {
      begin = 0;
      beginMask |= 1 << i;
    }
    if (random.chance(30)) {
      end = extent;
      endMask |= 1 << i;
    }
    if (source.getRank() > 1 && random.chance(10)) {
      shrinkMask |= 1 << i;
      end = begin + 1;
      endMask &= ~(1 << i);
      step = 1;
    } else {
      shape.push_back((end - begin + step - 1) / step);
    }
    // A mask hides what is there, numbers count from the end or go over it.
    begins.push_back(begin - (random.chance(20) ? int64_t(extent) : 0));
    bool isOver = end == static_cast<int64_t>(extent);
    ends.push_back(isOver              ? end + random.pick(0, 3)
                   : random.chance(20) ? end - int64_t(extent)
                                       : end);
    steps.push_back(step);
  }
  TFLiteMap result = addMoved(network, source, shape);
  network.add(TFLiteCode::STRIDED_SLICE,
              {source.index, network.addIntegers(begins),
               network.addIntegers(ends), network.addIntegers(steps)},
              result, BuiltinOptions::StridedSliceOptions,
              schema::CreateStridedSliceOptions(network.builder(), beginMask,
                                                endMask, 0, 0, shrinkMask)
                  .Union());
  return true;
}

bool fuzz::makeSlice(TFLiteNetwork &network) {
  Random &random = network.random;
  TFLiteMap source = chooseSource(network, random.pick(1, 4));
  if (random.chance(50))
    return makeStridedSlice(network, source);
  SmallVector<int64_t> begins, sizes, shape;
  for (int64_t extent : source.shape) {
    begins.push_back(random.chance(40) ? 0 : random.pick(0, extent - 1));
    shape.push_back(random.chance(40) ? extent - begins.back()
                                      : random.pick(1, extent - begins.back()));
    bool isRest = shape.back() == extent - begins.back();
    sizes.push_back(isRest && random.chance(50) ? -1 : shape.back());
  }
  TFLiteMap result = addMoved(network, source, shape);
  network.add(
      TFLiteCode::SLICE,
      {source.index, network.addIntegers(begins), network.addIntegers(sizes)},
      result);
  return true;
}

bool fuzz::makePad(TFLiteNetwork &network) {
  Random &random = network.random;
  TFLiteMap source = chooseSource(network, random.pick(1, 4));
  SmallVector<int64_t> amounts, shape = source.shape;
  for (auto [i, extent] : llvm::enumerate(shape)) {
    // Mostly the rows and columns of a map.
    bool isInner = shape.size() == 4 && (i == 0 || i == 3);
    bool isPadded = random.chance(isInner ? 10 : 65);
    for (int side = 0; side < 2; ++side)
      amounts.push_back(isPadded ? random.pick(0, 3) : 0);
    extent += amounts[2 * i] + amounts[2 * i + 1];
  }
  TFLiteTensor pads{{narrow(source.getRank()), 2}, TFLiteType::INT32};
  SmallVector<int32_t> narrowAmounts(amounts.begin(), amounts.end());
  pads.buffer = network.writer.addBuffer(ArrayRef<int32_t>(narrowAmounts));
  SmallVector<int32_t> operands = {source.index,
                                   network.writer.addTensor(pads)};
  bool hasValue = source.isByte() && random.chance(30);
  TFLiteMap result = hasValue ? network.addLike(source, shape)
                              : addMoved(network, source, shape);
  if (hasValue)
    operands.push_back(network.addConstant({1}, source));
  network.add(hasValue ? TFLiteCode::PADV2 : TFLiteCode::PAD, operands, result);
  return true;
}

//===----------------------------------------------------------------------===//
// Along an axis
//===----------------------------------------------------------------------===//

bool fuzz::makeSplit(TFLiteNetwork &network) {
  Random &random = network.random;
  int64_t rank = random.pick(1, 4);
  TFLiteMap source = chooseSource(network, rank);
  int64_t axis = random.pick(0, rank - 1), extent = source.shape[axis];
  int64_t kind = random.pick(0, 2);
  SmallVector<int64_t> sizes;
  if (kind == 0) {
    int64_t parts = random.pick(1, 4);
    if (extent % parts != 0)
      return false;
    sizes.assign(parts, extent / parts);
  } else if (kind == 1) {
    for (int64_t rest = extent; rest > 0 && sizes.size() < 6;
         rest -= sizes.back())
      sizes.push_back(sizes.size() == 5 ? rest : random.pick(1, rest));
  } else {
    if (extent > 8)
      return false;
    sizes.assign(extent, 1);
  }
  SmallVector<TFLiteMap> parts;
  for (int64_t size : sizes) {
    SmallVector<int64_t> shape = source.shape;
    shape[axis] = size;
    if (kind == 2)
      shape.erase(shape.begin() + axis);
    parts.push_back(network.addLike(source, shape, 4));
  }
  int64_t spelled = network.spellAxis(axis, rank);
  auto count = narrow(static_cast<int64_t>(sizes.size()));
  auto &builder = network.builder();
  if (kind == 0)
    network.add(TFLiteCode::SPLIT, {network.addIntegers(spelled), source.index},
                parts, BuiltinOptions::SplitOptions,
                schema::CreateSplitOptions(builder, count).Union());
  else if (kind == 1)
    network.add(TFLiteCode::SPLIT_V,
                {source.index, network.addIntegers(sizes),
                 network.addIntegers(spelled)},
                parts, BuiltinOptions::SplitVOptions,
                schema::CreateSplitOptions(builder, count).Union());
  else
    network.add(
        TFLiteCode::UNPACK, {source.index}, parts,
        BuiltinOptions::UnpackOptions,
        schema::CreateUnpackOptions(builder, count, narrow(spelled)).Union());
  return true;
}

bool fuzz::makeConcat(TFLiteNetwork &network) {
  Random &random = network.random;
  int64_t rank = random.pick(1, 4), axis = random.pick(0, rank - 1);
  TFLiteMap first = chooseSource(network, rank);
  bool isPacked = rank < 4 && random.chance(30);
  SmallVector<int32_t> operands = {first.index};
  int64_t extent = first.shape[axis];
  for (int64_t i = 0, e = random.pick(1, 3); i < e; ++i) {
    std::optional<TFLiteMap> found = network.find([&](const TFLiteMap &map) {
      if (map.type != first.type || map.getRank() != rank ||
          (map.scale == 0) != (first.scale == 0))
        return false;
      for (int64_t dim = 0; dim < rank; ++dim)
        if ((isPacked || dim != axis) && map.shape[dim] != first.shape[dim])
          return false;
      return true;
    });
    if (first.scale != 0 && random.chance(15)) {
      operands.push_back(network.addConstant(first.shape, first));
      extent += first.shape[axis];
    } else {
      operands.push_back(found->index);
      extent += found->shape[axis];
    }
  }
  shuffle(operands, random);
  SmallVector<int64_t> shape = first.shape;
  auto &builder = network.builder();
  if (isPacked) {
    int64_t place = random.pick(0, rank);
    auto count = static_cast<int64_t>(operands.size());
    shape.insert(shape.begin() + place, count);
    TFLiteMap result = network.addLike(first, shape, 10);
    network.add(
        TFLiteCode::PACK, operands, result, BuiltinOptions::PackOptions,
        schema::CreatePackOptions(builder, narrow(count),
                                  narrow(network.spellAxis(place, rank + 1)))
            .Union());
    return true;
  }
  shape[axis] = extent;
  TFLiteMap result = network.addLike(first, shape, 10);
  network.add(TFLiteCode::CONCATENATION, operands, result,
              BuiltinOptions::ConcatenationOptions,
              schema::CreateConcatenationOptions(
                  builder, narrow(network.spellAxis(axis, rank)))
                  .Union());
  return true;
}
