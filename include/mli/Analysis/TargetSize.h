// SPDX-License-Identifier: Apache-2.0
//
// How much memory the NPUs of a target may have.

#ifndef MLI_ANALYSIS_TARGETSIZE_H
#define MLI_ANALYSIS_TARGETSIZE_H

#include "mli/Layout/Target.h"

namespace mli {

/// The fewest bytes of an NPU, at least `bytes`, that a target like `target`
/// may have.
int64_t roundToTarget(int64_t bytes, const layout::Target &target);

} // namespace mli

#endif // MLI_ANALYSIS_TARGETSIZE_H
