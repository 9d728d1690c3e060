// SPDX-License-Identifier: Apache-2.0
//
// Moves between system and local memory that DMA instructions make.

#ifndef MLI_LIB_TRANSFORMS_LOCALMEMORY_DMAMOVE_H
#define MLI_LIB_TRANSFORMS_LOCALMEMORY_DMAMOVE_H

#include "mli/Layout/Policy.h"

#include "mlir/IR/Builders.h"
#include "mlir/Pass/Pass.h"

namespace mli {

/// `source` in `init`, one of which is in local memory in the layout `choice`:
/// one `mli.mov`, or several for what is larger than an instruction reaches.
/// Counts them in `count`.
mlir::Value createMoves(mlir::OpBuilder &builder, mlir::Location loc,
                        mlir::Value source, mlir::Value init,
                        const layout::LayoutChoice &choice,
                        const layout::Target &target,
                        mlir::Pass::Statistic &count);

} // namespace mli

#endif // MLI_LIB_TRANSFORMS_LOCALMEMORY_DMAMOVE_H
