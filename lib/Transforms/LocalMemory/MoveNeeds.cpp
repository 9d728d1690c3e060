// SPDX-License-Identifier: Apache-2.0

#include "MoveNeeds.h"

#include "mli/Analysis/MemoryProblem.h"
#include "mli/IR/KernelOperands.h"
#include "mli/IR/AttributeNames.h"
#include "mli/IR/LayoutPolicy.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mli;

bool mli::isLocalKernel(Operation *op) {
  auto kernel = dyn_cast<DestinationStyleOpInterface>(op);
  return kernel && isa_and_nonnull<MLIDialect>(op->getDialect()) &&
         !isa<MovOp>(op) && kernel.hasPureTensorSemantics() &&
         llvm::none_of(op->getOperandTypes(), isLocal);
}

int64_t LocalLayout::getBytes() const {
  if (size.bytes > INT64_MAX - size.alignment)
    return INT64_MAX;
  return static_cast<int64_t>(llvm::alignTo(size.bytes, size.alignment));
}

ArrayRef<int64_t> MoveNeeds::getUses(const LocalKey &key) const {
  auto found = uses.find(key);
  return found == uses.end() ? ArrayRef<int64_t>() : ArrayRef(found->second);
}

bool MoveNeeds::isNeededInSystem(OpResult result) const {
  return static_cast<size_t>(llvm::range_size(result.getUses())) >
         getUses({result, 0}).size();
}

/// The layout of `value` that `operand` takes; nothing if it is in none.
std::optional<unsigned> MoveNeeds::findLayout(Value value, OpOperand &operand) {
  auto type = cast<RankedTensorType>(value.getType());
  // A move takes what there is, and gives what is wanted.
  bool isMoved = isa<MovOp>(operand.getOwner());
  layout::Role role =
      isMoved ? getRole(ArrayRef<Value>(value)) : getRole(operand);
  std::optional<layout::LocalUse> use =
      getLocalUse(type.getShape(), type.getElementType(), role);
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

LogicalResult MoveNeeds::verifyFits(const MoveStep &step) const {
  int64_t need = getNeed(step, [](const LocalKey &) { return false; });
  if (need <= target->npuBytes)
    return success();
  return step.op->emitOpError("expected operands and results to take at most ")
         << target->npuBytes
         << " bytes of the local memory of each NPU together, but got " << need
         << ": mli-tile-to-fit cuts what does not fit";
}

LogicalResult MoveNeeds::collectKernel(MoveStep &step) {
  auto kernel = cast<DestinationStyleOpInterface>(step.op);
  auto refuse = [&](OpOperand &operand) {
    return step.op->emitOpError("expected operand ")
           << operand.getOperandNumber()
           << " to have a static shape of up to four dimensions, as buffers in "
              "local memory have, but got "
           << operand.get().getType();
  };
  for (OpOperand &operand : step.op->getOpOperands()) {
    if (!isa<RankedTensorType>(operand.get().getType()))
      continue;
    if (!kernel.isDpsInit(&operand)) {
      std::optional<unsigned> layout = findLayout(operand.get(), operand);
      if (!layout)
        return refuse(operand);
      LocalKey key = {operand.get(), *layout};
      step.inputs.push_back({key, &operand});
      uses[key].push_back(step.begin);
      continue;
    }
    OpResult result = kernel.getTiedOpResult(&operand);
    if (!findLayout(result, operand))
      return refuse(operand);
    step.results.push_back(result);
    if (mli::detail::readsInit(operand))
      step.overwritten.push_back(&operand);
  }
  step.scratchBytes = static_cast<int64_t>(llvm::alignTo(
      getScratchBytes(step.op), std::max<int64_t>(target->dmaAlignment, 4)));
  if (failed(verifyFits(step)))
    return failure();
  // What others leave for the tiles beside this one they fill with nothing
  // else.
  auto beside = step.op->getAttrOfType<IntegerAttr>(doubledAttrName);
  int64_t need = getNeed(step, [](const LocalKey &) { return false; });
  if (beside && beside.getInt() <= target->npuBytes - need)
    step.scratchBytes += beside.getInt();
  return success();
}

LogicalResult MoveNeeds::collect(Block &block, std::vector<MoveStep> &into) {
  for (Operation &op : block) {
    MoveStep step;
    step.op = &op;
    step.begin = time++;
    if (isLocalKernel(&op) || moves.contains(&op)) {
      if (failed(collectKernel(step)))
        return failure();
    } else if (isa<func::CallOp>(op)) {
      // Who is called plans local memory for itself.
      step.scratchBytes = target->npuBytes;
    } else if (op.getNumRegions() == 0) {
      continue;
    }
    for (Region &region : op.getRegions())
      for (Block &inner : region)
        if (failed(collect(inner, step.bodies.emplace_back())))
          return failure();
    step.end = time++;
    into.push_back(std::move(step));
  }
  return success();
}

FailureOr<MoveNeeds> MoveNeeds::of(func::FuncOp function,
                                   const layout::Target &target,
                                   LocalMoves moves) {
  MoveNeeds needs(target, std::move(moves));
  needs.policy = findLayoutPolicy(function);
  if (llvm::hasSingleElement(function.getBody())) {
    if (failed(needs.collect(function.getBody().front(), needs.steps)))
      return failure();
    return needs;
  }
  // Nothing stays from one block to another.
  MoveStep &all = needs.steps.emplace_back();
  all.op = function;
  for (Block &block : function.getBody())
    if (failed(needs.collect(block, all.bodies.emplace_back())))
      return failure();
  all.end = needs.time;
  return needs;
}

int64_t
MoveNeeds::getNeed(const MoveStep &step,
                   llvm::function_ref<bool(const LocalKey &)> isThere) const {
  int64_t most = 0;
  for (const std::vector<MoveStep> &body : step.bodies)
    for (const MoveStep &inner : body)
      most = std::max(most, getNeed(inner, isThere));
  llvm::SmallSetVector<LocalKey, 4> keys;
  for (const auto &[key, operand] : step.inputs)
    if (!isThere(key))
      keys.insert(key);
  int64_t bytes = step.scratchBytes;
  for (const LocalKey &key : keys)
    bytes = llvm::SaturatingAdd<uint64_t>(bytes, getBytes(key));
  for (OpResult result : step.results)
    bytes = llvm::SaturatingAdd<uint64_t>(bytes, getBytes({result, 0}));
  // More than 63 bits say no more than that it is too much.
  return std::max(most, bytes < 0 ? INT64_MAX : bytes);
}
