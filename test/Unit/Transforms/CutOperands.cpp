// SPDX-License-Identifier: Apache-2.0

#include "CutOperands.h"

#include "RandomFunction.h"

#include "mli/IR/MLI.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

#include <cstring>

using namespace mlir;
using namespace mli;
using mli::test::flip;
using mli::test::pick;

void Cut::insert(const HostTensor &part, HostTensor &into) const {
  size_t bytes = getElementBytes(part.element);
  SmallVector<int64_t> strides = computeStrides(whole);
  SmallVector<int64_t> indices = computeStrides(sizes);
  for (size_t i = 0; i < part.getNumElements(); ++i) {
    SmallVector<int64_t> index = delinearize(static_cast<int64_t>(i), indices);
    int64_t place = 0;
    for (size_t dim = 0; dim < whole.size(); ++dim)
      place += (offsets[dim] + index[dim] * steps[dim]) * strides[dim];
    std::memcpy(&into.data[place * bytes], &part.data[i * bytes], bytes);
  }
}

static QuantizedType perAxisType(RankedTensorType type) {
  auto element = dyn_cast<QuantizedType>(type.getElementType());
  return element && element.isPerAxis() ? element : QuantizedType();
}

/// A slice of the shape of `type`: one in two is a block, one in four takes
/// steps, and one in two is without some dimensions of one index.
static Cut randomCut(RankedTensorType type, std::mt19937 &random) {
  Cut cut;
  bool isPlain = perAxisType(type) != nullptr;
  bool hasSteps = !isPlain && pick(random, 0, 3) == 0;
  bool isBlock = flip(random);
  int64_t dropped =
      isPlain || flip(random) ? 0 : pick(random, 0, 4 - type.getRank());
  auto add = [&](int64_t size, bool isDropped) {
    int64_t step = hasSteps ? pick(random, 1, 3) : 1;
    int64_t offset = isBlock || isDropped ? pick(random, 0, 2) : 0;
    int64_t behind = isBlock || isDropped ? pick(random, 0, 2) : 0;
    cut.whole.push_back(offset + (size - 1) * step + 1 + behind);
    cut.offsets.push_back(offset);
    cut.sizes.push_back(size);
    cut.steps.push_back(step);
    cut.isDropped.push_back(isDropped);
  };
  for (int64_t dim = 0; dim <= type.getRank(); ++dim) {
    // The rest of them is behind all others.
    bool isLast = dim == type.getRank();
    for (; dropped > 0 && (isLast || flip(random)); --dropped)
      add(1, /*isDropped=*/true);
    if (!isLast)
      add(type.getDimSize(dim), /*isDropped=*/false);
  }
  return cut;
}

/// The type of the larger tensor; parameters around the slice are others.
static RankedTensorType wholeType(RankedTensorType type, const Cut &cut) {
  Type element = type.getElementType();
  if (QuantizedType quantized = perAxisType(type)) {
    int32_t axis = quantized.getAxis();
    SmallVector<quant::QuantParams> params(cut.whole[axis], {7, 3, 0});
    for (size_t i = 0; i < quantized.getNumParams(); ++i)
      params[cut.offsets[axis] + i] = quantized.getParam(i);
    element = isa<Sa8Type>(element)
                  ? Type(Sa8Type::get(type.getContext(), axis, params))
                  : Type(Sa32Type::get(type.getContext(), axis, params));
  }
  return RankedTensorType::get(cut.whole, element);
}

static SmallVector<OpFoldResult> attributes(OpBuilder &builder,
                                            ArrayRef<int64_t> values) {
  return getAsIndexOpFoldResult(builder.getContext(), values);
}

static Value createSlice(OpBuilder &builder, Value whole, RankedTensorType type,
                         const Cut &cut) {
  Location loc = whole.getLoc();
  if (perAxisType(type))
    return SubtensorOp::create(builder, loc, whole,
                               attributes(builder, cut.offsets),
                               attributes(builder, cut.sizes));
  return tensor::ExtractSliceOp::create(
      builder, loc, type, whole, attributes(builder, cut.offsets),
      attributes(builder, cut.sizes), attributes(builder, cut.steps));
}

CutFunction mli::cutOperands(func::FuncOp function, std::mt19937 &random) {
  CutFunction result;
  Block &body = function.getBody().front();
  OpBuilder builder = OpBuilder::atBlockBegin(&body);
  SmallVector<Type> types;
  for (BlockArgument argument : body.getArguments()) {
    auto type = cast<RankedTensorType>(argument.getType());
    const Cut &cut = result.arguments.emplace_back(randomCut(type, random));
    types.push_back(wholeType(type, cut));
    argument.setType(types.back());
    Value slice = createSlice(builder, argument, type, cut);
    argument.replaceAllUsesExcept(slice, slice.getDefiningOp());
  }
  Operation *end = body.getTerminator();
  auto type = cast<RankedTensorType>(end->getOperand(0).getType());
  result.result = randomCut(type, random);
  types.push_back(wholeType(type, result.result));
  Value into = body.addArgument(types.back(), function.getLoc());
  builder.setInsertionPoint(end);
  result.isOpen = flip(random);
  if (result.isOpen)
    into = tensor::EmptyOp::create(builder, end->getLoc(), types.back(),
                                   /*dynamicSizes=*/ValueRange());
  end->setOperand(0, tensor::InsertSliceOp::create(
                         builder, end->getLoc(), end->getOperand(0), into,
                         attributes(builder, result.result.offsets),
                         attributes(builder, result.result.sizes),
                         attributes(builder, result.result.steps)));
  function.setFunctionType(builder.getFunctionType(types, {types.back()}));
  return result;
}
