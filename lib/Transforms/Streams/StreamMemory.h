// SPDX-License-Identifier: Apache-2.0
//
// The arena that a function has once its streams are formed.

#ifndef MLI_LIB_TRANSFORMS_STREAMS_STREAMMEMORY_H
#define MLI_LIB_TRANSFORMS_STREAMS_STREAMMEMORY_H

#include "StreamSchedule.h"

namespace mli::streams {

/// Plans the arena as mli-assign-addresses will with its default options, with
/// `schedules`, ascending. Returns its bytes.
int64_t planArena(const StreamGraph &graph,
                  llvm::ArrayRef<StreamSchedule> schedules, int64_t alignment);

} // namespace mli::streams

#endif // MLI_LIB_TRANSFORMS_STREAMS_STREAMMEMORY_H
