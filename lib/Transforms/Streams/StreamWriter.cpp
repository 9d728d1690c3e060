// SPDX-License-Identifier: Apache-2.0

#include "FormStreams.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/TilingInterface.h"

using namespace mlir;
using namespace mli;
using namespace mli::streams;

namespace {

class StreamWriter {
public:
  StreamWriter(RewriterBase &rewriter, const StreamSchedule &schedule)
      : rewriter(rewriter), schedule(schedule), graph(*schedule.graph),
        buffers(schedule.end - schedule.begin), indices(schedule.loops.size()) {
  }

  LogicalResult write();

private:
  using Write = llvm::function_ref<LogicalResult()>;
  using Vertices = ArrayRef<size_t>;

  Location getLoc(size_t vertex) const {
    return graph.vertices[vertex].op->getLoc();
  }
  Value &getBuffer(size_t vertex) { return buffers[vertex - schedule.begin]; }
  Value makeIndex(size_t vertex, int64_t value) {
    return arith::ConstantIndexOp::create(rewriter, getLoc(vertex), value);
  }

  void makeBuffer(size_t vertex);
  void makeBuffers(size_t loop, Vertices vertices);
  LogicalResult writeLoop(size_t number);
  LogicalResult writeBody(size_t number);
  Vertices takeAlike(Vertices vertices) const;
  LogicalResult writeKernels(Vertices vertices);
  LogicalResult writeGuarded(Vertices vertices);
  LogicalResult writeCalls(size_t vertex, ArrayRef<CallRun> runs);
  LogicalResult writeCall(size_t vertex, const CallRun &run);
  LogicalResult writeIf(Value condition, Vertices changed, Write then,
                        Write otherwise);
  void advance(size_t vertex);
  Value readRows(const RowRead &read, size_t vertex, const CallRun &run,
                 RankedTensorType type);
  Value slice(Value tensor, OpFoldResult row, int64_t column,
              RankedTensorType type);
  Interval getColumns(size_t vertex) const {
    return schedule.stripes[stripe][vertex - schedule.begin];
  }
  int64_t getFirstColumn(size_t vertex) const {
    return schedule.getBuffer(vertex).isResult ? 0 : getColumns(vertex).lower;
  }
  OpFoldResult apply(size_t vertex, AffineExpr index);
  AffineExpr getIteration(size_t loop) const;
  AffineExpr getPosition(size_t producer, size_t vertex, AffineExpr row);
  Value compare(size_t vertex, arith::CmpIPredicate predicate, AffineExpr index,
                int64_t bound);
  void moveViewsBehind();
  void replaceResults();

  RewriterBase &rewriter;
  const StreamSchedule &schedule;
  const StreamGraph &graph;
  /// The buffer of each vertex as the operations so far leave it.
  SmallVector<Value> buffers;
  /// The stripe that is being written.
  size_t stripe = 0;
  /// The induction variables of the loops that are being written.
  SmallVector<Value> indices;
};

} // namespace

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
  SmallVector<OpFoldResult> operands;
  for (Value induction : indices)
    operands.push_back(induction ? OpFoldResult(induction)
                                 : OpFoldResult(rewriter.getIndexAttr(0)));
  return affine::makeComposedFoldedAffineApply(
      rewriter, getLoc(vertex), AffineMap::get(operands.size(), 0, index),
      operands);
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

void StreamWriter::makeBuffer(size_t vertex) {
  const StreamVertex &kernel = graph.vertices[vertex];
  const StreamBuffer &buffer = schedule.getBuffer(vertex);
  auto type = cast<RankedTensorType>(kernel.op->getResult(0).getType());
  unsigned rowDim = graph.values[kernel.results[0]].map->rowDim;
  SmallVector<int64_t> shape(type.getShape());
  if (!buffer.isResult) {
    shape[rowDim] = buffer.rows;
    shape[rowDim + 1] = getColumns(vertex).size();
  }
  getBuffer(vertex) = tensor::EmptyOp::create(rewriter, kernel.op->getLoc(),
                                              shape, type.getElementType());
}

