// SPDX-License-Identifier: Apache-2.0
//
// The steps of mli-insert-moves: which moves are within local memory, what each
// kernel requires there, what stays there for how long, and the DMA moves.

#ifndef MLI_LIB_TRANSFORMS_LOCALMEMORY_INSERTMOVES_H
#define MLI_LIB_TRANSFORMS_LOCALMEMORY_INSERTMOVES_H

#include "LocalTensors.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"
#include "llvm/ADT/DenseSet.h"

namespace mli {

//===----------------------------------------------------------------------===//
// Moves within local memory
//===----------------------------------------------------------------------===//

using LocalMoves = llvm::DenseSet<mlir::Operation *>;

/// The moves of `function` to execute within local memory of `target`:
/// paddings, slices and permutations, where that moves fewer bytes between the
/// memories. A reshape between two kernels becomes a move of these, as a
/// feature map is a vector on other NPUs. The source and the result of each fit
/// `target` together, beside the tensors in local memory. Fails, with an error,
/// on one of these that local memory has no place for.
mlir::FailureOr<LocalMoves> chooseLocalMoves(mlir::func::FuncOp function,
                                             const layout::Target &target);

//===----------------------------------------------------------------------===//
// Requirements
//===----------------------------------------------------------------------===//

/// A layout that a value can have in local memory.
struct LocalLayout {
  layout::LayoutChoice choice;
  layout::LocalBytes size;

  /// Bytes of each NPU, aligned for the next buffer of the same alignment.
  int64_t getBytes() const;
};

/// A value in one of its layouts. A kernel that takes another layout needs a
/// copy of its own.
using LocalKey = std::pair<mlir::Value, unsigned>;

/// A kernel or another operation on tensors in local memory, a call, or an
/// operation with regions.
struct MoveStep {
  mlir::Operation *op = nullptr;
  /// The inputs of a kernel.
  llvm::SmallVector<std::pair<LocalKey, mlir::OpOperand *>, 4> inputs;
  /// The inits that a kernel reads before it overwrites them.
  llvm::SmallVector<mlir::OpOperand *, 1> overwritten;
  llvm::SmallVector<mlir::OpResult, 1> results;
  /// Bytes of tables and scratch memory; for a call all of local memory.
  int64_t scratchBytes = 0;
  /// Bytes of the tensors in local memory that are there meanwhile; 0 for an
  /// operation with regions.
  int64_t localBytes = 0;
  /// The steps of each block of an operation with regions.
  std::vector<std::vector<MoveStep>> bodies;
  /// The half-open time of the step, that of its operation.
  int64_t begin = 0, end = 0;
};

/// The requirements of the kernels of a function in local memory, in program
/// order.
class TransferRequirements {
public:
  /// Computes them for `function`, in which `moves` count as kernels. Fails,
  /// with an error, on a kernel that does not fit `target` by itself.
  static mlir::FailureOr<TransferRequirements> of(mlir::func::FuncOp function,
                                                  const layout::Target &target,
                                                  LocalMoves moves);

  llvm::ArrayRef<MoveStep> getSteps() const { return steps; }
  const LocalTensors &getLocalTensors() const { return localTensors; }
  const LocalLayout &getLayout(const LocalKey &key) const {
    return layouts.find(key.first)->second[key.second];
  }
  int64_t getBytes(const LocalKey &key) const {
    return getLayout(key).getBytes();
  }
  /// The times at which kernels read `key`, ascending.
  llvm::ArrayRef<int64_t> getUses(const LocalKey &key) const;
  /// Whether `result` of a kernel has uses other than by kernels that take its
  /// layout in local memory.
  bool isNeededInSystem(mlir::OpResult result) const;
  /// The bytes that `step`, or at most a step in it, requires besides the keys
  /// for which `isResident`: with those of tensors in local memory.
  int64_t
  getRequiredBytes(const MoveStep &step,
                   llvm::function_ref<bool(const LocalKey &)> isResident) const;

private:
  TransferRequirements(const layout::Target &target, LocalMoves moves,
                       LocalTensors localTensors)
      : target(&target), moves(std::move(moves)),
        localTensors(std::move(localTensors)) {}

  llvm::LogicalResult collect(mlir::Block &block, std::vector<MoveStep> &into);
  llvm::LogicalResult collectKernel(MoveStep &step);
  llvm::LogicalResult verifyFits(MoveStep &step) const;
  std::optional<unsigned> findLayout(mlir::Value value,
                                     mlir::OpOperand &operand);

  const layout::Target *target;
  LocalMoves moves;
  layout::PolicyOptions policy;
  std::vector<MoveStep> steps;
  LocalTensors localTensors;
  llvm::DenseMap<mlir::Value, llvm::SmallVector<LocalLayout, 1>> layouts;
  llvm::DenseMap<LocalKey, llvm::SmallVector<int64_t, 2>> uses;
};

/// Whether `op` is a kernel with tensors in system memory. Moves are none.
bool isLocalKernel(mlir::Operation *op);

//===----------------------------------------------------------------------===//
// Plan
//===----------------------------------------------------------------------===//

/// A value that is in local memory for a time.
struct LocalCopy {
  LocalCopy(mlir::Value value, const LocalLayout &layout)
      : value(value), layout(layout) {}

  /// The tensor in system memory.
  mlir::Value value;
  LocalLayout layout;
  /// The operation before which it is moved in; null for the result of a
  /// kernel.
  mlir::Operation *movedBefore = nullptr;
  /// Whether it is moved in before a loop that reads it in each iteration.
  bool isHoisted = false;
  /// Whether the kernel that it is moved in for overwrites it.
  bool isOverwritten = false;
  /// Whether a result is moved out, and whether only to free local memory.
  bool isMovedOut = false, isSpilled = false;
  /// The operands that read it.
  llvm::SmallVector<mlir::OpOperand *, 2> uses;
  /// Its half-open live range, in the time of the steps.
  int64_t begin = 0, end = 0;
};

/// All copies of a function, in program order.
using MovePlan = std::vector<LocalCopy>;

/// The bytes that copies may take which wait for a later kernel, and those
/// which stay while a loop runs: with fewer, addresses are easier to find.
struct WaitingLimits {
  int64_t waiting, staying;
};

/// Goes through the steps in order, the outermost ones within `limits`: the
/// copies that are then in local memory.
MovePlan scheduleMoves(const TransferRequirements &requirements,
                       const layout::Target &target,
                       llvm::ArrayRef<WaitingLimits> limits);

/// Decides for the whole function what stays in local memory, so that the
/// planner of addresses can place all of it, if it can place any plan.
MovePlan planMoves(const TransferRequirements &requirements,
                   const layout::Target &target);

//===----------------------------------------------------------------------===//
// DMA
//===----------------------------------------------------------------------===//

/// Creates the move of `source` to `init`, one of which is in local memory in
/// the layout `choice`: several if it is larger than one DMA instruction can
/// move. Adds their number to `count`. Returns the result.
mlir::Value createMoves(mlir::OpBuilder &builder, mlir::Location loc,
                        mlir::Value source, mlir::Value init,
                        const layout::LayoutChoice &choice,
                        const layout::Target &target,
                        mlir::Pass::Statistic &count);

} // namespace mli

#endif // MLI_LIB_TRANSFORMS_LOCALMEMORY_INSERTMOVES_H
