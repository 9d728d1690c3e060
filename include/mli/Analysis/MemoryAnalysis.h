// SPDX-License-Identifier: Apache-2.0
//
// The memory of one function: lifetimes of its buffers, problems for the
// planner, and plans. No other code makes plans of functions.

#ifndef MLI_ANALYSIS_MEMORYANALYSIS_H
#define MLI_ANALYSIS_MEMORYANALYSIS_H

#include "mli/Analysis/InPlaceChoice.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mli {

/// A memory of a function, planned.
struct MemoryPlan {
  MemoryProblem problem;
  InPlacePlan found;

  const allocation::Plan &getPlan() const { return found.plan; }
  bool isPlaced() const {
    return found.plan.status == allocation::PlanStatus::Placed;
  }
};

/// Passes that have not changed the function before get it, and keep it, by
/// `getAnalysis`; all others construct one. It holds as long as the function
/// does not change; problems point into it.
class MemoryAnalysis {
public:
  /// `function` is a `func.func` on buffers.
  explicit MemoryAnalysis(mlir::Operation *function);

  const BufferLifetimes &getLifetimes() const { return lifetimes; }

  /// The problem of `rules.space`, where `callees` are the memories of the
  /// functions that are called. In system memory what can not be at a
  /// fixed address is left out; in local memory it is an error. Addresses that
  /// buffers have are kept, and buffers of one address that a kernel computes
  /// in place are one.
  mlir::FailureOr<MemoryProblem>
  getProblem(const MemoryRules &rules,
             const FunctionMemories &callees = {}) const;

  /// The plan of that, which fails where there is no problem to plan.
  mlir::FailureOr<MemoryPlan>
  makePlan(const MemoryRules &rules, const allocation::PlannerOptions &options,
           const FunctionMemories &callees = {}) const;

private:
  mlir::func::FuncOp function;
  BufferLifetimes lifetimes;
};

/// The memory that callers of a function with these plans have to provide.
FunctionMemory getFunctionMemory(const MemoryPlan &system,
                                 const MemoryPlan &local);

} // namespace mli

#endif // MLI_ANALYSIS_MEMORYANALYSIS_H
