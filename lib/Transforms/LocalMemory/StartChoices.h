// SPDX-License-Identifier: Apache-2.0
//
// The NPUs that buffers may start on.

#ifndef MLI_LIB_TRANSFORMS_LOCALMEMORY_STARTCHOICES_H
#define MLI_LIB_TRANSFORMS_LOCALMEMORY_STARTCHOICES_H

#include "mli/Layout/Target.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mli {

/// Says of each `mli.alloc` in `function` that has a layout for several NPUs,
/// and no address or choice yet, on which it may start: those on which it takes
/// the fewest bytes and every view of it is legal. What one kernel computes
/// with starts on one NPU.
void chooseStarts(mlir::func::FuncOp function, const layout::Target &target);

} // namespace mli

#endif // MLI_LIB_TRANSFORMS_LOCALMEMORY_STARTCHOICES_H
