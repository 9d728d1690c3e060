// SPDX-License-Identifier: Apache-2.0
//
// What the command line asks for.

#ifndef MLI_TOOLS_MLI_BENCH_OPTIONS_H
#define MLI_TOOLS_MLI_BENCH_OPTIONS_H

#include <string>
#include <vector>

namespace mli::bench {

struct Options {
  std::string layers;
  std::string only;
  /// All there are if none is named.
  std::vector<std::string> columns;
  int repetitions = 9;
  double seconds = 0.01;
  bool hasScalar = false;
  bool hasChecks = false;
  bool isOnce = false;
  int threads = 1;
};

/// Fills `options`; false, with a message on stderr, if they are none.
bool parse(int argc, char **argv, Options &options);

} // namespace mli::bench

#endif // MLI_TOOLS_MLI_BENCH_OPTIONS_H
