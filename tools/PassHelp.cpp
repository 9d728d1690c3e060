// SPDX-License-Identifier: Apache-2.0

#include "PassHelp.h"

#include "Help.h"

#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/CommandLine.h"

using namespace llvm;

namespace {

struct Stage {
  StringRef title;
  std::vector<StringRef> passes;
};

} // namespace

/// The stages in the order in which a network goes through them, and what does
/// not change it after those.
static ArrayRef<Stage> getStages() {
  static const Stage stages[] = {
      {"whole pipelines",
       {"mli-buffer-pipeline", "mli-system-pipeline", "mli-c-pipeline",
        "mli-local-buffer-pipeline", "mli-local-pipeline",
        "mli-local-c-pipeline"}},
      {"import: raise to kernels",
       {"convert-tosa-to-mli", "convert-quant-to-mli", "mli-attach-modes",
        "mli-attach-target"}},
      {"legalise: formats, conversions, slices, weights",
       {"mli-legalize-layouts", "mli-legalize-conversions",
        "mli-legalize-subtensors", "mli-pack-weights"}},
      {"order, tile and place",
       {"mli-order", "mli-form-streams", "mli-tile-to-fit", "mli-insert-moves",
        "mli-bufferize", "mli-share-states", "mli-assign-layouts",
        "mli-double-buffer"}},
      {"plan addresses", {"mli-assign-addresses"}},
      {"lower to calls",
       {"mli-check-accesses", "mli-local-to-argument", "mli-convert-scf-to-cf",
        "convert-mli-to-llvm"}},
      {"print",
       {"mli-print-memory-map", "mli-explain-fit", "mli-explain-slices"}},
      {"reduce a finding", {"mli-reduce-by-patterns"}},
  };
  return stages;
}

/// Finds the description of a pass or a pipeline; nothing if there is none.
static std::optional<StringRef> findDescription(StringRef name) {
  if (const auto *pass = mlir::PassInfo::lookup(name))
    return pass->getPassDescription();
  if (const auto *pipeline = mlir::PassPipelineInfo::lookup(name))
    return pipeline->getPassDescription();
  return std::nullopt;
}

/// The passes of this project, which are values of an option without a name:
/// each is registered as that option.
static SetVector<StringRef> getOwnPasses() {
  std::vector<StringRef> names;
  for (auto [name, option] : cl::getRegisteredOptions()) {
    bool isOwn = name.starts_with("mli-") || name.contains("-mli-") ||
                 name.ends_with("-mli");
    if (isOwn && option->ArgStr.empty() && findDescription(name))
      names.push_back(name);
  }
  llvm::sort(names);
  return {names.begin(), names.end()};
}

static void printStage(raw_ostream &os, StringRef title,
                       ArrayRef<StringRef> passes) {
  if (passes.empty())
    return;
  os << "\n" << title << ":\n";
  for (StringRef name : passes)
    mli::printHelpEntry(os, ("--" + name).str(), *findDescription(name));
}

void mli::printPassHelp(raw_ostream &os) {
  SetVector<StringRef> left = getOwnPasses();
  os << "\nPASSES of mli, in the order of the command line; options of one as "
        "in --PASS=\"a=1 b=2\":\n";
  for (const Stage &stage : getStages()) {
    std::vector<StringRef> passes;
    copy_if(stage.passes, std::back_inserter(passes),
            [&](StringRef name) { return left.remove(name); });
    printStage(os, stage.title, passes);
  }
  printStage(os, "others", left.getArrayRef());
  os << "\nPASSES of MLIR: --list-passes names them, --help-hidden describes "
        "them and the options of all.\n";
}

ArrayRef<StringRef> mli::getPassToolOptions() {
  static const StringRef names[] = {
      "allow-unregistered-dialect",
      "debug-only",
      "emit-bytecode",
      "list-passes",
      "mlir-elide-elementsattrs-if-larger",
      "mlir-print-debuginfo",
      "mlir-print-ir-after-all",
      "mlir-print-ir-after-change",
      "mlir-timing",
      "o",
      "pass-pipeline",
      "show-dialects",
      "split-input-file",
      "verify-diagnostics",
      "verify-roundtrip",
  };
  return names;
}
