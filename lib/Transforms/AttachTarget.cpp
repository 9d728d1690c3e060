// SPDX-License-Identifier: Apache-2.0

#include "mli/IR/AttributeNames.h"
#include "mli/IR/LayoutPolicy.h"
#include "mli/IR/MLI.h"
#include "mli/Transforms/Passes.h"

#include "mlir/IR/BuiltinOps.h"

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
    getOperation()->setAttr(MLIDialect::getTargetAttrName(), attr);
  }

private:
  void setPolicy() {
    Builder builder(&getContext());
    NamedAttrList policy;
    policy.append("mode", builder.getStringAttr(layout::toString(mode)));
    if (matrices)
      policy.append("matrices", builder.getUnitAttr());
    getOperation()->setAttr(layoutPolicyAttrName,
                            policy.getDictionary(&getContext()));
  }
};

} // namespace
