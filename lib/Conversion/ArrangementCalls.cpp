// SPDX-License-Identifier: Apache-2.0
//
// Operations on where elements are as calls.

#include "KernelCall.h"
#include "KernelCalls.h"
#include "RuntimeCheck.h"

#include "mli/Runtime/C/mli_types.h"

using namespace mlir;

namespace mli {

static_assert(sizeof(mli_argmax_cfg) == 8 &&
              offsetof(mli_argmax_cfg, axis) == 0 &&
              offsetof(mli_argmax_cfg, topk) == 4);

/// `mli_argmax_cfg`. The kernel counts in memory, so gaps would show.
static void addArguments(ArgmaxOp op, ArgmaxOp::Adaptor adaptor,
                         KernelArguments &arguments) {
  RuntimeCheck check(op, arguments.calls, arguments.rewriter);
  check.requireContiguous(op.getInput(), adaptor.getInput());
  check.leaveOnFailure();
  arguments.addConfig(
      {arguments.calls.i32(op.getAxis()), arguments.calls.i32(op.getTopk())});
}

static_assert(sizeof(mli_permute_cfg) == MLI_MAX_RANK);

/// `mli_permute_cfg`.
static void addArguments(PermuteOp op, PermuteOp::Adaptor,
                         KernelArguments &arguments) {
  SmallVector<Value> dims;
  for (int64_t dim : op.getPermutation())
    dims.push_back(arguments.calls.i8(dim));
  dims.resize(MLI_MAX_RANK, arguments.calls.i8(0));
  arguments.addConfig(dims);
}

void populateArrangementCallPatterns(const LLVMTypeConverter &converter,
                                     RewritePatternSet &patterns) {
  patterns.add<KernelCall<ArgmaxOp>, KernelCall<PermuteOp>>(converter);
}

} // namespace mli
