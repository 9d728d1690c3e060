// SPDX-License-Identifier: Apache-2.0
//
// `mli.mov` as `mli_mov_tensor_sync`. Slices are passed as tensors that start
// inside the buffer rather than as offsets of the configuration: where shapes
// happen to be equal the function ignores those and copies everything.

#include "mli/Calls/Call.h"
#include "mli/Runtime/C/mli_types.h"

using namespace mlir;
using namespace mli;
using namespace mli::calls;

bool calls::isPadded(MovOp op) {
  auto isSome = [](int64_t pad) { return pad != 0; };
  return llvm::any_of(op.getPadLow(), isSome) ||
         llvm::any_of(op.getPadHigh(), isSome);
}

/// The elements of `source` with the parameters of what `block` cuts out of it.
static Type getElement(MemRefType source, const Part &block) {
  Type element = source.getElementType();
  auto type = dyn_cast<QuantizedType>(element);
  if (!type || !type.isPerAxis())
    return element;
  int32_t axis = type.getAxis();
  int64_t first = block.offsets.empty() ? 0 : block.offsets[axis];
  int64_t count = block.sizes.empty()
                      ? static_cast<int64_t>(type.getNumParams()) - first
                      : block.sizes[axis];
  return type.slice(first, count);
}

/// Strides of the destination are those of its tensor: 0.
static Record getConfig(MovOp op) {
  Record record(getStruct<mli_mov_cfg_t>());
  // Padding is relative to the whole source, so it stays whole.
  if (isPadded(op))
    record.setArray("offset", op.getOffsets()).setArray("size", op.getSizes());
  return record.setArray("sub_sample_step", {1, 1, 1, 1})
      .setArray("sub_sample_step", op.getSteps())
      .setArray("perm_dim", {0, 1, 2, 3})
      .setArray("perm_dim", op.getPermutation())
      .setArray("padding_pre", op.getPadLow())
      .setArray("padding_post", op.getPadHigh());
}

Call calls::getCall(MovOp op) {
  TensorArgument in = {&op.getInputMutable(), Access::Read};
  if (!isPadded(op))
    in.block = {op.getOffsets(), op.getSizes()};
  in.element = getElement(in.getType(), in.block);
  TensorArgument out = {&op.getInitMutable(),
                        op.isPartial() ? Access::ReadWrite : Access::Write};
  out.block = {op.getDstOffsets(), {}};
  out.element = out.getType().getElementType();
  // K32
  auto type = dyn_cast<QuantizedType>(out.element);
  out.writesParams = type && type.isPerAxis();
  return {"mli_mov_tensor_sync",
          {{"src", in},
           {"cfg", ConfigArgument{"mli_mov_cfg_t", getConfig(op)}},
           {"dst", out}}};
}
