// SPDX-License-Identifier: Apache-2.0
//
// mli-explain-slices remarks for each slice whether it is a view.

#include "Transforms/Slicing/LegalizeSubtensors.h"

#include "mli/Analysis/SliceView.h"
#include "mli/IR/LocalMemory.h"
#include "mli/Transforms/Passes.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "mli-explain-slices"

namespace mli {
#define GEN_PASS_DEF_EXPLAINSLICES
#include "mli/Transforms/Passes.h.inc"
} // namespace mli

using namespace mlir;
using namespace mli;

static LogicalResult explain(Operation *op) {
  std::optional<Slice> slice = Slice::of(op);
  if (!slice)
    return success();
  auto insertion = dyn_cast<SubsetInsertionOpInterface>(op);
  Value source =
      insertion ? insertion.getDestinationOperand().get() : op->getOperand(0);
  auto type = cast<ShapedType>(source.getType());
  bool isForMLI = isLocal(type) || isa<QuantizedType>(type.getElementType());
  if (isForMLI && !isOfDialect(type)) {
    LDBG() << op->getLoc() << ": kernels take no " << type;
    return success();
  }
  if (isLocal(type) && failed(getTarget(op)))
    return failure();
  SliceView view = getSliceView(type, *slice, findTarget(op));
  if (!view.isView()) {
    StringRef text =
        view.cause->reason ? "a copy: " : "neither view nor copy: ";
    emitRemark(op->getLoc(), text)
        << view.cause->text << "; " << view.cause->alternative
        << " would copy none";
    return success();
  }
  emitRemark(op->getLoc(), "a view: ")
      << view.blocks.size() << " mli.subtensor, no element is copied";
  return success();
}

namespace {

struct ExplainSlicesPass : mli::impl::ExplainSlicesBase<ExplainSlicesPass> {
  void runOnOperation() override {
    WalkResult result = getOperation().walk(
        [](Operation *op) { return WalkResult(explain(op)); });
    if (result.wasInterrupted())
      return signalPassFailure();
    markAllAnalysesPreserved();
  }
};

} // namespace
