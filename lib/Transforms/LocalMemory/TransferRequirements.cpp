// SPDX-License-Identifier: Apache-2.0
//
// A step of mli-insert-moves: what kernels require in local memory.

#include "InsertMoves.h"

#include "mli/Analysis/BufferLifetimes.h"
#include "mli/Analysis/MemoryProblem.h"
#include "mli/Analysis/SliceView.h"
#include "mli/IR/AttributeNames.h"
#include "mli/IR/KernelOperands.h"
#include "mli/IR/LayoutPolicy.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mli;

/// Whether `value` is a tensor in system memory.
static bool isInSystem(Value value) {
  return isa<RankedTensorType>(value.getType()) && !isLocal(value.getType());
}

bool mli::isLocalKernel(Operation *op) {
  return isa<KernelOpInterface>(op) && !isa<MovOp>(op) &&
         cast<DestinationStyleOpInterface>(op).hasPureTensorSemantics() &&
         llvm::any_of(op->getOperands(), isInSystem);
}

int64_t LocalLayout::getBytes() const { return alignBytes(size); }

ArrayRef<int64_t> TransferRequirements::getUses(const LocalKey &key) const {
  auto found = uses.find(key);
  return found == uses.end() ? ArrayRef<int64_t>() : ArrayRef(found->second);
}

bool TransferRequirements::isNeededInSystem(OpResult result) const {
  return static_cast<size_t>(llvm::range_size(result.getUses())) >
         getUses({result, 0}).size();
}

/// The number of the layout of `value` that `operand` takes; nothing if local
/// memory has none for it.
std::optional<unsigned> TransferRequirements::findLayout(Value value,
                                                         OpOperand &operand) {
  auto type = cast<RankedTensorType>(value.getType());
  // A move takes any layout of its input, and writes any.
  bool isMoved = isa<MovOp>(operand.getOwner());
  layout::OperandUsage role = isMoved ? getOperandUsage(ArrayRef<Value>(value))
                                      : getOperandUsage(operand);
  std::optional<layout::LocalTensorDesc> use =
      getLocalTensorDesc(type.getShape(), type.getElementType(), role);
  if (!use)
    return std::nullopt;
  llvm::SmallVector<LocalLayout, 1> &known = layouts[value];
  if (isMoved && !known.empty())
    return 0;
  for (auto [i, layout] : llvm::enumerate(known))
    if (layout::isAccepted(layout.choice, *use, *target, policy))
      return static_cast<unsigned>(i);
  known.push_back({layout::chooseLayout(*use, *target, policy),
                   layout::localBytes(*use, *target, policy)});
  return static_cast<unsigned>(known.size() - 1);
}

/// Checks that `step` fits, and keeps free what double buffering needs.
LogicalResult TransferRequirements::verifyFits(MoveStep &step) const {
  int64_t need = getRequiredBytes(step, [](const LocalKey &) { return false; });
  if (need > target->npuBytes)
    return step.op->emitOpError(
               "expected operands and results to take at most ")
           << target->npuBytes
           << " bytes of the local memory of each NPU together, but got "
           << need << ": mli-tile-to-fit cuts what does not fit";
  // The bytes of the other buffers of double buffering stay free for them.
  auto doubled = step.op->getAttrOfType<IntegerAttr>(doubledAttrName);
  if (doubled && doubled.getInt() <= target->npuBytes - need)
    step.scratchBytes += doubled.getInt();
  return success();
}

