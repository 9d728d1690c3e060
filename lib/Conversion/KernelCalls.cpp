// SPDX-License-Identifier: Apache-2.0

#include "KernelCalls.h"

#include "CallBuilder.h"

#include "mli/Runtime/C/mli_api.h"

#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mli;

//===----------------------------------------------------------------------===//
// Names: mli_krn_<family>_<element types>
//===----------------------------------------------------------------------===//

static std::string suffix(Type element) {
  return llvm::TypeSwitch<Type, std::string>(element)
      .Case([](Fx8Type) { return "_fx8"; })
      .Case([](Fx16Type) { return "_fx16"; })
      .Default([](Type) { return "_sa8"; });
}

template <typename Op>
static std::string unaryName(StringRef family, Op op) {
  return family.str() + suffix(op.getInput().getType().getElementType());
}

/// Kernels with weights name all their types where these differ.
template <typename Op>
static std::string weightedName(StringRef family, Op op) {
  Type input = op.getInput().getType().getElementType();
  Type weights = op.getWeights().getType().getElementType();
  if (isa<Sa8Type>(input))
    return family.str() + "_sa8_sa8_sa32";
  if (input.getTypeID() != weights.getTypeID())
    return family.str() + "_fx16_fx8_fx8";
  return family.str() + suffix(input);
}

static std::string calleeName(Conv2DOp op) {
  return weightedName("mli_krn_conv2d_hwcn", op);
}
static std::string calleeName(DepthwiseConv2DOp op) {
  return weightedName("mli_krn_depthwise_conv2d_hwcn", op);
}
static std::string calleeName(GroupConv2DOp op) {
  return weightedName("mli_krn_group_conv2d_hwcn", op);
}
static std::string calleeName(FullyConnectedOp op) {
  return weightedName("mli_krn_fully_connected", op);
}
static std::string calleeName(AvePoolOp op) {
  return unaryName("mli_krn_avepool_hwc", op);
}
static std::string calleeName(MaxPoolOp op) {
  return unaryName("mli_krn_maxpool_hwc", op);
}
static std::string calleeName(EltwiseAddOp op) {
  return "mli_krn_eltwise_add" + suffix(op.getLhs().getType().getElementType());
}
static std::string calleeName(ReluOp op) {
  return unaryName("mli_krn_relu", op);
}
static std::string calleeName(SoftmaxOp op) {
  return unaryName("mli_krn_softmax", op);
}
static std::string calleeName(ConvertOp op) {
  bool hasFloat = op.getInput().getType().getElementType().isF32() ||
                  op.getInit().getType().getElementType().isF32();
  return hasFloat ? "mli_hlp_convert_tensor" : "mli_hlp_convert_tensor_safx";
}

//===----------------------------------------------------------------------===//
// Arguments between the inputs and the output
//===----------------------------------------------------------------------===//

namespace {
/// What a configuration is built with: padding may be values.
struct Config {
  CallBuilder &calls;
  OpBuilder &builder;
  Location loc;

  /// A uint8 field. A value beyond it stays beyond every window, so that the
  /// kernel refuses it, and is not cut down to a legal one.
  Value byte(OpFoldResult value, ValueRange converted, unsigned &next) {
    if (auto attr = dyn_cast<Attribute>(value))
      return calls.i8(cast<IntegerAttr>(attr).getInt());
    Value size = converted[next++];
    Value limited =
        LLVM::UMinOp::create(builder, loc, size, calls.i64(UINT8_MAX));
    return LLVM::TruncOp::create(builder, loc, builder.getI8Type(), limited);
  }

  /// Left, right, top, bottom, as the structs have them.
  SmallVector<Value> padding(ArrayRef<OpFoldResult> mixed,
                             ValueRange converted) {
    unsigned next = 0;
    SmallVector<Value> sides;
    for (OpFoldResult side : mixed)
      sides.push_back(byte(side, converted, next));
    return {sides[2], sides[3], sides[0], sides[1]};
  }
};
} // namespace

