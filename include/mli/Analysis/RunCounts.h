// SPDX-License-Identifier: Apache-2.0
//
// How often the operations of a function run.

#ifndef MLI_ANALYSIS_RUNCOUNTS_H
#define MLI_ANALYSIS_RUNCOUNTS_H

#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/DenseMap.h"

#include <functional>

namespace mli {

/// The number of times that each operation in `root`, a function, runs for each
/// run of it: a loop of unknown length once for each of its runs, both branches
/// of a condition that is not known from the loops around it, or after
/// `maxIterations` of these.
class RunCounts {
public:
  static constexpr int64_t maxIterations = int64_t(1) << 20;

  /// What is called for each run of an operation, or for several runs at once,
  /// behind those of what is in it.
  using Visit = std::function<void(mlir::Operation *, int64_t times)>;

  /// How operations in loops are visited.
  enum class Loops {
    /// Once for all iterations, unless what runs depends on them.
    Together,
    /// In the order in which they run, up to `maxIterations` iterations.
    InOrder
  };

  explicit RunCounts(mlir::Operation *root, Visit visit = nullptr,
                     Loops loops = Loops::Together);

  int64_t of(mlir::Operation *op) const {
    return counts.lookup(op->getBlock());
  }

private:
  void run(mlir::Region &region, int64_t times);
  void runLoop(mlir::LoopLikeOpInterface loop, int64_t times);
  std::optional<int64_t> evaluate(mlir::Value value);
  std::optional<int64_t> fold(mlir::Value value);

  Visit visit;
  Loops loops;
  llvm::DenseMap<mlir::Block *, int64_t> counts;
  /// What `evaluate` has folded so far.
  llvm::DenseMap<mlir::Value, std::optional<int64_t>> values;
  /// The induction variables of the loops that conditions are looked at in.
  llvm::DenseMap<mlir::Value, int64_t> inductions;
  int64_t iterations = 0;
};

} // namespace mli

#endif // MLI_ANALYSIS_RUNCOUNTS_H
