// SPDX-License-Identifier: Apache-2.0

#include "Place.h"

#include "mli/IR/AttributeNames.h"

using namespace mlir;
using namespace mli;
using namespace mli::c;

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

/// Checks that `library` has the NPUs of `target`, and `alloc` a layout there.
static LogicalResult verifyNpus(AllocOp alloc, const layout::Target &target,
                                CLibrary library) {
  if (target.npus == 1)
    return success();
  if (library != CLibrary::MliMlir)
    return alloc.emitOpError("expected local memory of one NPU, or the library "
                             "mli-mlir, which has several, but got ")
           << target.npus << " NPUs";
  if (!isScattered(alloc.getType()))
    return alloc.emitOpError("expected a buffer in local memory of ")
           << target.npus << " NPUs to have an mli layout, but got "
           << alloc.getType();
  return success();
}

FailureOr<LocalMemory> c::findLocalMemory(Operation *function,
                                          CLibrary library) {
  LocalMemory memory;
  int64_t &bytes = memory.bytes;
  WalkResult walked = function->walk([&](AllocOp op) {
    if (!op.getAddress() || !isLocal(op.getType()))
      return WalkResult::advance();
    FailureOr<TargetAttr> target = getTarget(op);
    if (failed(target))
      return WalkResult::interrupt();
    const layout::Target &value = target->getValue();
    if (failed(verifyNpus(op, value, library)))
      return WalkResult::interrupt();
    memory.isScattered |= value.npus != 1;
    std::optional<int64_t> used = countBytes(op.getType(), value);
    if (!used)
      return WalkResult(op.emitOpError("expected a buffer of static sizes and "
                                       "strides, which C output needs, but "
                                       "got ")
                        << op.getType());
    int64_t offset = static_cast<int64_t>(*op.getAddress()) % value.npuBytes;
    bytes = std::max(bytes, offset + *used);
    return WalkResult::advance();
  });
  if (walked.wasInterrupted())
    return failure();
  function->walk([&](KernelOpInterface op) {
    auto address = op->getAttrOfType<IntegerAttr>(scratchAttrName);
    if (address && hasLocalScratch(op))
      bytes = std::max(bytes, address.getInt() + op.getScratchBytes());
  });
  return memory;
}