static_assert(sizeof(mli_conv2d_cfg) == 12 &&
              offsetof(mli_conv2d_cfg, relu) == 0 &&
              offsetof(mli_conv2d_cfg, stride_width) == 4 &&
              offsetof(mli_conv2d_cfg, stride_height) == 5 &&
              offsetof(mli_conv2d_cfg, padding_left) == 6 &&
              offsetof(mli_conv2d_cfg, padding_right) == 7 &&
              offsetof(mli_conv2d_cfg, padding_top) == 8 &&
              offsetof(mli_conv2d_cfg, padding_bottom) == 9 &&
              offsetof(mli_conv2d_cfg, dilation_width) == 10 &&
              offsetof(mli_conv2d_cfg, dilation_height) == 11);

/// `mli_conv2d_cfg`.
template <typename ConvOp>
static SmallVector<Value> convConfig(ConvOp op, Config config,
                                     ValueRange padding) {
  CallBuilder &calls = config.calls;
  ArrayRef<int64_t> strides = op.getStrides(), dilations = op.getDilations();
  SmallVector<Value> fields = {calls.i32(static_cast<int>(op.getRelu())),
                               calls.i8(strides[1]), calls.i8(strides[0])};
  llvm::append_range(fields, config.padding(op.getMixedPadding(), padding));
  fields.append({calls.i8(dilations[1]), calls.i8(dilations[0])});
  return {calls.onStack(fields)};
}

static_assert(sizeof(mli_pool_cfg) == 8 &&
              offsetof(mli_pool_cfg, kernel_width) == 0 &&
              offsetof(mli_pool_cfg, kernel_height) == 1 &&
              offsetof(mli_pool_cfg, stride_width) == 2 &&
              offsetof(mli_pool_cfg, stride_height) == 3 &&
              offsetof(mli_pool_cfg, padding_left) == 4 &&
              offsetof(mli_pool_cfg, padding_right) == 5 &&
              offsetof(mli_pool_cfg, padding_top) == 6 &&
              offsetof(mli_pool_cfg, padding_bottom) == 7);

/// `mli_pool_cfg`.
template <typename PoolOp>
static SmallVector<Value> poolConfig(PoolOp op, Config config,
                                     ValueRange padding) {
  CallBuilder &calls = config.calls;
  ArrayRef<int64_t> kernel = op.getKernel(), strides = op.getStrides();
  SmallVector<Value> fields = {calls.i8(kernel[1]), calls.i8(kernel[0]),
                               calls.i8(strides[1]), calls.i8(strides[0])};
  llvm::append_range(fields, config.padding(op.getMixedPadding(), padding));
  return {calls.onStack(fields)};
}

static SmallVector<Value> extraArguments(Conv2DOp op, Conv2DOp::Adaptor adaptor,
                                         Config config) {
  return convConfig(op, config, adaptor.getPadding());
}
static SmallVector<Value> extraArguments(DepthwiseConv2DOp op,
                                         DepthwiseConv2DOp::Adaptor adaptor,
                                         Config config) {
  return convConfig(op, config, adaptor.getPadding());
}
static SmallVector<Value> extraArguments(GroupConv2DOp op,
                                         GroupConv2DOp::Adaptor adaptor,
                                         Config config) {
  return convConfig(op, config, adaptor.getPadding());
}
static SmallVector<Value>
extraArguments(AvePoolOp op, AvePoolOp::Adaptor adaptor, Config config) {
  return poolConfig(op, config, adaptor.getPadding());
}
static SmallVector<Value>
extraArguments(MaxPoolOp op, MaxPoolOp::Adaptor adaptor, Config config) {
  return poolConfig(op, config, adaptor.getPadding());
}
static_assert(sizeof(mli_fully_connected_cfg) == 4 &&
              sizeof(mli_relu_cfg) == 4 && sizeof(mli_softmax_cfg) == 4);

