// SPDX-License-Identifier: Apache-2.0

#include "Options.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/WithColor.h"

#include <functional>

using namespace llvm;

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
  cl::HideUnrelatedOptions(options.category);
  if (!cl::ParseCommandLineOptions(
          argc, argv, "Measures the kernels on the layers of a CSV file.\n",
          &errs()))
    return false;
  return checkRange(options.repetitions, 1, 10000) &&
         checkRange(options.seconds, 0.0, 60.0) &&
         checkRange(options.threads, 1, 64) &&
         checkWithout(options.isOnce, options.isOnce,
                      {options.columns, options.repetitions, options.hasScalar,
                       options.seconds, options.threads}) &&
         checkWithout(options.threads, options.threads > 1,
                      {options.columns, options.hasScalar});
}

} // namespace mli::bench
