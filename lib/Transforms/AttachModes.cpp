// SPDX-License-Identifier: Apache-2.0
//
// mli-attach-modes sets how the kernels of a module round and accumulate.

#include "mli/IR/ComputingModes.h"
#include "mli/Transforms/Passes.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "mli-attach-modes"

namespace mli {
#define GEN_PASS_DEF_ATTACHMODES
#include "mli/Transforms/Passes.h.inc"
} // namespace mli

using namespace mlir;
using namespace mli;

namespace {

struct AttachModesPass : mli::impl::AttachModesBase<AttachModesPass> {
  using AttachModesBase::AttachModesBase;

  void runOnOperation() override {
    setComputingModes(getOperation(), {rounding, accumulation});
    LDBG() << "attributes are "
           << getOperation()->getDiscardableAttrDictionary();
  }
};

} // namespace