/// `mli_fully_connected_cfg` and `mli_relu_cfg` are one enumerator.
static SmallVector<Value>
extraArguments(FullyConnectedOp op, FullyConnectedOp::Adaptor, Config config) {
  return {
      config.calls.onStack(config.calls.i32(static_cast<int>(op.getRelu())))};
}
static SmallVector<Value> extraArguments(ReluOp op, ReluOp::Adaptor,
                                         Config config) {
  return {
      config.calls.onStack(config.calls.i32(static_cast<int>(op.getRelu())))};
}
static SmallVector<Value> extraArguments(EltwiseAddOp, EltwiseAddOp::Adaptor,
                                         Config) {
  return {};
}
static SmallVector<Value> extraArguments(ConvertOp, ConvertOp::Adaptor,
                                         Config) {
  return {};
}

static_assert(sizeof(mli_lut) == 40 && offsetof(mli_lut, data) == 0 &&
              offsetof(mli_lut, type) == 16 &&
              offsetof(mli_lut, output_offset) == 36);

/// An `mli_lut` that points to its own table, yet to be filled.
static Value emptyLut(CallBuilder &calls, int64_t bytes) {
  Value table = calls.bytesOnStack(bytes);
  Value zero = calls.i32(0);
  return calls.onStack({calls.container(calls.i32(bytes), table), zero, zero,
                        zero, zero, zero,
                        /*padding=*/zero});
}

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

namespace {

/// Inputs, then what only this kernel takes, then the output.
template <typename KernelOp>
struct KernelCall : ConvertOpToLLVMPattern<KernelOp> {
  using ConvertOpToLLVMPattern<KernelOp>::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(KernelOp op, typename KernelOp::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto dps = cast<DestinationStyleOpInterface>(op.getOperation());
    if (!dps.hasPureBufferSemantics())
      return rewriter.notifyMatchFailure(op, "operands are tensors");
    auto module = op->template getParentOfType<ModuleOp>();
    CallBuilder calls(rewriter, op.getLoc(), module);

    SmallVector<Value> arguments;
    ValueRange converted = adaptor.getOperands();
    Value output;
    for (OpOperand &operand : op->getOpOperands()) {
      auto type = dyn_cast<MemRefType>(operand.get().getType());
      if (!type)
        continue; // Padding, which is part of the configuration.
      Value tensor = calls.tensor(type, converted[operand.getOperandNumber()]);
      if (dps.isDpsInit(&operand))
        output = tensor;
      else
        arguments.push_back(tensor);
    }
    if constexpr (std::is_same_v<KernelOp, SoftmaxOp>) {
      Value lut = emptyLut(calls, mli_krn_softmax_get_lut_size());
      calls.checkedCall("mli_krn_softmax_create_lut", lut, rewriter,
                        describeCall(op));
      arguments.append({lut, calls.onStack(calls.i32(op.getAxis()))});
    } else {
      llvm::append_range(
          arguments,
          extraArguments(op, adaptor, Config{calls, rewriter, op.getLoc()}));
    }
    arguments.push_back(output);
    calls.checkedCall(calleeName(op), arguments, rewriter, describeCall(op));
    rewriter.eraseOp(op);
    return success();
  }
};

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

void mli::populateKernelCallPatterns(const LLVMTypeConverter &converter,
                                     RewritePatternSet &patterns) {
  patterns
      .add<KernelCall<Conv2DOp>, KernelCall<DepthwiseConv2DOp>,
           KernelCall<GroupConv2DOp>, KernelCall<FullyConnectedOp>,
           KernelCall<AvePoolOp>, KernelCall<MaxPoolOp>,
           KernelCall<EltwiseAddOp>, KernelCall<ReluOp>, KernelCall<SoftmaxOp>,
           KernelCall<ConvertOp>, ConstantData, ReshapeView>(converter);
  populateMovCallPattern(converter, patterns);
}
