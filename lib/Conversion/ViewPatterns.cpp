// SPDX-License-Identifier: Apache-2.0
//
// Memory, constants as globals, and views as other descriptors of the same
// memory.

#include "CallBuilder.h"
#include "KernelCalls.h"
#include "RuntimeCheck.h"

#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

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

/// Offset, sizes and strides of a block, checked against the source where they
/// are values.
struct SubtensorView : ConvertOpToLLVMPattern<SubtensorOp> {
  using ConvertOpToLLVMPattern<SubtensorOp>::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(SubtensorOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto type = dyn_cast<MemRefType>(op.getType());
    if (!type)
      return rewriter.notifyMatchFailure(op, "result is a tensor");
    Location loc = op.getLoc();
    CallBuilder calls(rewriter, loc, op->getParentOfType<ModuleOp>());
    RuntimeCheck check(op, calls, rewriter);
    SmallVector<Value> offsets =
        values(op.getStaticOffsets(), adaptor.getOffsets(), calls);
    SmallVector<Value> sizes =
        values(op.getStaticSizes(), adaptor.getSizes(), calls);
    MemRefDescriptor source(adaptor.getSource());
    Value start = source.offset(rewriter, loc);
    for (auto [i, offset, size] : llvm::enumerate(offsets, sizes)) {
      auto dim = static_cast<int64_t>(i);
      requireBlock(op, adaptor, dim, offset, size, check, calls, rewriter);
      Value stride = check.stride(op.getSource(), adaptor.getSource(), dim);
      Value step = LLVM::MulOp::create(rewriter, loc, offset, stride);
      start = LLVM::AddOp::create(rewriter, loc, start, step);
    }

    auto view = MemRefDescriptor::poison(rewriter, loc,
                                         getTypeConverter()->convertType(type));
    view.setAllocatedPtr(rewriter, loc, source.allocatedPtr(rewriter, loc));
    view.setAlignedPtr(rewriter, loc, source.alignedPtr(rewriter, loc));
    view.setOffset(rewriter, loc, start);
    for (auto [i, dim] : llvm::enumerate(op.getKeptDims())) {
      view.setSize(rewriter, loc, i, sizes[dim]);
      view.setStride(rewriter, loc, i,
                     check.stride(op.getSource(), adaptor.getSource(), dim));
    }
    check.leaveOnFailure();
    rewriter.replaceOp(op, {view});
    return success();
  }

private:
  static SmallVector<Value> values(ArrayRef<int64_t> known, ValueRange dynamic,
                                   CallBuilder &calls) {
    SmallVector<Value> all;
    for (int64_t value : known) {
      all.push_back(ShapedType::isDynamic(value) ? dynamic.front()
                                                 : calls.i64(value));
      if (ShapedType::isDynamic(value))
        dynamic = dynamic.drop_front();
    }
    return all;
  }

  /// What the verifier could not know of dimension `dim`: 0 <= offset, 1 <=
  /// size and offset + size <= that of the source.
  static void requireBlock(SubtensorOp op, OpAdaptor adaptor, int64_t dim,
                           Value offset, Value size, RuntimeCheck &check,
                           CallBuilder &calls, OpBuilder &builder) {
    auto source = cast<MemRefType>(op.getSource().getType());
    if (!op.isDynamicOffset(dim) && !op.isDynamicSize(dim) &&
        !source.isDynamicDim(dim))
      return;
    Value whole = check.size(op.getSource(), adaptor.getSource(), dim);
    Value left = LLVM::SubOp::create(builder, op.getLoc(), whole, offset);
    check.require(LLVM::ICmpPredicate::ult, offset, whole,
                  MLI_STATUS_BAD_FUNC_CFG);
    check.require(LLVM::ICmpPredicate::sge, size, calls.i64(1),
                  MLI_STATUS_BAD_FUNC_CFG);
    check.require(LLVM::ICmpPredicate::sle, size, left,
                  MLI_STATUS_BAD_FUNC_CFG);
  }
};

/// Memory of no planned place comes from the heap, as that of memref.
struct HeapAlloc : ConvertOpToLLVMPattern<AllocOp> {
  using ConvertOpToLLVMPattern<AllocOp>::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(AllocOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<memref::AllocOp>(
        op, cast<MemRefType>(op.getType()));
    return success();
  }
};

} // namespace

void mli::populateViewPatterns(const LLVMTypeConverter &converter,
                               RewritePatternSet &patterns) {
  patterns.add<ConstantData, ReshapeView, SubtensorView, HeapAlloc>(converter);
}
