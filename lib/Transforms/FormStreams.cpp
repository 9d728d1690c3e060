// SPDX-License-Identifier: Apache-2.0
//
// mli-form-streams computes kernels row by row, through rolling buffers.

#include "Transforms/Streams/FormStreams.h"
#include "Transforms/Addresses/Addresses.h"
#include "Transforms/TileSelection/TileDecision.h"

#include "mli/IR/AttributeNames.h"
#include "mli/Transforms/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "mli-form-streams"

namespace mli {
#define GEN_PASS_DEF_FORMSTREAMS
#include "mli/Transforms/Passes.h.inc"
} // namespace mli

using namespace mlir;
using namespace mli;
using namespace mli::streams;
using mli::tiling::TileOverrides;

namespace {

struct FormStreamsPass : mli::impl::FormStreamsBase<FormStreamsPass> {
  using FormStreamsBase::FormStreamsBase;

  void runOnOperation() override {
    FailureOr<TileOverrides> file =
        tiling::readOverrides(getOperation(), overrides);
    if (failed(file) || failed(checkFunctions(*file)))
      return signalPassFailure();
    // Their arenas are in those of their callers.
    FailureOr<SmallVector<func::FuncOp>> functions =
        sortByCalls(getOperation());
    if (failed(functions))
      return signalPassFailure();
    for (func::FuncOp function : *functions)
      if (failed(form(function, *file)))
        return signalPassFailure();
  }

private:
  LogicalResult checkFunctions(const TileOverrides &file);
  LogicalResult form(func::FuncOp function, const TileOverrides &file);
  FailureOr<std::vector<StreamSchedule>> decide(func::FuncOp function,
                                                const StreamGraph &graph,
                                                const TileOverrides &file);
  FailureOr<StreamPlan> planStreams(func::FuncOp function,
                                    const StreamGraph &graph,
                                    const StreamPlanner &planner,
                                    int64_t again);

  /// The arenas of functions that have been decided.
  llvm::StringMap<int64_t> arenas;
};

} // namespace

/// Checks that the functions of all streams of `file` exist.
LogicalResult FormStreamsPass::checkFunctions(const TileOverrides &file) {
  for (const tiling::StreamOverride &stream : file.streams)
    for (StringRef key : stream.kernels)
      // ST8
      if (!isa_and_present<func::FuncOp>(
              getOperation().lookupSymbol(key.rsplit(':').first)))
        return tiling::rejectName(getOperation(), key);
  return success();
}

/// The streams of `function`: those that it has by attributes, or that the file
/// says, and those that the arena asks for.
FailureOr<std::vector<StreamSchedule>>
FormStreamsPass::decide(func::FuncOp function, const StreamGraph &graph,
                        const TileOverrides &file) {
  if (failed(writeStreamAttributes(function, graph, file)))
    return failure();
  FailureOr<std::vector<StreamSchedule>> given = readStreamAttributes(graph);
  if (failed(given) || (!arena && given->empty() && !report))
    return given;
  std::vector<StreamPart> fixed;
  StreamPlanner rules(graph, file.cost);
  int64_t again = 0;
  for (const StreamSchedule &schedule : *given) {
    fixed.push_back(rules.makeStream(schedule));
    again += fixed.back().again;
  }
  StreamPlanner planner(graph, file.cost, std::move(fixed));
  StreamPlan plan = planner.planWhole();
  if (arena) {
    FailureOr<StreamPlan> found = planStreams(function, graph, planner, again);
    if (failed(found))
      return failure();
    plan = std::move(*found);
  }
  for (const StreamPart &part : plan.parts)
    if (part.shape)
      writeStreamAttribute(graph, part);
  auto schedules = readStreamAttributes(graph);
  if (failed(schedules))
    return failure();
  ArenaRecord record = makeRecord(function, graph, plan, *schedules);
  record.set(function);
  arenas[function.getSymName()] = record.bytes;
  if (report)
    reportStreams(function, graph, plan, record);
  return schedules;
}

/// The cheapest plan for the arena, with streams that compute `again` products
/// again and are no choice.
FailureOr<StreamPlan> FormStreamsPass::planStreams(func::FuncOp function,
                                                   const StreamGraph &graph,
                                                   const StreamPlanner &planner,
                                                   int64_t again) {
  StreamLimits limits;
  int64_t work = getTotalWork(graph);
  limits.again = again + work / 100 * recompute + work % 100 * recompute / 100;
  StreamPlan smallest = planner.planSmallest(limits.again);
  int64_t least = planArena(graph, makeSchedules(graph, smallest));
  int64_t most = arena.getBytes().value_or(least);
  if (most < least)
    return rejectArena(function, graph, smallest, least, most, recompute);
  limits.bytes = std::max(most, smallest.bytes);
  while (std::optional<StreamPlan> plan = planner.planCheapest(limits)) {
    int64_t bytes = planArena(graph, makeSchedules(graph, *plan));
    if (bytes <= most)
      return *plan;
    // Between buffers there are gaps that nothing fits into.
    limits.bytes -= bytes - most;
  }
  return smallest;
}

LogicalResult FormStreamsPass::form(func::FuncOp function,
                                    const TileOverrides &file) {
  if (arena || !file.streams.empty())
    tiling::dropUnitBatches(function);
  Operation *unknown = nullptr;
  std::optional<StreamGraph> graph = StreamGraph::get(
      function.front(), {arguments && function.isPublic(), &arenas},
      [&](Operation *op) { unknown = op; });
  if (!graph) {
    // ST7
    if (arena)
      return unknown->emitError("expected tensors of known sizes for an arena, "
                                "but this one has none");
    return success();
  }
  auto schedules = decide(function, *graph, file);
  if (failed(schedules))
    return failure();
  if (decideOnly)
    return success();
  IRRewriter rewriter(&getContext());
  for (const StreamSchedule &schedule : *schedules) {
    graph->vertices[schedule.end - 1].op->removeAttr(streamAttrName);
    LDBG() << "'" << function.getSymName() << "': kernels " << schedule.begin
           << " to " << schedule.end - 1 << " are a stream of "
           << schedule.steps << " steps";
    ++numStreams;
    numKernels += schedule.end - schedule.begin;
    if (failed(writeStream(rewriter, schedule)))
      return failure();
  }
  return success();
}
