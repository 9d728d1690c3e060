// SPDX-License-Identifier: Apache-2.0

#include "CopyRemarks.h"

#include "mli/Analysis/BufferLifetimes.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mli;

void CopyRemarks::addCopy(Location loc, const CopyCause &cause,
                          ShapedType copied, int64_t times) {
  std::optional<int64_t> size = getDenseBytes(copied);
  if (size)
    *size *= times;
  copies += times;
  bytes += size.value_or(0);
  std::string moved = size ? std::to_string(*size) : "an unknown number of";
  if (rejectsCopies) {
    failed = true;
    InFlightDiagnostic error = emitError(loc, cause.text);
    error.attachNote() << "this copies " << moved << " bytes; "
                       << cause.alternative << " would copy none";
  } else if (explains) {
    emitRemark(loc, cause.text) << "; this copies " << moved << " bytes, "
                                << cause.alternative << " would copy none";
  }
}

void CopyRemarks::reject(Operation *op, const CopyCause &cause) {
  failed = true;
  emitError(op->getLoc(), cause.text);
}

CopyReasonAttr mli::getReasonAttr(MLIRContext *context,
                                  const CopyCause &cause) {
  return CopyReasonAttr::get(context, *cause.reason);
}

std::string mli::describeProducer(Value value, Block *block) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return "an argument";
  if (isa<ConstantOp>(op) || matchPattern(op, m_Constant()))
    return "a constant";
  if (op->getBlock() != block)
    return "a value of another block";
  if (!value.hasOneUse())
    return "a value of " + std::to_string(llvm::range_size(value.getUses())) +
           " uses";
  return "a value of '" + op->getName().getStringRef().str() + "'";
}

//===----------------------------------------------------------------------===//
// Copy-in and copy-out
//===----------------------------------------------------------------------===//

Access mli::getAccess(OpOperand &use) {
  // A kernel may have one buffer as input and as init: each use has an access
  // of its own, which effects on the value would join.
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

void mli::copyInCopyOut(OpOperand &use, Value copy,
                        function_ref<void(OpBuilder &)> copyIn,
                        function_ref<void(OpBuilder &)> copyOut) {
  Operation *user = use.getOwner();
  Access access = getAccess(use);
  OpBuilder builder(user);
  if (access.reads)
    copyIn(builder);
  use.set(copy);
  builder.setInsertionPointAfter(user);
  if (access.writes)
    copyOut(builder);
}
