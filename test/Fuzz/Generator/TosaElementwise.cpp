// SPDX-License-Identifier: Apache-2.0
//
// Functions of elements in networks of TOSA, as legalisers write them.

#include "TosaProgram.h"

#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace mli;
using namespace mli::fuzz;

//===----------------------------------------------------------------------===//
// Two operands
//===----------------------------------------------------------------------===//

namespace {

enum class Arithmetic { Add, Sub, Mul, Max, Min };

} // namespace

/// The other operand: a map of the shape of `first` or of one that is repeated,
/// a constant, or the map itself.
static TosaMap chooseOther(TosaNetwork &network, const TosaMap &first) {
  Random &random = network.random;
  std::optional<TosaMap> found = network.find([&](const TosaMap &map) {
    return map.getShape() == first.getShape() && map.value != first.value;
  });
  if (found && random.chance(60))
    return *found;
  if (random.chance(10))
    return first;
  SmallVector<int64_t> shape(first.getShape());
  int64_t kind = random.pick(0, 2);
  if (kind == 0)
    shape.assign(shape.size(), 1);
  else if (kind == 1) // The last dimensions.
    std::fill_n(shape.begin(), random.pick(0, first.getRank() - 1), 1);
  if (random.chance(50))
    return network.addInput(shape);
  for (int64_t &extent : shape)
    if (kind == 1 && random.chance(20))
      extent = 1;
  Value value = network.constant(shape);
  double scale = network.chooseScale();
  return {value, scale, network.chooseZeroPoint()};
}

static Value createArithmetic(TosaNetwork &network, Arithmetic kind, Value a,
                              Value b, RankedTensorType type) {
  OpBuilder &builder = network.builder;
  Location loc = network.loc;
  switch (kind) {
  case Arithmetic::Add:
    return tosa::AddOp::create(builder, loc, type, a, b);
  case Arithmetic::Sub:
    return tosa::SubOp::create(builder, loc, type, a, b);
  case Arithmetic::Mul:
    return tosa::MulOp::create(builder, loc, type, a, b, network.zero(0));
  case Arithmetic::Max:
    return tosa::MaximumOp::create(builder, loc, type, a, b);
  case Arithmetic::Min:
    return tosa::MinimumOp::create(builder, loc, type, a, b);
  }
  llvm_unreachable("all kinds are handled");
}

bool fuzz::makeEltwise(TosaNetwork &network) {
  Random &random = network.random;
  TosaMap first = network.need(random.pick(1, 4));
  TosaMap second = chooseOther(network, first);
  auto kind = static_cast<Arithmetic>(random.pick(0, 4));
  // Numbers of both in units of the coarser one, with 20 bits more.
  double unit = std::max(first.scale, second.scale);
  double factors[] = {std::ldexp(first.scale / unit, 20),
                      std::ldexp(second.scale / unit, 20)};
  double scale = unit * std::exp2(double(random.pick(-100, 150)) / 100);
  double last = std::ldexp(unit / scale, -20);
  if (kind == Arithmetic::Mul) {
    factors[0] = factors[1] = 1;
    scale = first.scale * second.scale *
            std::exp2(double(random.pick(300, 800)) / 100);
    last = first.scale * second.scale / scale;
  }
  // Finer scales would leave nothing of the coarser one.
  if (std::min(factors[0], factors[1]) < 16 && kind != Arithmetic::Mul)
    return false;
  SmallVector<int64_t> shape(first.getShape());
  Value wide[] = {network.widen(first, factors[0]), Value()};
  wide[1] = network.widen(second, factors[1]);
  if (random.chance(40))
    std::swap(wide[0], wide[1]);
  Value sum = createArithmetic(network, kind, wide[0], wide[1],
                               network.getType(shape, 32));
  int64_t zeroPoint = network.chooseZeroPoint();
  Value result = network.rescale(sum, 0, last, zeroPoint, 8);
  network.add(result, scale, zeroPoint);
  return true;
}

//===----------------------------------------------------------------------===//
// One operand
//===----------------------------------------------------------------------===//

bool fuzz::makeRelu(TosaNetwork &network) {
  Random &random = network.random;
  TosaMap input = network.need(random.pick(1, 4));
  int64_t low = random.chance(60) ? input.zeroPoint : random.pick(-128, 127);
  int64_t high = random.chance(40) ? 127 : random.pick(low, 127);
  OpBuilder &builder = network.builder;
  Value clipped = tosa::ClampOp::create(
      builder, network.loc, input.value.getType(), input.value,
      builder.getI8IntegerAttr(static_cast<int8_t>(low)),
      builder.getI8IntegerAttr(static_cast<int8_t>(high)));
  network.add(clipped, input);
  return true;
}

