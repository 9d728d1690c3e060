// SPDX-License-Identifier: Apache-2.0
//
// Says in one screen whether a network runs, for all front ends.

#ifndef MLI_FRONTEND_VERDICT_H
#define MLI_FRONTEND_VERDICT_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include <string>
#include <vector>

namespace mli {

/// What `--inspect` finds.
struct Verdict {
  bool runs = false;
  /// The products that kernels compute, of those of the network.
  int64_t covered = 0, products = 0;
  /// Parts that are left out, one line each.
  std::vector<std::string> cuts;
  /// What no kernel computes, and why.
  struct Blocker {
    /// As `operator 3 (EXP)`.
    std::string what;
    std::string reason;
  };
  std::vector<Blocker> blockers;
  /// The options of `mli-run` with which the network or a part of it runs, and
  /// whether there are such.
  std::string options;
  bool hasCommand = false;
};

/// Prints `verdict` on the network in `file`: at most 10 blockers, and at most
/// 24 lines where there are few cuts.
void printVerdict(llvm::raw_ostream &os, const Verdict &verdict,
                  llvm::StringRef file);

/// Escapes characters that would break a line.
std::string escapeLine(llvm::StringRef text);

} // namespace mli

#endif // MLI_FRONTEND_VERDICT_H
