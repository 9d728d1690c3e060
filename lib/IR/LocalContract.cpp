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

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

namespace {

/// How the address goes on along a dimension: by `stride` elements, or, where
/// there is no one stride, as dimension `role` of the layout does.
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
static Step stepOf(LayoutAttr layout, LayoutDim dim, int64_t size) {
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
static SmallVector<Step> stepsOf(MemRefType type) {
  auto layout = cast<LayoutAttr>(type.getLayout());
  SmallVector<Step> steps;
  for (auto [dim, size] : llvm::zip_equal(layout.getDims(), type.getShape())) {
    if (size == 1)
      continue;
    Step step = stepOf(layout, dim, size);
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

LogicalResult contract::verifySameAddresses(Operation *op, Operand source,
                                            Operand result) {
  auto from = dyn_cast<MemRefType>(source.type);
  if (!from)
    return success();
  auto to = cast<MemRefType>(result.type);
  auto left = dyn_cast<LayoutAttr>(from.getLayout());
  auto right = dyn_cast<LayoutAttr>(to.getLayout());
  if (!left && !right)
    return success();
  SmallVector<Step> steps;
  bool isSame = left && right && (steps = stepsOf(from)) == stepsOf(to) &&
                left.getStartNpu() == right.getStartNpu() &&
                left.getNpus() == right.getNpus() &&
                left.getNpuElements() == right.getNpuElements();
  bool hasRoles = llvm::any_of(steps, [](Step step) { return step.role; });
  // D18
  if (!isSame || (hasRoles && !goOnAlike(left, right)))
    return op->emitOpError("expected '")
           << result.name << "' to have each element at the address it has in "
           << from << ", but got " << to;
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
  int64_t npuBytes = target->getValue().npuBytes;
  // V12
  if (address / npuBytes != layout.getStartNpu())
    return op->emitOpError("expected 'address' to be in NPU ")
           << layout.getStartNpu() << ", which the layout starts in, but got "
           << address << " in NPU " << address / npuBytes;
  int64_t end =
      address % npuBytes +
      layout::bytesPerNpu(getTensorLayout(memref, target->getValue()));
  // V13
  if (end > npuBytes)
    return op->emitOpError("expected '")
           << operand.name << "' to end within the " << npuBytes
           << " bytes of each NPU, but got " << end << " from 'address' "
           << address << " on";
  return success();
}
