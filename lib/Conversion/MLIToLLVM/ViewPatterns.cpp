// SPDX-License-Identifier: Apache-2.0
//
// Memory, constants as globals, and views as other descriptors of the same
// memory.

#include "CallBuilder.h"
#include "IndexBounds.h"
#include "KernelCalls.h"
#include "LocalOperands.h"
#include "RuntimeCheck.h"

#include "mli/Analysis/MemoryProblem.h"
#include "mli/IR/AttributeNames.h"
#include "mli/IR/PackedAttr.h"

#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mli;

namespace {

/// Replaces an operation whose result is a buffer by what describes that: a
/// descriptor, or an address in local memory.
template <typename Op, typename Base = CallPattern<Op>>
struct BufferPattern : Base {
  using Base::Base;
  using typename Base::OpAdaptor;

  LogicalResult
  matchAndRewrite(Op op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const final {
    auto type = dyn_cast<MemRefType>(op.getType());
    if (!type)
      return rewriter.notifyMatchFailure(op, "result is a tensor");
    rewriter.replaceOp(op, describe(op, type, adaptor, rewriter));
    return success();
  }

protected:
  virtual Value describe(Op op, MemRefType type, OpAdaptor adaptor,
                         ConversionPatternRewriter &rewriter) const = 0;

  /// The descriptor of a view of type `type` into the memory of `source`, of
  /// which what was allocated, sizes and strides are missing.
  MemRefDescriptor startView(OpBuilder &builder, Location loc, MemRefType type,
                             MemRefDescriptor source, Value offset) const {
    auto view = MemRefDescriptor::poison(
        builder, loc, this->getTypeConverter()->convertType(type));
    view.setAlignedPtr(builder, loc, source.alignedPtr(builder, loc));
    view.setOffset(builder, loc, offset);
    return view;
  }
};

/// Whether all that is done with a buffer are moves. They read no more of its
/// descriptor than where the elements are, and what the type leaves open.
static bool isOnlyMoved(Operation *op) {
  return llvm::all_of(op->getUsers(), llvm::IsaPred<MovOp>);
}

struct ConstantData : BufferPattern<ConstantOp> {
  using BufferPattern::BufferPattern;

  Value describe(ConstantOp op, MemRefType type, OpAdaptor,
                 ConversionPatternRewriter &rewriter) const override {
    if (isPackedOnly(op))
      return MemRefDescriptor::poison(rewriter, op.getLoc(),
                                      getTypeConverter()->convertType(type));
    CallBuilder calls = callsFor(op, rewriter);
    Value data = calls.global(op.getValue());
    if (isOnlyMoved(op)) {
      auto pointer = MemRefDescriptor::poison(
          rewriter, op.getLoc(), getTypeConverter()->convertType(type));
      pointer.setAlignedPtr(rewriter, op.getLoc(), data);
      return pointer;
    }
    return MemRefDescriptor::fromStaticShape(rewriter, op.getLoc(),
                                             *getTypeConverter(), type, data);
  }
};

struct ReshapeView
    : BufferPattern<ReshapeOp, ConvertOpToLLVMPattern<ReshapeOp>> {
  using BufferPattern::BufferPattern;

  Value describe(ReshapeOp op, MemRefType type, OpAdaptor adaptor,
                 ConversionPatternRewriter &rewriter) const override {
    // Each element stays where it is.
    if (isLocal(type))
      return adaptor.getSource();
    Location loc = op.getLoc();
    MemRefDescriptor source(adaptor.getSource());
    MemRefDescriptor view =
        startView(rewriter, loc, type, source, source.offset(rewriter, loc));
    view.setAllocatedPtr(rewriter, loc, source.allocatedPtr(rewriter, loc));
    SmallVector<int64_t> strides = type.getStridesAndOffset().first;
    for (auto [i, size, stride] : llvm::enumerate(type.getShape(), strides)) {
      view.setConstantSize(rewriter, loc, i, size);
      view.setConstantStride(rewriter, loc, i, stride);
    }
    return view;
  }
};

/// Offset, sizes and strides of a block, checked against the source where they
/// are values that nothing proves to be in it.
struct SubtensorView : BufferPattern<SubtensorOp> {
  SubtensorView(const LLVMTypeConverter &converter, CallSymbols &symbols,
                const ProvenOffsets &proven)
      : BufferPattern(converter, symbols), proven(proven) {}

