// SPDX-License-Identifier: Apache-2.0
//
// A step of mli-insert-moves: finds a plan that the planner of addresses can
// place.

#include "InsertMoves.h"

#include "mli/Allocation/Planner.h"

using namespace mlir;
using namespace mli;

static void addBuffer(layout::LocalBytes size, Interval live,
                      std::vector<allocation::Buffer> &buffers) {
  allocation::Buffer &buffer = buffers.emplace_back();
  buffer.size = size.bytes;
  buffer.alignment = size.alignment;
  buffer.live = live;
}

static void addScratch(ArrayRef<MoveStep> steps,
                       std::vector<allocation::Buffer> &buffers) {
  for (const MoveStep &step : steps) {
    if (step.scratchBytes > 0)
      addBuffer({step.scratchBytes, 1}, {step.begin, step.end}, buffers);
    for (const std::vector<MoveStep> &body : step.bodies)
      addScratch(body, buffers);
  }
}

/// All that `plan` has in local memory, by the time at which it begins.
static std::vector<allocation::Buffer>
getBuffers(const MovePlan &plan, const TransferRequirements &requirements) {
  std::vector<allocation::Buffer> buffers;
  for (const LocalCopy &copy : plan)
    // The result of its kernel has the address of what it overwrites.
    if (!copy.isOverwritten)
      addBuffer(copy.layout.size, {copy.begin, copy.end}, buffers);
  for (const LocalTensor &local : requirements.getLocalTensors().getBuffers())
    if (!local.live.isEmpty())
      addBuffer(local.size, local.live, buffers);
  addScratch(requirements.getSteps(), buffers);
  llvm::sort(buffers, [](const auto &one, const auto &other) {
    return std::make_tuple(one.live.lower, one.live.upper, one.size) <
           std::make_tuple(other.live.lower, other.live.upper, other.size);
  });
  return buffers;
}

/// The times at which the planner of addresses can not place what `plan` has:
/// from one at which nothing is there to the next.
static SmallVector<Interval>
findUnplannable(const MovePlan &plan, const TransferRequirements &requirements,
                const layout::Target &target) {
  allocation::PlannerOptions options;
  options.budget = 4000;
  options.onlyIfItFits = true;
  std::vector<allocation::Buffer> buffers = getBuffers(plan, requirements);
  SmallVector<Interval> failed;
  for (auto next = buffers.begin(); next != buffers.end();) {
    allocation::Problem problem;
    problem.memory.capacity = target.npuBytes;
    Interval time = next->live;
    for (; next != buffers.end() && next->live.lower < time.upper; ++next) {
      time.extend(next->live);
      problem.buffers.push_back(*next);
    }
    if (allocation::plan(problem, options).status !=
        allocation::PlanStatus::Placed)
      failed.push_back(time);
  }
  return failed;
}

MovePlan mli::planMoves(const TransferRequirements &requirements,
                        const layout::Target &target) {
  // Where a plan can not be placed, fewer and fewer bytes stay and wait, until
  // each kernel moves all of its operands. If that can not be placed either,
  // mli-assign-addresses explains why.
  constexpr WaitingLimits sixteenths[] = {
      {16, 16}, {16, 14}, {16, 12}, {14, 14}, {16, 8}, {12, 12}, {16, 4},
      {8, 8},   {16, 0},  {8, 4},   {8, 0},   {4, 0},  {0, 0}};
  ArrayRef<MoveStep> steps = requirements.getSteps();
  SmallVector<size_t> tried(steps.size(), 0);
  while (true) {
    SmallVector<WaitingLimits> limits;
    for (size_t number : tried)
      limits.push_back({target.npuBytes / 16 * sixteenths[number].waiting,
                        target.npuBytes / 16 * sixteenths[number].staying});
    MovePlan plan = scheduleMoves(requirements, target, limits);
    bool hasChanged = false;
    for (Interval time : findUnplannable(plan, requirements, target))
      for (auto [step, number] : llvm::zip_equal(steps, tried))
        if (step.begin < time.upper && time.lower < step.end &&
            number + 1 < std::size(sixteenths)) {
          ++number;
          hasChanged = true;
        }
    if (!hasChanged)
      return plan;
  }
}
