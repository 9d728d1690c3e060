// SPDX-License-Identifier: Apache-2.0
//
// Legalizes operations that take slices along axes, in an order that is known,
// or put them.

#include "Conversion/TosaToMLI/Scales/TosaEmitter.h"
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
  TakesCluster(Operation *op, Value input, ArrayRef<int64_t> shape,
               SmallVector<SmallVector<int64_t>> indices)
      : SameScaleCluster(op, input), shape(shape), indices(std::move(indices)) {
  }

  Value emit(Emitter &emitter) const override {
    return createTakes(emitter, emitter.read(input), shape, indices);
  }

private:
  SmallVector<int64_t> shape;
  SmallVector<SmallVector<int64_t>> indices;
};

} // namespace

static SmallVector<int64_t> getAll(int64_t extent) {
  return llvm::to_vector(llvm::seq<int64_t>(0, extent));
}

/// Fails, with a reason for `op`, if dimension `axis` takes too many moves.
static LogicalResult checkTakeCount(Operation *op, size_t axis, size_t count,
                                    MatchFailures &failures) {
  if (count <= maxTakes)
    return success();
  return failures.add(op, "expected at most ", maxTakes,
                      " moves for dimension ", axis, ", but got ", count);
}

LogicalResult raising::checkTakes(Operation *op, ArrayRef<int64_t> shape,
                                  ArrayRef<SmallVector<int64_t>> indices,
                                  MatchFailures &failures) {
  for (auto [axis, list] : llvm::enumerate(indices))
    if (!list.empty() &&
        failed(
            checkTakeCount(op, axis, countTakes(list, shape[axis]), failures)))
      return failure();
  return success();
}

/// The cluster of `op`, whose operand `input`, seen in `shape`, has slices at
/// `indices`.
static ClusterPtr matchTakes(Operation *op, Value input,
                             ArrayRef<int64_t> shape,
                             SmallVector<SmallVector<int64_t>> indices,
                             MatchFailures &failures) {
  int64_t taken = 1;
  for (auto [axis, list] : llvm::enumerate(indices))
    taken *= list.empty() ? shape[axis] : static_cast<int64_t>(list.size());
  if (failed(checkTakes(op, shape, indices, failures)) ||
      failed(checkCount(op, op->getResult(0), taken, failures)))
    return nullptr;
  return std::make_unique<TakesCluster>(op, input, shape, std::move(indices));
}

ClusterPtr raising::matchTile(tosa::TileOp op, MatchFailures &failures) {
  if (failed(checkMove(op, op.getInput1(), op.getOutput(), failures)))
    return nullptr;
  SmallVector<SmallVector<int64_t>> indices;
  for (auto [extent, size] :
       llvm::zip_equal(getShape(op.getInput1()), getShape(op.getOutput()))) {
    if (size % extent != 0)
      return failures.reject(op, "expected an output of a multiple of ", extent,
                             " elements in dimension ", indices.size(),
                             ", but got ", size);
    // Lists are long where tensors are large, so that none is made in vain.
    if (failed(checkTakeCount(op, indices.size(), size / extent, failures)))
      return nullptr;
    SmallVector<int64_t> &list = indices.emplace_back();
    for (int64_t i = 0; size != extent && i < size; ++i)
      list.push_back(i % extent);
  }
  return matchTakes(op, op.getInput1(), getShape(op.getInput1()),
                    std::move(indices), failures);
}

ClusterPtr raising::matchReverse(tosa::ReverseOp op, MatchFailures &failures) {
  if (failed(checkMove(op, op.getInput1(), op.getOutput(), failures)))
    return nullptr;
  ArrayRef<int64_t> shape = getShape(op.getInput1());
  size_t axis = op.getAxis();
  if (failed(checkTakeCount(op, axis, shape[axis], failures)))
    return nullptr;
  SmallVector<SmallVector<int64_t>> indices(shape.size());
  indices[axis] = getAll(shape[axis]);
  std::reverse(indices[axis].begin(), indices[axis].end());
  return matchTakes(op, op.getInput1(), shape, std::move(indices), failures);
}

