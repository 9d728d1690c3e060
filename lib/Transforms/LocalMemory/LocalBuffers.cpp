// SPDX-License-Identifier: Apache-2.0
//
// The first step of mli-assign-layouts: finds the buffers without a layout.

#include "AssignLayouts.h"

#include "mli/IR/LocalMemory.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "llvm/ADT/IntEqClasses.h"

using namespace mlir;
using namespace mli;

/// Whether `value` is a buffer in local memory without a layout.
static bool isWithoutLayout(Value value) {
  auto type = dyn_cast<MemRefType>(value.getType());
  return type && isLocal(type) && !isa<LayoutAttr>(type.getLayout());
}

static bool isAllocation(Operation *op) {
  return isa<memref::AllocOp, memref::AllocaOp, AllocOp>(op);
}

static bool isView(Operation *op) {
  return isa<SubtensorOp, ReshapeOp, memref::SubViewOp>(op);
}

/// Whether `op` forwards values and reads no elements.
static bool isControlFlow(Operation *op) {
  return isa<RegionBranchOpInterface, RegionBranchTerminatorOpInterface,
             BranchOpInterface, arith::SelectOp>(op) &&
         !isa<func::ReturnOp>(op);
}

/// Whether `op` reads or writes buffers of any layout.
static bool isAccess(Operation *op) {
  return isa_and_nonnull<MLIDialect>(op->getDialect()) ||
         isa<memref::CopyOp, memref::LoadOp, memref::StoreOp, memref::DimOp>(
             op);
}

namespace {

class BufferFinder {
public:
  explicit BufferFinder(func::FuncOp function) : function(function) {}

  FailureOr<LocalBuffers> find() {
    function.walk<WalkOrder::PreOrder>([&](Operation *op) {
      for (Value result : op->getResults())
        add(result);
      for (Region &region : op->getRegions())
        for (Block &block : region)
          for (Value argument : block.getArguments())
            add(argument);
    });
    if (failed(checkArguments()))
      return failure();
    if (values.empty())
      return LocalBuffers();
    joinControlFlow();
    classes.compress();
    result.all.resize(classes.getNumClasses());
    for (Value value : values)
      if (failed(classify(value)))
        return failure();
    return std::move(result);
  }

private:
  void add(Value value) {
    if (!isWithoutLayout(value))
      return;
    result.indexOf[value] = static_cast<unsigned>(values.size());
    values.push_back(value);
    classes.grow(static_cast<unsigned>(values.size()));
  }

  /// Checks that arguments have layouts, as the caller decides these.
  LogicalResult checkArguments() {
    for (BlockArgument argument : function.getArguments())
      // O11
      if (isWithoutLayout(argument))
        return function.emitError("expected argument ")
               << argument.getArgNumber() << " of '" << function.getSymName()
               << "' to have an mli layout in local memory, but got "
               << argument.getType();
    return success();
  }

  void join(Value a, Value b) {
    auto first = result.indexOf.find(a), second = result.indexOf.find(b);
    if (first != result.indexOf.end() && second != result.indexOf.end())
      classes.join(first->second, second->second);
  }

  void joinControlFlow() {
    function.walk([&](Operation *op) {
      if (auto branch = dyn_cast<RegionBranchOpInterface>(op)) {
        RegionBranchSuccessorMapping handed;
        branch.getSuccessorOperandInputMapping(handed);
        for (auto &[operand, inputs] : handed)
          for (Value input : inputs)
            join(operand->get(), input);
      } else if (auto branch = dyn_cast<BranchOpInterface>(op)) {
        for (auto [i, block] : llvm::enumerate(branch->getSuccessors()))
          for (auto [operand, input] :
               llvm::zip(branch.getSuccessorOperands(i).getForwardedOperands(),
                         block->getArguments()))
            join(operand, input);
      } else if (auto select = dyn_cast<arith::SelectOp>(op)) {
        join(select.getResult(), select.getTrueValue());
        join(select.getResult(), select.getFalseValue());
      }
    });
  }

  /// Adds `value` and its uses to the values of its type.
  LogicalResult classify(Value value) {
    unsigned &index = result.indexOf[value];
    index = classes[index];
    LocalValues &all = result.all[index];
    all.values.push_back(value);
    Operation *op = value.getDefiningOp();
    if (op && isAllocation(op))
      all.allocations.push_back(op);
    else if (op && !isView(op) && !isControlFlow(op))
      // O11
      return op->emitOpError("expected a buffer in local memory without a "
                             "layout to be allocated in its function, but got ")
             << value.getType();
    for (OpOperand &use : value.getUses()) {
      Operation *user = use.getOwner();
      if (isView(user))
        all.views.push_back(user);
      else if (isControlFlow(user) || isa<memref::DeallocOp>(user))
        continue;
      else if (isAccess(user))
        all.uses.push_back(&use);
      else
        // O11
        return user->emitOpError("expected operand ")
               << use.getOperandNumber()
               << " to be in system memory, or to have an mli layout, but got "
               << value.getType();
    }
    return success();
  }

  func::FuncOp function;
  LocalBuffers result;
  SmallVector<Value> values;
  llvm::IntEqClasses classes;
};

} // namespace

FailureOr<LocalBuffers> mli::findLocalBuffers(func::FuncOp function) {
  return BufferFinder(function).find();
}
