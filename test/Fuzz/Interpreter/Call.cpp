// SPDX-License-Identifier: Apache-2.0

#include "Call.h"

#include "mli/IR/FunctionTable.h"

#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "llvm/ADT/TypeSwitch.h"

#include <cmath>
#include <cstring>

using namespace mlir;
using namespace mli;
using namespace mli::fuzz;

//===----------------------------------------------------------------------===//
// Configurations
//===----------------------------------------------------------------------===//

static uint8_t byte(int64_t value) { return static_cast<uint8_t>(value); }

/// Padding [top, bottom, left, right].
static SmallVector<int64_t, 4> getPadding(KernelRun &run) {
  auto op = cast<WindowOpInterface>(run.op.getOperation());
  SmallVector<int64_t, 4> padding(op.getStaticPadding());
  MutableOperandRange operands = op.getPaddingMutable();
  size_t next = 0;
  for (int64_t &side : padding)
    if (ShapedType::isDynamic(side))
      side = run.numbers[operands[next++].getOperandNumber()];
  return padding;
}

static mli_relu_cfg getRelu(ReluKind kind) {
  return {static_cast<mli_relu_type>(kind)};
}

static mli_conv2d_cfg getConv2d(KernelRun &run) {
  auto op = cast<WindowOpInterface>(run.op.getOperation());
  SmallVector<int64_t, 4> padding = getPadding(run);
  mli_conv2d_cfg config;
  config.relu =
      getRelu(cast<WeightedOpInterface>(run.op.getOperation()).getRelu());
  config.stride_height = byte(op.getStrides()[0]);
  config.stride_width = byte(op.getStrides()[1]);
  config.padding_top = byte(padding[0]);
  config.padding_bottom = byte(padding[1]);
  config.padding_left = byte(padding[2]);
  config.padding_right = byte(padding[3]);
  config.dilation_height = byte(op.getDilations()[0]);
  config.dilation_width = byte(op.getDilations()[1]);
  return config;
}

static mli_pool_cfg getPool(KernelRun &run) {
  auto op = cast<WindowOpInterface>(run.op.getOperation());
  SmallVector<int64_t, 4> padding = getPadding(run);
  mli_pool_cfg config;
  config.kernel_height = byte(op.getWindowSizes()[0]);
  config.kernel_width = byte(op.getWindowSizes()[1]);
  config.stride_height = byte(op.getStrides()[0]);
  config.stride_width = byte(op.getStrides()[1]);
  config.padding_top = byte(padding[0]);
  config.padding_bottom = byte(padding[1]);
  config.padding_left = byte(padding[2]);
  config.padding_right = byte(padding[3]);
  return config;
}

static mli_permute_cfg getPermute(PermuteOp op) {
  mli_permute_cfg config = {};
  for (auto [i, dim] : llvm::enumerate(op.getPermutation()))
    config.perm_dim[i] = byte(dim);
  return config;
}

/// `dst_offset` is left to those who write the block.
static mli_mov_cfg_t getMov(MovOp op) {
  mli_mov_cfg_t config = {};
  for (uint32_t i = 0; i < MLI_MAX_RANK; ++i) {
    config.sub_sample_step[i] = 1;
    config.perm_dim[i] = byte(i);
  }
  llvm::copy(op.getOffsets(), config.offset);
  llvm::copy(op.getSizes(), config.size);
  llvm::copy(op.getSteps(), config.sub_sample_step);
  llvm::copy(op.getPermutation(), config.perm_dim);
  llvm::copy(op.getPadLow(), config.padding_pre);
  llvm::copy(op.getPadHigh(), config.padding_post);
  return config;
}

static mli_rnn_cell_cfg getCell(bool isBackward, bool hasAllResults,
                                RnnAct act) {
  mli_rnn_cell_cfg config = {};
  config.direction = isBackward ? RNN_DIR_BACKWARD : RNN_DIR_FORWARD;
  config.results = hasAllResults ? RNN_OUT_ALL : RNN_OUT_LAST;
  config.act = static_cast<mli_rnn_out_activation>(act);
  return config;
}

