// SPDX-License-Identifier: Apache-2.0

#include "TosaProgram.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <cmath>

using namespace mlir;
using namespace mli;
using namespace mli::fuzz;

TosaNetwork::TosaNetwork(MLIRContext *context, const Settings &settings)
    : settings(settings), random(settings.seed),
      types(context, this->settings, random), builder(context),
      loc(UnknownLoc::get(context)), module(ModuleOp::create(loc)) {
  builder.setInsertionPointToStart(module->getBody());
  function = func::FuncOp::create(builder, loc, "main",
                                  builder.getFunctionType({}, {}));
  builder.setInsertionPointToStart(function.addEntryBlock());
}

//===----------------------------------------------------------------------===//
// Feature maps
//===----------------------------------------------------------------------===//

double TosaNetwork::chooseScale() {
  return std::exp2(double(random.pick(-900, 0)) / 100);
}

int64_t TosaNetwork::chooseZeroPoint() {
  static constexpr int64_t zeroPoints[] = {-128, -128, 0, -5, 3, 17, 127, -100};
  return has(Feature::Extremes) ? random.pick(-128, 127)
                                : random.pick(ArrayRef(zeroPoints));
}

TosaMap TosaNetwork::add(Value value, double scale, int64_t zeroPoint) {
  maps.push_back({value, scale, zeroPoint});
  return maps.back();
}

TosaMap TosaNetwork::addInput(ArrayRef<int64_t> shape) {
  double scale = chooseScale();
  int64_t zeroPoint = chooseZeroPoint();
  Block &block = function.getBody().front();
  if (!has(Feature::Unsigned))
    return add(block.addArgument(getType(shape, 8), loc), scale, zeroPoint);
  auto type = RankedTensorType::get(
      shape, builder.getIntegerType(8, /*isSigned=*/false));
  Value codes = rescale(block.addArgument(type, loc), zeroPoint + 128, 1.0,
                        zeroPoint, builder.getI8Type(), /*isUnsigned=*/true);
  return add(codes, scale, zeroPoint);
}

std::optional<TosaMap>
TosaNetwork::find(llvm::function_ref<bool(const TosaMap &)> fits) {
  SmallVector<TosaMap> found;
  for (const TosaMap &map : maps)
    if (fits(map))
      found.push_back(map);
  if (found.empty())
    return std::nullopt;
  auto last = static_cast<int64_t>(found.size()) - 1;
  return found[random.chance(65)
                   ? std::max<int64_t>(0, last - random.pick(0, 2))
                   : random.pick(0, last)];
}

