// SPDX-License-Identifier: Apache-2.0
//
// Bounds the arena that a function needs from below, whatever is streamed.

#ifndef MLI_ANALYSIS_ARENABOUND_H
#define MLI_ANALYSIS_ARENABOUND_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringMap.h"

namespace mli {

struct ArenaBoundOptions {
  /// Whether arguments and results of the function are in the arena.
  bool countsPorts = false;
  /// A stream of at most `stripedKernels` kernels may run on up to `stripes`
  /// column stripes; all streams compute at most `again` products again.
  int64_t stripes = 1, again = 0;
  size_t stripedKernels = 0;
  /// The bounds of the functions that are called, by their names.
  const llvm::StringMap<int64_t> *callees = nullptr;
};

/// Bytes without alignment.
struct ArenaBound {
  /// No schedule of the class of docs/spec/arena.md takes fewer.
  int64_t bytes = 0;
  /// What is live where every kernel computes its whole result at once.
  int64_t wholeBytes = 0;
};

/// The bound of `function`, on tensors and in front of mli-form-streams;
/// nothing if it has more than one block or a kernel has a result of unknown
/// size.
std::optional<ArenaBound> getArenaBound(mlir::func::FuncOp function,
                                        const ArenaBoundOptions &options = {});

} // namespace mli

#endif // MLI_ANALYSIS_ARENABOUND_H
