// SPDX-License-Identifier: Apache-2.0

#include "ReportFlag.h"

#include "mli/Transforms/MemoryMap.h"

using namespace mlir;
using namespace mli;
namespace cl = llvm::cl;

static bool isPage(StringRef path) { return path.ends_with(".html"); }

ReportFlag::ReportFlag(cl::OptionCategory &category)
    : path("report",
           cl::desc("Write layers, memory, costs and decisions as a page for "
                    "browsers or as JSON, with times if --benchmark is there; "
                    "without '--input' and without options of a run nothing "
                    "runs"),
           cl::value_desc("FILE.html|.json"), cl::cat(category)) {}

llvm::Error ReportFlag::check() const {
  StringRef file = path;
  if (path.getNumOccurrences() == 0 || isPage(file) || file.ends_with(".json"))
    return llvm::Error::success();
  return llvm::createStringError(
      "expected '--report' to end in '.html' or '.json', but got '" + file +
      "'");
}

void ReportFlag::addTo(RunOptions &options) const {
  if (path.getNumOccurrences() == 0)
    return;
  options.isReported = true;
  options.compile.measuresCode = true;
  auto report = std::make_shared<report::Report>();
  options.compile.inspectBuffers = [report,
                                    others = options.compile.inspectBuffers](
                                       ModuleOp module) -> LogicalResult {
    if (others && failed(others(module)))
      return failure();
    FailureOr<report::Report> made = makeReport(module);
    if (succeeded(made))
      *report = std::move(*made);
    return made;
  };
  options.whenKnown = [report](const RunFacts &facts) {
    completeReport(*report, facts);
  };
  auto write = [report, isPage = isPage(path)](llvm::raw_ostream &os) {
    isPage ? writePage(os, *report) : writeJson(os, *report);
    return llvm::Error::success();
  };
  options.reports.push_back({"--report", path, write, nullptr});
}
