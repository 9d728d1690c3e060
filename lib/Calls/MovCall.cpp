// SPDX-License-Identifier: Apache-2.0
//
// `mli.mov` as `mli_mov_tensor_sync`. Slices are passed as tensors that start
// inside the buffer rather than as offsets of the configuration: where shapes
// happen to be equal the function ignores those and copies everything.

#include "mli/Calls/Call.h"
#include "mli/IR/KernelOperands.h"
#include "mli/IR/OtherShape.h"
#include "mli/Runtime/C/mli_types.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mli;
using namespace mli::calls;

bool calls::isPadded(MovOp op) {
  auto isSome = [](int64_t pad) { return pad != 0; };
  return llvm::any_of(op.getPadLow(), isSome) ||
         llvm::any_of(op.getPadHigh(), isSome);
}

/// `element` without parameters along an axis, which the types of both sides
/// say: only codes move, and the function writes no arrays.
// K32
static Type getMoved(Type element) {
  auto type = dyn_cast<QuantizedType>(element);
  if (!type || !type.isPerAxis())
    return element;
  quant::QuantParams none;
  if (isa<Sa8Type>(element))
    return Sa8Type::get(element.getContext(), none);
  return Sa32Type::get(element.getContext(), none);
}

/// Strides of the destination are those of its tensor: 0.
static Record getCopyConfig() {
  return Record(getStruct<mli_mov_cfg_t>())
      .setArray("sub_sample_step", {1, 1, 1, 1})
      .setArray("perm_dim", {0, 1, 2, 3});
}

static Record getConfig(MovOp op) {
  Record record = getCopyConfig();
  // Padding is relative to the whole source, so it stays whole.
  if (isPadded(op))
    record.setArray("offset", op.getOffsets()).setArray("size", op.getSizes());
  return record.setArray("sub_sample_step", op.getSteps())
      .setArray("perm_dim", op.getPermutation())
      .setArray("padding_pre", op.getPadLow())
      .setArray("padding_post", op.getPadHigh());
}

static Call makeCall(const TensorArgument &in, const Record &config,
                     const TensorArgument &out) {
  return {"mli_mov_tensor_sync",
          {{"src", in},
           {"cfg", ConfigArgument{"mli_mov_cfg_t", config}},
           {"dst", out}}};
}

Call calls::getCall(MovOp op) {
  TensorArgument in = {&op.getInputMutable(), Access::Read};
  if (!isPadded(op))
    in.block = {op.getOffsets(), op.getSizes()};
  in.element = getMoved(in.getType().getElementType());
  TensorArgument out = {&op.getInitMutable(),
                        op.isPartial() ? Access::ReadWrite : Access::Write};
  out.block = {op.getDstOffsets(), {}};
  out.element = getMoved(out.getType().getElementType());
  if (isReshapingMove(op)) {
    if (isContiguous(out.getType()))
      out.reshaped = in.getType().getShape();
    else if (isContiguous(in.getType()))
      in.reshaped = out.getType().getShape();
  }
  return makeCall(in, getConfig(op), out);
}

Call calls::getCall(memref::CopyOp op) {
  TensorArgument in = {&op.getSourceMutable(), Access::Read};
  TensorArgument out = {&op.getTargetMutable(), Access::Write};
  in.element = getMoved(in.getType().getElementType());
  out.element = getMoved(out.getType().getElementType());
  return makeCall(in, getCopyConfig(), out);
}
