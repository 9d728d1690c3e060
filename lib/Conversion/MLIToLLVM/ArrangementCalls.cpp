// SPDX-License-Identifier: Apache-2.0
//
// Operations on where elements are as calls.

#include "KernelCall.h"
#include "KernelCalls.h"

#include "mli/Runtime/C/mli_types.h"

using namespace mlir;

namespace mli {

static_assert(sizeof(mli_argmax_cfg) == 8 &&
              offsetof(mli_argmax_cfg, axis) == 0 &&
              offsetof(mli_argmax_cfg, topk) == 4);

/// `mli_argmax_cfg`.
static void addArguments(ArgmaxOp op, ArgmaxOp::Adaptor,
                         KernelArguments &arguments) {
  arguments.addConfig(
      {arguments.calls.word(op.getAxis()), arguments.calls.word(op.getTopk())});
}

static_assert(sizeof(mli_permute_cfg) == MLI_MAX_RANK);

/// `mli_permute_cfg`.
static void addArguments(PermuteOp op, PermuteOp::Adaptor,
                         KernelArguments &arguments) {
  SmallVector<Field> dims;
  for (int64_t dim : op.getPermutation())
    dims.push_back(arguments.calls.byte(dim));
  dims.resize(MLI_MAX_RANK, arguments.calls.byte(0));
  arguments.addConfig(dims);
}

void populateArrangementCallPatterns(const LLVMTypeConverter &converter,
                                     SymbolTableCollection &symbols,
                                     RewritePatternSet &patterns) {
  patterns.add<KernelCall<ArgmaxOp>, KernelCall<PermuteOp>>(converter, symbols);
}

} // namespace mli
