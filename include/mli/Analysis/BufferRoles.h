// SPDX-License-Identifier: Apache-2.0
//
// What the buffers of a function are to its layers, in the user's names.

#ifndef MLI_ANALYSIS_BUFFERROLES_H
#define MLI_ANALYSIS_BUFFERROLES_H

#include "mli/Analysis/MemoryProblem.h"

namespace mli {

enum class BufferRole {
  /// Constants, and copies of them: weights and biases.
  Weights,
  /// What the caller passes, and what moves into the memory.
  Input,
  /// What kernels write, and what moves out of the memory.
  Result,
  /// What moves within one memory make.
  Moved,
  /// Tables of functions that the program has or computes.
  Tables,
  /// Memory of a kernel while it computes, also for a table of its own.
  Scratch,
  /// The memory of a function that is called.
  Callee,
};

inline constexpr unsigned numBufferRoles = 7;

/// One word: `weights`.
llvm::StringRef stringifyRole(BufferRole role);

/// The role of `user`, a user of memory in a function with these lifetimes.
/// What it is called is in BufferNames.h.
BufferRole getBufferRole(const MemoryUser &user,
                         const BufferLifetimes &lifetimes);

/// A role, and the layer that it is one of: the first that reads what the
/// network is given, or that writes its result.
struct BufferUse {
  BufferRole role;
  std::string layer;
};

/// Memory of a function that no planner places: its constants and arguments.
struct FixedBuffer {
  std::string name;
  BufferUse use;
  int64_t bytes = 0;
  /// From the first operation that uses it to the last.
  Interval live;
};

/// Those of `function`, equal constants once, in the order of their first use.
/// `areArgumentsPlanned` where the planner places arguments.
std::vector<FixedBuffer> findFixedBuffers(mlir::func::FuncOp function,
                                          const BufferLifetimes &lifetimes,
                                          bool areArgumentsPlanned);

} // namespace mli

#endif // MLI_ANALYSIS_BUFFERROLES_H
