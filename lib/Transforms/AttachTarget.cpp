// SPDX-License-Identifier: Apache-2.0
//
// mli-attach-target sets the target and the layout policy of a module.

#include "mli/IR/AttributeNames.h"
#include "mli/IR/LayoutPolicy.h"
#include "mli/IR/MLI.h"
#include "mli/Transforms/Passes.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "mli-attach-target"

namespace mli {
#define GEN_PASS_DEF_ATTACHTARGET
#include "mli/Transforms/Passes.h.inc"
} // namespace mli

using namespace mlir;
using namespace mli;

namespace {

struct AttachTargetPass : mli::impl::AttachTargetBase<AttachTargetPass> {
  using AttachTargetBase::AttachTargetBase;

  void runOnOperation() override {
    bool hasPolicy = matrices || mode != layout::Mode::None;
    if (hasPolicy)
      setPolicy();
    if (hasPolicy && target.empty())
      return;
    std::string error;
    TargetAttr attr = TargetAttr::fromText(&getContext(), target, error);
    if (!attr) {
      getOperation().emitError(error);
      return signalPassFailure();
    }
    LDBG() << "target is " << attr;
    getOperation()->setAttr(MLIDialect::getTargetAttrName(), attr);
  }

private:
  void setPolicy() {
    Builder builder(&getContext());
    NamedAttrList policy;
    policy.append("mode", builder.getStringAttr(layout::toString(mode)));
    if (matrices)
      policy.append("matrices", builder.getUnitAttr());
    LDBG() << "layout policy has mode " << layout::toString(mode)
           << (matrices ? " and matrices" : "");
    getOperation()->setAttr(layoutPolicyAttrName,
                            policy.getDictionary(&getContext()));
  }
};

} // namespace
