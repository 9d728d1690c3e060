// SPDX-License-Identifier: Apache-2.0
//
// The kernels of a stream on rows, and where these are.

#include "StreamWriter.h"

#include "Transforms/Tiling/IndexMath.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/TilingInterface.h"

using namespace mlir;
using namespace mli;
using namespace mli::streams;

//===----------------------------------------------------------------------===//
// Indices
//===----------------------------------------------------------------------===//

/// The iteration of `loop`, counted through all steps; each loop is a
/// dimension.
AffineExpr StreamWriter::getIteration(size_t loop) const {
  AffineExpr inner = getAffineDimExpr(loop, rewriter.getContext());
  if (loop == 0)
    return inner;
  return getIteration(schedule.loops[loop].parent) *
             schedule.loops[loop].count +
         inner;
}

OpFoldResult StreamWriter::apply(size_t vertex, AffineExpr index) {
  // Loops that are closed are not used.
  tiling::IndexMath math(rewriter, getLoc(vertex));
  SmallVector<AffineExpr> dims;
  for (Value induction : indices)
    dims.push_back(induction ? math.operand(induction) : math.constant(0));
  return math.apply(index.replaceDims(dims));
}

Value StreamWriter::compare(size_t vertex, arith::CmpIPredicate predicate,
                            AffineExpr index, int64_t bound) {
  Value value = getValueOrCreateConstantIndexOp(rewriter, getLoc(vertex),
                                                apply(vertex, index));
  return arith::CmpIOp::create(rewriter, getLoc(vertex), predicate, value,
                               makeIndex(vertex, bound));
}

