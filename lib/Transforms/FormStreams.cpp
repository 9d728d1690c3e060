// SPDX-License-Identifier: Apache-2.0
//
// mli-form-streams computes kernels row by row, through rolling buffers.

#include "Transforms/Streams/FormStreams.h"
#include "Transforms/Addresses/Addresses.h"
#include "Transforms/TileSelection/TileApply.h"

#include "mli/IR/AttributeNames.h"
#include "mli/IR/LocalMemory.h"
#include "mli/Transforms/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "mli-form-streams"

#include <deque>

namespace mli {
#define GEN_PASS_DEF_FORMSTREAMS
#include "mli/Transforms/Passes.h.inc"
} // namespace mli

using namespace mlir;
using namespace mli;
using namespace mli::streams;
using mli::tiling::TileOverrides;

namespace {

/// A function on its way to streams.
struct FunctionStreams {
  func::FuncOp function;
  /// Nothing if some tensor has no known size.
  std::optional<StreamGraph> graph = {};
  /// The streams that attributes and files say.
  std::vector<StreamSchedule> given = {};
  std::unique_ptr<StreamPlanner> planner = {};
  /// Products that may be computed again.
  int64_t again = 0;
  /// The plan of the fewest bytes, and the arena with it.
  StreamPlan smallest = {};
  int64_t least = 0;
};

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
    getOperation().walk(
        [&](func::CallOp call) { called.insert(call.getCallee()); });
    // Planners point to graphs, which stay where they are.
    std::deque<FunctionStreams> all;
    for (func::FuncOp function : *functions) {
      if (arena || !file->streams.empty())
        tiling::dropUnitBatches(function);
      if (failed(read(all.emplace_back(FunctionStreams{function}), *file)))
        return signalPassFailure();
    }
    if (arena.getBytes() && !all.empty() && failed(shareArena(all, *file)))
      return signalPassFailure();
    for (FunctionStreams &streams : all)
      if (failed(form(streams, *file)))
        return signalPassFailure();
    bool isChanged = arena || report || !file->streams.empty() ||
                     llvm::any_of(all, [](const FunctionStreams &streams) {
                       return !streams.given.empty();
                     });
    if (!isChanged)
      markAllAnalysesPreserved();
  }

private:
  LogicalResult checkFunctions(const TileOverrides &file);
  GraphOptions getGraphOptions(func::FuncOp function) const {
    GraphOptions options;
    options.countsPorts = arguments && function.isPublic();
    options.callees = &arenas;
    return options;
  }
  LogicalResult read(FunctionStreams &streams, const TileOverrides &file);
  LogicalResult shareArena(std::deque<FunctionStreams> &all,
                           const TileOverrides &file);
  LogicalResult shareWithCallees(FunctionStreams &streams,
                                 const TileOverrides &file);
  LogicalResult form(FunctionStreams &streams, const TileOverrides &file);
  FailureOr<std::vector<StreamSchedule>> decide(FunctionStreams &streams);
  std::optional<int64_t> findBound(const FunctionStreams &streams);
  StreamPlan plan(const FunctionStreams &streams, int64_t most,
                  int64_t partBytes) const;

  /// The arenas of functions: the least, and then what is decided.
  llvm::StringMap<int64_t> arenas;
  /// What those of functions that are decided are bounded by from below.
  llvm::StringMap<int64_t> bounds;
  /// What the arena of each function may take; nothing if that is the least.
  llvm::StringMap<int64_t> limits;
  llvm::StringSet<> called;
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

