// SPDX-License-Identifier: Apache-2.0

#include "Options.h"

#include "Help.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/WithColor.h"

#include <functional>

using namespace llvm;

static const char purpose[] =
    R"(Measure the kernels of this machine on the layers of a table, beside those of
other libraries that modules bring.
)";

static const char sections[] = R"(
EXAMPLES:
  mli-bench layers.csv
  mli-bench layers.csv --only=softmax --columns=plain --repetitions=3
  mli-bench layers.csv --only=softmax --once

EXIT CODES:
  0  all layers are measured, and all columns give the bytes of the scalar code
  1  bytes differ, the table or a module can not be used, or the times can not be written
  2  the options can not be used

FILES:
  a table is CSV with a line for each layer and the columns name, kind, H, W, Cin, Cout,
  kh, kw, sh, sw, pt, pb, pl, pr, oh, ow and macs, in any order; test/Benchmark has three,
  with all kinds of layers; a module is a shared object by tools/mli-bench/Opponent.h,
  and those that were built are in build/opponents: docs/guides/opponents.md
)";

namespace mli::bench {

/// Checks that the value of `option` is in [min, max].
template <typename Number>
static bool checkRange(const cl::opt<Number> &option, Number min, Number max) {
  Number value = option;
  if (value >= min && value <= max)
    return true;
  WithColor::error(errs(), "mli-bench")
      << format("expected '--%s' to be in [%g, %g], but got '%g'\n",
                option.ArgStr.data(), double(min), double(max), double(value));
  return false;
}

/// Checks that `option`, if it is given, comes without any of `others`.
static bool checkWithout(
    const cl::Option &option, bool isGiven,
    std::initializer_list<std::reference_wrapper<const cl::Option>> others) {
  for (const cl::Option &other : others)
    if (isGiven && other.getNumOccurrences() != 0) {
      WithColor::error(errs(), "mli-bench")
          << "expected '--" << option.ArgStr << "' without '--" << other.ArgStr
          << "', but got both\n";
      return false;
    }
  return true;
}

bool parse(int argc, char **argv, Options &options) {
  setHelp(
      {purpose, "mli-bench [options] LAYERS.csv", sections, &options.category});
  if (!cl::ParseCommandLineOptions(argc, argv, purpose, &errs()))
    return false;
  return checkRange(options.repetitions, 1, 10000) &&
         checkRange(options.seconds, 0.0, 60.0) &&
         checkRange(options.threads, 1, 64) &&
         checkWithout(options.isOnce, options.isOnce,
                      {options.columns, options.opponents, options.repetitions,
                       options.hasScalar, options.seconds, options.threads}) &&
         checkWithout(options.threads, options.threads > 1,
                      {options.columns, options.opponents, options.hasScalar});
}

} // namespace mli::bench
