// SPDX-License-Identifier: Apache-2.0
//
// Memory: where it may be, and where it is.

#include "Contract/KernelContract.h"

#include "mli/IR/LocalMemory.h"

using namespace mlir;
using namespace mli;
using contract::Operand;

void AllocOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  // Memory of a fixed place was there before, and no operation frees it.
  if (!getAddress())
    effects.emplace_back(MemoryEffects::Allocate::get(),
                         getOperation()->getOpResult(0));
}

/// Each of `values`, the attribute `name`, is in [0, `end`), and more than the
/// one before it.
static LogicalResult verifyAscending(AllocOp op, StringRef name,
                                     ArrayRef<int64_t> values, int64_t end) {
  int64_t least = 0;
  for (int64_t value : values) {
    // A28
    if (value < least || value >= end)
      return op.emitOpError("expected '")
             << name << "' to be ascending, the next in [" << least << ", "
             << end - 1 << "], but got " << value;
    least = value + 1;
  }
  return success();
}

/// Verifies the start NPUs that the planner may choose from.
static LogicalResult verifyChoice(AllocOp op) {
  std::optional<ArrayRef<int64_t>> starts = op.getStartNpus();
  auto layout = dyn_cast<LayoutAttr>(op.getType().getLayout());
  // A27
  if ((starts || op.getStartGroup()) && !layout)
    return op.emitOpError("expected an mli layout with a choice of start NPUs, "
                          "but got ")
           << op.getType();
  if (starts) {
    if (failed(verifyAscending(op, "start_npus", *starts, layout.getNpus())))
      return failure();
    // A27
    if (!llvm::is_contained(*starts, layout.getStartNpu()))
      return op.emitOpError("expected 'start_npus' to hold that of the layout, "
                            "but got no ")
             << layout.getStartNpu();
  }
  // A29
  if (op.getStartGroup() && static_cast<int64_t>(*op.getStartGroup()) < 0)
    return op.emitOpError("expected 'start_group' to be at least 0, but got ")
           << static_cast<int64_t>(*op.getStartGroup());
  if (!op.getAvoidBanks())
    return success();
  FailureOr<TargetAttr> target = getTarget(op);
  if (failed(target))
    return failure();
  return verifyAscending(op, "avoid_banks", *op.getAvoidBanks(),
                         std::min<int64_t>(target->getValue().banks, 64));
}

LogicalResult AllocOp::verify() {
  Operand result{"result", getResult().getType()};
  if (failed(contract::verifyTensors(*this, {result})))
    return failure();
  // V7
  if (!result.type.hasStaticShape())
    return emitOpError("expected 'result' to have a static shape, but got ")
           << contract::shapeText(result.type);
  // V8
  if (getAddress() && static_cast<int64_t>(*getAddress()) < 0)
    return emitOpError("expected 'address' to be at least 0, but got ")
           << static_cast<int64_t>(*getAddress());
  int64_t bytes = elementWidth(result.element()) / 8;
  // V11
  if (getAddress() && *getAddress() % bytes != 0)
    return emitOpError("expected 'address' to be a multiple of the ")
           << bytes << " bytes of an element, but got "
           << static_cast<int64_t>(*getAddress());
  if (getAddress() &&
      failed(contract::verifyAddress(*this, result, *getAddress())))
    return failure();
  return verifyChoice(*this);
}
