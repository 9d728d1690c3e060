// SPDX-License-Identifier: Apache-2.0
//
// mli-tile-to-fit computes recurrent cells that do not fit local memory step by
// step, by kernels that it can cut.

#include "CellSteps.h"
#include "TileSearch.h"

#include "Transforms/Tiling/IndexMath.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "mli-tile-to-fit"

using namespace mlir;
using namespace mli;
using namespace mli::tiling;

namespace {

/// What is there between two steps.
struct Sequence {
  CellState state;
  /// The outputs of all steps so far, [steps, M]; null where only the last one
  /// is kept.
  Value results;

  SmallVector<Value, 3> getValues() const {
    SmallVector<Value, 3> values = {state.hidden};
    for (Value value : {state.cell, results})
      if (value)
        values.push_back(value);
    return values;
  }
  /// The same of `values`, in the order of `getValues`.
  Sequence with(ValueRange values) const {
    Sequence next;
    next.state.hidden = values.front();
    if (state.cell)
      next.state.cell = values[1];
    if (results)
      next.results = values.back();
    return next;
  }
};

/// Writes the steps of one cell.
class CellExpansion {
public:
  CellExpansion(RewriterBase &rewriter, const CellOperands &cell)
      : rewriter(rewriter), loc(cell.op->getLoc()), cell(cell),
        steps(rewriter, cell),
        frames(cast<RankedTensorType>(cell.input.getType())),
        vector(cast<RankedTensorType>(cell.previous.getType())
                   .clone(getElementTypeOrSelf(cell.init))) {}

  /// Replaces the cell. Returns the loop over its steps, if there is one.
  scf::ForOp run();

private:
  Sequence writeStep(OpFoldResult step, const Sequence &before,
                     Value destination);
  scf::ForOp writeLoop(int64_t first, const Sequence &before);
  Value readFrame(OpFoldResult step);

  RewriterBase &rewriter;
  Location loc;
  const CellOperands &cell;
  CellSteps steps;
  RankedTensorType frames;
  /// The type of an output.
  RankedTensorType vector;
};

} // namespace

/// The row of the input that is processed in `step`.
Value CellExpansion::readFrame(OpFoldResult step) {
  OpFoldResult row = step;
  if (cell.isBackward) {
    IndexMath math(rewriter, loc);
    row = math.apply(math.constant(frames.getDimSize(0) - 1) -
                     math.operand(step));
  }
  OpFoldResult zero = rewriter.getIndexAttr(0), one = rewriter.getIndexAttr(1);
  return tensor::ExtractSliceOp::create(
      rewriter, loc,
      RankedTensorType::get(frames.getShape().drop_front(),
                            frames.getElementType()),
      cell.input, {row, zero},
      {one, rewriter.getIndexAttr(frames.getDimSize(1))}, {one, one});
}

Sequence CellExpansion::writeStep(OpFoldResult step, const Sequence &before,
                                  Value destination) {
  Sequence after;
  after.state =
      steps.makeStep(rewriter, readFrame(step), before.state, destination);
  if (!before.results)
    return after;
  OpFoldResult zero = rewriter.getIndexAttr(0), one = rewriter.getIndexAttr(1);
  after.results = tensor::InsertSliceOp::create(
      rewriter, loc, after.state.hidden, before.results, {step, zero},
      {one, rewriter.getIndexAttr(vector.getDimSize(0))}, {one, one});
  return after;
}

/// The steps from `first` on.
scf::ForOp CellExpansion::writeLoop(int64_t first, const Sequence &before) {
  auto index = [&](int64_t value) {
    return arith::ConstantIndexOp::create(rewriter, loc, value);
  };
  Value from = index(first), to = index(frames.getDimSize(0));
  auto loop =
      scf::ForOp::create(rewriter, loc, from, to, index(1), before.getValues());
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointToStart(loop.getBody());
  Sequence inside = before.with(loop.getRegionIterArgs());
  Sequence after =
      writeStep(loop.getInductionVar(), inside, inside.state.hidden);
  scf::YieldOp::create(rewriter, loc, after.getValues());
  return loop;
}

// Z21
scf::ForOp CellExpansion::run() {
  int64_t count = frames.getDimSize(0), step = 0;
  Sequence sequence;
  sequence.state = {cell.previous, cell.cell};
  if (cell.hasAllResults && count > 1)
    sequence.results = cell.init;
  // A first step that reads another format than it writes is none of a loop.
  while (step < count &&
         (step + 1 == count || sequence.state.hidden.getType() != vector)) {
    Value destination = tensor::EmptyOp::create(
        rewriter, loc, vector.getShape(), vector.getElementType());
    sequence = writeStep(rewriter.getIndexAttr(step++), sequence, destination);
  }
  scf::ForOp loop;
  if (step < count) {
    loop = writeLoop(step, sequence);
    sequence = sequence.with(loop.getResults());
  }
  Value output = sequence.results;
  if (!output)
    output = ReshapeOp::create(rewriter, loc, cell.init.getType(),
                               sequence.state.hidden);
  SmallVector<Value, 2> results;
  if (cell.cell)
    results.push_back(sequence.state.cell);
  results.push_back(output);
  rewriter.replaceOp(cell.op, results);
  if (auto empty = cell.init.getDefiningOp<tensor::EmptyOp>();
      empty && empty->use_empty())
    rewriter.eraseOp(empty);
  return loop;
}

/// Whether all of `op`, a kernel, fits `room`.
static bool fits(Operation *op, const layout::Target &target, int64_t room) {
  std::optional<StaticKernel> kernel = StaticKernel::get(op);
  if (!kernel)
    return true;
  TileGroup group({&*kernel}, target);
  std::optional<int64_t> bytes = group.getBytes(getSmallestTiles(group));
  return bytes && *bytes <= room;
}

size_t mli::tiling::expandCells(FunctionOpInterface function,
                                const CellRules &rules) {
  SmallVector<std::pair<Operation *, int64_t>> cells;
  function.walk([&](Operation *op) {
    if (!op->hasTrait<RecurrentCell>() || !isTileable(op))
      return;
    int64_t room = rules.getRoom(op);
    if (!fits(op, rules.target, room) && explainNoSteps(op).empty())
      cells.push_back({op, room});
  });
  IRRewriter rewriter(function.getContext());
  for (auto [op, room] : cells) {
    LDBG() << "'" << function.getName() << "': step by step: " << *op;
    rewriter.setInsertionPoint(op);
    CellOperands cell(op);
    if (scf::ForOp loop = CellExpansion(rewriter, cell).run())
      keepWeights(rewriter, loop, rules, room);
  }
  return cells.size();
}