/// Reads the function of `streams`, whose callees have their arenas, and finds
/// the least that it takes. Leaves it without a graph if nothing asks for
/// streams in it.
LogicalResult FormStreamsPass::read(FunctionStreams &streams,
                                    const TileOverrides &file) {
  func::FuncOp function = streams.function;
  if (!arena && !report && file.streams.empty() &&
      llvm::none_of(function.front(),
                    [](Operation &op) { return op.hasAttr(streamAttrName); }))
    return success();
  Operation *unknown = nullptr;
  streams.graph = StreamGraph::get(function.front(), getGraphOptions(function),
                                   [&](Operation *op) { unknown = op; });
  if (!streams.graph) {
    // ST7
    if (arena)
      return unknown->emitError("expected tensors of known sizes for an arena, "
                                "up to 2^40 bytes, but this one has none");
    return success();
  }
  const StreamGraph &graph = *streams.graph;
  FailureOr<std::vector<StreamPart>> overridden =
      readStreamOverrides(function, graph, file);
  if (failed(overridden))
    return failure();
  for (const StreamPart &part : *overridden)
    writeStreamAttribute(graph.vertices[part.end - 1].op, part.end - part.begin,
                         *part.shape);
  FailureOr<std::vector<StreamSchedule>> given = readStreamAttributes(graph);
  if (failed(given))
    return failure();
  streams.given = std::move(*given);
  StreamPlanner rules(graph, file.cost);
  std::vector<StreamPart> fixed;
  // Streams that are given are no choice.
  streams.again = 0;
  for (const StreamSchedule &schedule : streams.given) {
    fixed.push_back(rules.makeStream(schedule));
    streams.again += fixed.back().again;
  }
  streams.planner =
      std::make_unique<StreamPlanner>(graph, file.cost, std::move(fixed));
  if (!arena)
    return success();
  int64_t work = getTotalWork(graph);
  streams.again += work / 100 * recompute + work % 100 * recompute / 100;
  streams.smallest = streams.planner->planSmallest(streams.again);
  streams.least = planArena(graph, makeSchedules(graph, streams.smallest));
  // What costs less for no more bytes may have an arena of a few less.
  if (called.contains(function.getSymName()) ||
      arena.getBytes().value_or(0) < streams.least) {
    streams.smallest = plan(streams, streams.least, streams.smallest.bytes);
    streams.least = planArena(graph, makeSchedules(graph, streams.smallest));
  }
  arenas[function.getSymName()] = streams.least;
  return success();
}

/// The cheapest plan whose arena has at most `most` bytes, and no part more
/// than `partBytes`; that of the fewest if there is none.
StreamPlan FormStreamsPass::plan(const FunctionStreams &streams, int64_t most,
                                 int64_t partBytes) const {
  // Nothing costs less than whole kernels.
  StreamPlan whole = streams.planner->planWhole();
  if (planArena(*streams.graph, makeSchedules(*streams.graph, whole)) <= most)
    return whole;
  StreamLimits within;
  within.again = streams.again;
  within.bytes = partBytes;
  while (std::optional<StreamPlan> plan =
             streams.planner->planCheapest(within)) {
    int64_t bytes =
        planArena(*streams.graph, makeSchedules(*streams.graph, *plan));
    if (bytes <= most)
      return *plan;
    // Between buffers there are gaps that nothing fits into.
    within.bytes -= bytes - most;
  }
  return streams.smallest;
}

//===----------------------------------------------------------------------===//
// Limits
//===----------------------------------------------------------------------===//

/// Limits the arenas of `all`, callees first: those of public functions by the
/// option, and those of callees by what their callers leave.
LogicalResult FormStreamsPass::shareArena(std::deque<FunctionStreams> &all,
                                          const TileOverrides &file) {
  int64_t bytes = *arena.getBytes();
  auto *greatest = &all.front();
  for (FunctionStreams &streams : all) {
    limits[streams.function.getSymName()] = bytes;
    if (streams.least > greatest->least)
      greatest = &streams;
  }
  // ST7
  if (greatest->least > bytes)
    return rejectArena(greatest->function, *greatest->graph, greatest->smallest,
                       greatest->least, bytes, recompute);
  for (FunctionStreams &streams : llvm::reverse(all))
    if (failed(shareWithCallees(streams, file)))
      return failure();
  return success();
}

