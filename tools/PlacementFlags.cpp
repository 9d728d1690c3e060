// SPDX-License-Identifier: Apache-2.0

#include "PlacementFlags.h"

#include "mli/IR/LocalMemory.h"

using namespace mlir;
using namespace mli;
namespace cl = llvm::cl;

llvm::Error StreamFlags::check(Placement placement) const {
  for (const cl::Option *option : std::initializer_list<const cl::Option *>{
           &arena, &recompute, &streams, &explain}) {
    if (option->getNumOccurrences() == 0)
      continue;
    if (placement == Placement::Local)
      return llvm::createStringError("expected '--" + option->ArgStr +
                                     "' with '--placement system', but got "
                                     "local");
    if (option != &arena && !arena.getValue())
      return llvm::createStringError("expected '--" + option->ArgStr +
                                     "' with '--arena', but got none");
  }
  return llvm::Error::success();
}

PlacementFlags::PlacementFlags(Placement &placement, LocalOptions &local,
                               cl::OptionCategory &category)
    : placement(
          "placement", cl::location(placement),
          cl::desc("Where kernels find their operands"),
          cl::values(clEnumValN(Placement::System, "system", "In plain memory"),
                     clEnumValN(Placement::Local, "local",
                                "In local memory of the target, nonsense until "
                                "written")),
          cl::init(Placement::System), cl::cat(category)),
      target("target", local.target, category, cl::value_desc("TARGET")),
      mode("layout-mode", local.mode, category, mapModeValues()),
      matrices("layout-matrices", local.matrices, category),
      doubleBuffer("double-buffer", local.doubleBuffer, category,
                   doubleBufferingValues()),
      overrides("tiles", local.overrides, category,
                cl::value_desc("FILE.json")),
      budget("planner-budget", local.budget, category, cl::value_desc("N")),
      explain("explain", local.explain, category) {}

llvm::Error PlacementFlags::check() const {
  if (placement.getValue() == Placement::Local)
    return llvm::Error::success();
  for (const cl::Option *option : std::initializer_list<const cl::Option *>{
           &target, &mode, &matrices, &doubleBuffer, &overrides, &budget,
           &explain})
    if (option->getNumOccurrences() > 0)
      return llvm::createStringError("expected '--" + option->ArgStr +
                                     "' with '--placement local', but got "
                                     "system");
  return llvm::Error::success();
}

llvm::Error PlacementFlags::checkTarget(ModuleOp module) const {
  if (placement.getValue() == Placement::System || !target.getValue().empty() ||
      findTarget(module))
    return llvm::Error::success();
  return llvm::createStringError(
      "expected '--placement local' to have a '--target' or a network with "
      "'mli.target', but got neither");
}