  Value describe(SubtensorOp op, MemRefType type, OpAdaptor adaptor,
                 ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    CallBuilder calls = callsFor(op, rewriter);
    RuntimeCheck check(op, calls, rewriter);
    SmallVector<Field> offsets =
        getFields(op.getStaticOffsets(), adaptor.getOffsets(), calls);
    SmallVector<Field> sizes =
        getFields(op.getStaticSizes(), adaptor.getSizes(), calls);
    if (isLocal(type))
      return moveAddress(op, adaptor, offsets, sizes, check, calls, rewriter);
    MemRefDescriptor source(adaptor.getSource());
    auto memref = cast<MemRefType>(op.getSource().getType());
    Field start = calls.offset(memref, source);
    for (auto [i, offset, size] : llvm::enumerate(offsets, sizes)) {
      auto dim = static_cast<int64_t>(i);
      requireBlock(op, adaptor, dim, offset, size, check, calls, rewriter);
      Field step = calls.mul(offset, calls.stride(memref, source, dim));
      start = calls.add(start, step);
    }

    MemRefDescriptor view =
        startView(rewriter, loc, type, source, calls.toValue(start));
    bool isTyped = isOnlyMoved(op);
    if (!isTyped)
      view.setAllocatedPtr(rewriter, loc, source.allocatedPtr(rewriter, loc));
    SmallVector<int64_t> strides = getStridesAndOffset(type).first;
    for (auto [i, dim] : llvm::enumerate(op.getKeptDims())) {
      if (!isTyped || type.isDynamicDim(i))
        view.setSize(rewriter, loc, i, calls.toValue(sizes[dim]));
      if (!isTyped || ShapedType::isDynamic(strides[i]))
        view.setStride(rewriter, loc, i,
                       calls.toValue(calls.stride(memref, source, dim)));
    }
    check.returnOnFailure();
    return view;
  }

private:
  static SmallVector<Field> getFields(ArrayRef<int64_t> known,
                                      ValueRange dynamic, CallBuilder &calls) {
    SmallVector<Field> all;
    for (int64_t value : known) {
      all.push_back(ShapedType::isDynamic(value) ? Field(dynamic.front())
                                                 : calls.quad(value));
      if (ShapedType::isDynamic(value))
        dynamic = dynamic.drop_front();
    }
    return all;
  }

  /// The local address of the block, which has static sizes.
  Value moveAddress(SubtensorOp op, OpAdaptor adaptor, ArrayRef<Field> offsets,
                    ArrayRef<Field> sizes, RuntimeCheck &check,
                    CallBuilder &calls, OpBuilder &builder) const {
    Location loc = op.getLoc();
    auto source = cast<MemRefType>(op.getSource().getType());
    Value address = calls.toValue(
        calls.shift(adaptor.getSource(),
                    calls::getLocalDistance(source, op.getStaticOffsets(),
                                            op.getStaticSizes(),
                                            findTarget(op).getValue())));
    for (auto [i, offset, size] : llvm::enumerate(offsets, sizes)) {
      auto dim = static_cast<int64_t>(i);
      if (!op.isDynamicOffset(dim))
        continue;
      requireBlock(op, adaptor, dim, offset, size, check, calls, builder);
      Value step =
          LLVM::MulOp::create(builder, loc, calls.toValue(offset),
                              calls.i64(calls::getLocalStep(source, dim)));
      step = LLVM::TruncOp::create(builder, loc, builder.getI32Type(), step);
      address = LLVM::AddOp::create(builder, loc, address, step);
    }
    check.returnOnFailure();
    return address;
  }

  /// Checks what the verifier could not know of dimension `dim`: 0 <= offset, 1
  /// <= size and offset + size <= that of the source.
  void requireBlock(SubtensorOp op, OpAdaptor adaptor, int64_t dim,
                    const Field &offset, const Field &size, RuntimeCheck &check,
                    CallBuilder &calls, OpBuilder &builder) const {
    auto source = cast<MemRefType>(op.getSource().getType());
    if (!op.isDynamicOffset(dim) && !op.isDynamicSize(dim) &&
        !source.isDynamicDim(dim))
      return;
    if (proven.contains(op, dim))
      return;
    Value whole = check.size(op.getSource(), adaptor.getSource(), dim);
    Value first = calls.toValue(offset);
    std::string of = (" of dimension " + Twine(dim) + " to be ").str();
    check.require(first, LLVM::ICmpPredicate::ult, whole,
                  MLI_STATUS_BAD_FUNC_CFG,
                  "offset" + of + "at least 0 and less than");
    // One element is in the source where its offset is.
    if (size.getKnown() == 1)
      return;
    Value count = calls.toValue(size);
    if (op.isDynamicSize(dim))
      check.require(count, LLVM::ICmpPredicate::sge, calls.i64(1),
                    MLI_STATUS_BAD_FUNC_CFG, "size" + of + "at least");
    Value left = LLVM::SubOp::create(builder, op.getLoc(), whole, first);
    check.require(count, LLVM::ICmpPredicate::sle, left,
                  MLI_STATUS_BAD_FUNC_CFG, "size" + of + "at most");
  }

  const ProvenOffsets &proven;
};

/// Memory of no planned place comes from the heap, as that of memref; local
/// memory is there already.
struct Allocation : CallPattern<AllocOp> {
  using CallPattern<AllocOp>::CallPattern;

  LogicalResult
  matchAndRewrite(AllocOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto type = cast<MemRefType>(op.getType());
    if (!isLocal(type)) {
      rewriter.replaceOpWithNewOp<memref::AllocOp>(op, type);
      return success();
    }
    CallBuilder calls = callsFor(op, rewriter);
    Value address = calls.i32(static_cast<int32_t>(*op.getAddress()));
    if (!op->hasAttr(sharedAttrName))
      LocalOperands(op, calls, rewriter).poison(type, address);
    rewriter.replaceOp(op, address);
    return success();
  }
};

} // namespace

void mli::populateViewPatterns(const LLVMTypeConverter &converter,
                               CallSymbols &symbols,
                               const ProvenOffsets &proven,
                               RewritePatternSet &patterns) {
  patterns.add<ReshapeView>(converter);
  patterns.add<ConstantData, Allocation>(converter, symbols);
  patterns.add<SubtensorView>(converter, symbols, proven);
}