TosaMap TosaNetwork::need(int64_t rank) {
  std::optional<TosaMap> map =
      find([&](const TosaMap &each) { return each.getRank() == rank; });
  if (map && !random.chance(8))
    return *map;
  map = find([](const TosaMap &) { return true; });
  if (map && random.chance(60))
    return add(
        reshape(map->value, factorize(map->getNumElements(), rank, random)),
        *map);
  SmallVector<int64_t> shape = types.getShape(rank);
  // A batch comes first.
  if (rank == 4 && !has(Feature::Batch))
    shape.front() = 1;
  return addInput(shape);
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

Value TosaNetwork::constant(ArrayRef<int64_t> shape, unsigned width,
                            ArrayRef<int64_t> values) {
  SmallVector<APInt> integers;
  for (int64_t value : values)
    integers.push_back(APInt(width, value, /*isSigned=*/true));
  RankedTensorType type = getType(shape, width);
  return tosa::ConstOp::create(builder, loc, type,
                               DenseElementsAttr::get(type, integers));
}

Value TosaNetwork::constant(ArrayRef<int64_t> shape, ArrayRef<int8_t> values) {
  SmallVector<int64_t> wide(values.begin(), values.end());
  return constant(shape, 8, wide);
}

Value TosaNetwork::constant(ArrayRef<int64_t> shape) {
  SmallVector<int64_t> values;
  bool isSmall = random.chance(20);
  for (int64_t i = 0; i < llvm::product_of(shape); ++i)
    values.push_back(isSmall ? random.pick(-2, 2) : random.pick(-128, 127));
  return constant(shape, 8, values);
}

Value TosaNetwork::sizes(ArrayRef<int64_t> values) {
  auto type = tosa::shapeType::get(builder.getContext(),
                                   static_cast<int>(values.size()));
  return tosa::ConstShapeOp::create(builder, loc, type,
                                    builder.getIndexTensorAttr(values));
}

Value TosaNetwork::reshape(Value value, ArrayRef<int64_t> shape) {
  return tosa::ReshapeOp::create(builder, loc, getType(shape, 8), value,
                                 sizes(shape));
}

Value TosaNetwork::rescale(Value value, int64_t inZero,
                           ArrayRef<double> factors, int64_t outZero,
                           Type element, bool isUnsigned) {
  SmallVector<int64_t> multipliers, shifts;
  for (double factor : factors) {
    int exponent = 0;
    std::frexp(factor, &exponent);
    int shift = std::clamp(30 - exponent, 2, 62);
    shifts.push_back(shift);
    auto multiplier =
        static_cast<int64_t>(std::llround(std::ldexp(factor, shift)));
    multipliers.push_back(std::min<int64_t>(multiplier, INT32_MAX));
  }
  auto type = cast<RankedTensorType>(value.getType());
  auto count = static_cast<int64_t>(factors.size());
  // The bits of a zero point are those of its element, which the operation
  // may read as unsigned.
  auto addZero = [&](int64_t zero, Type of) {
    unsigned width = of.getIntOrFloatBitWidth();
    auto zeroType = RankedTensorType::get(1, of);
    return tosa::ConstOp::create(
        builder, loc, zeroType,
        DenseElementsAttr::get(
            zeroType, APInt(width, static_cast<uint64_t>(zero),
                            /*isSigned=*/false, /*implicitTrunc=*/true)));
  };
  Value first = addZero(inZero, type.getElementType()),
        last = addZero(outZero, element);
  tosa::RoundingMode mode = random.chance(25)
                                ? tosa::RoundingMode::DOUBLE_ROUND
                                : tosa::RoundingMode::SINGLE_ROUND;
  return tosa::RescaleOp::create(
      builder, loc, RankedTensorType::get(type.getShape(), element), value,
      constant({count}, 32, multipliers), constant({count}, 8, shifts), first,
      last, /*scale32=*/true, mode, /*per_channel=*/count > 1,
      isUnsigned && type.getElementType().isUnsignedInteger(),
      isUnsigned && element.isUnsignedInteger());
}

Value TosaNetwork::rescale(Value value, int64_t inZero,
                           ArrayRef<double> factors, int64_t outZero,
                           unsigned width) {
  return rescale(value, inZero, factors, outZero, builder.getIntegerType(width),
                 /*isUnsigned=*/false);
}

Value TosaNetwork::widen(const TosaMap &map, double factor) {
  if (!random.chance(30))
    return rescale(map.value, map.zeroPoint, factor, 0, 32);
  Value wide = rescale(map.value, map.zeroPoint, 1 << 20, 0, 32);
  return rescale(wide, 0, std::ldexp(factor, -20), 0, 32);
}

//===----------------------------------------------------------------------===//
// Networks
//===----------------------------------------------------------------------===//

bool TosaNetwork::addStep() {
  static constexpr Step<TosaNetwork> steps[] = {
#define MLI_TOSA_STEP(name) {Feature::name, make##name},
      MLI_TOSA_STEPS(MLI_TOSA_STEP)
#undef MLI_TOSA_STEP
  };
  return addAnyStep(*this, steps);
}

Value TosaNetwork::toUnsigned(const TosaMap &map) {
  return rescale(map.value, map.zeroPoint, 1.0, map.zeroPoint + 128,
                 builder.getIntegerType(8, /*isSigned=*/false),
                 /*isUnsigned=*/true);
}

OwningOpRef<ModuleOp> TosaNetwork::finish() {
  if (llvm::all_of(maps, [](const TosaMap &map) {
        return isa<BlockArgument>(map.value);
      })) {
    TosaMap map = need(random.pick(1, 4));
    add(reshape(map.value, map.getNumElements()), map);
  }
  SmallVector<Value> results;
  int64_t most = random.pick(2, 5);
  for (const TosaMap &map : llvm::reverse(maps)) {
    if (isa<BlockArgument>(map.value) ||
        static_cast<int64_t>(results.size()) >= most)
      continue;
    if (map.value.use_empty())
      results.push_back(has(Feature::Unsigned) ? toUnsigned(map) : map.value);
    else if (random.chance(4))
      results.push_back(map.value);
  }
  results.append(positions.begin(), positions.end());
  func::ReturnOp::create(builder, loc, results);
  // Steps that were given up have left some.
  Block &body = function.getBody().front();
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(body)))
    if (isOpTriviallyDead(&op))
      op.erase();
  function.setFunctionType(
      builder.getFunctionType(function.getBody().front().getArgumentTypes(),
                              ValueRange(results).getTypes()));
  return std::move(module);
}

OwningOpRef<ModuleOp> fuzz::generateTosa(MLIRContext *context,
                                         const Settings &settings) {
  TosaNetwork network(context, settings);
  int64_t size = network.random.pick(1, 2 * settings.size - 1);
  for (int64_t i = 0, tries = 0; i < size && tries < 20 * size; ++tries)
    i += network.addStep() ? 1 : 0;
  return network.finish();
}
