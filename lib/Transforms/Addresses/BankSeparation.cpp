// SPDX-License-Identifier: Apache-2.0
//
// Moves buffers that kernels use at the same time to different banks, for
// mli-assign-addresses.

#include "Addresses.h"

#include "mli/Allocation/Validator.h"
#include "mli/Analysis/BankUses.h"
#include "mli/Analysis/BufferNames.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace mli;

/// Emits a remark about the banks that the buffers of `use` share.
static void explainUse(ArrayRef<BufferName> names, const InPlacePlan &found,
                       const BankUse &use) {
  allocation::UsedTogether once = use.together;
  once.times = 1;
  int64_t conflicts = allocation::countBankConflicts(
      found.problem, found.plan.placements, once);
  if (conflicts == 0)
    return;
  // A remark on the operation would print all of it.
  InFlightDiagnostic remark = emitRemark(use.op->getLoc());
  int64_t times = use.together.times;
  remark << "'" << use.op->getName().getStringRef() << "' shares " << conflicts
         << (conflicts == 1 ? " bank, " : " banks, ") << times
         << (times == 1 ? " time" : " times") << " in one run: ";
  int64_t bytes = found.problem.memory.bankBytes;
  llvm::interleaveComma(use.together.buffers, remark, [&](int64_t i) {
    int64_t offset = found.plan.placements[i].offset;
    int64_t first = offset / bytes;
    int64_t last = (offset + found.problem.buffers[i].size - 1) / bytes;
    remark << "'" << names[i].getShortText() << "' in bank"
           << (first == last ? " " : "s ") << first;
    if (first != last)
      remark << " to " << last;
  });
}

void mli::separateBanks(func::FuncOp function, MemoryPlan &memory,
                        int64_t limit, const BankRules &rules) {
  auto &[problem, found] = memory;
  std::vector<BankUse> uses = findBankUses(function, problem);
  if (uses.empty())
    return;
  allocation::Plan &plan = found.plan;
  auto count = [&planned = found.problem, &plan, &uses] {
    return countBankConflicts(planned, plan.placements, uses);
  };
  int64_t before = rules.explains ? count() : 0;
  if (rules.separates) {
    plan.placements = allocation::separateBanks(
        found.problem, std::move(plan.placements), getTogether(uses), limit);
    plan.peak = allocation::getPeak(found.problem, plan.placements);
    plan.optimal = plan.peak == plan.provenBound;
  }
  if (!rules.explains)
    return;
  emitRemark(function.getLoc())
      << "bank conflicts of '" << function.getSymName()
      << "' in one run: " << count()
      << ", before buffers moved apart: " << before;
  std::vector<BufferName> names = getBufferNames(problem);
  for (const BankUse &use : uses)
    explainUse(names, found, use);
}
