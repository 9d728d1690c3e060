// SPDX-License-Identifier: Apache-2.0
//
// What mli-form-streams says of its decisions.

#ifndef MLI_LIB_TRANSFORMS_STREAMS_STREAMREPORT_H
#define MLI_LIB_TRANSFORMS_STREAMS_STREAMREPORT_H

#include "StreamDecision.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mli::streams {

/// Products of all vertices.
int64_t getTotalWork(const StreamGraph &graph);

/// Diagnoses on `function` that no plan fits `bytes`: `smallest`, the one of the
/// fewest bytes that computes `recompute` per cent again, takes `least`.
mlir::InFlightDiagnostic rejectArena(mlir::Operation *function,
                                     const StreamGraph &graph,
                                     const StreamPlan &smallest, int64_t least,
                                     int64_t bytes, int64_t recompute);

/// Remarks each stream of `plan`, and why its neighbours are no part of it. The
/// arena has `bytes` bytes, `whole` with the kernels whole.
void reportStreams(mlir::FunctionOpInterface function, const StreamGraph &graph,
                   const StreamPlan &plan, int64_t bytes, int64_t whole);

} // namespace mli::streams

#endif // MLI_LIB_TRANSFORMS_STREAMS_STREAMREPORT_H
