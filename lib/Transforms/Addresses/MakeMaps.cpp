// SPDX-License-Identifier: Apache-2.0
//
// Plans the memories of functions as mli-assign-addresses does, for
// mli-print-memory-map.

#include "Addresses.h"
#include "MemoryMap.h"

#include "mli/Allocation/Validator.h"
#include "mli/Analysis/BankUses.h"
#include "mli/Transforms/MemoryMap.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace mli;

/// Reports which of the given addresses are impossible.
static LogicalResult reportOverlap(const MemoryProblem &problem) {
  // Without a capacity there is always a place for all others.
  allocation::Problem pinned;
  pinned.memory = problem.problem.memory;
  std::vector<allocation::Placement> places;
  SmallVector<Operation *> ops;
  for (auto [buffer, user] :
       llvm::zip_equal(problem.problem.buffers, problem.users)) {
    if (!buffer.pinned)
      continue;
    auto start = static_cast<int32_t>(
        pinned.memory.npus > 1 && user.range ? user.startNpus.front() : 0);
    pinned.buffers.push_back(buffer);
    places.push_back({*buffer.pinned, start});
    ops.push_back(user.op);
  }
  allocation::Violation violation =
      allocation::validate(pinned, places, /*limit=*/1).front();
  return emitError(ops[violation.buffer]->getLoc(),
                   "expected addresses that keep buffers apart, but got: ")
         << violation.message;
}

static MemoryRules getMemoryRules(Space space, const MapRules &rules,
                                  const MemoryAnalysis &analysis) {
  MemoryRules memory;
  memory.space = space;
  memory.plansArguments = llvm::any_of(
      analysis.getLifetimes().arguments, [](const LiveRange &range) {
        return getAddress(range.buffer).has_value();
      });
  memory.assumesLocal = rules.assumesLocal && space == Space::local;
  memory.ignoresCapacity = true;
  memory.computesInPlace = rules.computesInPlace;
  memory.reusesEmptyBlocks = rules.reusesEmptyBlocks;
  return memory;
}

/// Adds to `map`, which is planned, what its buffers are to layers.
static void describeBuffers(func::FuncOp function,
                            const MemoryAnalysis &analysis,
                            bool areArgumentsPlanned, MemoryMap &map) {
  const BufferLifetimes &lifetimes = analysis.getLifetimes();
  map.names = getBufferNames(map.memory.problem);
  for (const MemoryUser &user : map.memory.problem.users)
    map.roles.push_back(getBufferRole(user, lifetimes));
  if (map.space == Space::system)
    map.fixed = findFixedBuffers(function, lifetimes, areArgumentsPlanned);
  map.steps = findSteps(function, lifetimes);
}

static FailureOr<MemoryMap> makeMap(func::FuncOp function, Space space,
                                    const MapRules &rules,
                                    const MemoryAnalysis &analysis,
                                    const FunctionMemories &needs) {
  MemoryRules memoryRules = getMemoryRules(space, rules, analysis);
  allocation::PlannerOptions options;
  options.budget = rules.budget;
  FailureOr<MemoryPlan> memory = analysis.makePlan(memoryRules, options, needs);
  if (failed(memory))
    return failure();
  MemoryMap map;
  map.function = function.getSymName();
  map.space = space;
  map.memory = std::move(*memory);
  const auto &[problem, found] = map.memory;
  if (space == Space::system)
    map.streams = ArenaRecord::get(function);
  else
    map.parts = PartsRecord::get(function);
  map.npuBytes = problem.target ? findTarget(function).getValue().npuBytes
                                : found.plan.peak;
  if (!map.memory.isPlaced())
    return reportOverlap(problem);
  // Memory that is only assumed has no banks.
  if (!memoryRules.assumesLocal && problem.target && problem.target->banks > 1)
    map.bankConflicts = countBankConflicts(found.problem, found.plan.placements,
                                           findBankUses(function, problem));
  describeBuffers(function, analysis, memoryRules.plansArguments, map);
  return map;
}

static bool isWanted(const MemoryMap &map, const MapRules &rules) {
  bool isLocal = map.space == Space::local;
  if (map.empty() || (rules.assumesLocal && !isLocal))
    return false;
  return (rules.function.empty() || map.function == rules.function) &&
         (rules.space == MapSpace::All ||
          (rules.space == MapSpace::Local) == isLocal);
}

FailureOr<std::vector<MemoryMap>>
mli::makeMaps(ModuleOp module, const MapRules &rules, AnalyseMemory analyse) {
  FailureOr<SmallVector<func::FuncOp>> functions = sortByCalls(module);
  if (failed(functions))
    return failure();
  std::vector<MemoryMap> maps;
  FunctionMemories needs;
  for (func::FuncOp function : *functions) {
    const MemoryAnalysis &analysis = analyse(function);
    FailureOr<MemoryMap> system =
        makeMap(function, Space::system, rules, analysis, needs);
    if (failed(system))
      return failure();
    FailureOr<MemoryMap> local =
        makeMap(function, Space::local, rules, analysis, needs);
    if (failed(local))
      return failure();
    FunctionMemory need = getFunctionMemory(system->memory, local->memory);
    for (MemoryMap *map : {&*system, &*local}) {
      if (isWanted(*map, rules))
        maps.push_back(std::move(*map));
    }
    // Once planned, a caller's memory for it is a buffer of the caller.
    if (findArena(function))
      need.arenaBytes = 0;
    needs[function.getSymName()] = need;
  }
  if (maps.empty())
    return module.emitError("expected buffers to print, but got none");
  return maps;
}

namespace {

/// The maps of all functions of a module, and what they point into.
struct AllMaps {
  explicit AllMaps(ModuleOp module)
      : maps(makeMaps(module, {}, analyse)), module(module) {}
  AllMaps(const AllMaps &) = delete;
  AllMaps &operator=(const AllMaps &) = delete;

  FailureOr<report::Report> getReport() const {
    return makeReport(*maps, module, /*name=*/"", analyse);
  }

  llvm::DenseMap<Operation *, std::unique_ptr<MemoryAnalysis>> analyses;
  std::function<const MemoryAnalysis &(func::FuncOp)> analyse =
      [this](func::FuncOp function) -> const MemoryAnalysis & {
    auto &analysis = analyses[function];
    if (!analysis)
      analysis = std::make_unique<MemoryAnalysis>(function);
    return *analysis;
  };
  FailureOr<std::vector<MemoryMap>> maps;
  ModuleOp module;
};

} // namespace

/// All `format`s but pages.
static void printAll(const AllMaps &all, MapFormat format, raw_ostream &os) {
  if (format != MapFormat::Json)
    return printMaps(*all.maps, format, os);
  os << "[";
  llvm::interleave(
      *all.maps, os, [&](const MemoryMap &map) { printMaps(map, format, os); },
      ",");
  os << "]\n";
}

FailureOr<std::string> mli::formatMemoryMap(ModuleOp module, MapFormat format) {
  AllMaps all(module);
  if (failed(all.maps))
    return failure();
  std::string text;
  llvm::raw_string_ostream os(text);
  if (format != MapFormat::Html) {
    printAll(all, format, os);
    return text;
  }
  FailureOr<report::Report> report = all.getReport();
  if (failed(report))
    return failure();
  report::writePage(os, *report);
  return text;
}

FailureOr<report::Report> mli::makeReport(ModuleOp module) {
  AllMaps all(module);
  if (failed(all.maps))
    return failure();
  return all.getReport();
}
