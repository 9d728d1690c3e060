// SPDX-License-Identifier: Apache-2.0
//
// A step of mli-bufferize: bufferizes the tensors that only kernels read.

#include "Bufferize.h"
#include "InsertionChain.h"

#include "mli/IR/MLI.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

using namespace mlir;
using namespace mli;

/// Whether all uses of `tensor` are inputs of kernels.
static bool isReadByKernels(Value tensor) {
  return llvm::all_of(tensor.getUses(),
                      [](OpOperand &use) { return isKernelInput(use); });
}

/// Whether `kernel` computes all results into empty tensors of their own, and
/// only kernels read them.
static bool isBufferizable(DestinationStyleOpInterface kernel) {
  auto isOwn = [&](OpOperand &init) {
    auto empty = init.get().getDefiningOp<tensor::EmptyOp>();
    return empty && empty->hasOneUse() &&
           isReadByKernels(kernel.getTiedOpResult(&init));
  };
  return isa_and_nonnull<MLIDialect>(kernel->getDialect()) &&
         llvm::all_of(kernel.getDpsInitsMutable(), isOwn);
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

/// Creates `kernel` anew with buffers in place of its empty tensors.
static void bufferizeResults(DestinationStyleOpInterface kernel) {
  OpBuilder builder(kernel);
  for (OpOperand &init : kernel.getDpsInitsMutable()) {
    auto empty = init.get().getDefiningOp<tensor::EmptyOp>();
    builder.setInsertionPoint(empty);
    Value buffer = memref::AllocOp::create(builder, empty.getLoc(),
                                           makeBufferType(empty.getType()),
                                           empty.getDynamicSizes());
    kernel.getTiedOpResult(&init).replaceAllUsesWith(buffer);
    init.set(buffer);
    empty.erase();
  }
  builder.setInsertionPoint(kernel);
  OperationState onBuffers(kernel->getLoc(), kernel->getName(),
                           kernel->getOperands(), TypeRange(),
                           kernel->getAttrs());
  builder.create(onBuffers);
  kernel->erase();
}

void mli::bufferizeKernelInputs(ModuleOp module) {
  SmallVector<ConstantOp> constants;
  SmallVector<DestinationStyleOpInterface> kernels;
  module.walk([&](Operation *op) {
    if (auto constant = dyn_cast<ConstantOp>(op)) {
      if (isa<TensorType>(constant.getType()) &&
          isReadByKernels(constant.getResult()))
        constants.push_back(constant);
    } else if (auto kernel = dyn_cast<DestinationStyleOpInterface>(op);
               kernel && isBufferizable(kernel))
      kernels.push_back(kernel);
  });
  llvm::for_each(constants, bufferizeConstant);
  llvm::for_each(kernels, bufferizeResults);
}
