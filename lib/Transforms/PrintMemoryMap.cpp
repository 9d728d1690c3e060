// SPDX-License-Identifier: Apache-2.0
//
// mli-print-memory-map prints the addresses and the lifetimes of buffers.

#include "Transforms/Addresses/MemoryMap.h"

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
    auto analyse = [&](func::FuncOp function) -> const MemoryAnalysis & {
      return getChildAnalysis<MemoryAnalysis>(function);
    };
    FailureOr<std::vector<MemoryMap>> maps =
        makeMaps(module, getRules(), analyse);
    if (failed(maps))
      return signalPassFailure();
    for (const MemoryMap &map : *maps)
      LDBG() << "'" << map.function << "' takes " << map.memory.getPlan().peak
             << " bytes of " << stringifySpace(map.space) << " memory";
    FailureOr<report::Report> report = report::Report();
    if (format == MapFormat::Html)
      report = makeReport(*maps, module, function, analyse);
    if (failed(report))
      return signalPassFailure();
    auto write = [&](raw_ostream &os) {
      if (format == MapFormat::Html)
        report::writePage(os, *report);
      else
        printMaps(*maps, format, os);
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
  MapRules getRules() const {
    MapRules rules;
    rules.function = function;
    rules.space = space;
    rules.computesInPlace = inPlace;
    rules.reusesEmptyBlocks = reuseEmptyBlocks;
    rules.assumesLocal = asLocal;
    rules.budget = budget;
    return rules;
  }
};

} // namespace
