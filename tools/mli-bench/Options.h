// SPDX-License-Identifier: Apache-2.0
//
// The options of the command line.

#ifndef MLI_TOOLS_MLI_BENCH_OPTIONS_H
#define MLI_TOOLS_MLI_BENCH_OPTIONS_H

#include "llvm/Support/CommandLine.h"

#include <string>

namespace mli::bench {

/// The options, which are registered while this exists.
struct Options {
  llvm::cl::OptionCategory category{"Benchmark options"};
  llvm::cl::opt<std::string> layers{llvm::cl::Positional, llvm::cl::Required,
                                    llvm::cl::desc("LAYERS.csv"),
                                    llvm::cl::cat(category)};
  llvm::cl::opt<std::string> only{
      "only", llvm::cl::desc("Only layers whose name or kind contains this"),
      llvm::cl::value_desc("text"), llvm::cl::cat(category)};
  llvm::cl::list<std::string> columns{
      "columns", llvm::cl::CommaSeparated,
      llvm::cl::desc("Only columns of these names: plain,XNNPACK (all)"),
      llvm::cl::value_desc("text"), llvm::cl::cat(category)};
  llvm::cl::list<std::string> opponents{
      "opponents", llvm::cl::CommaSeparated,
      llvm::cl::desc("Also measure other libraries: modules, or folders of "
                     "modules libmli-bench-*.so"),
      llvm::cl::value_desc("files"), llvm::cl::cat(category)};
  llvm::cl::opt<int> repetitions{
      "repetitions",
      llvm::cl::desc("Measurements, of which the median is taken (9)"),
      llvm::cl::init(9), llvm::cl::cat(category)};
  llvm::cl::opt<double> seconds{
      "seconds", llvm::cl::desc("Seconds of each measurement (0.01)"),
      llvm::cl::init(0.01), llvm::cl::cat(category)};
  llvm::cl::opt<bool> hasScalar{"scalar",
                                llvm::cl::desc("Also measure the scalar code"),
                                llvm::cl::cat(category)};
  llvm::cl::opt<bool> hasChecks{
      "checks", llvm::cl::desc("Measure with the checks of parameters"),
      llvm::cl::cat(category)};
  llvm::cl::opt<bool> isOnce{
      "once",
      llvm::cl::desc("Call each layer once, plain, to count instructions"),
      llvm::cl::cat(category)};
  llvm::cl::opt<int> threads{
      "threads",
      llvm::cl::desc("Measure packed layers in one thread and in this many, "
                     "alternately, by the clock on the wall: calls for "
                     "--seconds, --repetitions times, median and least"),
      llvm::cl::init(1), llvm::cl::cat(category)};
};

/// Fills `options`; false, with a message on stderr, if they are none.
bool parse(int argc, char **argv, Options &options);

} // namespace mli::bench

#endif // MLI_TOOLS_MLI_BENCH_OPTIONS_H
