// SPDX-License-Identifier: Apache-2.0
//
// What operations take of buffers in local memory.

#include "KernelContract.h"

#include "mli/IR/LocalMemory.h"

using namespace mlir;
using namespace mli;
using contract::Operand;

/// The layout is one of `target`, for elements of the operand's type.
static LogicalResult verifyLayout(Operation *op, Operand operand,
                                  const layout::Target &target) {
  auto memref = cast<MemRefType>(operand.type);
  auto layout = cast<LayoutAttr>(memref.getLayout());
  // S9
  if (layout.getNpus() != target.npus)
    return op->emitOpError("expected layout of '")
           << operand.name << "' to have the " << target.npus
           << " NPUs of 'mli.target', but got " << layout.getNpus();
  int64_t bytes = elementWidth(operand.element()) / 8;
  if (layout.getNpuElements() != target.npuBytes / bytes)
    return op->emitOpError("expected layout of '")
           << operand.name << "' to have the " << target.npuBytes / bytes
           << " elements per NPU of 'mli.target', but got "
           << layout.getNpuElements();
  // S10
  if (std::optional<layout::Problem> problem =
          layout::verify(getTensorLayout(memref, target)))
    return op->emitOpError("expected layout of '")
           << operand.name << "' to be legal on 'mli.target', but got: "
           << layout::toString(*problem);
  return success();
}

LogicalResult contract::verifyPlacement(Operation *op, Operand operand) {
  auto memref = dyn_cast<MemRefType>(operand.type);
  // An identity says that no layout is chosen yet.
  if (!memref || memref.getLayout().isIdentity())
    return success();
  bool hasLayout = isa<LayoutAttr>(memref.getLayout());
  // S7
  if (hasLayout && !isLocal(memref))
    return op->emitOpError("expected '")
           << operand.name << "' to be in local memory, as its layout is, but "
           << "got " << memref;
  if (!isLocal(memref))
    return success();
  FailureOr<TargetAttr> target = getTarget(op);
  if (failed(target))
    return failure();
  const layout::Target &value = target->getValue();
  if (hasLayout)
    return verifyLayout(op, operand, value);
  // S8
  if (value.npus != 1)
    return op->emitOpError("expected '")
           << operand.name << "' to have an mli layout on " << value.npus
           << " NPUs, but got " << memref;
  return success();
}
