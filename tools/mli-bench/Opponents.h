// SPDX-License-Identifier: Apache-2.0
//
// Other libraries, each in a module that is loaded when mli-bench runs.

#ifndef MLI_TOOLS_MLI_BENCH_OPPONENTS_H
#define MLI_TOOLS_MLI_BENCH_OPPONENTS_H

#include "Backend.h"
#include "Opponent.h"

#include <optional>

namespace mli::bench {

/// One variant of a layer, computed by an opponent.
struct Variant {
  std::string name;
  std::unique_ptr<Kernel> kernel;
};

/// A module that has been loaded, which is for good.
class Opponent {
public:
  Opponent(std::string path, const mli_bench_opponent &module)
      : path(std::move(path)), module(&module) {}

  const char *getName() const { return module->name; }
  /// The name, the version and the file, for people.
  std::string describe() const;
  /// All variants of the layer that the library has. What it refuses is told
  /// on stderr.
  std::vector<Variant> create(const Layer &layer,
                              const Operands &operands) const;
  /// What each run costs besides its layer; null if that is nothing.
  std::unique_ptr<Kernel> createNothing() const;

private:
  std::string path;
  const mli_bench_opponent *module;
};

/// Loads modules from files, and from folders all that are called
/// `libmli-bench-*.so`. None, with a message on stderr, if one of them cannot
/// be used or if two columns would have one name; `taken` are those of others.
std::optional<std::vector<Opponent>>
loadOpponents(const std::vector<std::string> &paths,
              std::vector<std::string> taken);

} // namespace mli::bench

#endif // MLI_TOOLS_MLI_BENCH_OPPONENTS_H
