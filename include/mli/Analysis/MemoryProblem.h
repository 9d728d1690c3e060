// SPDX-License-Identifier: Apache-2.0
//
// The problem of one function and one memory for the planner of addresses, and
// the meaning of its answer.

#ifndef MLI_ANALYSIS_MEMORYPROBLEM_H
#define MLI_ANALYSIS_MEMORYPROBLEM_H

#include "mli/Allocation/Planner.h"
#include "mli/Analysis/BufferLifetimes.h"
#include "mli/IR/LocalMemory.h"

namespace mli {

/// Memory that a function needs while it runs, its callees' included.
struct FunctionMemory {
  /// Size of the arena, and the divisor of its address.
  int64_t arenaBytes = 0, arenaAlignment = 1;
  /// Size of local memory, from offset 0 of each NPU on.
  int64_t localBytes = 0;
};

/// The memories of the functions that a function calls, by their name.
using FunctionMemories = llvm::StringMap<FunctionMemory>;

/// The options of a problem: which buffers are in it and how they may lie.
struct MemoryRules {
  Space space = Space::system;
  /// Divides addresses in system memory, where an element needs no more.
  int64_t systemAlignment = 16;
  /// Whether arguments that are memrefs of system memory, which are those for
  /// results as well, are planned too.
  bool plansArguments = false;
  /// Whether local memory also holds the buffers of system memory, arguments
  /// included, as if it were there in the layout of the policy, and local
  /// memory were as large as its addresses allow. Buffers that could not be
  /// there are left out.
  bool assumesLocal = false;
  /// Bytes of system memory; as many as are needed if it is not set.
  std::optional<int64_t> arenaBytes = {};
  /// Local memory has no end, so that a plan of it can not be too high.
  bool ignoresCapacity = false;
  /// A kernel may write over an input that nothing reads any more.
  bool computesInPlace = true;
  /// Blocks of a block row that have no channel may hold other buffers. Only
  /// for at most 64 NPUs.
  bool reusesEmptyBlocks = false;
};

/// The memory that something takes for a time.
struct MemoryUser {
  /// The allocation, the call of a function whose memory this is, or the kernel
  /// that has tables and scratch memory here; for an argument the function.
  mlir::Operation *op = nullptr;
  /// The buffer; null for that of a call or kernel.
  const LiveRange *range = nullptr;
  /// The type of the buffer, in the memory that is planned.
  mlir::MemRefType type = {};
  /// In local memory the NPUs that it may start on, ascending: those on which
  /// it, and all that start with it, take the fewest bytes.
  llvm::SmallVector<int64_t, 1> startNpus = {};
};

/// One problem for the planner; `users` are its buffers, in program order.
struct MemoryProblem {
  /// The problem of one NPU where buffers take the same bytes of each NPU.
  allocation::Problem problem;
  llvm::SmallVector<MemoryUser> users;
  /// The target of local memory; nothing for system memory.
  std::optional<layout::Target> target;

  /// The NPU that `users[i]` starts on in a plan which has it at `placement`.
  int64_t getStartNpu(size_t i, const allocation::Placement &placement) const;
  /// A name for `users[i]`: the short one in its location, or in that of the
  /// first operation that uses it; else the function that is called, or
  /// `buffer I`. BufferNames.h says what it is for as well.
  std::string getName(size_t i) const;
};

/// The address of `buffer` in its memory; nothing if it has none.
std::optional<int64_t> getAddress(mlir::Value buffer);

/// Bytes of the largest elements of tables and scratch memory.
inline constexpr int64_t scratchElementBytes = 2;

/// Local memory that a buffer takes.
struct LocalFootprint {
  /// Bytes in each of the NPUs.
  int64_t bytes = 0;
  int64_t npus = 1;
  /// Divides the offset in them.
  int64_t alignment = 1;
};

/// The memory that `type`, in local memory of `target`, takes if it starts on
/// `startNpu`. Nothing where it is not legal there.
std::optional<LocalFootprint> getLocalFootprint(mlir::MemRefType type,
                                                const layout::Target &target,
                                                int64_t startNpu,
                                                bool reusesEmptyBlocks = false);

/// The NPU that `type`, in local memory, starts on.
int64_t getStartNpu(mlir::MemRefType type);

/// `type` in a buffer that starts on NPU `startNpu` and not where `buffer`, of
/// which it is a view, does.
mlir::MemRefType moveStartNpu(mlir::MemRefType type, mlir::MemRefType buffer,
                              int64_t startNpu, const layout::Target &target);

} // namespace mli

#endif // MLI_ANALYSIS_MEMORYPROBLEM_H
