// SPDX-License-Identifier: Apache-2.0
//
// A step of mli-bufferize: bufferizes the tensors that only kernels read.

#include "Bufferize.h"
#include "InsertionChain.h"

#include "mli/IR/MLI.h"

using namespace mlir;
using namespace mli;

/// Whether all uses of `tensor` are inputs of kernels.
static bool hasOnlyKernelReads(Value tensor) {
  return llvm::all_of(tensor.getUses(),
                      [](OpOperand &use) { return isKernelInput(use); });
}

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
  module.walk([&](ConstantOp constant) {
    if (isa<TensorType>(constant.getType()) &&
        hasOnlyKernelReads(constant.getResult()))
      constants.push_back(constant);
  });
  llvm::for_each(constants, bufferizeConstant);
}
