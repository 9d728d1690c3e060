// SPDX-License-Identifier: Apache-2.0
//
// Operations whose result has the shape of their input as calls.

#include "KernelCall.h"
#include "KernelCalls.h"
#include "RuntimeCheck.h"

#include "mli/IR/KernelOps.h"
#include "mli/Runtime/C/mli_api.h"

using namespace mlir;

namespace mli {

/// No configuration.
template <typename Op>
static std::enable_if_t<Op::template hasTrait<BroadcastingKernel>()>
addArguments(Op, typename Op::Adaptor, KernelArguments &) {}
static void addArguments(ConvertOp, ConvertOp::Adaptor, KernelArguments &) {}
static void addArguments(LeakyReluOp, LeakyReluOp::Adaptor, KernelArguments &) {
}

static_assert(sizeof(mli_relu_cfg) == 4 && sizeof(mli_prelu_cfg) == 4 &&
              sizeof(mli_softmax_cfg) == 4 &&
              sizeof(mli_l2_normalize_cfg) == 4);

/// `mli_relu_cfg`.
static void addArguments(ReluOp op, ReluOp::Adaptor,
                         KernelArguments &arguments) {
  arguments.addConfig(arguments.calls.word(static_cast<int>(op.getRelu())));
}

/// `mli_prelu_cfg`.
static void addArguments(PreluOp op, PreluOp::Adaptor,
                         KernelArguments &arguments) {
  arguments.addConfig(arguments.calls.word(op.getAxis()));
}

/// A table.
template <typename Op>
static std::enable_if_t<Op::template hasTrait<TableOpInterface::Trait>()>
addArguments(Op op, typename Op::Adaptor, KernelArguments &arguments) {
  arguments.addTables(op);
}

/// A table and `mli_softmax_cfg`.
static void addArguments(SoftmaxOp op, SoftmaxOp::Adaptor,
                         KernelArguments &arguments) {
  arguments.addTables(op);
  arguments.addConfig(arguments.calls.word(op.getAxis()));
}

/// An epsilon that is never read, a table and `mli_l2_normalize_cfg`.
static void addArguments(L2NormalizeOp op, L2NormalizeOp::Adaptor,
                         KernelArguments &arguments) {
  arguments.values.push_back(arguments.values.front());
  arguments.addTables(op);
  arguments.addConfig(arguments.calls.word(op.getAxis()));
}

namespace {

/// The table as an `mli_lut`, which the function of its kernel fills.
struct LutCall : CallPattern<LutOp> {
  using CallPattern<LutOp>::CallPattern;

  LogicalResult
  matchAndRewrite(LutOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto type = dyn_cast<MemRefType>(op.getInit().getType());
    if (!type)
      return rewriter.notifyMatchFailure(op, "init is a tensor");
    CallBuilder calls = callsFor(op, rewriter);
    LocalOperands operands(op, calls, rewriter);
    Value tensor =
        operands.tensor(type, adaptor.getInit(), LocalOperands::Access::Write);
    const FunctionTable &table = getTable(op.getFunction());
    RuntimeCheck(op, calls, rewriter)
        .returnIfNotContiguous(op.getInitMutable(), adaptor.getInit());
    calls.checkedCall(table.create, getLut(table, tensor, calls),
                      describeCall(op));
    operands.writeBack();
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void populateElementwiseCallPatterns(const LLVMTypeConverter &converter,
                                     SymbolTableCollection &symbols,
                                     RewritePatternSet &patterns) {
  forEachOpWith<ElementwiseKernel>([&](auto op) {
    patterns.add<KernelCall<typename decltype(op)::Type>>(converter, symbols);
  });
  patterns.add<LutCall, KernelCall<SoftmaxOp>, KernelCall<L2NormalizeOp>>(
      converter, symbols);
}

} // namespace mli
