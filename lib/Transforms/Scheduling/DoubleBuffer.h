// SPDX-License-Identifier: Apache-2.0
//
// The steps of mli-double-buffer: transfers between the memories overlap with
// kernels of the same block, or, in a software pipeline, of other iterations.

#ifndef MLI_LIB_TRANSFORMS_SCHEDULING_DOUBLEBUFFER_H
#define MLI_LIB_TRANSFORMS_SCHEDULING_DOUBLEBUFFER_H

#include "LocalProfile.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mli {

/// One access of an operation to a buffer.
struct BufferUse {
  mlir::Value buffer;
  bool isWritten;
};

/// The accesses of `op`, and of the operations in it, to buffers; nothing if
/// they are not known. Views and allocations access none.
std::optional<llvm::SmallVector<BufferUse, 4>>
findBufferUses(mlir::Operation *op);

/// Whether a write to one may change the other. Arguments of a function do not
/// alias.
bool mayAlias(mlir::Value one, mlir::Value other);

/// The limits of overlap.
struct OverlapRules {
  /// Bytes of each NPU.
  int64_t capacity = 0;
  /// Whether transfers stay that gain nothing by an overlap.
  bool onlyIfItPays = true;
  /// Whether remarks report the transfers that do not overlap, with a reason.
  bool explains = false;
};

/// The numbers of changes in a function, for statistics.
struct OverlapCounts {
  int64_t parallels = 0, moves = 0, loops = 0;
};

/// Moves each transfer of `block` into an `mli.parallel` with a kernel: one
/// into local memory with an earlier kernel, one out of it with a later one.
void overlapMoves(mlir::Block &block, LocalProfile &profile,
                  const OverlapRules &rules, OverlapCounts &counts);

/// Moves the transfers of rows in the body of `loop`, whose buffers it keeps,
/// into an `mli.parallel` with the kernels around them, all with the conditions
/// and loops that they are in.
void overlapRows(mlir::scf::ForOp loop, OverlapCounts &counts);

/// Pipelines `loop`, whose body is transfers and kernels: each iteration moves
/// in the operands of the next one and moves out the results of the last one.
/// Every buffer of a transfer becomes two, the loop is unrolled by two, and its
/// first and last iterations are peeled. Does nothing where that is not legal,
/// takes too much memory or is not profitable.
void pipelineLoop(mlir::scf::ForOp loop, LocalProfile &profile,
                  const OverlapRules &rules, OverlapCounts &counts);

} // namespace mli

#endif // MLI_LIB_TRANSFORMS_SCHEDULING_DOUBLEBUFFER_H
