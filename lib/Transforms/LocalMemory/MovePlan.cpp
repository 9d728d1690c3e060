// SPDX-License-Identifier: Apache-2.0

#include "MovePlan.h"

#include "mli/Allocation/Planner.h"

#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mli;

namespace {

/// What is in local memory at one time.
struct Resident {
  LocalKey key;
  size_t copy;
  int64_t bytes;
  /// Somebody around needs it afterwards: a loop in its next round.
  bool isPinned;
};

using Residents = std::vector<Resident>;

/// Goes through the steps in order. What waits for a later kernel may take
/// `waitingBytes`: with fewer of them, places are easier to find.
class Schedule {
public:
  Schedule(const MoveNeeds &needs, const layout::Target &target,
           int64_t waitingBytes)
      : needs(needs), capacity(target.npuBytes), waitingBytes(waitingBytes) {}

  MovePlan run() {
    runSteps(needs.getSteps(), {});
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
  void requireSystem(Value value, bool isSpill);
  int64_t nextUse(const LocalKey &key);

  static const Resident *find(const Residents &residents, const LocalKey &key) {
    auto found = llvm::find_if(residents,
                               [&](const Resident &r) { return r.key == key; });
    return found == residents.end() ? nullptr : &*found;
  }
  /// Bytes of those residents for which `isCounted`.
  static int64_t bytesOf(const Residents &residents,
                         llvm::function_ref<bool(const Resident &)> isCounted) {
    int64_t bytes = 0;
    for (const Resident &resident : residents)
      if (isCounted(resident))
        bytes += resident.bytes;
    return bytes;
  }

  const MoveNeeds &needs;
  int64_t capacity, waitingBytes;
  /// The step that is looked at begins then.
  int64_t now = 0;
  /// How many uses of a key are before `now`.
  llvm::DenseMap<LocalKey, size_t> usesBehind;
  llvm::DenseMap<Value, size_t> resultCopies;
  MovePlan plan;
};

} // namespace

/// When a kernel after `now` reads `key`; the end of time if none does.
int64_t Schedule::nextUse(const LocalKey &key) {
  ArrayRef<int64_t> uses = needs.getUses(key);
  size_t &behind = usesBehind[key];
  while (behind < uses.size() && uses[behind] <= now)
    ++behind;
  return behind < uses.size() ? uses[behind] : INT64_MAX;
}

void Schedule::requireSystem(Value value, bool isSpill) {
  auto copy = resultCopies.find(value);
  if (copy == resultCopies.end())
    return;
  LocalCopy &result = plan[copy->second];
  result.isSpilled |= isSpill && !result.isMovedOut;
  result.isMovedOut = true;
}

void Schedule::evict(size_t i, Residents &residents) {
  requireSystem(residents[i].key.first, /*isSpill=*/true);
  residents.erase(residents.begin() + static_cast<std::ptrdiff_t>(i));
}

/// Drops what is not needed now, last what is needed first, until there are
/// `needed` bytes and no more wait than may.
void Schedule::makeRoom(int64_t needed,
                        llvm::function_ref<bool(LocalKey)> isNeeded,
                        Residents &residents) {
  auto mayGo = [&](const Resident &resident) {
    return !resident.isPinned && !isNeeded(resident.key);
  };
  int64_t waiting = bytesOf(residents, mayGo);
  int64_t taken =
      needed + bytesOf(residents, [](const Resident &) { return true; });
  while (waiting > 0 && (taken > capacity || waiting > waitingBytes)) {
    size_t last = residents.size();
    int64_t lastUse = -1;
    for (auto [i, resident] : llvm::enumerate(residents))
      if (mayGo(resident) && nextUse(resident.key) > lastUse) {
        lastUse = nextUse(resident.key);
        last = i;
      }
    waiting -= residents[last].bytes;
    taken -= residents[last].bytes;
    evict(last, residents);
  }
}

size_t Schedule::addCopy(const LocalKey &key, const MoveStep &step,
                         Operation *movedBefore) {
  LocalCopy &copy = plan.emplace_back(key.first, needs.getLayout(key));
  copy.movedBefore = movedBefore;
  copy.begin = step.begin;
  copy.end = step.end;
  return plan.size() - 1;
}

/// Moves `key` in for `step`.
void Schedule::moveIn(const LocalKey &key, const MoveStep &step,
                      Residents &residents) {
  requireSystem(key.first, /*isSpill=*/false);
  residents.push_back(
      {key, addCopy(key, step, step.op), needs.getBytes(key), false});
}

void Schedule::runKernel(const MoveStep &step, Residents &residents) {
  auto isInput = [&](const LocalKey &key) {
    return llvm::any_of(step.inputs,
                        [&](const auto &input) { return input.first == key; });
  };
  auto isThere = [&](const LocalKey &key) {
    return find(residents, key) != nullptr;
  };
  makeRoom(needs.getNeed(step, isThere), isInput, residents);
  for (const auto &[key, operand] : step.inputs) {
    if (!isThere(key))
      moveIn(key, step, residents);
    LocalCopy &copy = plan[find(residents, key)->copy];
    copy.uses.push_back(operand);
    copy.end = std::max(copy.end, step.end);
  }
  for (OpOperand *init : step.overwritten) {
    requireSystem(init->get(), /*isSpill=*/false);
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
    plan[copy].isMovedOut = needs.isNeededInSystem(result);
    resultCopies[result] = copy;
    residents.push_back({key, copy, needs.getBytes(key), false});
  }
}

/// The keys that stay in local memory while the regions of `step` run, and
/// those that are moved in before a loop; there is room for what its kernels
/// need besides.
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
  /// What is taken for sure.
  auto getFixed = [&] {
    return bytesOf(residents,
                   [&](const Resident &resident) {
                     return resident.isPinned || stays(resident.key);
                   }) +
           needs.getNeed(step, stays);
  };
  for (const LocalKey &key : inside)
    if (find(residents, key))
      staying.insert(key);
  while (!staying.empty() && getFixed() > capacity)
    staying.pop_back();
  makeRoom(needs.getNeed(step, stays), stays, residents);
  if (!isa<LoopLikeOpInterface>(step.op))
    return staying.takeVector();
  for (const LocalKey &key : inside) {
    if (find(residents, key))
      continue;
    staying.insert(key);
    if (getFixed() + needs.getBytes(key) > capacity) {
      staying.remove(key);
      continue;
    }
    makeRoom(needs.getNeed(step, stays) + needs.getBytes(key), stays,
             residents);
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
      return !resident.isPinned && nextUse(resident.key) == INT64_MAX;
    });
  }
}

