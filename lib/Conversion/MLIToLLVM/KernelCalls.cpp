// SPDX-License-Identifier: Apache-2.0
//
// Kernels and tables as calls.

#include "KernelCalls.h"

#include "CallLowering.h"
#include "StatusChecks.h"

#include "mli/IR/AttributeNames.h"
#include "mli/IR/ComputingModes.h"
#include "mli/IR/ConstantData.h"
#include "mli/IR/PackedAttr.h"
#include "mli/IR/RuntimeTensor.h"
#include "mli/Runtime/C/mli_packed.h"

using namespace mlir;
using namespace mli;

/// Replaces `op` by `call`.
static void lowerCall(Operation *op, const calls::Call &call,
                      ValueRange converted, CallBuilder &builder,
                      ConversionPatternRewriter &rewriter) {
  CallLowering lowering(op, converted, builder, rewriter);
  lowering.prepareTensors(call);
  lowering.lower(call);
  rewriter.eraseOp(op);
}

namespace {

/// A kernel, by what lib/Calls says of it.
struct KernelCall : InterfaceCallPattern<KernelOpInterface> {
  using InterfaceCallPattern::InterfaceCallPattern;

  LogicalResult
  matchAndRewrite(KernelOpInterface op, ArrayRef<Value> converted,
                  ConversionPatternRewriter &rewriter) const override {
    if (!op.getFamily() && !isa<ConvertOp>(*op))
      return rewriter.notifyMatchFailure(op, "it has a pattern of its own");
    auto kernel = cast<DestinationStyleOpInterface>(op.getOperation());
    if (!kernel.hasPureBufferSemantics())
      return rewriter.notifyMatchFailure(op, "operands are tensors");
    CallBuilder builder = callsFor(op, rewriter);
    lowerCall(op, calls::getCall(op), converted, builder, rewriter);
    return success();
  }
};

/// A table, which the function of its kernel fills.
struct LutCall : CallPattern<LutOp> {
  using CallPattern::CallPattern;

  LogicalResult
  matchAndRewrite(LutOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!isa<MemRefType>(op.getInit().getType()))
      return rewriter.notifyMatchFailure(op, "init is a tensor");
    CallBuilder builder = callsFor(op, rewriter);
    lowerCall(op, calls::getCall(op), adaptor.getOperands(), builder, rewriter);
    return success();
  }
};

/// The tensor of a buffer with static shape and strides, wherever its data is.
static std::optional<RuntimeTensor> describe(MemRefType type, uintptr_t data) {
  SmallVector<int64_t> strides = calls::getStrides(type);
  if (!type.hasStaticShape() || llvm::any_of(strides, ShapedType::isDynamic))
    return std::nullopt;
  // NOLINTNEXTLINE(performance-no-int-to-ptr): an address that is never read.
  RuntimeTensor tensor(type, reinterpret_cast<const char *>(data));
  mli_tensor &fields = *tensor.get();
  int64_t reach = 1;
  for (auto [i, stride] : llvm::enumerate(strides)) {
    fields.mem_stride[i] = static_cast<int32_t>(stride);
    reach += (type.getDimSize(i) - 1) * stride;
  }
  fields.data.capacity =
      static_cast<uint32_t>(reach * (elementWidth(type.getElementType()) / 8));
  return tensor;
}

/// Whether the runtime accepts the packed layer of `op` in the modes of the
/// module, with all that is known here: what no call has to check again.
static bool isProven(WindowOpInterface op, ElementsAttr layer) {
  constexpr size_t headerBytes = 256;
  std::optional<ArrayRef<char>> bytes = getHeldBytes(layer);
  if (layer.isSplat() || bytes->size() < headerBytes ||
      !op.getPadding().empty())
    return false;
  // Checks read the header of a layer, and of addresses no more than where they
  // are.
  alignas(64) char header[headerBytes];
  llvm::copy(bytes->take_front(headerBytes), header);
  mli_data_container packed = {};
  packed.capacity = static_cast<uint32_t>(bytes->size());
  packed.mem.pi8 = reinterpret_cast<int8_t *>(header);
  auto in = describe(cast<MemRefType>(op.getInput().getType()), 1ULL << 32);
  auto out = describe(cast<MemRefType>(op.getInit().getType()), 2ULL << 32);
  mli_packed_rows rows = {static_cast<uint8_t>(op.getStaticPadding()[0]),
                          static_cast<uint8_t>(op.getStaticPadding()[1])};
  ComputingScope scope(op);
  return in && out &&
         mli_check_packed_rows(in->get(), &packed, &rows, out->get()) ==
             MLI_STATUS_OK;
}

/// A kernel with a packed layer, which holds its weights: before the call of
/// the plain kernel.
struct PackedCall : InterfaceCallPattern<WeightedOpInterface> {
  using InterfaceCallPattern::InterfaceCallPattern;

  LogicalResult
  matchAndRewrite(WeightedOpInterface op, ArrayRef<Value> converted,
                  ConversionPatternRewriter &rewriter) const override {
    ElementsAttr layer = getPackedLayer(op);
    if (!layer)
      return rewriter.notifyMatchFailure(op, "has no packed layer");
    CallBuilder builder = callsFor(op, rewriter);
    auto tensor = [&](OpOperand &operand) {
      return builder.tensor(cast<MemRefType>(operand.get().getType()),
                            converted[operand.getOperandNumber()]);
    };
    auto kernel = cast<DestinationStyleOpInterface>(op.getOperation());
    Value input = tensor(op->getOpOperand(0));
    Value init = tensor(*kernel.getDpsInitOperand(0));
    // K62
    constexpr int64_t alignment = 64;
    Value packed = builder.readOnly(
        builder.container(builder.word(layer.getShapedType().getNumElements()),
                          builder.global(layer, alignment)));
    auto threads = op->getAttrOfType<IntegerAttr>(threadsAttrName);
    Value count = builder.i32(threads ? threads.getInt() : 1);
    // The layer of a convolution may be one that was packed for other rows.
    if (auto window = dyn_cast<WindowOpInterface>(*op)) {
      CallLowering lowering(op, converted, builder, rewriter);
      Value rows = lowering.getRecord(calls::getPackedRows(window));
      builder.checkedCall(isProven(window, layer)
                              ? "mli_krn_packed_rows_unchecked"
                              : "mli_krn_packed_rows",
                          {input, packed, rows, count, init}, op);
    } else {
      builder.checkedCall("mli_krn_packed", {input, packed, count, init}, op);
    }
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void mli::populateKernelCallPatterns(const LLVMTypeConverter &converter,
                                     CallSymbols &symbols,
                                     RewritePatternSet &patterns) {
  patterns.add<KernelCall, LutCall>(converter, symbols);
  patterns.add<PackedCall>(converter, symbols, /*benefit=*/2);
}
