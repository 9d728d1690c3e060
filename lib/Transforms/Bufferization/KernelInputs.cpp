// SPDX-License-Identifier: Apache-2.0
//
// A step of mli-bufferize: bufferizes the tensors that only kernels read.

#include "Bufferize.h"
#include "InsertionChain.h"

#include "mli/IR/MLI.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mli;

/// Whether all uses of `tensor` are inputs of kernels.
static bool hasOnlyKernelReads(Value tensor) {
  return llvm::all_of(tensor.getUses(),
                      [](OpOperand &use) { return isKernelInput(use); });
}

/// Whether something around `op`, in `region`, may run it several times at
/// once.
static bool runsInParallel(Operation *op, Region *region) {
  for (; op->getParentRegion() != region; op = op->getParentOp())
    if (op->getParentOp()->hasTrait<OpTrait::HasParallelRegion>())
      return true;
  return false;
}

namespace {

/// The values of one buffer: an empty tensor, what kernels compute into it, and
/// what conditions yield of these. Only kernels read the last one. Each branch
/// yields what it computes itself, so that one kernel at most has written to
/// the buffer when the last value is read.
class KernelResult {
public:
  explicit KernelResult(tensor::EmptyOp empty) : empty(empty) {
    values.insert(empty);
  }

  /// Finds the values. Returns whether they can be one buffer.
  bool find() {
    Value last;
    size_t next = 0;
    while (next < values.size()) {
      Value value = values[next++];
      if (hasOnlyKernelReads(value)) {
        if (last || value == empty)
          return false;
        last = value;
        continue;
      }
      if (value != empty && !value.hasOneUse())
        return false;
      for (OpOperand &use : value.getUses())
        if (!follow(use))
          return false;
    }
    return last && llvm::all_of(conditions, [&](OpResult result) {
             return areYieldsFound(result);
           });
  }

  void bufferize() {
    OpBuilder builder(empty);
    Value buffer = memref::AllocOp::create(builder, empty.getLoc(),
                                           makeBufferType(empty.getType()),
                                           empty.getDynamicSizes());
    for (Value value : values)
      value.replaceAllUsesWith(buffer);
    for (OpResult result : conditions)
      result.setType(buffer.getType());
    for (Operation *kernel : kernels) {
      builder.setInsertionPoint(kernel);
      createOnBuffers(builder, kernel, kernel->getOperands());
      kernel->erase();
    }
    empty.erase();
  }

private:
  /// Adds the value that holds that of `use` afterwards. Returns whether there
  /// is one.
  bool follow(OpOperand &use) {
    Operation *op = use.getOwner();
    // In a loop each iteration would start from the same value; a branch would
    // yield what another operation computes.
    if (use.get() != empty && use.get().getParentBlock() != op->getBlock())
      return false;
    if (isa<scf::YieldOp>(op)) {
      auto condition = dyn_cast<scf::IfOp>(op->getParentOp());
      // The buffer has to be there for both branches.
      if (!condition ||
          !empty->getParentRegion()->isAncestor(condition->getParentRegion()))
        return false;
      OpResult result = condition->getResult(use.getOperandNumber());
      if (values.insert(result))
        conditions.push_back(result);
      return true;
    }
    if (!isKernelDestination(use) || op->getNumResults() != 1)
      return false;
    // Each iteration writes to a buffer of its own.
    if (runsInParallel(op, empty->getParentRegion()))
      return false;
    kernels.push_back(op);
    return values.insert(op->getResult(0));
  }

  /// Whether both branches of a condition yield values of the buffer as
  /// `result`.
  bool areYieldsFound(OpResult result) const {
    auto condition = cast<scf::IfOp>(result.getOwner());
    unsigned number = result.getResultNumber();
    return values.contains(condition.thenYield().getOperand(number)) &&
           values.contains(condition.elseYield().getOperand(number));
  }

  tensor::EmptyOp empty;
  SetVector<Value> values;
  SmallVector<OpResult> conditions;
  SmallVector<Operation *> kernels;
};

} // namespace

static void bufferizeConstant(ConstantOp constant) {
  OpBuilder builder(constant);
  Value buffer = ConstantOp::create(
      builder, constant.getLoc(),
      makeBufferType(cast<RankedTensorType>(constant.getType())),
      constant.getValue());
  constant.getResult().replaceAllUsesWith(buffer);
  constant.erase();
}

/// Bufferizes the arguments of `function` that only kernels read. The uses of
/// one that is in several operations are compared by twos otherwise.
static void bufferizeArguments(func::FuncOp function) {
  for (BlockArgument argument : function.getArguments()) {
    if (!isa<RankedTensorType>(argument.getType()) || argument.use_empty() ||
        !hasOnlyKernelReads(argument))
      continue;
    Value buffer = createReadOnlyBuffer(argument);
    argument.replaceAllUsesExcept(buffer, buffer.getDefiningOp());
  }
}

void mli::bufferizeKernelInputs(ModuleOp module) {
  for (auto function : module.getOps<func::FuncOp>())
    if (!function.isExternal())
      bufferizeArguments(function);
  SmallVector<ConstantOp> constants;
  SmallVector<tensor::EmptyOp> empties;
  module.walk([&](Operation *op) {
    if (auto empty = dyn_cast<tensor::EmptyOp>(op))
      empties.push_back(empty);
    else if (auto constant = dyn_cast<ConstantOp>(op);
             constant && isa<TensorType>(constant.getType()) &&
             hasOnlyKernelReads(constant.getResult()))
      constants.push_back(constant);
  });
  llvm::for_each(constants, bufferizeConstant);
  for (tensor::EmptyOp empty : empties)
    if (KernelResult result(empty); result.find())
      result.bufferize();
}
