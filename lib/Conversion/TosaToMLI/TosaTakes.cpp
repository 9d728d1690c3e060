// SPDX-License-Identifier: Apache-2.0
//
// Legalizes operations that take slices along axes, in an order that is known.

#include "TosaEmitter.h"
#include "TosaPatterns.h"

#include "mli/Frontend/Moves.h"

#include "mlir/Dialect/Tosa/Utils/ConversionUtils.h"

using namespace mlir;
using namespace mli;
using namespace mli::raising;

namespace {

/// Takes, of each dimension of the input, the slices at some indices.
class TakesCluster : public SameScaleCluster {
public:
  TakesCluster(Operation *op, Value input,
               SmallVector<SmallVector<int64_t>> indices)
      : SameScaleCluster(op, input), indices(std::move(indices)) {}

  Value emit(Emitter &emitter) const override {
    return createTakes(emitter, emitter.read(input), getShape(input), indices);
  }

private:
  SmallVector<SmallVector<int64_t>> indices;
};

} // namespace

static SmallVector<int64_t> getAll(int64_t extent) {
  return llvm::to_vector(llvm::seq<int64_t>(0, extent));
}

/// The cluster of `op`, whose operand `input` has slices at `indices`.
static ClusterPtr matchTakes(Operation *op, Value input,
                             SmallVector<SmallVector<int64_t>> indices,
                             MatchFailures &failures) {
  for (auto [axis, list] : llvm::enumerate(indices)) {
    size_t count = countTakes(list, getShape(input)[axis]);
    if (count > maxTakes)
      return failures.reject(op, "expected at most ", maxTakes,
                             " moves for dimension ", axis, ", but got ",
                             count);
  }
  return std::make_unique<TakesCluster>(op, input, std::move(indices));
}

ClusterPtr raising::matchTile(tosa::TileOp op, MatchFailures &failures) {
  if (failed(checkFeatureMaps(op, op.getInput1(), op.getOutput(), failures)))
    return nullptr;
  SmallVector<SmallVector<int64_t>> indices;
  for (auto [extent, size] :
       llvm::zip_equal(getShape(op.getInput1()), getShape(op.getOutput()))) {
    SmallVector<int64_t> &list = indices.emplace_back();
    for (int64_t i = 0; i < size; ++i)
      list.push_back(i % extent);
  }
  return matchTakes(op, op.getInput1(), std::move(indices), failures);
}

ClusterPtr raising::matchReverse(tosa::ReverseOp op, MatchFailures &failures) {
  if (failed(checkFeatureMaps(op, op.getInput1(), op.getOutput(), failures)))
    return nullptr;
  SmallVector<SmallVector<int64_t>> indices;
  for (int64_t extent : getShape(op.getInput1()))
    indices.push_back(getAll(extent));
  std::reverse(indices[op.getAxis()].begin(), indices[op.getAxis()].end());
  return matchTakes(op, op.getInput1(), std::move(indices), failures);
}

ClusterPtr raising::matchGather(tosa::GatherOp op, MatchFailures &failures) {
  if (failed(checkFeatureMaps(op, op.getValues(), op.getOutput(), failures)))
    return nullptr;
  ArrayRef<int64_t> shape = getShape(op.getValues());
  std::optional<SmallVector<int64_t>> places = getIntegers(op.getIndices());
  if (!places || shape[0] != 1)
    return failures.reject(op,
                           "expected constant indices of a batch of 1, but "
                           "got ",
                           op.getIndices().getType());
  for (int64_t place : *places)
    if (place < 0 || place >= shape[1])
      return failures.reject(op, "expected indices from 0 to ", shape[1] - 1,
                             ", but got ", place);
  return matchTakes(op, op.getValues(), {{0}, *places, getAll(shape[2])},
                    failures);
}

ClusterPtr raising::matchResize(tosa::ResizeOp op, MatchFailures &failures) {
  if (op.getMode() != tosa::ResizeMode::NEAREST_NEIGHBOR)
    return failures.reject(op, "expected nearest neighbours, but got ",
                           tosa::stringifyResizeMode(op.getMode()));
  if (failed(checkFeatureMaps(op, op.getInput(), op.getOutput(), failures)))
    return nullptr;
  auto read = [](Value value, SmallVector<int64_t> &numbers) {
    Operation *producer = value.getDefiningOp();
    return producer && tosa::getConstShapeValues(producer, numbers);
  };
  SmallVector<int64_t> scale, offset;
  if (!read(op.getScale(), scale) || !read(op.getOffset(), offset))
    return nullptr; // The operation is not valid.
  ArrayRef<int64_t> from = getShape(op.getInput()),
                    to = getShape(op.getOutput());
  SmallVector<SmallVector<int64_t>> indices = {getAll(from[0])};
  for (size_t dim : {0, 1}) {
    int64_t numerator = scale[2 * dim], denominator = scale[2 * dim + 1];
    SmallVector<int64_t> &list = indices.emplace_back();
    for (int64_t i = 0; i < to[dim + 1]; ++i) {
      int64_t place = i * denominator + offset[dim];
      // The nearest multiple, the next one from the middle on.
      int64_t index =
          llvm::divideFloorSigned(2 * place + numerator, 2 * numerator);
      list.push_back(std::clamp<int64_t>(index, 0, from[dim + 1] - 1));
    }
  }
  indices.push_back(getAll(from[3]));
  return matchTakes(op, op.getInput(), std::move(indices), failures);
}
