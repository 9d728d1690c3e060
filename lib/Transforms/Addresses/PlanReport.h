// SPDX-License-Identifier: Apache-2.0
//
// Why a plan of addresses failed, as diagnostics.

#ifndef MLI_LIB_TRANSFORMS_ADDRESSES_PLANREPORT_H
#define MLI_LIB_TRANSFORMS_ADDRESSES_PLANREPORT_H

#include "mli/Analysis/MemoryAnalysis.h"

namespace mli {

/// An error on `function`, in which `memory` has no plan that fits: bytes
/// required and available; the buffers that are live at peak usage and where
/// the lowest plan has them; those that can not be together; what would help.
mlir::LogicalResult reportConflict(mlir::func::FuncOp function,
                                   const MemoryPlan &memory,
                                   const allocation::PlannerOptions &options);

} // namespace mli

#endif // MLI_LIB_TRANSFORMS_ADDRESSES_PLANREPORT_H
