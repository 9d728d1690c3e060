// SPDX-License-Identifier: Apache-2.0
//
// A canonicalization that buffers without an address do not take.

#ifndef MLI_TRANSFORMS_CONDITIONS_H
#define MLI_TRANSFORMS_CONDITIONS_H

#include "llvm/ADT/StringRef.h"

namespace mli {

/// Upstream's pattern that makes one `scf.if` of two with one condition. A
/// buffer that both branches use then lives from the first of them to the
/// second: with it, buffers of kernels behind each other all live at once.
inline constexpr llvm::StringLiteral joinConditionsPattern =
    "(anonymous namespace)::CombineIfs";

} // namespace mli

#endif // MLI_TRANSFORMS_CONDITIONS_H
