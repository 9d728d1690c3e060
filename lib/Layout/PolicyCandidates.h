// SPDX-License-Identifier: Apache-2.0
//
// What the policy chooses from.

#ifndef MLI_LIB_LAYOUT_POLICYCANDIDATES_H
#define MLI_LIB_LAYOUT_POLICYCANDIDATES_H

#include "mli/Layout/Policy.h"

namespace mli::layout {

/// The layouts, without storage modes, that the kernels take `use` in: what
/// they like best first, the densest last. At least one.
std::vector<LayoutChoice> candidatesFor(const LocalUse &use,
                                        const Target &target,
                                        const PolicyOptions &options);

} // namespace mli::layout

#endif // MLI_LIB_LAYOUT_POLICYCANDIDATES_H
