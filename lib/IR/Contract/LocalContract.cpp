// SPDX-License-Identifier: Apache-2.0
//
// Verifies the operands of operations in local memory.

#include "KernelContract.h"

#include "mli/IR/LocalMemory.h"

#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

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
  if (std::optional<layout::Violation> problem =
          layout::verify(getTensorLayout(memref, target)))
    return op->emitOpError("expected layout of '")
           << operand.name << "' to be legal on 'mli.target', but got: "
           << layout::toString(*problem);
  return success();
}

/// The buffer that `value` is a view of, or that a loop got for it.
static Value findOrigin(Value value) {
  while (true) {
    Operation *op = value.getDefiningOp();
    Value next;
    if (auto view = dyn_cast_or_null<ViewLikeOpInterface>(op)) {
      next = view.getViewSource();
    } else if (auto select = dyn_cast_or_null<SelectLikeOpInterface>(op)) {
      next = select.getTrueValue();
    } else if (auto loop = dyn_cast_or_null<LoopLikeOpInterface>(op)) {
      if (OpOperand *init = loop.getTiedLoopInit(cast<OpResult>(value)))
        next = init->get();
    } else if (auto argument = dyn_cast<BlockArgument>(value)) {
      auto around =
          dyn_cast<LoopLikeOpInterface>(argument.getOwner()->getParentOp());
      if (OpOperand *init = around ? around.getTiedLoopInit(argument) : nullptr)
        next = init->get();
    }
    if (!next)
      return value;
    value = next;
  }
}

/// Whether what has `type` in `op` are views of buffers without a layout yet.
static bool awaitsLayout(Operation *op, MemRefType type) {
  auto isWithout = [&](Value value) {
    auto origin = dyn_cast<MemRefType>(findOrigin(value).getType());
    return value.getType() != type || (origin && isIdentity(origin));
  };
  return llvm::all_of(op->getOperands(), isWithout) &&
         llvm::all_of(op->getResults(), isWithout);
}

LogicalResult contract::verifyPlacement(Operation *op, Operand operand) {
  auto memref = dyn_cast<MemRefType>(operand.type);
  // An identity means that no layout is chosen yet.
  if (!memref || isIdentity(memref))
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
  if (value.npus != 1 && !awaitsLayout(op, memref))
    return op->emitOpError("expected '")
           << operand.name << "' to have an mli layout on " << value.npus
           << " NPUs, but got " << memref;
  return success();
}

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

namespace {

/// The step of the address along a dimension: `stride` elements, or, where
/// there is no one stride, that of dimension `role` of the layout.
struct Step {
  int64_t size;
  int64_t stride;
  std::optional<LayoutDim> role;

  bool operator==(const Step &other) const {
    return size == other.size && stride == other.stride && role == other.role;
  }
};

} // namespace

/// The step of a dimension of `size` indices that is `dim` in local memory.
static Step getStep(LayoutAttr layout, LayoutDim dim, int64_t size) {
  int64_t factor = layout::packFactor(layout.getMode());
  layout::Dims strides = layout.getStrides();
  switch (dim) {
  case LayoutDim::n:
    if (factor == 1)
      return {size, strides.n, std::nullopt};
    return size <= factor ? Step{size, 1, std::nullopt}
                          : Step{size, strides.n, dim};
  case LayoutDim::c:
    if (layout.getNpus() == 1)
      return {size, strides.c * factor, std::nullopt};
    return layout.getStartNpu() + size <= layout.getNpus()
               ? Step{size, layout.getNpuElements(), std::nullopt}
               : Step{size, strides.c, dim};
  case LayoutDim::h:
    return {size, strides.h * factor, std::nullopt};
  case LayoutDim::w:
    if (layout.getColumns() == 0 || size <= layout.getColumns())
      return {size, strides.w * factor, std::nullopt};
    return {size, strides.w, dim};
  }
  llvm_unreachable("a layout has four dimensions");
}

/// The steps of a buffer, those that go on like one as one.
static SmallVector<Step> getSteps(MemRefType type) {
  auto layout = cast<LayoutAttr>(type.getLayout());
  SmallVector<Step> steps;
  for (auto [dim, size] : llvm::zip_equal(layout.getDims(), type.getShape())) {
    if (size == 1)
      continue;
    Step step = getStep(layout, dim, size);
    if (!step.role && !steps.empty() && !steps.back().role &&
        steps.back().stride == step.stride * size)
      steps.back() = {steps.back().size * size, step.stride, std::nullopt};
    else
      steps.push_back(step);
  }
  return steps;
}

/// Whether dimensions that have no one stride go on alike in both.
static bool goOnAlike(LayoutAttr left, LayoutAttr right) {
  return left.getNpus() == right.getNpus() &&
         left.getNpuElements() == right.getNpuElements() &&
         left.getStartNpu() == right.getStartNpu() &&
         left.getMode() == right.getMode() &&
         left.getColumns() == right.getColumns() &&
         left.getStrides().c == right.getStrides().c;
}

bool mli::hasSameAddresses(MemRefType from, MemRefType to) {
  auto left = dyn_cast<LayoutAttr>(from.getLayout());
  auto right = dyn_cast<LayoutAttr>(to.getLayout());
  if (!left || !right)
    return left == right;
  SmallVector<Step> steps = getSteps(from);
  bool hasRoles = llvm::any_of(steps, [](Step step) { return step.role; });
  return steps == getSteps(to) && left.getStartNpu() == right.getStartNpu() &&
         left.getNpus() == right.getNpus() &&
         left.getNpuElements() == right.getNpuElements() &&
         (!hasRoles || goOnAlike(left, right));
}

LogicalResult contract::verifySameAddresses(Operation *op, Operand source,
                                            Operand result) {
  auto from = dyn_cast<MemRefType>(source.type);
  // D18
  if (from && !hasSameAddresses(from, cast<MemRefType>(result.type)))
    return op->emitOpError("expected '")
           << result.name << "' to have each element at the address it has in "
           << from << ", but got " << result.type;
  return success();
}

LogicalResult contract::verifyAddress(Operation *op, Operand operand,
                                      int64_t address) {
  auto memref = dyn_cast<MemRefType>(operand.type);
  auto layout = dyn_cast<LayoutAttr>(memref.getLayout());
  if (!layout)
    return success();
  FailureOr<TargetAttr> target = getTarget(op);
  if (failed(target))
    return failure();
  const layout::Target &value = target->getValue();
  int64_t npuBytes = value.npuBytes;
  int64_t offset =
      address - layout::getAddress({layout.getStartNpu(), 0}, value);
  // V12
  if (offset < 0 || offset >= npuBytes)
    return op->emitOpError("expected 'address' to be in NPU ")
           << layout.getStartNpu() << ", which the layout starts in, but got "
           << address << " in NPU " << address / npuBytes;
  int64_t end = offset + layout::bytesPerNpu(getTensorLayout(memref, value));
  // V13
  if (end > npuBytes)
    return op->emitOpError("expected '")
           << operand.name << "' to end within the " << npuBytes
           << " bytes of each NPU, but got " << end << " from 'address' "
           << address << " on";
  return success();
}
