// SPDX-License-Identifier: Apache-2.0

#include "mli/Analysis/SliceView.h"
#include "mli/IR/LocalMemory.h"
#include "mli/Transforms/Passes.h"

#include "mlir/IR/BuiltinOps.h"

namespace mli {
#define GEN_PASS_DEF_EXPLAINSLICES
#include "mli/Transforms/Passes.h.inc"
} // namespace mli

using namespace mlir;
using namespace mli;

static void explain(Operation *op) {
  std::optional<Slice> slice = Slice::of(op);
  if (!slice)
    return;
  auto insertion = dyn_cast<SubsetInsertionOpInterface>(op);
  Value whole =
      insertion ? insertion.getDestinationOperand().get() : op->getOperand(0);
  SliceView view =
      getSliceView(cast<ShapedType>(whole.getType()), *slice, findTarget(op));
  if (!view.isView()) {
    StringRef text =
        view.cause->reason ? "a copy: " : "neither view nor copy: ";
    emitRemark(op->getLoc(), text)
        << view.cause->text << "; " << view.cause->alternative
        << " would copy none";
    return;
  }
  emitRemark(op->getLoc(), "a view: ")
      << view.blocks.size() << " mli.subtensor, no element is copied";
}

namespace {

struct ExplainSlicesPass : mli::impl::ExplainSlicesBase<ExplainSlicesPass> {
  void runOnOperation() override {
    getOperation().walk(explain);
    markAllAnalysesPreserved();
  }
};

} // namespace