/// Where row `row` of what `producer` computes is when `vertex` runs.
AffineExpr StreamWriter::getPosition(size_t producer, size_t vertex,
                                     AffineExpr row) {
  const StreamBuffer &buffer = schedule.getBuffer(producer);
  switch (buffer.index) {
  case StreamBuffer::Index::Row:
    return row;
  case StreamBuffer::Index::Modulo:
    return row % buffer.rows;
  case StreamBuffer::Index::Base:
    break;
  }
  // Behind the loop that moves rows up the base is that of its last iteration.
  size_t common =
      schedule.findCommonLoop(schedule.getCalls(vertex).loop, buffer.loop);
  int64_t iterations =
      schedule.loops[buffer.loop].perStep / schedule.loops[common].perStep;
  AffineExpr iteration = getIteration(common) * iterations + (iterations - 1);
  // In front of where rows move up, it is that of the one before.
  size_t shared = schedule.findCommonLoop(schedule.getCalls(vertex).loop,
                                          schedule.getCalls(producer).loop);
  if (schedule.isInFront(vertex, producer) &&
      schedule.loops[shared].depth <= schedule.loops[buffer.loop].depth)
    iteration = iteration - iterations;
  AffineExpr position = row - iteration * buffer.step - buffer.base;
  return buffer.room == 1 ? position
                          : position + iteration % buffer.room * buffer.step;
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

/// Makes the buffer of `vertex`, of `rows` rows if it is no result.
void StreamWriter::makeBuffer(size_t vertex, int64_t rows) {
  const StreamVertex &kernel = graph.vertices[vertex];
  const StreamBuffer &buffer = schedule.getBuffer(vertex);
  auto type = cast<RankedTensorType>(kernel.op->getResult(0).getType());
  unsigned rowDim = graph.values[kernel.results[0]].map->rowDim;
  SmallVector<int64_t> shape(type.getShape());
  if (!buffer.isResult) {
    shape[rowDim] = rows;
    shape[rowDim + 1] = getColumns(vertex).size();
  }
  getBuffer(vertex) =
      tensor::EmptyOp::create(rewriter, kernel.op->getLoc(), shape,
                              type.getElementType(), type.getEncoding());
}

/// Makes the buffers of `vertices` that exist in one iteration of `loop`, and
/// not only where these run: of a single step all but results.
void StreamWriter::makeBuffers(size_t loop, Vertices vertices) {
  for (size_t vertex : vertices) {
    const StreamBuffer &buffer = schedule.getBuffer(vertex);
    bool isInIteration = buffer.isCarried ? loop == 0 && schedule.steps == 1
                                          : buffer.loop == loop;
    if (!buffer.isResult && isInIteration &&
        !schedule.isLocal(vertex, vertices))
      makeBuffer(vertex, buffer.rows);
  }
}

/// The block of `tensor` from `row` and `column` on, as a tensor of `type`.
Value StreamWriter::slice(Value tensor, OpFoldResult row, int64_t column,
                          RankedTensorType type) {
  auto from = cast<RankedTensorType>(tensor.getType());
  MapShape source = *MapShape::get(from), target = *MapShape::get(type);
  SmallVector<int64_t> shape(from.getShape());
  shape[source.rowDim] = target.rows;
  // A reshape has other columns of whole rows.
  if (source.rowBytes != target.rowBytes)
    shape[source.rowDim + 1] = target.columns;
  Value block = tensor;
  if (shape != from.getShape()) {
    SmallVector<OpFoldResult> offsets(from.getRank(), rewriter.getIndexAttr(0));
    SmallVector<OpFoldResult> strides(from.getRank(), rewriter.getIndexAttr(1));
    offsets[source.rowDim] = row;
    offsets[source.rowDim + 1] = rewriter.getIndexAttr(column);
    block = tensor::ExtractSliceOp::create(
        rewriter, tensor.getLoc(), tensor, offsets,
        getAsIndexOpFoldResult(rewriter.getContext(), shape), strides);
  }
  if (block.getType() == type)
    return block;
  return ReshapeOp::create(rewriter, tensor.getLoc(), type, block);
}

/// The rows that call `run` of `vertex` reads, as its operand of `type`.
Value StreamWriter::readRows(const RowRead &read, size_t vertex,
                             const CallRun &run, RankedTensorType type) {
  const StreamCalls &calls = schedule.getCalls(vertex);
  CallRows rows = schedule.getCallRows(vertex, read);
  AffineExpr call = getIteration(calls.loop) + calls.first;
  Interval first = run.getRows(read);
  int64_t cut = first.lower - (run.begin * rows.step + rows.lower);
  AffineExpr row = call * rows.step + (rows.lower + cut);
  const StreamValue &value = graph.values[read.value];
  int64_t column =
      read.columns ? read.columns->of(getColumns(vertex)).lower : 0;
  if (!schedule.computes(value))
    return slice(graph.vertices[vertex].op->getOperand(read.operand),
                 apply(vertex, row), column, type);
  column -= getFirstColumn(*value.producer);
  return slice(getBuffer(*value.producer),
               apply(vertex, getPosition(*value.producer, vertex, row)), column,
               type);
}

/// Moves the rows of the buffer of `vertex` up that stay in it.
void StreamWriter::advance(size_t vertex) {
  const StreamBuffer &buffer = schedule.getBuffer(vertex);
  auto write = [&] {
    Value ring = getBuffer(vertex);
    getBuffer(vertex) =
        AdvanceOp::create(
            rewriter, getLoc(vertex), ring.getType(), ring,
            buffer.step * buffer.room,
            graph.values[graph.vertices[vertex].results[0]].map->rowDim)
            ->getResult(0);
    return success();
  };
  if (buffer.room == 1) {
    (void)write();
    return;
  }
  Value isFirst = compare(vertex, arith::CmpIPredicate::eq,
                          getIteration(buffer.loop) % buffer.room, 0);
  (void)writeIf(isFirst, vertex, write, [] { return success(); });
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// Has the kernel compute the rows of a call, by its tiling interface.
LogicalResult StreamWriter::writeCall(size_t vertex, const CallRun &run) {
  const StreamVertex &kernel = graph.vertices[vertex];
  const StreamCalls &made = schedule.getCalls(vertex);
  const MapShape &map = *graph.values[kernel.results[0]].map;
  auto op = cast<TilingInterface>(kernel.op);
  auto resultType = cast<RankedTensorType>(kernel.op->getResult(0).getType());
  SmallVector<OpFoldResult> offsets(resultType.getRank(),
                                    rewriter.getIndexAttr(0));
  SmallVector<OpFoldResult> sizes =
      getAsIndexOpFoldResult(rewriter.getContext(), resultType.getShape());
  offsets[map.rowDim] = rewriter.getIndexAttr(run.begin * made.rows);
  sizes[map.rowDim] = rewriter.getIndexAttr(run.rows);
  offsets[map.rowDim + 1] = rewriter.getIndexAttr(getColumns(vertex).lower);
  sizes[map.rowDim + 1] = rewriter.getIndexAttr(getColumns(vertex).size());
  FailureOr<TilingResult> tiled =
      op.getTiledImplementation(rewriter, offsets, sizes);
  if (failed(tiled))
    return failure();
  Operation *call = tiled->tiledOps.front();
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(call);
  for (const RowRead &read : kernel.rowReads) {
    OpOperand &operand = call->getOpOperand(read.operand);
    operand.set(readRows(read, vertex, run,
                         cast<RankedTensorType>(operand.get().getType())));
  }
  auto rowsType = cast<RankedTensorType>(call->getResult(0).getType());
  AffineExpr row = (getIteration(made.loop) + made.first) * made.rows;
  OpFoldResult position = apply(vertex, getPosition(vertex, vertex, row));
  Value buffer = getBuffer(vertex);
  Value init =
      slice(buffer, position, getColumns(vertex).lower - getFirstColumn(vertex),
            rowsType);
  cast<DestinationStyleOpInterface>(call).setDpsInitOperand(0, init);
  for (Operation *unused : tiled->generatedSlices)
    if (unused->use_empty())
      rewriter.eraseOp(unused);
  rewriter.setInsertionPointAfter(call);
  if (init == buffer) {
    getBuffer(vertex) = call->getResult(0);
    return success();
  }
  auto extracted = init.getDefiningOp<tensor::ExtractSliceOp>();
  getBuffer(vertex) = tensor::InsertSliceOp::create(
      rewriter, call->getLoc(), call->getResult(0), buffer,
      extracted.getMixedOffsets(), extracted.getMixedSizes(),
      extracted.getMixedStrides());
  return success();
}
