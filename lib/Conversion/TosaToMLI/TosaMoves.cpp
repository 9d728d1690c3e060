// SPDX-License-Identifier: Apache-2.0
//
// Legalizes data movement: reshapes, slices, transpositions, pads and
// concatenations.

#include "Conversion/TosaToMLI/Scales/TosaEmitter.h"
#include "TosaPatterns.h"

#include "mli/Frontend/Moves.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mli;
using namespace mli::raising;

namespace {

/// A reshape, or nothing at all, creates nothing: users read the elements in
/// the shape that they need.
class ReshapeCluster : public SameScaleCluster {
public:
  using SameScaleCluster::SameScaleCluster;

  Value emit(Emitter &emitter) const override { return emitter.read(input); }
};

class SliceCluster : public SameScaleCluster {
public:
  SliceCluster(Operation *op, Value input, TensorBlock block)
      : SameScaleCluster(op, input), block(std::move(block)) {}

  Value emit(Emitter &emitter) const override {
    // A batch of 1 stays, so that the slice may leave it out.
    ArrayRef<int64_t> shape = withoutBatch(input);
    auto getLast = [&](ArrayRef<int64_t> numbers) {
      return llvm::to_vector(numbers.take_back(shape.size()));
    };
    return createBlock(emitter, emitter.read(input), shape,
                       {getLast(block.offsets), getLast(block.sizes)});
  }

private:
  TensorBlock block;
};

class TransposeCluster : public SameScaleCluster {
public:
  explicit TransposeCluster(tosa::TransposeOp op)
      : SameScaleCluster(op, op.getInput1()), order(op.getPerms()) {}

  Value emit(Emitter &emitter) const override {
    return emitter.createPermute(emitter.read(input), getShape(input), order);
  }

private:
  SmallVector<int64_t> order;
};

class PadCluster : public SameScaleCluster {
public:
  PadCluster(tosa::PadOp op, SmallVector<int64_t> low, int64_t value)
      : SameScaleCluster(op, op.getInput1()), low(std::move(low)),
        value(value) {}

  Value emit(Emitter &emitter) const override {
    TensorBlock block{low, llvm::to_vector(getShape(input))};
    return createPadded(emitter, emitter.read(input), block,
                        getShape(getResult()), value);
  }

private:
  SmallVector<int64_t> low;
  int64_t value;
};

class ConcatCluster : public Cluster {
public:
  explicit ConcatCluster(tosa::ConcatOp op)
      : Cluster(op, op), operands(op.getInput1()), axis(op.getAxis()) {}

  SmallVector<Constraint> getConstraints() const override {
    SmallVector<Constraint> constraints;
    for (Value operand : operands)
      constraints.push_back(Constraint::same(operand, getResult()));
    return constraints;
  }

  Value emit(Emitter &emitter) const override {
    SmallVector<Value> sources;
    for (Value operand : operands)
      sources.push_back(emitter.read(operand));
    return createConcat(emitter, sources, emitter.getElement(getResult()),
                        getShape(getResult()), axis);
  }

private:
  SmallVector<Value> operands;
  int64_t axis;
};

} // namespace

ClusterPtr raising::matchTranspose(tosa::TransposeOp op,
                                   MatchFailures &failures) {
  if (failed(checkMove(op, op.getInput1(), op.getOutput(), failures)))
    return nullptr;
  return std::make_unique<TransposeCluster>(op);
}

ClusterPtr raising::matchPad(tosa::PadOp op, MatchFailures &failures) {
  if (failed(checkMove(op, op.getInput1(), op.getOutput(), failures)))
    return nullptr;
  DenseIntElementsAttr amounts;
  if (!matchPattern(op.getPadding(), m_Constant(&amounts)))
    return nullptr; // The operation is not valid.
  std::optional<SmallVector<int64_t>> value = getIntegers(op.getPadConst());
  if (!value || value->size() != 1)
    return failures.reject(op,
                           "expected 'pad_const' to be a constant integer, "
                           "but got ",
                           op.getPadConst().getType());
  // The amounts are those before and after, for each dimension.
  SmallVector<int64_t> low;
  for (auto [i, amount] : llvm::enumerate(amounts.getValues<int64_t>())) {
    if (amount < 0)
      return failures.reject(op, "expected padding of at least 0, but got ",
                             amount);
    if (i % 2 == 0)
      low.push_back(amount);
  }
  return std::make_unique<PadCluster>(op, std::move(low), value->front());
}

ClusterPtr raising::matchConcat(tosa::ConcatOp op, MatchFailures &failures) {
  for (Value operand : op.getInput1())
    if (failed(checkCodes(op, operand, "inputs", 32, failures)))
      return nullptr;
  if (failed(checkCodes(op, op.getOutput(), "output", 32, failures)))
    return nullptr;
  return std::make_unique<ConcatCluster>(op);
}

ClusterPtr raising::matchReshape(tosa::ReshapeOp op, MatchFailures &failures) {
  if (failed(checkMove(op, op.getInput1(), op.getOutput(), failures)))
    return nullptr;
  return std::make_unique<ReshapeCluster>(op, op.getInput1());
}

ClusterPtr raising::matchIdentity(tosa::IdentityOp op,
                                  MatchFailures &failures) {
  if (failed(checkMove(op, op.getInput1(), op.getOutput(), failures)) ||
      failed(checkCount(op, op.getOutput(),
                        llvm::product_of(getShape(op.getInput1())), failures)))
    return nullptr;
  return std::make_unique<ReshapeCluster>(op, op.getInput1());
}

ClusterPtr raising::matchSlice(tosa::SliceOp op, MatchFailures &failures) {
  if (failed(checkMove(op, op.getInput1(), op.getOutput(), failures)))
    return nullptr;
  DenseIntElementsAttr start;
  if (!matchPattern(op.getStart(), m_Constant(&start)))
    return failures.reject(op, "expected 'start' to be constant, but got ",
                           op.getStart().getType());
  auto offsets = llvm::to_vector(start.getValues<int64_t>());
  auto input = cast<RankedTensorType>(op.getInput1().getType()).getShape();
  auto output = cast<RankedTensorType>(op.getType()).getShape();
  for (auto [offset, size, available] :
       llvm::zip_equal(offsets, output, input)) {
    if (offset >= 0 && offset + size <= available)
      continue;
    return failures.reject(op, "expected a slice of at most ", available,
                           " elements, but got ", size, " from ", offset);
  }
  return std::make_unique<SliceCluster>(
      op, op.getInput1(),
      TensorBlock{std::move(offsets), llvm::to_vector(output)});
}

/// Whether operations of TOSA compute or read what the slice moves.
static bool isBesideTosa(tensor::ExtractSliceOp op) {
  auto isInTosa = [](Operation *other) {
    return isa_and_nonnull<tosa::TosaDialect>(other ? other->getDialect()
                                                    : nullptr);
  };
  return isInTosa(op.getSource().getDefiningOp()) ||
         llvm::any_of(op->getUsers(), isInTosa);
}

ClusterPtr raising::matchExtractSlice(tensor::ExtractSliceOp op,
                                      MatchFailures &failures) {
  if (!isBesideTosa(op) ||
      failed(checkMove(op, op.getSource(), op.getResult(), failures)))
    return nullptr;
  if (!op.hasUnitStride() ||
      llvm::is_contained(op.getStaticOffsets(), ShapedType::kDynamic))
    return nullptr;
  return std::make_unique<SliceCluster>(
      op, op.getSource(),
      TensorBlock{llvm::to_vector(op.getStaticOffsets()),
                  llvm::to_vector(op.getStaticSizes())});
}
