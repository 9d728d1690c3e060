// SPDX-License-Identifier: Apache-2.0
//
// mli-form-streams computes kernels row by row, through rolling buffers.

#include "Transforms/Streams/StreamDecision.h"
#include "Transforms/Streams/StreamWriter.h"
#include "Transforms/TileSelection/TileText.h"

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

namespace {

struct FormStreamsPass : mli::impl::FormStreamsBase<FormStreamsPass> {
  using FormStreamsBase::FormStreamsBase;

  void runOnOperation() override {
    if (arena.empty())
      return;
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (!function.isExternal() && failed(form(function)))
        return signalPassFailure();
  }

private:
  LogicalResult form(func::FuncOp function) {
    std::optional<StreamGraph> graph = StreamGraph::get(
        function.front(), arguments && function.isPublic(),
        [](Operation *) {});
    if (!graph)
      return success();
    tiling::CostModel cost;
    StreamPlanner planner(*graph, cost, /*alignment=*/16);
    int64_t work = 0;
    for (const StreamVertex &vertex : graph->vertices)
      work += vertex.work;
    int64_t again = work / 100 * recompute;
    StreamPlan smallest = planner.planSmallest(again);
    int64_t bytes = smallest.bytes;
    if (arena != "min" && StringRef(arena).getAsInteger(10, bytes))
      return function.emitError("expected 'arena' to be a number of bytes or "
                                "min, but got '")
             << arena << "'";
    std::optional<StreamPlan> plan = planner.planCheapest({bytes, again});
    if (!plan)
      return function.emitError("expected an arena of at least ")
             << smallest.bytes << " bytes, but got " << bytes;
    StreamPlan whole = planner.planWhole();
    if (report)
      function.emitRemark("arena: ")
          << tiling::bytesText(plan->bytes) << "; the least is "
          << tiling::bytesText(smallest.bytes) << ", of whole kernels "
          << tiling::bytesText(whole.bytes) << "; cost " << plan->cost << " of "
          << whole.cost;
    IRRewriter rewriter(&getContext());
    for (const StreamPart &part : plan->parts) {
      if (report)
        graph->vertices[part.begin].op->emitRemark("part ")
            << part.begin << " to " << part.end << " takes " << part.bytes
            << (part.shape ? " as a stream" : "");
      if (!part.shape)
        continue;
      std::optional<StreamSchedule> schedule =
          StreamSchedule::make(*graph, part.begin, part.end, *part.shape);
      if (failed(writeStream(rewriter, *schedule)))
        return failure();
      ++numStreams;
      numKernels += part.end - part.begin;
    }
    return success();
  }
};

} // namespace
