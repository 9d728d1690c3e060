// SPDX-License-Identifier: Apache-2.0
//
// Recurrent operations as calls. Cells have tables, and memory that they
// compute their gates in.

#include "KernelCall.h"
#include "KernelCalls.h"
#include "RuntimeCheck.h"

#include "mli/IR/KernelOps.h"
#include "mli/Runtime/C/mli_api.h"

#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"

using namespace mlir;

namespace mli {

static_assert(sizeof(mli_rnn_dense_cfg) == 1);

/// Inputs and weights as arrays of tensors, the bias and `mli_rnn_dense_cfg`.
static void addArguments(RnnDenseOp op, RnnDenseOp::Adaptor,
                         KernelArguments &arguments) {
  CallBuilder &calls = arguments.calls;
  SmallVector<Value> tensors = std::move(arguments.values);
  size_t count = op.getInputs().size();
  Type pointer = LLVM::LLVMPointerType::get(op.getContext());
  auto list = [&](size_t first) {
    SmallVector<Field> pointers(tensors.begin() + first,
                                tensors.begin() + first + count);
    return calls.createAlloca(Field::array(pointer, pointers));
  };
  arguments.values = {list(0), list(count), tensors.back()};
  arguments.addConfig(calls.byte(static_cast<int64_t>(count)));
}

static_assert(sizeof(mli_rnn_cell_cfg) == 32 &&
              offsetof(mli_rnn_cell_cfg, direction) == 0 &&
              offsetof(mli_rnn_cell_cfg, results) == 4 &&
              offsetof(mli_rnn_cell_cfg, act) == 8 &&
              offsetof(mli_rnn_cell_cfg, scratch_data) == 16);

/// Weights are less than 2 GiB, so no cell has this many outputs.
static constexpr int64_t maxOutputs = 1 << 16;

/// Memory for one vector of the cell's size for each gate.
template <typename CellOp>
static Field scratch(CellOp op, typename CellOp::Adaptor adaptor,
                     KernelArguments &arguments) {
  CallBuilder &calls = arguments.calls;
  auto type = cast<MemRefType>(op.getPrevious().getType());
  int64_t vector = CellOp::numGates * elementWidth(type.getElementType()) / 8;
  if (type.hasStaticShape()) {
    int64_t bytes = vector * std::min(type.getDimSize(0), maxOutputs);
    return calls.container(calls.word(bytes), arguments.scratch(bytes));
  }
  Location loc = op.getLoc();
  OpBuilder &builder = arguments.rewriter;
  Type pointer = LLVM::LLVMPointerType::get(op.getContext());
  arguments.stack = LLVM::StackSaveOp::create(builder, loc, pointer);
  Value size = MemRefDescriptor(adaptor.getPrevious()).size(builder, loc, 0);
  size = LLVM::UMinOp::create(builder, loc, size, calls.i64(maxOutputs));
  Value bytes = LLVM::MulOp::create(builder, loc, size, calls.i64(vector));
  Value memory =
      LLVM::AllocaOp::create(builder, loc, pointer, builder.getI8Type(), bytes,
                             /*alignment=*/8);
  Value capacity =
      LLVM::TruncOp::create(builder, loc, builder.getI32Type(), bytes);
  return calls.container(capacity, memory);
}

/// The kernels write the shape of their output and do not compare it.
template <typename CellOp>
static void checkResult(CellOp op, typename CellOp::Adaptor adaptor,
                        KernelArguments &arguments) {
  if (cast<MemRefType>(op.getInit().getType()).hasStaticShape() &&
      cast<MemRefType>(op.getInput().getType()).hasStaticShape() &&
      cast<MemRefType>(op.getPrevious().getType()).hasStaticShape())
    return;
  CallBuilder &calls = arguments.calls;
  RuntimeCheck check(op, calls, arguments.rewriter);
  Value rows = op.getAllResults()
                   ? check.size(op.getInput(), adaptor.getInput(), 0)
                   : calls.i64(1);
  auto requireSize = [&](int64_t dim, Value size) {
    check.require(check.size(op.getInit(), adaptor.getInit(), dim),
                  LLVM::ICmpPredicate::eq, size, MLI_STATUS_SHAPE_MISMATCH,
                  "dimension " + Twine(dim) + " of 'init' to be");
  };
  requireSize(0, rows);
  requireSize(1, check.size(op.getPrevious(), adaptor.getPrevious(), 0));
  check.returnOnFailure();
}

/// Both tables and `mli_rnn_cell_cfg`.
template <typename CellOp>
static void addCell(CellOp op, typename CellOp::Adaptor adaptor, RnnAct act,
                    KernelArguments &arguments) {
  CallBuilder &calls = arguments.calls;
  checkResult(op, adaptor, arguments);
  arguments.addTables(op);
  arguments.addConfig(
      {calls.word(op.getBackward() ? RNN_DIR_BACKWARD : RNN_DIR_FORWARD),
       calls.word(op.getAllResults() ? RNN_OUT_ALL : RNN_OUT_LAST),
       calls.word(static_cast<int>(act)), /*padding=*/calls.word(0),
       scratch(op, adaptor, arguments)});
}

static void addArguments(LstmCellOp op, LstmCellOp::Adaptor adaptor,
                         KernelArguments &arguments) {
  addCell(op, adaptor, op.getAct(), arguments);
}

static void addArguments(GruCellOp op, GruCellOp::Adaptor adaptor,
                         KernelArguments &arguments) {
  addCell(op, adaptor, RnnAct::none, arguments);
}

void populateRecurrentCallPatterns(const LLVMTypeConverter &converter,
                                   SymbolTableCollection &symbols,
                                   RewritePatternSet &patterns) {
  patterns.add<KernelCall<RnnDenseOp>>(converter, symbols);
  forEachOpWith<RecurrentCell>([&](auto op) {
    patterns.add<KernelCall<typename decltype(op)::Type>>(converter, symbols);
  });
}

} // namespace mli
