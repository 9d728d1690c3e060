// SPDX-License-Identifier: Apache-2.0
//
// convert-quant-to-mli converts the types of the quant dialect to those of mli.

#include "QuantTypes.h"

#include "mli/Conversion/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Func/Transforms/FuncConversions.h"
#include "mlir/Dialect/Quant/IR/Quant.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/DialectConversion.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "convert-quant-to-mli"

namespace mli {
#define GEN_PASS_DEF_CONVERTQUANTTOMLI
#include "mli/Conversion/Passes.h.inc"
} // namespace mli

using namespace mlir;
using namespace mli;

namespace {

/// Converts quant.qcast and quant.dcast, which convert from and to f32.
template <typename CastOp>
struct CastPattern : OpConversionPattern<CastOp> {
  using OpConversionPattern<CastOp>::OpConversionPattern;

  LogicalResult
  matchAndRewrite(CastOp op, typename CastOp::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto type = dyn_cast_or_null<RankedTensorType>(
        this->getTypeConverter()->convertType(op.getType()));
    Value input = adaptor.getInput();
    if (!type || !isa<RankedTensorType>(input.getType()) ||
        hasPartialRange(op) || exceedsTensor(op))
      return rewriter.notifyMatchFailure(op, "mli has no such conversion");
    Value init = tensor::EmptyOp::create(
        rewriter, op.getLoc(),
        tensor::getMixedSizes(rewriter, op.getLoc(), input),
        type.getElementType(), type.getEncoding());
    rewriter.replaceOp(
        op,
        ConvertOp::create(rewriter, op.getLoc(), input, init)->getResults());
    return success();
  }
};

/// Converts quant.scast, which returns quantized values as they are stored. It
/// folds into constants.
struct StoragePattern : OpConversionPattern<mlir::quant::StorageCastOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(mlir::quant::StorageCastOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Type type = getTypeConverter()->convertType(op.getType());
    if (!type)
      return rewriter.notifyMatchFailure(op, "mli has no such type");
    DenseIntElementsAttr values;
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (tensor && tensor.getRank() <= maxRank &&
        isa<QuantizedType>(tensor.getElementType()) &&
        matchPattern(op.getInput(), m_Constant(&values)))
      rewriter.replaceOpWithNewOp<ConstantOp>(op, type, values);
    else
      rewriter.replaceOpWithNewOp<UnrealizedConversionCastOp>(
          op, type, adaptor.getInput());
    return success();
  }
};

/// Converts operations on any element type by changing their types.
struct TensorPattern : ConversionPattern {
  TensorPattern(const TypeConverter &converter, MLIRContext *context)
      : ConversionPattern(converter, MatchAnyOpTypeTag(), /*benefit=*/1,
                          context) {}

  LogicalResult
  matchAndRewrite(Operation *op, ArrayRef<Value> operands,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<Type> types;
    if (!isa<tensor::TensorDialect>(op->getDialect()) ||
        op->getNumRegions() != 0 ||
        failed(getTypeConverter()->convertTypes(op->getResultTypes(), types)))
      return rewriter.notifyMatchFailure(op,
                                         "its result types cannot be changed");
    OperationState state(op->getLoc(), op->getName(), operands, types,
                         op->getAttrs());
    rewriter.replaceOp(op, rewriter.create(state));
    return success();
  }
};

struct ConvertQuantToMLIPass
    : mli::impl::ConvertQuantToMLIBase<ConvertQuantToMLIPass> {
  using Base::Base;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    TypeConverter converter;
    converter.addConversion([](Type type) { return type; });
    converter.addConversion([](RankedTensorType type) -> std::optional<Type> {
      Type element = convertQuantType(type.getElementType());
      return element ? type.clone(element) : type;
    });
    auto cast = [](OpBuilder &builder, Type type, ValueRange inputs,
                   Location loc) -> Value {
      return UnrealizedConversionCastOp::create(builder, loc, type, inputs)
          .getResult(0);
    };
    converter.addSourceMaterialization(cast);
    converter.addTargetMaterialization(cast);

    RewritePatternSet patterns(&getContext());
    patterns.add<CastPattern<mlir::quant::QuantizeCastOp>,
                 CastPattern<mlir::quant::DequantizeCastOp>, StoragePattern,
                 TensorPattern>(converter, &getContext());
    ConversionTarget target(getContext());
    populateFunctionOpInterfaceTypeConversionPattern<func::FuncOp>(patterns,
                                                                   converter);
    populateReturnOpTypeConversionPattern(patterns, converter);
    populateCallOpTypeConversionPattern(patterns, converter);
    scf::populateSCFStructuralTypeConversionsAndLegality(converter, patterns,
                                                         target);
    target.addDynamicallyLegalOp<func::FuncOp>([&](func::FuncOp op) {
      return converter.isSignatureLegal(op.getFunctionType()) &&
             converter.isLegal(&op.getBody());
    });
    target.addDynamicallyLegalDialect<tensor::TensorDialect, func::FuncDialect>(
        [&](Operation *op) { return converter.isLegal(op); });
    // Operations that no pattern matches stay legal and are reported below.
    target.addDynamicallyLegalDialect<mlir::quant::QuantDialect>(
        [](Operation *op) { return !getRejectionReason(op).empty(); });
    target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
    // Upstream folds a storage cast and its inverse to their operand, so
    // folding is off.
    ConversionConfig config;
    config.foldingMode = DialectConversionFoldingMode::Never;
    if (failed(applyPartialConversion(module, target, std::move(patterns),
                                      config)))
      return signalPassFailure();
    if (reportRemaining(module) && full)
      signalPassFailure();
  }

private:
  /// Reports operations that still have quant types.
  bool reportRemaining(ModuleOp module) {
    bool isAny = false;
    module.walk<WalkOrder::PreOrder>([&](Operation *op) {
      std::string reason = getRejectionReason(op);
      if (reason.empty() || isa<UnrealizedConversionCastOp>(op))
        return;
      isAny = true;
      LDBG() << op->getLoc() << ": " << op->getName() << " stays: " << reason;
      if (full)
        op->emitOpError("cannot be raised to mli: ") << reason;
      else
        emitRemark(op->getLoc(), "'")
            << op->getName() << "' op not raised: " << reason;
    });
    return isAny;
  }
};

} // namespace
