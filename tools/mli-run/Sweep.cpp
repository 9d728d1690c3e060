// SPDX-License-Identifier: Apache-2.0

#include "Sweep.h"

#include "SweepReport.h"
#include "SweepSizes.h"

#include "mli/IR/LocalMemory.h"
#include "mli/Support/OutputFiles.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace mli;
namespace cl = llvm::cl;

SweepFlags::SweepFlags(cl::OptionCategory &category)
    : sizes("sweep",
            cl::desc("Do not run: compile for local memory of these sizes, in "
                     "bytes of each NPU, and say of each whether the network "
                     "fits and what that costs. Sizes are doubled from LOW to "
                     "HIGH if STEP does not say more"),
            cl::value_desc("LOW:HIGH[:xFACTOR|:+STEP]|SIZE,..."),
            cl::cat(category)),
      outputs("sweep-output",
              cl::desc("Write the same as JSON, as CSV or, as a picture, the "
                       "curve of moved bytes"),
              cl::value_desc("FILE.json|FILE.csv|FILE.svg"),
              cl::cat(category)) {}

//===----------------------------------------------------------------------===//
// Flags
//===----------------------------------------------------------------------===//

using Writer = void (*)(llvm::raw_ostream &, const SweepReport &);

/// What writes files named like `path`; null if nothing does.
static Writer findWriter(StringRef path) {
  return llvm::StringSwitch<Writer>(llvm::sys::path::extension(path))
      .Case(".json", writeSweepJson)
      .Case(".csv", writeSweepCsv)
      .Case(".svg", writeSweepSvg)
      .Default(nullptr);
}

llvm::Error SweepFlags::check(CompileOptions &options,
                              ArrayRef<const cl::Option *> others) const {
  if (!isRequested()) {
    if (outputs.empty())
      return llvm::Error::success();
    return llvm::createStringError(
        "expected '--sweep-output' with '--sweep', but got none");
  }
  for (const cl::Option *option : others)
    if (option->getNumOccurrences() > 0)
      return llvm::createStringError("expected '--sweep' without '--" +
                                     option->ArgStr + "', but got both");
  const cl::Option *placement = cl::getRegisteredOptions().lookup("placement");
  bool isPlaced = placement->getNumOccurrences() > 0;
  if (isPlaced && options.placement == Placement::System)
    return llvm::createStringError(
        "expected '--sweep' with '--placement local', but got system");
  options.placement = Placement::Local;
  for (StringRef path : outputs)
    if (!findWriter(path))
      return llvm::createStringError("expected '--sweep-output' to be a file "
                                     "named .json, .csv or .svg, but got '" +
                                     path + "'");
  return parseSweepSizes(sizes).takeError();
}

//===----------------------------------------------------------------------===//
// Sweep
//===----------------------------------------------------------------------===//

/// The target of `options` or else of `module`.
static llvm::Expected<layout::Target>
readTarget(ModuleOp module, const CompileOptions &options) {
  if (options.local.target.empty())
    return findTarget(module).getValue();
  std::string error;
  std::optional<layout::Target> target =
      layout::parseTarget(options.local.target.getValue(), error);
  if (!target)
    return llvm::createStringError(error);
  return *target;
}

/// Whether `entry`, lowered alone, is a network for `options` in local memory
/// of any size; if not, errors are emitted.
static bool isNetwork(func::FuncOp entry, const CompileOptions &options) {
  OwningOpRef<ModuleOp> clone = entry->getParentOfType<ModuleOp>().clone();
  return succeeded(raise(*clone, options)) &&
         succeeded(describeFunction(
             clone->lookupSymbol<func::FuncOp>(entry.getSymName())));
}

llvm::Expected<bool> SweepFlags::run(func::FuncOp entry, StringRef model,
                                     const CompileOptions &options,
                                     Progress &progress) const {
  auto module = entry->getParentOfType<ModuleOp>();
  auto target = readTarget(module, options);
  if (!target)
    return target.takeError();
  if (!isNetwork(entry, options))
    return false;
  CompileOptions entered = options;
  entered.entries = {entry.getSymName().str()};
  size_t done = 0, all = 0;
  MemorySweep sweep(module, entered, *target, [&](int64_t npuBytes) {
    std::string size = llvm::formatv("{0:N} bytes of each NPU", npuBytes);
    if (done < all)
      progress.showStep(done, all, size);
    else
      progress.show("the least size that fits: " + size);
  });
  auto read = parseSweepSizes(sizes);
  if (!read)
    return read.takeError();
  auto rounded = roundSweepSizes(*read, sweep.getStep(), sweep.getMax());
  if (!rounded)
    return rounded.takeError();

  SweepReport report{model.str(), layout::toString(*target), {}, {}, {}};
  all = rounded->size();
  for (int64_t size : *rounded) {
    report.points.push_back(sweep.compile(size));
    ++done;
  }
  const SweepPoint *least = sweep.findLeast();
  progress.clear();
  if (!least)
    return llvm::createStringError(
        "expected local memory of some size that the network fits, but got "
        "none: " +
        report.points.back().reason);
  report.least = *least;
  if (int64_t below = least->npuBytes - sweep.getStep(); below > 0)
    report.binding = sweep.compile(below).binding;

  std::vector<OutputFile> files;
  for (const std::string &path : outputs)
    files.push_back({"--sweep-output", path,
                     [&](llvm::raw_ostream &os) -> llvm::Error {
                       findWriter(path)(os, report);
                       return llvm::Error::success();
                     },
                     nullptr});
  files.push_back({"standard output", "-",
                   [&](llvm::raw_ostream &os) -> llvm::Error {
                     printSweep(os, report);
                     return llvm::Error::success();
                   },
                   nullptr});
  if (llvm::Error error = writeTogether(files))
    return error;
  return true;
}
