// SPDX-License-Identifier: Apache-2.0
//
// Finds the buffers that are used at one time, which had better lie in
// different banks.

#ifndef MLI_ANALYSIS_BANKUSES_H
#define MLI_ANALYSIS_BANKUSES_H

#include "mli/Allocation/Banks.h"
#include "mli/Analysis/MemoryProblem.h"

namespace mli {

/// Buffers of a problem, by their index, that `op` uses at the same time, and
/// how often it runs.
struct BankUse {
  mlir::Operation *op = nullptr;
  allocation::UsedTogether together;
};

/// The uses of at least two buffers of `problem`, which is that of local memory
/// of `function`, in program order: those of each kernel and of each move, and
/// within `mli.parallel` those of each kernel and of all moves there. Empty if
/// the memory has one bank.
std::vector<BankUse> findBankUses(mlir::func::FuncOp function,
                                  const MemoryProblem &problem);

/// The bank conflicts of all of these, in one run of the function.
int64_t countBankConflicts(const allocation::Problem &problem,
                           const std::vector<allocation::Placement> &placements,
                           llvm::ArrayRef<BankUse> uses);

/// The buffers that the planner is to put into different banks.
std::vector<allocation::UsedTogether> getTogether(llvm::ArrayRef<BankUse> uses);

} // namespace mli

#endif // MLI_ANALYSIS_BANKUSES_H
