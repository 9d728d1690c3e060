// SPDX-License-Identifier: Apache-2.0
//
// The memory maps of mli-print-memory-map, and the forms that they have.

#ifndef MLI_LIB_TRANSFORMS_ADDRESSES_MEMORYMAP_H
#define MLI_LIB_TRANSFORMS_ADDRESSES_MEMORYMAP_H

#include "mli/Analysis/BufferNames.h"
#include "mli/Analysis/BufferRoles.h"
#include "mli/Analysis/FunctionSteps.h"
#include "mli/Analysis/MemoryAnalysis.h"
#include "mli/Analysis/PartRecord.h"
#include "mli/Report/Report.h"
#include "mli/Transforms/Options.h"

#include "mlir/IR/BuiltinOps.h"

namespace mli {

/// One memory of a function, with all that is printed of it. It points into the
/// `MemoryAnalysis` of the function.
struct MemoryMap {
  llvm::StringRef function;
  Space space = Space::system;
  MemoryPlan memory;
  /// Bytes of each NPU; of the arena, as many as are used.
  int64_t npuBytes = 0;
  /// In one run; nothing where memory has no banks.
  std::optional<int64_t> bankConflicts;
  /// Of system memory, if the function has streams.
  std::optional<ArenaRecord> streams;
  /// Of local memory, if mli-tile-to-fit has decided what is in it.
  std::optional<PartsRecord> parts;
  /// What each user is called, and what it is to its layer.
  std::vector<BufferName> names;
  std::vector<BufferRole> roles;
  /// Of system memory, what is not in the arena.
  std::vector<FixedBuffer> fixed;
  std::vector<FunctionStep> steps;

  /// Both records as lines of text.
  std::string getRecordText() const;

  bool empty() const { return memory.problem.users.empty() && fixed.empty(); }
  int64_t getNpus() const;
  int64_t getFixedBytes() const;
  /// Users in the order of their addresses.
  llvm::SmallVector<size_t> sortByAddress() const;
  /// The address of `users[i]`, on the NPU that it starts on.
  int64_t getAddress(size_t i) const;
};

/// What maps show and how they plan.
struct MapRules {
  llvm::StringRef function;
  MapSpace space = MapSpace::All;
  bool computesInPlace = true, reusesEmptyBlocks = false;
  /// Whether local memory has what system memory has.
  bool assumesLocal = false;
  int64_t budget = allocation::PlannerOptions().budget;
};

/// `weights of conv2d "conv1" (operator 0)`.
std::string describeUse(const BufferUse &use);

using AnalyseMemory =
    llvm::function_ref<const MemoryAnalysis &(mlir::func::FuncOp)>;

/// The maps of the functions of `module` that hold anything.
mlir::FailureOr<std::vector<MemoryMap>>
makeMaps(mlir::ModuleOp module, const MapRules &rules, AnalyseMemory analyse);

void printMaps(llvm::ArrayRef<MemoryMap> maps, MapFormat format,
               llvm::raw_ostream &os);

/// The functions of `module` with their layers and `maps`, which may be none;
/// only the function `name` unless it is empty. Fails as `makeMaps` does.
mlir::FailureOr<report::Report> makeReport(llvm::ArrayRef<MemoryMap> maps,
                                           mlir::ModuleOp module,
                                           llvm::StringRef name,
                                           AnalyseMemory analyse);

/// All maps as one picture.
void printSvg(llvm::ArrayRef<MemoryMap> maps, llvm::raw_ostream &os);

} // namespace mli

#endif // MLI_LIB_TRANSFORMS_ADDRESSES_MEMORYMAP_H
