// SPDX-License-Identifier: Apache-2.0
//
// The control flow of a stream: loops, conditions, and what it replaces.

#include "StreamWriter.h"

#include "FormStreams.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

using namespace mlir;
using namespace mli;
using namespace mli::streams;

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

/// Writes an `scf.if` that changes the buffers of `vertices`. Those that are
/// not there yet exist in one of its branches only.
LogicalResult StreamWriter::writeIf(Value condition, Vertices vertices,
                                    Write then, Write otherwise) {
  auto getBuffers = [&] {
    return llvm::map_to_vector(
        vertices, [&](size_t vertex) { return getBuffer(vertex); });
  };
  SmallVector<Value> before = getBuffers();
  SmallVector<Value> changed;
  llvm::copy_if(before, std::back_inserter(changed),
                [](Value buffer) { return static_cast<bool>(buffer); });
  auto setBuffers = [&](ValueRange values) {
    for (auto [vertex, buffer] : llvm::zip_equal(vertices, before)) {
      getBuffer(vertex) = buffer ? values.front() : Value();
      values = values.drop_front(buffer ? 1 : 0);
    }
  };
  Location loc = getLoc(vertices.front());
  auto branch = scf::IfOp::create(rewriter, loc, TypeRange(ValueRange(changed)),
                                  condition, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(rewriter);
  for (auto [region, body] : {std::pair(&branch.getThenRegion(), then),
                              {&branch.getElseRegion(), otherwise}}) {
    setBuffers(changed);
    rewriter.setInsertionPointToEnd(&region->front());
    if (failed(body()))
      return failure();
    SmallVector<Value> yielded;
    for (auto [vertex, buffer] : llvm::zip_equal(vertices, before))
      if (buffer)
        yielded.push_back(getBuffer(vertex));
    scf::YieldOp::create(rewriter, loc, yielded);
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

LogicalResult StreamWriter::writeBody(size_t number) {
  const StreamLoop &loop = schedule.loops[number];
  Vertices rest = schedule.getOrder().slice(loop.begin, loop.end - loop.begin);
  while (!rest.empty()) {
    // The next item: an inner loop, or kernels that run in the same iterations.
    Vertices item = schedule.takeItem(rest, number);
    size_t inner = schedule.getCalls(rest.front()).loop;
    while (inner != number && schedule.loops[inner].parent != number)
      inner = schedule.loops[inner].parent;
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
  const StreamCalls &made = schedule.getCalls(first);
  AffineExpr iteration = getIteration(made.loop);
  int64_t iterations = schedule.steps * schedule.loops[made.loop].perStep;
  SmallVector<Value> conditions;
  if (made.first < 0)
    conditions.push_back(
        compare(first, arith::CmpIPredicate::sge, iteration, -made.first));
  if (iterations + made.first > made.count)
    conditions.push_back(compare(first, arith::CmpIPredicate::slt, iteration,
                                 made.count - made.first));
  auto kernels = [&] { return writeBlock(CallBlock(schedule, vertices)); };
  if (conditions.empty())
    return kernels();
  Value condition = conditions.front();
  if (conditions.size() == 2)
    condition = arith::AndIOp::create(rewriter, getLoc(first), condition,
                                      conditions.back());
  return writeIf(condition, vertices, kernels, [] { return success(); });
}

LogicalResult StreamWriter::writeBlock(const CallBlock &block) {
  for (const CallBlock::Buffer &buffer : block.buffers)
    makeBuffer(buffer.vertex, buffer.rows);
  for (const CallBlock::Item &item : block.items) {
    if (item.branches.empty()) {
      if (failed(writeCall(item.vertex, item.run)))
        return failure();
      continue;
    }
    const StreamCalls &calls = schedule.getCalls(item.vertex);
    Value condition =
        compare(item.vertex, arith::CmpIPredicate::slt,
                getIteration(calls.loop), item.run.begin - calls.first);
    if (failed(writeIf(
            condition, item.branches.front().vertices,
            [&] { return writeBlock(item.branches.front()); },
            [&] { return writeBlock(item.branches.back()); })))
      return failure();
  }
  for (const CallBlock::Buffer &buffer : block.buffers)
    getBuffer(buffer.vertex) = Value();
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
      if (buffer.isResult ? stripe == 0
                          : buffer.isCarried && schedule.steps > 1)
        makeBuffer(vertex, buffer.rows);
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
