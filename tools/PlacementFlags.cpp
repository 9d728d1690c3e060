// SPDX-License-Identifier: Apache-2.0

#include "PlacementFlags.h"

#include "mli/IR/LocalMemory.h"
#include "mli/Layout/Target.h"

#include "llvm/ADT/StringExtras.h"

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
                                "In local memory of the target, undefined "
                                "until written")),
          cl::init(Placement::System), cl::cat(category)),
      target("target", local.target, category, cl::value_desc("TARGET")),
      mode("layout-mode", local.mode, category, mapModeValues()),
      matrices("layout-matrices", local.matrices, category),
      doubleBuffer("double-buffer", local.doubleBuffer, category,
                   doubleBufferingValues()),
      overrides("tiles", local.overrides, category,
                cl::value_desc("FILE.json")),
      budget("planner-budget", local.budget, category, cl::value_desc("N")),
      explain("explain", cl::desc("How kernels are computed in local memory"),
              cl::values(clEnumValN(Explanation::Table, "table",
                                    "A line for each layer or group of layers"),
                         clEnumValN(Explanation::Table, "", "the same"),
                         clEnumValN(Explanation::Full, "full",
                                    "Remarks: tiles, moves, layouts, and why")),
              cl::ValueOptional, cl::init(Explanation::None), cl::cat(category),
              cl::callback([&local](const Explanation &value) {
                local.explain = value == Explanation::Full;
              })) {}

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
  std::string presets = llvm::join(layout::presetNames(), ", ");
  return llvm::createStringError(
      "expected '--placement local' to have a '--target' or a network with "
      "'mli.target', but got neither: targets are " +
      presets + " and custom, for example '--target vpx,npu-bytes=65536'");
}
