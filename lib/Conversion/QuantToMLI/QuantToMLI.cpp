// SPDX-License-Identifier: Apache-2.0

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

namespace mli {
#define GEN_PASS_DEF_CONVERTQUANTTOMLI
#include "mli/Conversion/Passes.h.inc"
} // namespace mli

using namespace mlir;
using namespace mli;

namespace {

/// quant.qcast and quant.dcast: conversions from and to f32.
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
        quantizesToPartOf(op) || exceedsTensor(op))
      return rewriter.notifyMatchFailure(op, "no conversion of mli");
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

/// quant.scast: codes as they are stored. Of constants they are known.
struct StoragePattern : OpConversionPattern<mlir::quant::StorageCastOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(mlir::quant::StorageCastOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Type type = getTypeConverter()->convertType(op.getType());
    if (!type)
      return rewriter.notifyMatchFailure(op, "no type of mli");
    DenseIntElementsAttr codes;
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (tensor && tensor.getRank() <= maxRank &&
        isa<QuantizedType>(tensor.getElementType()) &&
        matchPattern(op.getInput(), m_Constant(&codes)))
      rewriter.replaceOpWithNewOp<ConstantOp>(op, type, codes);
    else
      rewriter.replaceOpWithNewOp<UnrealizedConversionCastOp>(
          op, type, adaptor.getInput());
    return success();
  }
};

/// Operations that take any element type are the same of the new one.
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
      return rewriter.notifyMatchFailure(op, "does not follow its types");
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
    // What has no pattern that matches stays: it is reported below.
    target.addDynamicallyLegalDialect<mlir::quant::QuantDialect>(
        [](Operation *op) { return !refusalOf(op).empty(); });
    target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
    // Upstream takes a value back from its codes for the value itself.
    ConversionConfig config;
    config.foldingMode = DialectConversionFoldingMode::Never;
    if (failed(applyPartialConversion(module, target, std::move(patterns),
                                      config)))
      return signalPassFailure();
    if (reportLeft(module) && full)
      signalPassFailure();
  }

private:
  /// Reports what still has quant types.
  bool reportLeft(ModuleOp module) {
    bool isLeft = false;
    module.walk<WalkOrder::PreOrder>([&](Operation *op) {
      std::string reason = refusalOf(op);
      if (reason.empty() || isa<UnrealizedConversionCastOp>(op))
        return;
      isLeft = true;
      if (full)
        op->emitOpError("cannot be raised to mli: ") << reason;
      else
        emitRemark(op->getLoc(), "'")
            << op->getName() << "' op not raised: " << reason;
    });
    return isLeft;
  }
};

} // namespace
