// SPDX-License-Identifier: Apache-2.0
//
// The memory that kernels take besides their operands.

#include "mli/Analysis/MemoryProblem.h"

#include "mli/Runtime/C/mli_api.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mli;

/// One vector of the cell for each of `gates`, and both tables.
template <typename CellOp>
static int64_t getCellBytes(CellOp op, int64_t gates) {
  std::optional<int64_t> vector = getDenseBytes(op.getPrevious().getType());
  if (!vector)
    return 0;
  return gates * *vector + mli_krn_tanh_get_lut_size() +
         mli_krn_sigm_get_lut_size();
}

int64_t mli::getScratchBytes(Operation *op) {
  return llvm::TypeSwitch<Operation *, int64_t>(op)
      .Case([](SigmOp) { return mli_krn_sigm_get_lut_size(); })
      .Case([](TanhOp) { return mli_krn_tanh_get_lut_size(); })
      .Case([](SoftmaxOp) { return mli_krn_softmax_get_lut_size(); })
      .Case([](L2NormalizeOp) { return mli_krn_l2_normalize_get_lut_size(); })
      .Case([](LstmCellOp cell) { return getCellBytes(cell, /*gates=*/4); })
      .Case([](GruCellOp cell) { return getCellBytes(cell, /*gates=*/3); })
      .Default([](Operation *) { return 0; });
}
