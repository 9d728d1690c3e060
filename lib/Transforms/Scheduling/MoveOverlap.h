// SPDX-License-Identifier: Apache-2.0
//
// Moves that run while kernels in front of them, or behind them, compute.

#ifndef MLI_LIB_TRANSFORMS_SCHEDULING_MOVEOVERLAP_H
#define MLI_LIB_TRANSFORMS_SCHEDULING_MOVEOVERLAP_H

#include "LocalProfile.h"

namespace mli {

/// What an operation does with one buffer.
struct BufferUse {
  mlir::Value buffer;
  bool isWritten;
};

/// What `op`, and what is in it, does with buffers; nothing if that is not
/// known. Views and allocations use none.
std::optional<llvm::SmallVector<BufferUse, 4>>
findBufferUses(mlir::Operation *op);

/// Whether writing one may change the other. Arguments of a function are apart.
bool mayShareBytes(mlir::Value one, mlir::Value other);

/// How far moves may go.
struct OverlapRules {
  /// Of each NPU.
  int64_t capacity = 0;
  /// Only where something is gained.
  bool onlyIfItPays = true;
  /// Remark what does not run along, and why.
  bool explains = false;
};

/// What a function gains.
struct OverlapCounts {
  int64_t parallels = 0, moves = 0, loops = 0;
};

/// Puts transfers of `block` into an `mli.parallel` with a kernel: those into
/// local memory with one in front of them, those out of it with one behind.
void overlapMoves(mlir::Block &block, LocalProfile &profile,
                  const OverlapRules &rules, OverlapCounts &counts);

} // namespace mli

#endif // MLI_LIB_TRANSFORMS_SCHEDULING_MOVEOVERLAP_H