//===----------------------------------------------------------------------===//
// Rows at indices
//===----------------------------------------------------------------------===//

/// The rows of `rows`, [batch, rows, channels], at the constant `indices` of
/// each batch, counted through all batches.
static FailureOr<SmallVector<int64_t>>
readRows(Operation *op, Value rows, Value indices, MatchFailures &failures) {
  std::optional<SmallVector<int64_t>> places = getIntegers(indices);
  if (!places)
    return failures.add(op, "expected constant indices, but got ",
                        indices.getType());
  ArrayRef<int64_t> shape = getShape(rows);
  size_t count = places->size() / shape[0];
  for (auto [i, place] : llvm::enumerate(*places)) {
    if (place < 0 || place >= shape[1])
      return failures.add(op, "expected indices from 0 to ", shape[1] - 1,
                          ", but got ", place);
    place += static_cast<int64_t>(i / count) * shape[1];
  }
  return *places;
}

/// [batch, rows, channels] as [batches * rows, channels].
static SmallVector<int64_t> getRowShape(Value value) {
  ArrayRef<int64_t> shape = getShape(value);
  return {shape[0] * shape[1], shape[2]};
}

ClusterPtr raising::matchGather(tosa::GatherOp op, MatchFailures &failures) {
  if (failed(checkMove(op, op.getValues(), op.getOutput(), failures)))
    return nullptr;
  FailureOr<SmallVector<int64_t>> rows =
      readRows(op, op.getValues(), op.getIndices(), failures);
  if (failed(rows))
    return nullptr;
  SmallVector<int64_t> shape = getRowShape(op.getValues());
  return matchTakes(op, op.getValues(), shape, {*rows, {}}, failures);
}

namespace {

/// Puts rows of `source` at indices of rows of `into`.
class PutCluster : public Cluster {
public:
  PutCluster(tosa::ScatterOp op, SmallVector<int64_t> rows)
      : Cluster(op, op), into(op.getValuesIn()), source(op.getInput()),
        rows(std::move(rows)) {}

  SmallVector<Constraint> getConstraints() const override {
    return {Constraint::same(into, getResult()),
            Constraint::same(source, getResult())};
  }

  Value emit(Emitter &emitter) const override {
    return createPut(emitter, emitter.read(source), emitter.read(into),
                     getRowShape(into), /*axis=*/0, getAll(rows.size()), rows);
  }

private:
  Value into, source;
  SmallVector<int64_t> rows;
};

} // namespace

ClusterPtr raising::matchScatter(tosa::ScatterOp op, MatchFailures &failures) {
  if (failed(checkMove(op, op.getValuesIn(), op.getValuesOut(), failures)) ||
      failed(checkMove(op, op.getInput(), op.getValuesOut(), failures)))
    return nullptr;
  FailureOr<SmallVector<int64_t>> rows =
      readRows(op, op.getValuesIn(), op.getIndices(), failures);
  if (failed(rows))
    return nullptr;
  llvm::DenseSet<int64_t> distinct(rows->begin(), rows->end());
  if (distinct.size() != rows->size())
    return failures.reject(op, "expected ", rows->size(),
                           " indices that differ, but got ", distinct.size());
  if (size_t count = countPuts(getAll(rows->size()), *rows); count > maxTakes)
    return failures.reject(op, "expected at most ", maxTakes,
                           " moves of rows, but got ", count);
  return std::make_unique<PutCluster>(op, std::move(*rows));
}

//===----------------------------------------------------------------------===//
// Nearest neighbours
//===----------------------------------------------------------------------===//

ClusterPtr raising::matchResize(tosa::ResizeOp op, MatchFailures &failures) {
  if (op.getMode() != tosa::ResizeMode::NEAREST_NEIGHBOR)
    return failures.reject(op, "expected nearest neighbours, but got ",
                           tosa::stringifyResizeMode(op.getMode()));
  if (failed(checkMove(op, op.getInput(), op.getOutput(), failures)))
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
  SmallVector<SmallVector<int64_t>> indices(1);
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
  indices.emplace_back();
  return matchTakes(op, op.getInput(), from, std::move(indices), failures);
}
