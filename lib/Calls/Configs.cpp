// SPDX-License-Identifier: Apache-2.0
//
// The configurations of kernels, by field name.

#include "Configs.h"

#include "mli/Runtime/C/mli_packed.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mli;
using namespace mli::calls;

static int64_t toNumber(ReluKind relu) { return static_cast<int64_t>(relu); }

/// Sets steps and padding, which all windows have.
static Record &setWindow(Record &record, WindowOpInterface op) {
  SmallVector<OpFoldResult> padding = op.getMixedPadding();
  return record.set("stride_width", op.getStrides()[1])
      .set("stride_height", op.getStrides()[0])
      .set("padding_left", Number(padding[2]))
      .set("padding_right", Number(padding[3]))
      .set("padding_top", Number(padding[0]))
      .set("padding_bottom", Number(padding[1]));
}

Record calls::getPackedRows(WindowOpInterface op) {
  SmallVector<OpFoldResult> padding = op.getMixedPadding();
  return Record(getStruct<mli_packed_rows>())
      .set("padding_top", Number(padding[0]))
      .set("padding_bottom", Number(padding[1]));
}

static Record getConvolution(WindowOpInterface op) {
  Record record(getStruct<mli_conv2d_cfg>());
  auto weighted = cast<WeightedOpInterface>(*op);
  setWindow(record, op)
      .set("relu.type", toNumber(weighted.getRelu()))
      .set("dilation_width", op.getDilations()[1])
      .set("dilation_height", op.getDilations()[0]);
  return record;
}

static Record getPooling(WindowOpInterface op) {
  Record record(getStruct<mli_pool_cfg>());
  SmallVector<int64_t, 2> kernel = op.getWindowSizes();
  setWindow(record, op)
      .set("kernel_width", kernel[1])
      .set("kernel_height", kernel[0]);
  return record;
}

/// Memory for one vector of the cell's size for each gate.
template <typename CellOp>
static Record getCell(CellOp op, RnnAct act) {
  OpOperand &previous = op.getPreviousMutable();
  Type element = getElementTypeOrSelf(previous.get().getType());
  return Record(getStruct<mli_rnn_cell_cfg>())
      .set("direction", op.getBackward() ? RNN_DIR_BACKWARD : RNN_DIR_FORWARD)
      .set("results", op.getAllResults() ? RNN_OUT_ALL : RNN_OUT_LAST)
      .set("act", static_cast<int64_t>(act))
      .setScratch(
          Scratch{CellOp::numGates * elementWidth(element) / 8, &previous});
}

/// Axis -1 is the whole tensor.
static Record getAlongAxis(int32_t axis) {
  return Record(getStruct<mli_prelu_cfg>()).set("axis", axis);
}

Record calls::getConfig(KernelOpInterface op) {
  return TypeSwitch<Operation *, Record>(op)
      .Case([](WindowOpInterface op) {
        return isa<WeightedOpInterface>(*op) ? getConvolution(op)
                                             : getPooling(op);
      })
      .Case([](FullyConnectedOp op) {
        return Record(getStruct<mli_fully_connected_cfg>())
            .set("relu.type", toNumber(op.getRelu()));
      })
      .Case([](RnnDenseOp op) {
        return Record(getStruct<mli_rnn_dense_cfg>())
            .set("inputs_num", static_cast<int64_t>(op.getInputs().size()));
      })
      .Case([](LstmCellOp op) { return getCell(op, op.getAct()); })
      .Case([](GruCellOp op) { return getCell(op, RnnAct::none); })
      .Case([](ReluOp op) {
        return Record(getStruct<mli_relu_cfg>())
            .set("type", toNumber(op.getRelu()));
      })
      .Case([](PreluOp op) { return getAlongAxis(op.getAxis()); })
      .Case([](SoftmaxOp op) { return getAlongAxis(op.getAxis()); })
      .Case([](L2NormalizeOp op) { return getAlongAxis(op.getAxis()); })
      .Case([](ArgmaxOp op) {
        return Record(getStruct<mli_argmax_cfg>())
            .set("axis", static_cast<int32_t>(op.getAxis()))
            .set("topk", op.getTopk());
      })
      .Case([](PermuteOp op) {
        return Record(getStruct<mli_permute_cfg>())
            .setArray("perm_dim", op.getPermutation());
      });
}
