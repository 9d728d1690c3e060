// SPDX-License-Identifier: Apache-2.0
//
// What local buffers are for, where several kernels use them.

#ifndef MLI_LIB_TRANSFORMS_LOCALMEMORY_LAYOUTROLES_H
#define MLI_LIB_TRANSFORMS_LOCALMEMORY_LAYOUTROLES_H

#include "LocalBuffers.h"

#include "mli/Analysis/LocalNeed.h"

namespace mli {

/// The policy's question about a buffer of `type`.
layout::LocalUse getUse(mlir::MemRefType type, layout::Role role);

/// A role for each of `buffers.all`, of which all are static: the one that has
/// the fewest bytes moved for kernels with another contract. Kernels that take
/// any layout hand the role of one operand on to the others of its shape.
std::vector<layout::Role> chooseRoles(const LocalBuffers &buffers,
                                      const layout::Target &target,
                                      const layout::PolicyOptions &options);

} // namespace mli

#endif // MLI_LIB_TRANSFORMS_LOCALMEMORY_LAYOUTROLES_H
