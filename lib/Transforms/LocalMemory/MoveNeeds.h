// SPDX-License-Identifier: Apache-2.0
//
// What the kernels of a function need in local memory, in the order in which
// they run.

#ifndef MLI_LIB_TRANSFORMS_LOCALMEMORY_MOVENEEDS_H
#define MLI_LIB_TRANSFORMS_LOCALMEMORY_MOVENEEDS_H

#include "LocalMoves.h"

#include "mli/Analysis/LocalNeed.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mli {

/// A layout that a value can have in local memory.
struct LocalLayout {
  layout::LayoutChoice choice;
  layout::LocalBytes size;

  /// Bytes of each NPU, up to where any other buffer of its alignment begins.
  int64_t getBytes() const;
};

/// A value in one of its layouts: kernels that take another one need a copy of
/// their own.
using LocalKey = std::pair<mlir::Value, unsigned>;

/// A kernel, a call, or an operation with regions.
struct MoveStep {
  mlir::Operation *op = nullptr;
  /// Of a kernel: what it reads.
  llvm::SmallVector<std::pair<LocalKey, mlir::OpOperand *>, 4> inputs;
  /// What it reads and writes a result over.
  llvm::SmallVector<mlir::OpOperand *, 1> overwritten;
  llvm::SmallVector<mlir::OpResult, 1> results;
  /// Bytes of tables and scratch memory; of a call all that there are.
  int64_t scratchBytes = 0;
  /// Of an operation with regions: the steps of its blocks.
  std::vector<std::vector<MoveStep>> bodies;
  /// When it begins and has ended.
  int64_t begin = 0, end = 0;
};

class MoveNeeds {
public:
  /// Looks at `function`, in which `moves` are kernels as well. A kernel that
  /// does not fit `target` by itself is an error.
  static mlir::FailureOr<MoveNeeds> of(mlir::func::FuncOp function,
                                       const layout::Target &target,
                                       LocalMoves moves);

  llvm::ArrayRef<MoveStep> getSteps() const { return steps; }
  const LocalLayout &getLayout(const LocalKey &key) const {
    return layouts.find(key.first)->second[key.second];
  }
  int64_t getBytes(const LocalKey &key) const {
    return getLayout(key).getBytes();
  }
  /// When kernels read `key`, ascending.
  llvm::ArrayRef<int64_t> getUses(const LocalKey &key) const;
  /// Whether `result` of a kernel is used by more than kernels that take it as
  /// it is in local memory.
  bool isNeededInSystem(mlir::OpResult result) const;
  /// The bytes that `step`, or any step in it, needs besides the keys for which
  /// `isThere`.
  int64_t getNeed(const MoveStep &step,
                  llvm::function_ref<bool(const LocalKey &)> isThere) const;

private:
  MoveNeeds(const layout::Target &target, LocalMoves moves)
      : target(&target), moves(std::move(moves)) {}

  llvm::LogicalResult collect(mlir::Block &block, std::vector<MoveStep> &into);
  llvm::LogicalResult collectKernel(MoveStep &step);
  llvm::LogicalResult verifyFits(const MoveStep &step) const;
  std::optional<unsigned> findLayout(mlir::Value value,
                                     mlir::OpOperand &operand);

  const layout::Target *target;
  LocalMoves moves;
  layout::PolicyOptions policy;
  std::vector<MoveStep> steps;
  llvm::DenseMap<mlir::Value, llvm::SmallVector<LocalLayout, 1>> layouts;
  llvm::DenseMap<LocalKey, llvm::SmallVector<int64_t, 2>> uses;
  int64_t time = 0;
};

/// Whether `op` is a kernel on tensors, which are all in system memory. Moves
/// are none by themselves.
bool isLocalKernel(mlir::Operation *op);

} // namespace mli

#endif // MLI_LIB_TRANSFORMS_LOCALMEMORY_MOVENEEDS_H
