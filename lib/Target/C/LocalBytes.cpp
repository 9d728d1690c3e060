// SPDX-License-Identifier: Apache-2.0

#include "Place.h"

#include "mli/IR/AttributeNames.h"
#include "mli/IR/LocalMemory.h"

using namespace mlir;
using namespace mli;

/// The bytes of a buffer of `type`; none if they are not known.
static std::optional<int64_t> countBytes(MemRefType type,
                                         const layout::Target &target) {
  if (isa<LayoutAttr>(type.getLayout()))
    return layout::bytesPerNpu(getTensorLayout(type, target));
  FailureOr<SmallVector<int64_t>> strides = c::getKnownStrides(type);
  if (!type.hasStaticShape() || failed(strides))
    return std::nullopt;
  return c::Extent{{}, llvm::to_vector(type.getShape()), *strides}.getBytes(
      type.getElementType());
}

bool c::hasLocalScratch(Operation *op) {
  auto kernel = dyn_cast<DestinationStyleOpInterface>(op);
  return kernel && isLocal(kernel.getDpsInits().front().getType());
}

FailureOr<int64_t> c::countLocalBytes(Operation *function) {
  int64_t bytes = 0;
  WalkResult walked = function->walk([&](AllocOp op) {
    if (!op.getAddress() || !isLocal(op.getType()))
      return WalkResult::advance();
    FailureOr<TargetAttr> target = getTarget(op);
    if (failed(target))
      return WalkResult::interrupt();
    const layout::Target &value = target->getValue();
    if (value.npus != 1)
      return WalkResult(op.emitOpError("expected local memory of one NPU, "
                                       "which C output has, but got ")
                        << value.npus << " NPUs");
    std::optional<int64_t> used = countBytes(op.getType(), value);
    if (!used)
      return WalkResult(op.emitOpError("expected a buffer of static sizes and "
                                       "strides, which C output needs, but "
                                       "got ")
                        << op.getType());
    bytes = std::max(bytes, static_cast<int64_t>(*op.getAddress()) + *used);
    return WalkResult::advance();
  });
  if (walked.wasInterrupted())
    return failure();
  function->walk([&](KernelOpInterface op) {
    auto address = op->getAttrOfType<IntegerAttr>(scratchAttrName);
    if (address && hasLocalScratch(op))
      bytes = std::max(bytes, address.getInt() + op.getScratchBytes());
  });
  return bytes;
}