LogicalResult FormStreamsPass::shareWithCallees(FunctionStreams &streams,
                                                const TileOverrides &file) {
  func::FuncOp function = streams.function;
  int64_t limit = limits.lookup(function.getSymName());
  llvm::StringMap<int64_t> rest =
      getRestAtCalls(function.front(), getGraphOptions(function), limit);
  if (rest.empty())
    return success();
  llvm::StringMap<int64_t> least = arenas;
  for (const auto &[callee, bytes] : rest)
    arenas[callee] = std::max(bytes, least.lookup(callee));
  if (failed(read(streams, file)))
    return failure();
  // Gaps between buffers may leave less in one piece.
  if (streams.least > limit)
    arenas = least;
  for (const auto &[callee, bytes] : rest)
    limits[callee] = std::min(limits.lookup(callee), arenas.lookup(callee));
  arenas = std::move(least);
  return success();
}

//===----------------------------------------------------------------------===//
// Streams of one function
//===----------------------------------------------------------------------===//

/// What no program of `streams` takes less than; nothing if that is not known.
std::optional<int64_t>
FormStreamsPass::findBound(const FunctionStreams &streams) {
  func::FuncOp function = streams.function;
  ArenaBoundOptions options;
  options.countsPorts = getGraphOptions(function).countsPorts;
  options.callees = &bounds;
  options.again = streams.again;
  std::optional<int64_t> bytes =
      streams::findBound(function, streams.given, options);
  if (bytes)
    bounds[function.getSymName()] = *bytes;
  return bytes;
}

/// Chooses the streams of a function: those that are given, and those that the
/// arena asks for.
FailureOr<std::vector<StreamSchedule>>
FormStreamsPass::decide(FunctionStreams &streams) {
  func::FuncOp function = streams.function;
  const StreamGraph &graph = *streams.graph;
  int64_t limit = limits.lookup(function.getSymName());
  StreamPlan plan =
      !arena ? streams.planner->planWhole()
      : limit <= streams.least
          ? streams.smallest
          : this->plan(streams, limit, std::max(limit, streams.smallest.bytes));
  for (const StreamPart &part : plan.parts)
    if (part.shape)
      writeStreamAttribute(graph.vertices[part.end - 1].op,
                           part.end - part.begin, *part.shape);
  auto schedules = readStreamAttributes(graph);
  if (failed(schedules))
    return failure();
  ArenaRecord record = makeRecord(function, graph, plan, *schedules);
  record.boundBytes = findBound(streams);
  record.set(function);
  arenas[function.getSymName()] = record.bytes;
  if (report)
    reportStreams(function, graph, plan, record);
  return schedules;
}

/// Whether `function` calls others.
static bool hasCalls(func::FuncOp function) {
  return function.walk([](func::CallOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

LogicalResult FormStreamsPass::form(FunctionStreams &streams,
                                    const TileOverrides &file) {
  func::FuncOp function = streams.function;
  // What its callees take is decided.
  if (hasCalls(function) && failed(read(streams, file)))
    return failure();
  if (!streams.graph)
    return success();
  // What is in local memory is not in the arena.
  bool isInLocal =
      llvm::any_of(streams.given, [&](const StreamSchedule &schedule) {
        Operation *first = streams.graph->vertices[schedule.begin].op;
        return isLocal(first->getResult(0).getType());
      });
  if (!isInLocal && (arena || !streams.given.empty() || report)) {
    FailureOr<std::vector<StreamSchedule>> schedules = decide(streams);
    if (failed(schedules))
      return failure();
    streams.given = std::move(*schedules);
  }
  if (decideOnly)
    return success();
  IRRewriter rewriter(&getContext());
  for (const StreamSchedule &schedule : streams.given) {
    streams.graph->vertices[schedule.end - 1].op->removeAttr(streamAttrName);
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
