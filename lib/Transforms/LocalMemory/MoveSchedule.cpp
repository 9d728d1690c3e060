// SPDX-License-Identifier: Apache-2.0
//
// A step of mli-insert-moves: what stays in local memory for how long.

#include "InsertMoves.h"

#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/SetVector.h"

#include <map>

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

/// Builds a plan by going through the steps in order, the outermost ones within
/// `limits`.
class Schedule {
public:
  Schedule(const TransferRequirements &requirements,
           const layout::Target &target, ArrayRef<WaitingLimits> limits)
      : requirements(requirements), capacity(target.npuBytes) {
    Residents residents;
    for (auto [step, ofStep] :
         llvm::zip_equal(requirements.getSteps(), limits)) {
      this->limits = ofStep;
      runStep(step, residents);
    }
  }

  MovePlan take() { return std::move(plan); }

private:
  void runStep(const MoveStep &step, Residents &residents);
  void runKernel(const MoveStep &step, Residents &residents);
  void runRegions(const MoveStep &step, Residents &residents);
  SmallVector<LocalKey> chooseStaying(const MoveStep &step,
                                      Residents &residents);
  int64_t
  getBytesInside(const MoveStep &step,
                 llvm::function_ref<bool(const LocalKey &)> isOutside,
                 llvm::function_ref<bool(const LocalKey &)> isStaying) const;

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
  int64_t capacity;
  WaitingLimits limits = {0, 0};
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
/// first, until `needed` bytes are free and no more wait than may.
void Schedule::makeRoom(int64_t needed,
                        llvm::function_ref<bool(LocalKey)> isNeeded,
                        Residents &residents) {
  auto mayGo = [&](const Resident &resident) {
    return !resident.isPinned && !isNeeded(resident.key);
  };
  int64_t waiting = getBytes(residents, mayGo);
  int64_t taken =
      needed + getBytes(residents, [](const Resident &) { return true; });
  while (waiting > 0 && (taken > capacity || waiting > limits.waiting)) {
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

/// Calls `visit` with each step in `step` that has no regions.
static void forEachInnermost(const MoveStep &step,
                             llvm::function_ref<void(const MoveStep &)> visit) {
  if (step.bodies.empty())
    visit(step);
  for (const std::vector<MoveStep> &body : step.bodies)
    for (const MoveStep &inner : body)
      forEachInnermost(inner, visit);
}

/// The bytes that the steps in `step` take besides the keys for which
/// `isStaying`, if what one of them leaves for a later one waits for it, but
/// for what is there from outside.
int64_t Schedule::getBytesInside(
    const MoveStep &step, llvm::function_ref<bool(const LocalKey &)> isOutside,
    llvm::function_ref<bool(const LocalKey &)> isStaying) const {
  // The time after the first use of each key, and that of the last one.
  llvm::MapVector<LocalKey, Interval> waiting;
  auto use = [&](const LocalKey &key, const MoveStep &by) {
    auto [entry, isNew] = waiting.insert({key, {by.end, by.begin}});
    entry->second.upper = by.begin;
  };
  SmallVector<const MoveStep *> steps;
  forEachInnermost(step, [&](const MoveStep &inner) {
    steps.push_back(&inner);
    for (const auto &[key, operand] : inner.inputs)
      if (!isOutside(key))
        use(key, inner);
    for (OpResult result : inner.results)
      use({result, 0}, inner);
  });
  std::map<int64_t, int64_t> changes;
  for (const auto &[key, time] : waiting)
    if (!time.isEmpty()) {
      changes[time.lower] += requirements.getBytes(key);
      changes[time.upper] -= requirements.getBytes(key);
    }
  int64_t now = 0, most = 0;
  auto next = changes.begin();
  for (const MoveStep *inner : steps) {
    for (; next != changes.end() && next->first <= inner->begin; ++next)
      now += next->second;
    auto isThere = [&](const LocalKey &key) {
      auto *time = waiting.find(key);
      return isStaying(key) ||
             (time != waiting.end() && time->second.contains(inner->begin));
    };
    most = std::max(most, now + requirements.getRequiredBytes(*inner, isThere));
  }
  return most;
}

/// The keys that stay in local memory while the regions of `step` run, with
/// those that are moved in before a loop. Leaves room for what the kernels in
/// it require besides.
SmallVector<LocalKey> Schedule::chooseStaying(const MoveStep &step,
                                              Residents &residents) {
  llvm::SetVector<LocalKey> inside;
  forEachInnermost(step, [&](const MoveStep &inner) {
    for (const auto &[key, operand] : inner.inputs) {
      Value value = key.first;
      if (!step.op->isAncestor(value.getParentBlock()->getParentOp()))
        inside.insert(key);
    }
  });
  llvm::SetVector<LocalKey> staying;
  auto stays = [&](const LocalKey &key) { return staying.contains(key); };
  auto isAround = [&](const Resident &resident) {
    return resident.isPinned || stays(resident.key);
  };
  auto getWaiting = [&] {
    return getBytesInside(
        step, [&](const LocalKey &key) { return inside.contains(key); }, stays);
  };
  // What waits in an iteration goes before what is the same in all of them, if
  // there is room for it.
  bool isRoomy = getBytes(residents, isAround) + getWaiting() <= capacity;
  auto getNeeded = [&] {
    return isRoomy ? getWaiting() : requirements.getRequiredBytes(step, stays);
  };
  for (const LocalKey &key : inside)
    if (find(residents, key))
      staying.insert(key);
  auto mayStay = [&](int64_t needed) {
    return getBytes(residents, isAround) + needed <=
           std::min(capacity, limits.staying + getNeeded());
  };
  while (!staying.empty() && !mayStay(getNeeded()))
    staying.pop_back();
  makeRoom(getNeeded(), stays, residents);
  if (!isa<LoopLikeOpInterface>(step.op))
    return staying.takeVector();
  for (const LocalKey &key : inside) {
    if (find(residents, key))
      continue;
    staying.insert(key);
    int64_t needed = getNeeded() + requirements.getBytes(key);
    if (!mayStay(needed)) {
      staying.remove(key);
      continue;
    }
    makeRoom(needed, stays, residents);
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
  for (const std::vector<MoveStep> &body : step.bodies) {
    Residents inside = around;
    for (const MoveStep &inner : body)
      runStep(inner, inside);
  }
}

void Schedule::runStep(const MoveStep &step, Residents &residents) {
  now = step.begin;
  if (step.bodies.empty())
    runKernel(step, residents);
  else
    runRegions(step, residents);
  llvm::erase_if(residents, [&](const Resident &resident) {
    return !resident.isPinned && getNextUse(resident.key) == INT64_MAX;
  });
}

MovePlan mli::scheduleMoves(const TransferRequirements &requirements,
                            const layout::Target &target,
                            ArrayRef<WaitingLimits> limits) {
  return Schedule(requirements, target, limits).take();
}
