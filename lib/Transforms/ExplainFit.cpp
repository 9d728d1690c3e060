// SPDX-License-Identifier: Apache-2.0
//
// mli-explain-fit remarks the largest block of each kernel that fits local
// memory.

#include "Transforms/TileSelection/StaticKernel.h"
#include "Transforms/TileSelection/TileFailures.h"
#include "Transforms/TileSelection/TileText.h"

#include "mli/IR/LocalMemory.h"
#include "mli/Transforms/FitQuery.h"
#include "mli/Transforms/Passes.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "mli-explain-fit"

namespace mli {
#define GEN_PASS_DEF_EXPLAINFIT
#include "mli/Transforms/Passes.h.inc"
} // namespace mli

using namespace mlir;
using namespace mli;
using namespace mli::tiling;

/// Explains why `dim` of `block` is not larger.
static std::string explainDim(const FitQuery &query, unsigned dim,
                              ArrayRef<int64_t> block) {
  DimFit fit = query.getLargest(dim, block);
  std::string name = query.getName(dim);
  if (fit.limit == FitLimit::Nothing)
    return name + " is whole";
  return name + " limited by " + toString(fit.limit).str() + ": +" +
         std::to_string(fit.step) + " needs " + bytesText(fit.stepBytes) +
         ", " + bytesText(query.getSlack(block)) + " free";
}

static void explain(Operation *op, const FitQuery &query, int64_t capacity) {
  SmallVector<int64_t> block = query.getLargestBlock();
  if (block.empty()) {
    SmallVector<int64_t> smallest = query.getSmallestBlock();
    emitRemark(op->getLoc(), "no block fits ")
        << bytesText(capacity) << ": the smallest, " << listText(smallest)
        << " of " << listText(query.getSizes()) << ", takes "
        << bytesText(query.getBytes(smallest));
    return;
  }
  InFlightDiagnostic remark = emitRemark(op->getLoc());
  remark << "the largest block that fits " << bytesText(capacity) << " is "
         << listText(block) << " of " << listText(query.getSizes()) << ": "
         << bytesText(query.getBytes(block)) << ", "
         << bytesText(query.getSlack(block)) << " free";
  for (unsigned dim = 0; dim < block.size(); ++dim)
    remark << "; " << explainDim(query, dim, block);
}

namespace {

struct ExplainFitPass : mli::impl::ExplainFitBase<ExplainFitPass> {
  using ExplainFitBase::ExplainFitBase;

  void runOnOperation() override {
    FailureOr<TargetAttr> target = getTarget(getOperation());
    if (failed(target))
      return signalPassFailure();
    int64_t bytes =
        capacity > 0 ? int64_t(capacity) : target->getValue().npuBytes;
    LDBG() << "blocks have " << bytes << " bytes of each NPU";
    getOperation().walk([&](Operation *op) {
      if (!isTileable(op))
        return;
      FailureOr<FitQuery> query = FitQuery::get(op, target->getValue(), bytes);
      if (succeeded(query))
        explain(op, *query, bytes);
      else
        emitRemark(op->getLoc(), "no block is known: ") << explainDynamic(op);
    });
    markAllAnalysesPreserved();
  }
};

} // namespace
