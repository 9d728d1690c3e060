// SPDX-License-Identifier: Apache-2.0
//
// Pools, reductions, and operations that only move elements in networks of
// TOSA.

#include "TosaProgram.h"

#include <cmath>

using namespace mlir;
using namespace mli;
using namespace mli::fuzz;

//===----------------------------------------------------------------------===//
// Pools and reductions
//===----------------------------------------------------------------------===//

/// Adds to the end of `window` what makes it exact; false if that is too much.
static bool makeExact(WindowChoice &window) {
  int64_t excess =
      (window.input + window.before + window.after - window.kernel) %
      window.stride;
  window.after += excess <= window.after ? -excess : window.stride - excess;
  window.output =
      (window.input + window.before + window.after - window.kernel) /
          window.stride +
      1;
  return window.before < window.kernel && window.after < window.kernel;
}

bool fuzz::makePool(TosaNetwork &network) {
  Random &random = network.random;
  TosaMap input = network.need(4);
  SmallVector<int64_t> shape(input.getShape()), kernel, stride, pad;
  for (int dim : {1, 2}) {
    WindowChoice window =
        chooseWindow(random, shape[dim], /*hasDilation=*/false);
    if (!makeExact(window))
      return false;
    kernel.push_back(window.kernel);
    stride.push_back(window.stride);
    pad.append({window.before, window.after});
    shape[dim] = window.output;
  }
  RankedTensorType type = network.getType(shape, 8);
  OpBuilder &builder = network.builder;
  if (random.chance(50)) {
    network.add(tosa::MaxPool2dOp::create(builder, network.loc, type,
                                          input.value, kernel, stride, pad),
                input);
    return true;
  }
  int64_t zeroPoint =
      random.chance(80) ? input.zeroPoint : network.chooseZeroPoint();
  Value result = tosa::AvgPool2dOp::create(
      builder, network.loc, type, input.value, network.zero(input.zeroPoint),
      network.zero(zeroPoint), kernel, stride, pad, builder.getI32Type());
  network.add(result, input.scale, zeroPoint);
  return true;
}

bool fuzz::makeReduce(TosaNetwork &network) {
  Random &random = network.random;
  TosaMap input = network.need(random.pick(1, 4));
  int64_t first = random.pick(0, input.getRank() - 1);
  OpBuilder &builder = network.builder;
  if (random.chance(35)) {
    network.add(tosa::ReduceMaxOp::create(builder, network.loc, input.value,
                                          static_cast<uint32_t>(first)),
                input);
    return true;
  }
  Value sum = network.rescale(input.value, input.zeroPoint, 1.0, 0, 32);
  int64_t count = 1;
  for (int64_t axis = first; axis < input.getRank(); ++axis) {
    if (axis != first && random.chance(50))
      continue;
    count *= input.getShape()[axis];
    sum = tosa::ReduceSumOp::create(builder, network.loc, sum,
                                    static_cast<uint32_t>(axis));
  }
  // A mean, a sum, or what is between them.
  double factor = 1.0 / static_cast<double>(
                            random.chance(70) ? count : random.pick(1, count));
  if (random.chance(30))
    factor *= std::exp2(double(random.pick(-100, 100)) / 100);
  int64_t zeroPoint =
      random.chance(60) ? input.zeroPoint : network.chooseZeroPoint();
  Value result = network.rescale(sum, 0, factor, zeroPoint, 8);
  network.add(result, input.scale / factor, zeroPoint);
  return true;
}

//===----------------------------------------------------------------------===//
// Moves
//===----------------------------------------------------------------------===//

bool fuzz::makePermute(TosaNetwork &network) {
  int64_t rank = network.random.pick(2, 4);
  TosaMap input = network.need(rank);
  SmallVector<int32_t> order;
  for (int64_t dim = 0; dim < rank; ++dim)
    order.push_back(static_cast<int32_t>(dim));
  shuffle(order, network.random);
  SmallVector<int64_t> shape;
  for (int32_t dim : order)
    shape.push_back(input.getShape()[dim]);
  network.add(tosa::TransposeOp::create(network.builder, network.loc,
                                        network.getType(shape, 8), input.value,
                                        order),
              input);
  return true;
}

bool fuzz::makeReshape(TosaNetwork &network) {
  TosaMap input = network.need(network.random.pick(1, 4));
  SmallVector<int64_t> shape = factorize(
      input.getNumElements(), network.random.pick(1, 4), network.random);
  network.add(network.reshape(input.value, shape), input);
  return true;
}

bool fuzz::makeSlice(TosaNetwork &network) {
  Random &random = network.random;
  TosaMap input = network.need(random.pick(1, 4));
  SmallVector<int64_t> starts, shape;
  for (int64_t extent : input.getShape()) {
    starts.push_back(random.chance(40) ? 0 : random.pick(0, extent - 1));
    shape.push_back(random.chance(40) ? extent - starts.back()
                                      : random.pick(1, extent - starts.back()));
  }
  Value start = network.sizes(starts), size = network.sizes(shape);
  network.add(tosa::SliceOp::create(network.builder, network.loc,
                                    network.getType(shape, 8), input.value,
                                    start, size),
              input);
  return true;
}

bool fuzz::makePad(TosaNetwork &network) {
  Random &random = network.random;
  TosaMap input = network.need(random.pick(1, 4));
  SmallVector<int64_t> amounts, shape(input.getShape());
  for (auto [i, extent] : llvm::enumerate(shape)) {
    bool isInner = shape.size() == 4 && (i == 0 || i == 3);
    bool isPadded = random.chance(isInner ? 10 : 65);
    for (int side = 0; side < 2; ++side)
      amounts.push_back(isPadded ? random.pick(0, 3) : 0);
    extent += amounts[2 * i] + amounts[2 * i + 1];
  }
  int64_t border = random.chance(60) ? input.zeroPoint : random.pick(-128, 127);
  Value size = network.sizes(amounts), value = network.zero(border);
  network.add(tosa::PadOp::create(network.builder, network.loc,
                                  network.getType(shape, 8), input.value, size,
                                  value),
              input);
  return true;
}

bool fuzz::makeConcat(TosaNetwork &network) {
  Random &random = network.random;
  int64_t rank = random.pick(1, 4), axis = random.pick(0, rank - 1);
  TosaMap first = network.need(rank);
  SmallVector<Value> operands = {first.value};
  int64_t extent = first.getShape()[axis];
  for (int64_t i = 0, e = random.pick(1, 3); i < e; ++i) {
    std::optional<TosaMap> found = network.find([&](const TosaMap &map) {
      if (map.getRank() != rank || map.zeroPoint != first.zeroPoint ||
          map.scale != first.scale)
        return false;
      for (int64_t dim = 0; dim < rank; ++dim)
        if (dim != axis && map.getShape()[dim] != first.getShape()[dim])
          return false;
      return true;
    });
    operands.push_back(found->value);
    extent += found->getShape()[axis];
  }
  shuffle(operands, random);
  SmallVector<int64_t> shape(first.getShape());
  shape[axis] = extent;
  network.add(tosa::ConcatOp::create(network.builder, network.loc,
                                     network.getType(shape, 8), operands,
                                     static_cast<uint32_t>(axis)),
              first);
  return true;
}
