// SPDX-License-Identifier: Apache-2.0
//
// Convolutions, pooling and the matrix product as calls.

#include "KernelCall.h"
#include "KernelCalls.h"
#include "PackedCall.h"

#include "mli/IR/KernelOps.h"
#include "mli/Runtime/C/mli_types.h"

using namespace mlir;

namespace mli {

/// A uint8 field. A value beyond it stays beyond every window, so that the
/// kernel rejects it, and is not cut down to a legal one.
static Field paddingByte(KernelArguments &arguments, OpFoldResult value,
                         ValueRange converted, unsigned &next) {
  if (auto attr = dyn_cast<Attribute>(value))
    return arguments.calls.byte(cast<IntegerAttr>(attr).getInt());
  Location loc = arguments.op->getLoc();
  OpBuilder &builder = arguments.rewriter;
  Value limited = LLVM::UMinOp::create(builder, loc, converted[next++],
                                       arguments.calls.i64(UINT8_MAX));
  return LLVM::TruncOp::create(builder, loc, builder.getI8Type(), limited)
      .getResult();
}

/// Left, right, top, bottom, as the structs have them.
static SmallVector<Field> padding(KernelArguments &arguments,
                                  ArrayRef<OpFoldResult> mixed,
                                  ValueRange converted) {
  unsigned next = 0;
  SmallVector<Field> sides;
  for (OpFoldResult side : mixed)
    sides.push_back(paddingByte(arguments, side, converted, next));
  return {sides[2], sides[3], sides[0], sides[1]};
}

// R17
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
static std::enable_if_t<ConvOp::template hasTrait<WeightedOpInterface::Trait>()>
addArguments(ConvOp op, typename ConvOp::Adaptor adaptor,
             KernelArguments &arguments) {
  CallBuilder &calls = arguments.calls;
  ArrayRef<int64_t> strides = op.getStrides(), dilations = op.getDilations();
  SmallVector<Field> fields = {calls.word(static_cast<int>(op.getRelu())),
                               calls.byte(strides[1]), calls.byte(strides[0])};
  llvm::append_range(
      fields, padding(arguments, op.getMixedPadding(), adaptor.getPadding()));
  fields.append({calls.byte(dilations[1]), calls.byte(dilations[0])});
  arguments.addConfig(fields);
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
static std::enable_if_t<
    !PoolOp::template hasTrait<WeightedOpInterface::Trait>()>
addArguments(PoolOp op, typename PoolOp::Adaptor adaptor,
             KernelArguments &arguments) {
  CallBuilder &calls = arguments.calls;
  ArrayRef<int64_t> kernel = op.getKernel(), strides = op.getStrides();
  SmallVector<Field> fields = {calls.byte(kernel[1]), calls.byte(kernel[0]),
                               calls.byte(strides[1]), calls.byte(strides[0])};
  llvm::append_range(
      fields, padding(arguments, op.getMixedPadding(), adaptor.getPadding()));
  arguments.addConfig(fields);
}

static_assert(sizeof(mli_fully_connected_cfg) == 4);

/// `mli_fully_connected_cfg`.
static void addArguments(FullyConnectedOp op, FullyConnectedOp::Adaptor,
                         KernelArguments &arguments) {
  arguments.addConfig(arguments.calls.word(static_cast<int>(op.getRelu())));
}

void populateWindowCallPatterns(const LLVMTypeConverter &converter,
                                SymbolTableCollection &symbols,
                                RewritePatternSet &patterns) {
  forEachOpWith<WindowOpInterface::Trait>([&](auto op) {
    patterns.add<KernelCall<typename decltype(op)::Type>>(converter, symbols);
  });
  patterns.add<KernelCall<FullyConnectedOp>>(converter, symbols);
  forEachOpWith<WeightedOpInterface::Trait>([&](auto op) {
    patterns.add<PackedCall<typename decltype(op)::Type>>(converter, symbols);
  });
}

} // namespace mli
