// SPDX-License-Identifier: Apache-2.0
//
// The sizes of local memory that `mli-run --sweep` is given.

#ifndef MLI_TOOLS_MLI_RUN_SWEEPSIZES_H
#define MLI_TOOLS_MLI_RUN_SWEEPSIZES_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <vector>

namespace mli {

/// The sizes that `text` lists, in bytes and ascending: 1K:1M doubles from the
/// one to the other, 1K:1M:x1.5 multiplies, 1K:16K:+1K adds, and 2K,3K,10000
/// are these.
llvm::Expected<std::vector<int64_t>> parseSweepSizes(llvm::StringRef text);

/// The same sizes, each as large as a multiple of `step`, and once; fails if
/// one is more than `max`.
llvm::Expected<std::vector<int64_t>>
roundSweepSizes(const std::vector<int64_t> &sizes, int64_t step, int64_t max);

} // namespace mli

#endif // MLI_TOOLS_MLI_RUN_SWEEPSIZES_H