/// Makes the buffers of `vertices` that exist in one iteration of `loop`.
void StreamWriter::makeBuffers(size_t loop, Vertices vertices) {
  for (size_t vertex : vertices) {
    const StreamBuffer &buffer = schedule.getBuffer(vertex);
    if (!buffer.isCarried && buffer.loop == loop)
      makeBuffer(vertex);
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
// Control flow
//===----------------------------------------------------------------------===//

/// Writes an `scf.if` that changes the buffers of `changed`.
LogicalResult StreamWriter::writeIf(Value condition, Vertices changed,
                                    Write then, Write otherwise) {
  auto getBuffers = [&] {
    return llvm::map_to_vector(
        changed, [&](size_t vertex) { return getBuffer(vertex); });
  };
  auto setBuffers = [&](ValueRange values) {
    for (auto [vertex, value] : llvm::zip_equal(changed, values))
      getBuffer(vertex) = value;
  };
  Location loc = getLoc(changed.front());
  SmallVector<Value> before = getBuffers();
  auto branch =
      scf::IfOp::create(rewriter, loc, TypeRange(ValueRange(before)), condition,
                        /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(rewriter);
  for (auto [region, body] : {std::pair(&branch.getThenRegion(), then),
                              {&branch.getElseRegion(), otherwise}}) {
    setBuffers(before);
    rewriter.setInsertionPointToEnd(&region->front());
    if (failed(body()))
      return failure();
    scf::YieldOp::create(rewriter, loc, getBuffers());
  }
  setBuffers(branch.getResults());
  return success();
}

LogicalResult StreamWriter::writeLoop(size_t number) {
  const StreamLoop &loop = schedule.loops[number];
  Vertices members =
      schedule.getOrder().slice(loop.begin, loop.end - loop.begin);
  SmallVector<size_t> carried;
  SmallVector<Value> inits;
  for (size_t vertex : members)
    if (getBuffer(vertex)) {
      carried.push_back(vertex);
      inits.push_back(getBuffer(vertex));
    }
  size_t first = members.front();
  auto op = scf::ForOp::create(rewriter, getLoc(first), makeIndex(first, 0),
                               makeIndex(first, loop.count),
                               makeIndex(first, 1), inits);
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointToStart(op.getBody());
  for (auto [vertex, argument] :
       llvm::zip_equal(carried, op.getRegionIterArgs()))
    getBuffer(vertex) = argument;
  indices[number] = op.getInductionVar();
  if (failed(writeBody(number)))
    return failure();
  indices[number] = Value();
  SmallVector<Value> yielded;
  for (size_t vertex : carried)
    yielded.push_back(getBuffer(vertex));
  rewriter.setInsertionPointToEnd(op.getBody());
  scf::YieldOp::create(rewriter, op.getLoc(), yielded);
  // What exists in one iteration only is gone.
  for (size_t vertex : members)
    getBuffer(vertex) = Value();
  for (auto [vertex, result] : llvm::zip_equal(carried, op.getResults()))
    getBuffer(vertex) = result;
  return success();
}

/// The first of `vertices`, and those behind it that run in the same iterations
/// and may do so without rows that move up in between.
ArrayRef<size_t> StreamWriter::takeAlike(Vertices vertices) const {
  const StreamCalls &first = schedule.getCalls(vertices.front());
  size_t count = 1;
  for (; count < vertices.size(); ++count) {
    const StreamCalls &calls = schedule.getCalls(vertices[count]);
    size_t result = graph.vertices[vertices[count]].results[0];
    if (calls.loop != first.loop || calls.first != first.first ||
        calls.count != first.count ||
        llvm::any_of(vertices.take_front(count), [&](size_t other) {
          return llvm::is_contained(graph.vertices[other].inputs, result);
        }))
      break;
  }
  return vertices.take_front(count);
}

LogicalResult StreamWriter::writeBody(size_t number) {
  const StreamLoop &loop = schedule.loops[number];
  Vertices rest = schedule.getOrder().slice(loop.begin, loop.end - loop.begin);
  while (!rest.empty()) {
    // The next item: an inner loop, or kernels that run in the same iterations.
    size_t inner = schedule.getCalls(rest.front()).loop;
    Vertices item = rest;
    if (inner == number) {
      item = takeAlike(rest);
    } else {
      while (schedule.loops[inner].parent != number)
        inner = schedule.loops[inner].parent;
      item = rest.take_front(schedule.loops[inner].end -
                             schedule.loops[inner].begin);
    }
    makeBuffers(number, item);
    for (size_t vertex : item) {
      const StreamBuffer &buffer = schedule.getBuffer(vertex);
      if (buffer.isCarried && buffer.keep > 0 && buffer.loop == number)
        advance(vertex);
    }
    if (failed(inner == number ? writeGuarded(item) : writeLoop(inner)))
      return failure();
    rest = rest.drop_front(item.size());
  }
  return success();
}

/// Writes kernels that run in the same iterations, if that is not all of them,
/// under a condition.
LogicalResult StreamWriter::writeGuarded(Vertices vertices) {
  size_t first = vertices.front();
  const StreamCalls &calls = schedule.getCalls(first);
  AffineExpr iteration = getIteration(calls.loop);
  int64_t iterations = schedule.steps * schedule.loops[calls.loop].perStep;
  SmallVector<Value> conditions;
  if (calls.first < 0)
    conditions.push_back(
        compare(first, arith::CmpIPredicate::sge, iteration, -calls.first));
  if (iterations + calls.first > calls.count)
    conditions.push_back(compare(first, arith::CmpIPredicate::slt, iteration,
                                 calls.count - calls.first));
  auto kernels = [&] { return writeKernels(vertices); };
  if (conditions.empty())
    return kernels();
  Value condition = conditions.front();
  if (conditions.size() == 2)
    condition = arith::AndIOp::create(rewriter, getLoc(first), condition,
                                      conditions.back());
  return writeIf(condition, vertices, kernels, [] { return success(); });
}

LogicalResult StreamWriter::writeKernels(Vertices vertices) {
  for (size_t vertex : vertices)
    if (failed(writeCalls(vertex, schedule.getCallRuns(vertex))))
      return failure();
  return success();
}

/// Writes one kernel for each of `runs`, calls of equal shapes.
LogicalResult StreamWriter::writeCalls(size_t vertex, ArrayRef<CallRun> runs) {
  const CallRun &first = runs.front();
  if (runs.size() == 1)
    return writeCall(vertex, first);
  const StreamCalls &calls = schedule.getCalls(vertex);
  Value condition = compare(vertex, arith::CmpIPredicate::slt,
                            getIteration(calls.loop), first.end - calls.first);
  return writeIf(
      condition, vertex, [&]() { return writeCall(vertex, first); },
      [&]() { return writeCalls(vertex, runs.drop_front()); });
}

/// Has the kernel compute the rows of a call, by its tiling interface.
LogicalResult StreamWriter::writeCall(size_t vertex, const CallRun &run) {
  const StreamVertex &kernel = graph.vertices[vertex];
  const StreamCalls &calls = schedule.getCalls(vertex);
  const MapShape &map = *graph.values[kernel.results[0]].map;
  auto op = cast<TilingInterface>(kernel.op);
  auto resultType = cast<RankedTensorType>(kernel.op->getResult(0).getType());
  SmallVector<OpFoldResult> offsets(resultType.getRank(),
                                    rewriter.getIndexAttr(0));
  SmallVector<OpFoldResult> sizes =
      getAsIndexOpFoldResult(rewriter.getContext(), resultType.getShape());
  offsets[map.rowDim] = rewriter.getIndexAttr(run.begin * calls.rows);
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
  AffineExpr row = (getIteration(calls.loop) + calls.first) * calls.rows;
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

//===----------------------------------------------------------------------===//
// Streams
//===----------------------------------------------------------------------===//

/// Moves the operations in front of the last kernel that use results of the
/// stream, which are views, behind it.
void StreamWriter::moveViewsBehind() {
  Operation *behind = graph.vertices[schedule.end - 1].op;
  llvm::SmallPtrSet<Operation *, 16> computed;
  for (size_t vertex = schedule.begin; vertex < schedule.end; ++vertex)
    computed.insert(graph.vertices[vertex].op);
  Operation *end = behind;
  for (Operation *op = graph.vertices[schedule.begin].op; op != end;) {
    Operation *next = op->getNextNode();
    bool isKernel = computed.contains(op);
    if (!isKernel && llvm::any_of(op->getOperands(), [&](Value operand) {
          return computed.contains(operand.getDefiningOp());
        })) {
      rewriter.moveOpAfter(op, behind);
      behind = op;
      computed.insert(op);
    }
    op = next;
  }
}

/// Replaces what is used outside of the stream, and erases its kernels.
void StreamWriter::replaceResults() {
  for (size_t vertex = schedule.begin; vertex < schedule.end; ++vertex)
    if (schedule.getBuffer(vertex).isResult)
      rewriter.replaceAllUsesWith(graph.vertices[vertex].op->getResult(0),
                                  getBuffer(vertex));
  // Views of what the stream computed go with it.
  std::function<void(Operation *)> erase = [&](Operation *op) {
    for (Operation *user : llvm::make_early_inc_range(op->getUsers()))
      erase(user);
    rewriter.eraseOp(op);
  };
  for (size_t vertex = schedule.end; vertex-- > schedule.begin;) {
    Operation *op = graph.vertices[vertex].op;
    Operation *init =
        cast<DestinationStyleOpInterface>(op).getDpsInits()[0].getDefiningOp();
    erase(op);
    if (init->use_empty())
      rewriter.eraseOp(init);
  }
}

LogicalResult StreamWriter::write() {
  moveViewsBehind();
  Operation *last = graph.vertices[schedule.end - 1].op;
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(last);
  for (; stripe < schedule.stripes.size(); ++stripe) {
    for (size_t vertex = schedule.begin; vertex < schedule.end; ++vertex) {
      const StreamBuffer &buffer = schedule.getBuffer(vertex);
      if (buffer.isResult ? stripe == 0 : buffer.isCarried)
        makeBuffer(vertex);
    }
    if (failed(writeLoop(0)))
      return failure();
  }
  replaceResults();
  return success();
}

// ST1
LogicalResult mli::streams::writeStream(RewriterBase &rewriter,
                                        const StreamSchedule &schedule) {
  return StreamWriter(rewriter, schedule).write();
}
