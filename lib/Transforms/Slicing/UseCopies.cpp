// SPDX-License-Identifier: Apache-2.0

#include "UseCopies.h"

#include "mli/IR/MLI.h"

using namespace mlir;
using namespace mli;

Access mli::getAccess(OpOperand &use) {
  // Of a kernel that has a buffer as input and as result, each by itself.
  if (auto kernel = dyn_cast<DestinationStyleOpInterface>(use.getOwner())) {
    bool isInit = kernel.isDpsInit(&use);
    return {!isInit || mli::detail::readsInit(use), isInit};
  }
  SmallVector<MemoryEffects::EffectInstance> effects;
  cast<MemoryEffectOpInterface>(use.getOwner())
      .getEffectsOnValue(use.get(), effects);
  Access access;
  for (const MemoryEffects::EffectInstance &effect : effects) {
    access.reads |= isa<MemoryEffects::Read>(effect.getEffect());
    access.writes |= isa<MemoryEffects::Write>(effect.getEffect());
  }
  return access;
}

void mli::copyAround(OpOperand &use, Value copy,
                     function_ref<void(OpBuilder &)> fill,
                     function_ref<void(OpBuilder &)> empty) {
  Operation *user = use.getOwner();
  Access access = getAccess(use);
  OpBuilder builder(user);
  if (access.reads)
    fill(builder);
  use.set(copy);
  builder.setInsertionPointAfter(user);
  if (access.writes)
    empty(builder);
}
