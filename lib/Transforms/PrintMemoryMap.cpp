// SPDX-License-Identifier: Apache-2.0
//
// mli-print-memory-map prints the addresses and the lifetimes of buffers.

#include "Transforms/Addresses/Addresses.h"

#include "mli/Allocation/Validator.h"
#include "mli/Analysis/BankUses.h"
#include "mli/Support/OutputFiles.h"
#include "mli/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "mli-print-memory-map"

namespace mli {
#define GEN_PASS_DEF_PRINTMEMORYMAP
#include "mli/Transforms/Passes.h.inc"
} // namespace mli

using namespace mlir;
using namespace mli;

using MapsPrinter = void (*)(ArrayRef<MemoryMap>, raw_ostream &);

/// Writes maps one by one.
template <void (*print)(const MemoryMap &, raw_ostream &)>
static void printEach(ArrayRef<MemoryMap> maps, raw_ostream &os) {
  for (const MemoryMap &map : maps)
    print(map, os);
}

static MapsPrinter getPrinter(MapFormat format) {
  switch (format) {
  case MapFormat::Text:
    return printEach<printText>;
  case MapFormat::Json:
    return printEach<printJson>;
  case MapFormat::Svg:
    return printSvg;
  }
  llvm_unreachable("no other format");
}

/// Fails if `module` has no function `name` to print; an empty one is any.
static LogicalResult checkFunction(ModuleOp module, StringRef name) {
  SmallVector<StringRef> names;
  for (auto function : module.getOps<func::FuncOp>())
    if (!function.isExternal())
      names.push_back(function.getSymName());
  if (name.empty() || llvm::is_contained(names, name))
    return success();
  InFlightDiagnostic error =
      module.emitError("expected 'function' to be a function with a body, of ");
  if (names.empty())
    error << "which there is none";
  llvm::interleaveComma(names, error,
                        [&](StringRef there) { error << "'" << there << "'"; });
  return error << ", but got '" << name << "'";
}

namespace {

struct PrintMemoryMapPass : mli::impl::PrintMemoryMapBase<PrintMemoryMapPass> {
  using PrintMemoryMapBase::PrintMemoryMapBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (failed(checkFunction(module, function)))
      return signalPassFailure();
    FailureOr<std::vector<MemoryMap>> maps = makeMaps();
    if (failed(maps))
      return signalPassFailure();
    if (maps->empty()) {
      module.emitError("expected buffers to print, but got none");
      return signalPassFailure();
    }
    auto write = [&](raw_ostream &os) {
      getPrinter(format)(*maps, os);
      return llvm::Error::success();
    };
    if (llvm::Error error =
            writeTogether({{"output", output, write, nullptr}})) {
      module.emitError(llvm::toString(std::move(error)));
      return signalPassFailure();
    }
    markAllAnalysesPreserved();
  }

private:
  FailureOr<std::vector<MemoryMap>> makeMaps() {
    FailureOr<SmallVector<func::FuncOp>> functions =
        sortByCalls(getOperation());
    if (failed(functions))
      return failure();
    std::vector<MemoryMap> maps;
    FunctionMemories needs;
    for (func::FuncOp function : *functions) {
      const auto &analysis = getChildAnalysis<MemoryAnalysis>(function);
      FailureOr<MemoryMap> system =
          makeMap(function, Space::system, analysis, needs);
      if (failed(system))
        return failure();
      FailureOr<MemoryMap> local =
          makeMap(function, Space::local, analysis, needs);
      if (failed(local))
        return failure();
      FunctionMemory need = getFunctionMemory(system->memory, local->memory);
      for (MemoryMap *map : {&*system, &*local}) {
        LDBG() << "'" << function.getSymName() << "' takes "
               << map->memory.found.plan.peak << " bytes of "
               << stringifySpace(map->space) << " memory";
        if (!map->memory.problem.users.empty() &&
            isWanted(function, map->space))
          maps.push_back(std::move(*map));
      }
      // Once planned, a caller's memory for it is a buffer of the caller.
      if (findArena(function))
        need.arenaBytes = 0;
      needs[function.getSymName()] = need;
    }
    return maps;
  }

  bool isWanted(func::FuncOp candidate, Space kind) const {
    if (asLocal && kind == Space::system)
      return false;
    return (function.empty() || candidate.getSymName() == function) &&
           (space == MapSpace::All ||
            (space == MapSpace::Local) == (kind == Space::local));
  }

  FailureOr<MemoryMap> makeMap(func::FuncOp function, Space kind,
                               const MemoryAnalysis &analysis,
                               const FunctionMemories &needs) {
    MemoryRules rules;
    rules.space = kind;
    rules.plansArguments = llvm::any_of(
        analysis.getLifetimes().arguments, [](const LiveRange &range) {
          return getAddress(range.buffer).has_value();
        });
    rules.assumesLocal = asLocal && kind == Space::local;
    rules.ignoresCapacity = true;
    rules.computesInPlace = inPlace;
    rules.reusesEmptyBlocks = reuseEmptyBlocks;
    allocation::PlannerOptions options;
    options.budget = budget;
    FailureOr<MemoryPlan> memory = analysis.makePlan(rules, options, needs);
    if (failed(memory))
      return failure();
    MemoryMap map;
    map.function = function.getSymName();
    map.space = kind;
    map.memory = std::move(*memory);
    const auto &[problem, found] = map.memory;
    if (kind == Space::system)
      map.streams = ArenaRecord::get(function);
    else
      map.parts = PartsRecord::get(function);
    map.npuBytes = problem.target ? findTarget(function).getValue().npuBytes
                                  : found.plan.peak;
    if (!map.memory.isPlaced())
      return reportOverlap(problem);
    // Memory that is only assumed has no banks.
    if (!rules.assumesLocal && problem.target && problem.target->banks > 1)
      map.bankConflicts =
          countBankConflicts(found.problem, found.plan.placements,
                             findBankUses(function, problem));
    return map;
  }

  /// Reports which of the given addresses are impossible.
  static LogicalResult reportOverlap(const MemoryProblem &problem);
};

} // namespace

LogicalResult PrintMemoryMapPass::reportOverlap(const MemoryProblem &problem) {
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
