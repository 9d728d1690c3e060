// SPDX-License-Identifier: Apache-2.0
//
// What mli-form-streams says of its decisions.

#ifndef MLI_LIB_TRANSFORMS_STREAMS_STREAMREPORT_H
#define MLI_LIB_TRANSFORMS_STREAMS_STREAMREPORT_H

#include "StreamDecision.h"

#include "mli/Analysis/StreamRecord.h"

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

/// What there is to say of `plan`, whose arena has `bytes` bytes, and
/// `wholeBytes` with all kernels whole.
ArenaRecord makeRecord(mlir::FunctionOpInterface function,
                       const StreamGraph &graph, const StreamPlan &plan,
                       int64_t bytes, int64_t wholeBytes);

/// Remarks all of `record`, of `plan`, and each kernel that can not be in a
/// stream.
void reportStreams(mlir::FunctionOpInterface function, const StreamGraph &graph,
                   const StreamPlan &plan, const ArenaRecord &record);

} // namespace mli::streams

#endif // MLI_LIB_TRANSFORMS_STREAMS_STREAMREPORT_H
