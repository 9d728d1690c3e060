// SPDX-License-Identifier: Apache-2.0
//
// Models okk_parallel_start to okk_parallel_end: two engines at
// the same time, of which this model runs one call after the other and, with
// poison on, rejects what depends on that.

#ifndef MLI_LIB_RUNTIME_LOCAL_PARALLEL_H
#define MLI_LIB_RUNTIME_LOCAL_PARALLEL_H

#include "mli/Layout/TensorLayout.h"

#include <optional>

namespace mli::rt {

/// The engine of an instruction: GDMA moves, and copies only rows without gaps;
/// BDC computes.
enum class Engine { Gdma, Bdc };

/// From now on both engines run, and neither has used anything.
void startParallel();
/// Both have ended, if they were running.
void endParallel();
bool isParallel();

/// `engine` reads, or writes, the elements of `layout`, which are in local
/// memory. The first byte of them that the other engine uses, if one of both
/// writes it: then nothing is noted.
std::optional<int64_t> useInParallel(const layout::TensorLayout &layout,
                                     Engine engine, bool isWritten);

} // namespace mli::rt

#endif // MLI_LIB_RUNTIME_LOCAL_PARALLEL_H
