// SPDX-License-Identifier: Apache-2.0
//
// Bounds the bytes that a function moves between system and local memory from
// below, whatever its kernels are tiled and whatever stays.

#ifndef MLI_ANALYSIS_MOVEBOUND_H
#define MLI_ANALYSIS_MOVEBOUND_H

#include "mli/Layout/Target.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mli {

/// The fewest bytes that any program of the class of docs/spec/moves.md moves
/// for `function`, on tensors in system memory, into and out of the local
/// memory of `target`. Nothing for functions that the class does not cover, and
/// for those with too many values to look at.
std::optional<int64_t> boundMovedBytes(mlir::func::FuncOp function,
                                       const layout::Target &target);

} // namespace mli

#endif // MLI_ANALYSIS_MOVEBOUND_H
