// SPDX-License-Identifier: Apache-2.0
//
// Raising what only names elements anew: reshapes and slices.

#include "TosaEmitter.h"
#include "TosaPatterns.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mli;
using namespace mli::raising;

namespace {

/// Users read the elements in the shape that they need.
class ReshapeGroup : public Group {
public:
  explicit ReshapeGroup(tosa::ReshapeOp op)
      : Group(op, op), input(op.getInput1()) {}

  SmallVector<Constraint> getConstraints() const override {
    return {Constraint::same(input, getResult())};
  }

  Value emit(Emitter &emitter) const override { return emitter.read(input); }

private:
  Value input;
};

class SliceGroup : public Group {
public:
  SliceGroup(tosa::SliceOp op, SmallVector<int64_t> offsets)
      : Group(op, op), input(op.getInput1()), offsets(std::move(offsets)) {}

  SmallVector<Constraint> getConstraints() const override {
    return {Constraint::same(input, getResult())};
  }

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
  Value input;
  SmallVector<int64_t> offsets;
};

} // namespace

GroupPtr raising::matchReshape(tosa::ReshapeOp op, Refusals &refusals) {
  if (failed(checkMap(op, op.getInput1(), "input", refusals)) ||
      failed(checkMap(op, op.getOutput(), "output", refusals)))
    return nullptr;
  return std::make_unique<ReshapeGroup>(op);
}

GroupPtr raising::matchSlice(tosa::SliceOp op, Refusals &refusals) {
  if (failed(checkMap(op, op.getInput1(), "input", refusals)) ||
      failed(checkMap(op, op.getOutput(), "output", refusals)))
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
