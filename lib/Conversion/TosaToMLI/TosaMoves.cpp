// SPDX-License-Identifier: Apache-2.0
//
// Raises data movement: reshapes, slices, transpositions, pads and
// concatenations.

#include "TosaEmitter.h"
#include "TosaPatterns.h"

#include "mli/Frontend/Moves.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mli;
using namespace mli::raising;

namespace {

/// Users read the elements in the shape that they need.
class ReshapeGroup : public SameScaleGroup {
public:
  explicit ReshapeGroup(tosa::ReshapeOp op)
      : SameScaleGroup(op, op.getInput1()) {}

  Value emit(Emitter &emitter) const override { return emitter.read(input); }
};

class SliceGroup : public SameScaleGroup {
public:
  SliceGroup(tosa::SliceOp op, SmallVector<int64_t> offsets)
      : SameScaleGroup(op, op.getInput1()), offsets(std::move(offsets)) {}

  Value emit(Emitter &emitter) const override {
    OpBuilder &builder = emitter.getBuilder();
    // A batch of 1 stays whole, so that the slice may leave it out.
    ArrayRef<int64_t> shape = withoutBatch(input);
    Value source = emitter.read(input, shape);
    auto sizes = cast<RankedTensorType>(getResult().getType())
                     .getShape()
                     .take_back(shape.size());
    auto list = [&](ArrayRef<int64_t> numbers) {
      return getAsIndexOpFoldResult(builder.getContext(), numbers);
    };
    return tensor::ExtractSliceOp::create(
        builder, emitter.getLoc(), source,
        list(ArrayRef(offsets).take_back(shape.size())), list(sizes),
        list(SmallVector<int64_t>(shape.size(), 1)));
  }

private:
  SmallVector<int64_t> offsets;
};

class TransposeGroup : public SameScaleGroup {
public:
  explicit TransposeGroup(tosa::TransposeOp op)
      : SameScaleGroup(op, op.getInput1()), order(op.getPerms()) {}

  Value emit(Emitter &emitter) const override {
    return emitter.createPermute(emitter.read(input, shapeOf(input)), order);
  }

private:
  SmallVector<int64_t> order;
};

class PadGroup : public SameScaleGroup {
public:
  PadGroup(tosa::PadOp op, SmallVector<int64_t> low, int64_t code)
      : SameScaleGroup(op, op.getInput1()), low(std::move(low)), code(code) {}

  Value emit(Emitter &emitter) const override {
    return createPadded(emitter, emitter.read(input, shapeOf(input)), low,
                        shapeOf(getResult()), code);
  }

private:
  SmallVector<int64_t> low;
  int64_t code;
};

class ConcatGroup : public Group {
public:
  explicit ConcatGroup(tosa::ConcatOp op)
      : Group(op, op), parts(op.getInput1()), axis(op.getAxis()) {}

  SmallVector<Constraint> getConstraints() const override {
    SmallVector<Constraint> constraints;
    for (Value part : parts)
      constraints.push_back(Constraint::same(part, getResult()));
    return constraints;
  }

  Value emit(Emitter &emitter) const override {
    SmallVector<Value> sources;
    for (Value part : parts)
      sources.push_back(emitter.read(part, shapeOf(part)));
    return createJoined(emitter, sources, emitter.getElement(getResult()),
                        shapeOf(getResult()), axis);
  }

private:
  SmallVector<Value> parts;
  int64_t axis;
};

} // namespace

GroupPtr raising::matchTranspose(tosa::TransposeOp op, Refusals &refusals) {
  if (failed(checkMaps(op, op.getInput1(), op.getOutput(), refusals)))
    return nullptr;
  return std::make_unique<TransposeGroup>(op);
}

GroupPtr raising::matchPad(tosa::PadOp op, Refusals &refusals) {
  if (failed(checkMaps(op, op.getInput1(), op.getOutput(), refusals)))
    return nullptr;
  DenseIntElementsAttr amounts;
  if (!matchPattern(op.getPadding(), m_Constant(&amounts)))
    return nullptr; // Not a valid operation.
  std::optional<SmallVector<int64_t>> code = integersOf(op.getPadConst());
  if (!code || code->size() != 1)
    return refusals.refuse(op,
                           "expected 'pad_const' to be a constant integer, "
                           "but got ",
                           op.getPadConst().getType());
  // Before and after, for each dimension.
  SmallVector<int64_t> low;
  for (auto [i, amount] : llvm::enumerate(amounts.getValues<int64_t>())) {
    if (amount < 0)
      return refusals.refuse(op, "expected padding of at least 0, but got ",
                             amount);
    if (i % 2 == 0)
      low.push_back(amount);
  }
  return std::make_unique<PadGroup>(op, std::move(low), code->front());
}

GroupPtr raising::matchConcat(tosa::ConcatOp op, Refusals &refusals) {
  for (Value part : op.getInput1())
    if (failed(checkMap(op, part, "inputs", refusals)))
      return nullptr;
  if (failed(checkMap(op, op.getOutput(), "output", refusals)))
    return nullptr;
  return std::make_unique<ConcatGroup>(op);
}

GroupPtr raising::matchReshape(tosa::ReshapeOp op, Refusals &refusals) {
  if (failed(checkMaps(op, op.getInput1(), op.getOutput(), refusals)))
    return nullptr;
  return std::make_unique<ReshapeGroup>(op);
}

GroupPtr raising::matchSlice(tosa::SliceOp op, Refusals &refusals) {
  if (failed(checkMaps(op, op.getInput1(), op.getOutput(), refusals)))
    return nullptr;
  DenseIntElementsAttr start;
  if (!matchPattern(op.getStart(), m_Constant(&start)))
    return refusals.refuse(op, "expected 'start' to be constant, but got ",
                           op.getStart().getType());
  auto offsets = llvm::to_vector(start.getValues<int64_t>());
  auto input = cast<RankedTensorType>(op.getInput1().getType()).getShape();
  auto output = cast<RankedTensorType>(op.getType()).getShape();
  for (auto [offset, size, available] :
       llvm::zip_equal(offsets, output, input)) {
    if (offset >= 0 && offset + size <= available)
      continue;
    return refusals.refuse(op, "expected a slice of at most ", available,
                           " elements, but got ", size, " from ", offset);
  }
  return std::make_unique<SliceGroup>(op, std::move(offsets));
}
