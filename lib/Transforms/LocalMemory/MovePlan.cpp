// SPDX-License-Identifier: Apache-2.0
//
// A step of mli-insert-moves: plans what stays in local memory for how long.

#include "InsertMoves.h"

#include "mli/Allocation/Planner.h"

#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mli;

namespace {

/// A copy that is in local memory at the current time.
struct Resident {
  LocalKey key;
  size_t copy;
  int64_t bytes;
  /// Whether it can not be evicted, as a loop around needs it in its next
  /// iteration.
  bool isPinned;
};

using Residents = std::vector<Resident>;

/// Builds a plan by going through the steps in order. Copies that wait for a
/// later kernel take at most `waitingBytes`: with fewer, addresses are easier
/// to find.
class Schedule {
public:
  Schedule(const TransferRequirements &requirements,
           const layout::Target &target, int64_t waitingBytes)
      : requirements(requirements), capacity(target.npuBytes),
        waitingBytes(waitingBytes) {}

  MovePlan run() {
    runSteps(requirements.getSteps(), {});
    return std::move(plan);
  }

private:
  void runSteps(ArrayRef<MoveStep> steps, Residents residents);
  void runKernel(const MoveStep &step, Residents &residents);
  void runRegions(const MoveStep &step, Residents &residents);
  SmallVector<LocalKey> chooseStaying(const MoveStep &step,
                                      Residents &residents);

  void makeRoom(int64_t needed, llvm::function_ref<bool(LocalKey)> isNeeded,
                Residents &residents);
  size_t addCopy(const LocalKey &key, const MoveStep &step,
                 Operation *movedBefore);
  void moveIn(const LocalKey &key, const MoveStep &step, Residents &residents);
  void evict(size_t i, Residents &residents);
  void requireSystemCopy(Value value, bool isSpill);
  int64_t getNextUse(const LocalKey &key);

  static const Resident *find(const Residents &residents, const LocalKey &key) {
    auto found = llvm::find_if(residents,
                               [&](const Resident &r) { return r.key == key; });
    return found == residents.end() ? nullptr : &*found;
  }
  /// The bytes of those residents for which `isCompared`.
  static int64_t
  getBytes(const Residents &residents,
           llvm::function_ref<bool(const Resident &)> isCompared) {
    int64_t bytes = 0;
    for (const Resident &resident : residents)
      if (isCompared(resident))
        bytes += resident.bytes;
    return bytes;
  }

  const TransferRequirements &requirements;
  int64_t capacity, waitingBytes;
  /// The begin of the current step.
  int64_t now = 0;
  /// The number of uses of a key before `now`.
  llvm::DenseMap<LocalKey, size_t> usesBefore;
  llvm::DenseMap<Value, size_t> resultCopies;
  MovePlan plan;
};

} // namespace

/// The time after `now` at which a kernel reads `key`; INT64_MAX if none does.
int64_t Schedule::getNextUse(const LocalKey &key) {
  ArrayRef<int64_t> uses = requirements.getUses(key);
  size_t &before = usesBefore[key];
  while (before < uses.size() && uses[before] <= now)
    ++before;
  return before < uses.size() ? uses[before] : INT64_MAX;
}

void Schedule::requireSystemCopy(Value value, bool isSpill) {
  auto copy = resultCopies.find(value);
  if (copy == resultCopies.end())
    return;
  LocalCopy &result = plan[copy->second];
  result.isSpilled |= isSpill && !result.isMovedOut;
  result.isMovedOut = true;
}

void Schedule::evict(size_t i, Residents &residents) {
  requireSystemCopy(residents[i].key.first, /*isSpill=*/true);
  residents.erase(residents.begin() + static_cast<std::ptrdiff_t>(i));
}

/// Evicts residents that are not needed now, those with the latest next use
/// first, until `needed` bytes are free and at most `waitingBytes` wait.
void Schedule::makeRoom(int64_t needed,
                        llvm::function_ref<bool(LocalKey)> isNeeded,
                        Residents &residents) {
  auto mayGo = [&](const Resident &resident) {
    return !resident.isPinned && !isNeeded(resident.key);
  };
  int64_t waiting = getBytes(residents, mayGo);
  int64_t taken =
      needed + getBytes(residents, [](const Resident &) { return true; });
  while (waiting > 0 && (taken > capacity || waiting > waitingBytes)) {
    size_t last = residents.size();
    int64_t lastUse = -1;
    for (auto [i, resident] : llvm::enumerate(residents))
      if (mayGo(resident) && getNextUse(resident.key) > lastUse) {
        lastUse = getNextUse(resident.key);
        last = i;
      }
    waiting -= residents[last].bytes;
    taken -= residents[last].bytes;
    evict(last, residents);
  }
}

size_t Schedule::addCopy(const LocalKey &key, const MoveStep &step,
                         Operation *movedBefore) {
  LocalCopy &copy = plan.emplace_back(key.first, requirements.getLayout(key));
  copy.movedBefore = movedBefore;
  copy.begin = step.begin;
  copy.end = step.end;
  return plan.size() - 1;
}

/// Moves `key` in before `step`.
void Schedule::moveIn(const LocalKey &key, const MoveStep &step,
                      Residents &residents) {
  requireSystemCopy(key.first, /*isSpill=*/false);
  residents.push_back(
      {key, addCopy(key, step, step.op), requirements.getBytes(key), false});
}

