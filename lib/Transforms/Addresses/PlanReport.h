// SPDX-License-Identifier: Apache-2.0
//
// Why a plan of addresses failed, as diagnostics.

#ifndef MLI_LIB_TRANSFORMS_ADDRESSES_PLANREPORT_H
#define MLI_LIB_TRANSFORMS_ADDRESSES_PLANREPORT_H

#include "mli/Analysis/InPlaceChoice.h"

namespace mli {

/// An error on `function`, in which `found` of `problem` does not fit: bytes
/// required and available; what is live at the fullest time and where the
/// lowest plan has it; who can not be together; what would help.
mlir::LogicalResult reportConflict(mlir::func::FuncOp function,
                                   const MemoryProblem &problem,
                                   const InPlacePlan &found,
                                   const allocation::PlannerOptions &options);

} // namespace mli

#endif // MLI_LIB_TRANSFORMS_ADDRESSES_PLANREPORT_H