/// A selection by sign between two rescales.
bool fuzz::makeSlopes(TosaNetwork &network) {
  Random &random = network.random;
  TosaMap input = network.need(random.pick(1, 4));
  ArrayRef<int64_t> shape = input.getShape();
  OpBuilder &builder = network.builder;
  Location loc = network.loc;
  static constexpr double slopes[] = {0.01, 0.1, 0.2, 0.3, 0.5, 1, 0, 1.5};
  double slope = random.pick(ArrayRef(slopes)),
         factor = std::exp2(double(random.pick(-200, 100)) / 100);
  int64_t zeroPoint = network.chooseZeroPoint();
  Value wide = network.rescale(input.value, input.zeroPoint, 1.0, 0, 32);
  SmallVector<int64_t> ones(shape.size(), 1);
  Value isAbove =
      tosa::GreaterEqualOp::create(builder, loc, network.getType(shape, 1),
                                   wide, network.constant(ones, 32, {0}));
  Value below = network.rescale(input.value, input.zeroPoint, factor * slope,
                                zeroPoint, 8);
  Value above =
      network.rescale(input.value, input.zeroPoint, factor, zeroPoint, 8);
  Value result = tosa::SelectOp::create(builder, loc, above.getType(), isAbove,
                                        above, below);
  network.add(result, input.scale / factor, zeroPoint);
  return true;
}

/// A table of the logistic function or the hyperbolic tangent.
bool fuzz::makeActivation(TosaNetwork &network) {
  Random &random = network.random;
  TosaMap input = network.need(random.pick(1, 4));
  bool isTangent = random.chance(40);
  double step = isTangent ? 1.0 / 128 : 1.0 / 256;
  int64_t zeroPoint = isTangent ? 0 : -128;
  SmallVector<int64_t> entries;
  for (int64_t code = -128; code < 128; ++code) {
    double x = input.scale * double(code - input.zeroPoint);
    double y = isTangent ? std::tanh(x) : 1 / (1 + std::exp(-x));
    auto entry = static_cast<int64_t>(std::floor(y / step + 0.5)) + zeroPoint;
    entries.push_back(std::clamp<int64_t>(entry, -128, 127));
  }
  // Tables that say little of their scale are those of no function.
  if (entries.back() - entries.front() < 60 || input.scale > 0.5)
    return false;
  Value result =
      tosa::TableOp::create(network.builder, network.loc, input.value.getType(),
                            input.value, network.constant({256}, 8, entries));
  if (!isTangent) {
    network.add(result, step, zeroPoint);
    return true;
  }
  // What reads it says which function it is.
  int64_t next = network.chooseZeroPoint();
  Value read = network.rescale(result, zeroPoint, 1.0, next, 8);
  network.add(read, step, next);
  return true;
}

bool fuzz::makeConvert(TosaNetwork &network) {
  Random &random = network.random;
  TosaMap input = network.need(random.pick(1, 4));
  double factor = std::exp2(double(random.pick(-250, 250)) / 100);
  int64_t zeroPoint = network.chooseZeroPoint();
  // A product with 0 is a constant.
  if (network.has(Feature::Extremes) && random.chance(20)) {
    Value zeros =
        network.rescale(input.value, input.zeroPoint, 0.0, zeroPoint, 8);
    network.add(zeros, network.chooseScale(), zeroPoint);
    return true;
  }
  Value source = input.value;
  int64_t from = input.zeroPoint;
  double head = 1;
  if (random.chance(25)) {
    head = 4096;
    source = network.rescale(source, from, head, 0, 32);
    from = 0;
  }
  Value result = network.rescale(source, from, factor / head, zeroPoint, 8);
  network.add(result, input.scale / factor, zeroPoint);
  return true;
}

bool fuzz::makeArgmax(TosaNetwork &network) {
  TosaMap input = network.need(network.random.pick(1, 4));
  int64_t axis = network.random.pick(0, input.getRank() - 1);
  SmallVector<int64_t> shape(input.getShape());
  shape.erase(shape.begin() + axis);
  if (shape.empty())
    return false;
  network.positions.push_back(tosa::ArgMaxOp::create(
      network.builder, network.loc, network.getType(shape, 32), input.value,
      static_cast<uint32_t>(axis)));
  return true;
}