void Call::addConfig() {
  std::memset(&config, 0, sizeof(config));
  llvm::TypeSwitch<Operation *>(run.op)
      .Case<Conv2DOp, DepthwiseConv2DOp, GroupConv2DOp, TransposeConv2DOp>(
          [&](auto) { config.conv2d = getConv2d(run); })
      .Case<AvePoolOp, MaxPoolOp>([&](auto) { config.pool = getPool(run); })
      .Case([&](FullyConnectedOp op) {
        config.connected = {getRelu(op.getRelu())};
      })
      .Case([&](ReluOp op) { config.relu = getRelu(op.getRelu()); })
      .Case<PreluOp, SoftmaxOp, L2NormalizeOp>([&](auto op) {
        config.alongAxis = {static_cast<int32_t>(op.getAxis())};
      })
      .Case([&](RnnDenseOp op) {
        config.dense = {byte(static_cast<int64_t>(op.getInputs().size()))};
      })
      .Case([&](LstmCellOp op) {
        config.cell =
            getCell(op.getBackward(), op.getAllResults(), op.getAct());
      })
      .Case([&](GruCellOp op) {
        config.cell =
            getCell(op.getBackward(), op.getAllResults(), RnnAct::none);
      })
      .Case([&](ArgmaxOp op) {
        config.argmax = {static_cast<int32_t>(op.getAxis()),
                         static_cast<int32_t>(op.getTopk())};
      })
      .Case([&](PermuteOp op) { config.permute = getPermute(op); })
      .Case([&](MovOp op) { config.mov = getMov(op); });
}

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

static double compute(LutFunction function, double x) {
  switch (function) {
  case LutFunction::sigm:
    return 1 / (1 + std::exp(-x));
  case LutFunction::tanh:
    return std::tanh(x);
  case LutFunction::softmax:
    return std::exp(std::min(x, 0.0));
  case LutFunction::l2Normalize:
    return 1 / std::sqrt(x);
  }
  llvm_unreachable("all functions are handled");
}

std::vector<int16_t> fuzz::computeTable(LutFunction function) {
  const mli_lut &fields = getTable(function).fields;
  std::vector<int16_t> entries;
  for (int32_t i = 0; i < fields.length; ++i) {
    double x = std::ldexp(i - fields.input_offset, -fields.in_frac_bits);
    double value =
        std::round(std::ldexp(compute(function, x), fields.out_frac_bits));
    entries.push_back(
        static_cast<int16_t>(std::clamp(value, -32768.0, 32767.0)));
  }
  return entries;
}

void Call::addTables() {
  auto kernel = dyn_cast<TableOpInterface>(run.op.getOperation());
  if (!kernel)
    return;
  for (TableUse &use : kernel.getTables()) {
    mli_lut table;
    if (use.given.empty()) {
      table = getTable(use.function).fields;
      entries.push_back(computeTable(use.function));
    } else {
      const Tensor &given = run.get(use.given[0]);
      table = getTable(use.function, given.type, use.format).fields;
      entries.emplace_back(given.type.getNumElements());
      std::memcpy(entries.back().data(), given.bytes.data(),
                  given.bytes.size());
    }
    table.data.mem.pi16 = entries.back().data();
    tables.push_back(table);
  }
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

static bool isTableOperand(OpOperand &operand) {
  auto kernel = dyn_cast<TableOpInterface>(operand.getOwner());
  if (!kernel)
    return false;
  for (TableUse &use : kernel.getTables())
    if (!use.given.empty() && &use.given[0] == &operand)
      return true;
  return false;
}

Call::Call(KernelRun &run) : run(run) {
  auto dps = cast<DestinationStyleOpInterface>(run.op.getOperation());
  for (OpOperand &operand : run.op->getOpOperands()) {
    const Tensor &tensor = run.get(operand);
    if (!tensor.type || isTableOperand(operand))
      continue;
    bool isOutput = dps.isDpsInit(&operand);
    const Tensor &data = isOutput ? run.results[outputs.size()] : tensor;
    tensors.emplace_back(tensor.type, data.bytes.data());
    (isOutput ? outputs : inputs).push_back(tensors.back().get());
  }
  addConfig();
  addTables();
}