LogicalResult TransferRequirements::collectKernel(MoveStep &step) {
  auto kernel = cast<DestinationStyleOpInterface>(step.op);
  auto reject = [&](OpOperand &operand) {
    return step.op->emitOpError("expected operand ")
           << operand.getOperandNumber()
           << " to have a static shape of up to four dimensions, as buffers in "
              "local memory have, but got "
           << operand.get().getType();
  };
  for (OpOperand &operand : step.op->getOpOperands()) {
    if (!isInSystem(operand.get()))
      continue;
    if (!kernel.isDpsInit(&operand)) {
      std::optional<unsigned> layout = findLayout(operand.get(), operand);
      if (!layout)
        return reject(operand);
      LocalKey key = {operand.get(), *layout};
      step.inputs.push_back({key, &operand});
      uses[key].push_back(step.begin);
      continue;
    }
    OpResult result = kernel.getTiedOpResult(&operand);
    if (!findLayout(result, operand))
      return reject(operand);
    step.results.push_back(result);
    if (mli::detail::readsInit(operand))
      step.overwritten.push_back(&operand);
  }
  return verifyFits(step);
}

LogicalResult TransferRequirements::collect(Block &block,
                                            std::vector<MoveStep> &into) {
  for (Operation &op : block) {
    MoveStep step;
    step.op = &op;
    Interval time = localTensors.getTime(&op);
    step.begin = time.lower;
    step.end = time.upper;
    if (op.getNumRegions() == 0)
      step.localBytes = localTensors.getBytes(&op);
    if (isa<KernelOpInterface>(op))
      step.scratchBytes = static_cast<int64_t>(llvm::alignTo(
          getScratchBytes(&op), std::max<int64_t>(target->dmaAlignment, 4)));
    if (isLocalKernel(&op) || moves.contains(&op)) {
      if (failed(collectKernel(step)))
        return failure();
    } else if (isa<func::CallOp>(op)) {
      // The callee plans all of local memory for itself.
      step.scratchBytes = target->npuBytes;
    } else if (op.getNumRegions() == 0 &&
               llvm::none_of(op.getOperandTypes(), isLocal)) {
      continue;
    }
    for (Region &region : op.getRegions())
      for (Block &inner : region)
        if (failed(collect(inner, step.bodies.emplace_back())))
          return failure();
    into.push_back(std::move(step));
  }
  return success();
}

FailureOr<TransferRequirements>
TransferRequirements::of(func::FuncOp function, const layout::Target &target,
                         LocalMoves moves) {
  layout::PolicyOptions policy = findLayoutPolicy(function);
  FailureOr<LocalTensors> local = LocalTensors::of(function, target, policy);
  if (failed(local))
    return failure();
  TransferRequirements requirements(target, std::move(moves),
                                    std::move(*local));
  requirements.policy = policy;
  if (llvm::hasSingleElement(function.getBody())) {
    if (failed(requirements.collect(function.getBody().front(),
                                    requirements.steps)))
      return failure();
    return requirements;
  }
  // Nothing stays in local memory from one block to another.
  MoveStep &all = requirements.steps.emplace_back();
  all.op = function;
  all.end = requirements.localTensors.getTime(function).upper;
  for (Block &block : function.getBody())
    if (failed(requirements.collect(block, all.bodies.emplace_back())))
      return failure();
  return requirements;
}

int64_t TransferRequirements::getRequiredBytes(
    const MoveStep &step,
    llvm::function_ref<bool(const LocalKey &)> isResident) const {
  int64_t maxInner = 0;
  for (const std::vector<MoveStep> &body : step.bodies)
    for (const MoveStep &inner : body)
      maxInner = std::max(maxInner, getRequiredBytes(inner, isResident));
  llvm::SmallSetVector<LocalKey, 4> keys;
  for (const auto &[key, operand] : step.inputs)
    if (!isResident(key))
      keys.insert(key);
  int64_t bytes =
      llvm::SaturatingAdd<uint64_t>(step.scratchBytes, step.localBytes);
  for (const LocalKey &key : keys)
    bytes = llvm::SaturatingAdd<uint64_t>(bytes, getBytes(key));
  for (OpResult result : step.results)
    bytes = llvm::SaturatingAdd<uint64_t>(bytes, getBytes({result, 0}));
  // A sum of more than 63 bits saturates.
  return std::max(maxInner, bytes < 0 ? INT64_MAX : bytes);
}
