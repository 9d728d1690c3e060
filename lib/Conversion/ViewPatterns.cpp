// SPDX-License-Identifier: Apache-2.0
//
// Constants as globals, and views as other descriptors of the same memory.

#include "CallBuilder.h"
#include "KernelCalls.h"

#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"

using namespace mlir;
using namespace mli;

namespace {

struct ConstantData : ConvertOpToLLVMPattern<ConstantOp> {
  using ConvertOpToLLVMPattern<ConstantOp>::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(ConstantOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto type = dyn_cast<MemRefType>(op.getType());
    if (!type)
      return rewriter.notifyMatchFailure(op, "result is a tensor");
    CallBuilder calls(rewriter, op.getLoc(), op->getParentOfType<ModuleOp>());
    Value data = calls.global(op.getValue());
    rewriter.replaceOp(
        op, {MemRefDescriptor::fromStaticShape(
                rewriter, op.getLoc(), *getTypeConverter(), type, data)});
    return success();
  }
};

struct ReshapeView : ConvertOpToLLVMPattern<ReshapeOp> {
  using ConvertOpToLLVMPattern<ReshapeOp>::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(ReshapeOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto type = dyn_cast<MemRefType>(op.getType());
    if (!type)
      return rewriter.notifyMatchFailure(op, "result is a tensor");
    MemRefDescriptor source(adaptor.getSource());
    rewriter.replaceOp(op, {MemRefDescriptor::fromStaticShape(
                               rewriter, op.getLoc(), *getTypeConverter(), type,
                               source.allocatedPtr(rewriter, op.getLoc()),
                               source.alignedPtr(rewriter, op.getLoc()))});
    return success();
  }
};

} // namespace

void mli::populateViewPatterns(const LLVMTypeConverter &converter,
                               RewritePatternSet &patterns) {
  patterns.add<ConstantData, ReshapeView>(converter);
}
