// SPDX-License-Identifier: Apache-2.0

#include "mli/IR/LocalMemory.h"
#include "mli/Layout/Target.h"
#include "mli/Pipelines/Options.h"
#include "mli/Target/C.h"

using namespace mlir;
using namespace mli;

/// Whether local memory is that of several NPUs, where moves run beside kernels
/// without being told.
static bool hasSeveralNpus(ModuleOp module, StringRef target) {
  std::string error;
  std::optional<layout::Target> given =
      layout::parseTarget(target.str(), error);
  TargetAttr own = findTarget(module);
  return given ? given->npus > 1 : own && own.getValue().npus > 1;
}

void mli::chooseDoubleBuffering(LocalOptions &options, ModuleOp module,
                                CMoves moves) {
  if (options.doubleBuffer == DoubleBuffering::Unset && moves == CMoves::Sync &&
      !hasSeveralNpus(module, options.target.getValue()))
    options.doubleBuffer = DoubleBuffering::Off;
}
