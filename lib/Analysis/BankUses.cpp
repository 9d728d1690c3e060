// SPDX-License-Identifier: Apache-2.0

#include "mli/Analysis/BankUses.h"

#include "mli/Analysis/RunCounts.h"
#include "mli/IR/MLIParallel.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mli;

namespace {

class UseFinder {
public:
  UseFinder(func::FuncOp function, const MemoryProblem &problem)
      : function(function), counts(function) {
    for (auto [i, user] : llvm::enumerate(problem.users)) {
      auto index = static_cast<int64_t>(i);
      if (!user.range) {
        scratchOf[user.op].push_back(index);
        continue;
      }
      for (Value alias : user.range->aliases)
        buffersOf[alias].push_back(index);
    }
  }

  /// The operations of the function, those of one `mli.parallel` together.
  std::vector<BankUse> find() {
    function.walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (auto parallel = dyn_cast<ParallelOp>(op)) {
        addParallel(parallel);
        return WalkResult::skip();
      }
      addUse(op, {});
      return WalkResult::advance();
    });
    return std::move(uses);
  }

private:
  using Indices = llvm::SmallSetVector<int64_t, 8>;

  void addParallel(ParallelOp parallel) {
    SmallVector<Operation *> moves, kernels;
    parallel.getBody().walk([&](Operation *op) {
      if (isa<DestinationStyleOpInterface>(op))
        (ParallelOp::isMove(op) ? moves : kernels).push_back(op);
    });
    for (Operation *kernel : kernels)
      addUse(kernel, moves);
    if (kernels.empty())
      for (Operation *move : moves)
        addUse(move, {});
  }

  /// Adds the use of `op`, with `moves` beside it.
  void addUse(Operation *op, ArrayRef<Operation *> moves) {
    if (!isa<DestinationStyleOpInterface, memref::CopyOp>(op))
      return;
    Indices buffers;
    add(op, buffers);
    for (Operation *move : moves)
      add(move, buffers);
    if (buffers.size() < 2)
      return;
    BankUse use{op, {}};
    use.together.buffers.assign(buffers.begin(), buffers.end());
    use.together.times = std::min(counts.of(op), int64_t(1) << 32);
    uses.push_back(std::move(use));
  }

  void add(Operation *op, Indices &buffers) const {
    for (Value operand : op->getOperands())
      if (auto found = buffersOf.find(operand); found != buffersOf.end())
        buffers.insert(found->second.begin(), found->second.end());
    if (auto found = scratchOf.find(op); found != scratchOf.end())
      buffers.insert(found->second.begin(), found->second.end());
  }

  func::FuncOp function;
  RunCounts counts;
  llvm::DenseMap<Value, SmallVector<int64_t, 1>> buffersOf;
  llvm::DenseMap<Operation *, SmallVector<int64_t, 1>> scratchOf;
  std::vector<BankUse> uses;
};

} // namespace

std::vector<BankUse> mli::findBankUses(func::FuncOp function,
                                       const MemoryProblem &problem) {
  if (!problem.target || problem.target->banks == 1)
    return {};
  return UseFinder(function, problem).find();
}

int64_t
mli::countBankConflicts(const allocation::Problem &problem,
                        const std::vector<allocation::Placement> &placements,
                        ArrayRef<BankUse> uses) {
  return allocation::countBankConflicts(problem, placements, getTogether(uses));
}

std::vector<allocation::UsedTogether> mli::getTogether(ArrayRef<BankUse> uses) {
  std::vector<allocation::UsedTogether> together;
  together.reserve(uses.size());
  for (const BankUse &use : uses)
    together.push_back(use.together);
  return together;
}