void Schedule::runKernel(const MoveStep &step, Residents &residents) {
  auto isInput = [&](const LocalKey &key) {
    return llvm::any_of(step.inputs,
                        [&](const auto &input) { return input.first == key; });
  };
  auto isResident = [&](const LocalKey &key) {
    return find(residents, key) != nullptr;
  };
  makeRoom(requirements.getRequiredBytes(step, isResident), isInput, residents);
  for (const auto &[key, operand] : step.inputs) {
    if (!isResident(key))
      moveIn(key, step, residents);
    LocalCopy &copy = plan[find(residents, key)->copy];
    copy.uses.push_back(operand);
    copy.end = std::max(copy.end, step.end);
  }
  for (OpOperand *init : step.overwritten) {
    requireSystemCopy(init->get(), /*isSpill=*/false);
    auto kernel = cast<DestinationStyleOpInterface>(step.op);
    LocalKey result = {kernel.getTiedOpResult(init), 0};
    LocalCopy &copy = plan[addCopy(result, step, step.op)];
    copy.value = init->get();
    copy.isOverwritten = true;
    copy.uses.push_back(init);
  }
  for (OpResult result : step.results) {
    LocalKey key = {result, 0};
    size_t copy = addCopy(key, step, nullptr);
    plan[copy].isMovedOut = requirements.isNeededInSystem(result);
    resultCopies[result] = copy;
    residents.push_back({key, copy, requirements.getBytes(key), false});
  }
}

/// The keys that stay in local memory while the regions of `step` run, with
/// those that are moved in before a loop. Leaves room for what the kernels in
/// it require besides.
SmallVector<LocalKey> Schedule::chooseStaying(const MoveStep &step,
                                              Residents &residents) {
  llvm::SetVector<LocalKey> inside;
  auto addUses = [&](const MoveStep &at, auto &self) -> void {
    for (const auto &[key, operand] : at.inputs) {
      Value value = key.first;
      if (!step.op->isAncestor(value.getParentBlock()->getParentOp()))
        inside.insert(key);
    }
    for (const std::vector<MoveStep> &body : at.bodies)
      for (const MoveStep &inner : body)
        self(inner, self);
  };
  addUses(step, addUses);

  llvm::SetVector<LocalKey> staying;
  auto stays = [&](const LocalKey &key) { return staying.contains(key); };
  // The bytes that are required in any case.
  auto getFixed = [&] {
    return getBytes(residents,
                    [&](const Resident &resident) {
                      return resident.isPinned || stays(resident.key);
                    }) +
           requirements.getRequiredBytes(step, stays);
  };
  for (const LocalKey &key : inside)
    if (find(residents, key))
      staying.insert(key);
  while (!staying.empty() && getFixed() > capacity)
    staying.pop_back();
  makeRoom(requirements.getRequiredBytes(step, stays), stays, residents);
  if (!isa<LoopLikeOpInterface>(step.op))
    return staying.takeVector();
  for (const LocalKey &key : inside) {
    if (find(residents, key))
      continue;
    staying.insert(key);
    if (getFixed() + requirements.getBytes(key) > capacity) {
      staying.remove(key);
      continue;
    }
    makeRoom(requirements.getRequiredBytes(step, stays) +
                 requirements.getBytes(key),
             stays, residents);
    moveIn(key, step, residents);
    plan.back().isHoisted = true;
  }
  return staying.takeVector();
}

void Schedule::runRegions(const MoveStep &step, Residents &residents) {
  for (const LocalKey &key : chooseStaying(step, residents))
    if (const Resident *resident = find(residents, key))
      plan[resident->copy].end = std::max(plan[resident->copy].end, step.end);
  Residents around = residents;
  for (Resident &resident : around)
    resident.isPinned = true;
  for (const std::vector<MoveStep> &body : step.bodies)
    runSteps(body, around);
}

void Schedule::runSteps(ArrayRef<MoveStep> steps, Residents residents) {
  for (const MoveStep &step : steps) {
    now = step.begin;
    if (step.bodies.empty())
      runKernel(step, residents);
    else
      runRegions(step, residents);
    llvm::erase_if(residents, [&](const Resident &resident) {
      return !resident.isPinned && getNextUse(resident.key) == INT64_MAX;
    });
  }
}

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

static void addScratch(ArrayRef<MoveStep> steps, allocation::Problem &problem) {
  for (const MoveStep &step : steps) {
    if (step.scratchBytes > 0) {
      allocation::Buffer &buffer = problem.buffers.emplace_back();
      buffer.size = step.scratchBytes;
      buffer.live = {step.begin, step.end};
    }
    for (const std::vector<MoveStep> &body : step.bodies)
      addScratch(body, problem);
  }
}

/// Whether the planner of addresses can place all copies of `plan`.
static bool isPlannable(const MovePlan &plan,
                        const TransferRequirements &requirements,
                        const layout::Target &target) {
  allocation::Problem problem;
  problem.memory.capacity = target.npuBytes;
  for (const LocalCopy &copy : plan) {
    // The result of its kernel has the same address.
    if (copy.isOverwritten)
      continue;
    allocation::Buffer &buffer = problem.buffers.emplace_back();
    buffer.size = copy.layout.size.bytes;
    buffer.alignment = copy.layout.size.alignment;
    buffer.live = {copy.begin, copy.end};
  }
  addScratch(requirements.getSteps(), problem);
  allocation::PlannerOptions options;
  options.budget = 4000;
  options.onlyIfItFits = true;
  return allocation::plan(problem, options).status ==
         allocation::PlanStatus::Placed;
}

MovePlan mli::planMoves(const TransferRequirements &requirements,
                        const layout::Target &target) {
  // Fewer and fewer bytes wait, until each kernel moves all of its operands. If
  // that can not be placed either, mli-assign-addresses explains why.
  MovePlan plan;
  for (int64_t share : {16, 15, 14, 12, 8, 4, 0}) {
    plan = Schedule(requirements, target, target.npuBytes / 16 * share).run();
    if (isPlannable(plan, requirements, target))
      break;
  }
  return plan;
}