//===----------------------------------------------------------------------===//
// Places
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

/// Whether the planner has a place for all copies of `plan`.
static bool hasPlaces(const MovePlan &plan, const MoveNeeds &needs,
                      const layout::Target &target) {
  allocation::Problem problem;
  problem.memory.capacity = target.npuBytes;
  for (const LocalCopy &copy : plan) {
    // The result lies where it is.
    if (copy.isOverwritten)
      continue;
    allocation::Buffer &buffer = problem.buffers.emplace_back();
    buffer.size = copy.layout.size.bytes;
    buffer.alignment = copy.layout.size.alignment;
    buffer.live = {copy.begin, copy.end};
  }
  addScratch(needs.getSteps(), problem);
  allocation::PlannerOptions options;
  options.budget = 4000;
  options.onlyIfItFits = true;
  return allocation::plan(problem, options).status ==
         allocation::PlanStatus::Placed;
}

MovePlan mli::planMoves(const MoveNeeds &needs, const layout::Target &target) {
  // With ever less that waits, down to kernels that share nothing: what then
  // has no place, mli-assign-addresses explains.
  MovePlan plan;
  for (int64_t share : {16, 15, 14, 12, 8, 4, 0}) {
    plan = Schedule(needs, target, target.npuBytes / 16 * share).run();
    if (hasPlaces(plan, needs, target))
      break;
  }
  return plan;
}
