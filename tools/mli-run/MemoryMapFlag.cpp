// SPDX-License-Identifier: Apache-2.0

#include "MemoryMapFlag.h"

#include "mli/Transforms/MemoryMap.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace mli;
namespace cl = llvm::cl;

static std::optional<MapFormat> getFormat(StringRef path) {
  return llvm::StringSwitch<std::optional<MapFormat>>(
             llvm::sys::path::extension(path))
      .Case(".svg", MapFormat::Svg)
      .Case(".json", MapFormat::Json)
      .Case(".txt", MapFormat::Text)
      .Default(std::nullopt);
}

MemoryMapFlag::MemoryMapFlag(cl::OptionCategory &category)
    : path("memory-map",
           cl::desc("Write where each buffer of the program is, and when, as a "
                    "picture or as text; without '--input' and without "
                    "options of a run nothing runs"),
           cl::value_desc("FILE.svg|.json|.txt"), cl::cat(category)) {}

llvm::Error MemoryMapFlag::check() const {
  if (path.getNumOccurrences() == 0 || getFormat(path))
    return llvm::Error::success();
  return llvm::createStringError("expected '--memory-map' to end in '.svg', "
                                 "'.json' or '.txt', but got '" +
                                 path + "'");
}

void MemoryMapFlag::addTo(RunOptions &options) const {
  if (path.getNumOccurrences() == 0)
    return;
  auto text = std::make_shared<std::string>();
  options.compile.inspectBuffers =
      [text, format = *getFormat(path)](ModuleOp module) -> LogicalResult {
    FailureOr<std::string> map = formatMemoryMap(module, format);
    if (succeeded(map))
      *text = std::move(*map);
    return map;
  };
  auto write = [text](llvm::raw_ostream &os) {
    os << *text;
    return llvm::Error::success();
  };
  options.reports.push_back({"--memory-map", path, write, nullptr});
}
