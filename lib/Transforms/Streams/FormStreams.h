// SPDX-License-Identifier: Apache-2.0
//
// The steps of mli-form-streams once it has a graph and a planner.

#ifndef MLI_LIB_TRANSFORMS_STREAMS_FORMSTREAMS_H
#define MLI_LIB_TRANSFORMS_STREAMS_FORMSTREAMS_H

#include "StreamDecision.h"

#include "mli/Analysis/ArenaBound.h"
#include "mli/Analysis/StreamRecord.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir {
class RewriterBase;
} // namespace mlir

namespace mli::streams {

//===----------------------------------------------------------------------===//
// Decisions as attributes of kernels, and from files
//===----------------------------------------------------------------------===//

/// The kernels of `function` by their names in files, `function:number`.
llvm::MapVector<mlir::Operation *, std::string>
nameKernels(mlir::FunctionOpInterface function);

/// Writes the stream of `kernels` kernels up to `last`, of `shape`, as an
/// attribute.
void writeStreamAttribute(mlir::Operation *last, size_t kernels,
                          const StreamShape &shape);

/// The streams of `overrides` that are of `function`, in the order of the file.
/// Fails with a diagnostic for kernels that are not there, do not follow each
/// other, or are in two streams, or in one and in tiles.
mlir::FailureOr<std::vector<StreamPart>>
readStreamOverrides(mlir::FunctionOpInterface function,
                    const StreamGraph &graph,
                    const tiling::TileOverrides &overrides);

/// The schedules of all attributes in `graph`, ascending. Fails with a
/// diagnostic for one that is no stream.
mlir::FailureOr<std::vector<StreamSchedule>>
readStreamAttributes(const StreamGraph &graph);

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// Plans the arena as mli-assign-addresses will with its default options, with
/// `schedules`, ascending. Returns its bytes.
int64_t planArena(const StreamGraph &graph,
                  llvm::ArrayRef<StreamSchedule> schedules);

/// What no program of `function` takes less than, on as many stripes as are
/// looked for or `given`, if it computes no more products again than `options`
/// allow; nothing if that is not known.
std::optional<int64_t> findBound(mlir::func::FuncOp function,
                                 llvm::ArrayRef<StreamSchedule> given,
                                 ArenaBoundOptions options);

/// For each function that `block` calls, of those that `options` have: what all
/// else that is live at its calls leaves of an arena of `bytes`. No stream
/// changes that, as none goes on through a call.
llvm::StringMap<int64_t>
getRestAtCalls(mlir::Block &block, const GraphOptions &options, int64_t bytes);

//===----------------------------------------------------------------------===//
// Reports
//===----------------------------------------------------------------------===//

/// Products of all vertices.
int64_t getTotalWork(const StreamGraph &graph);

/// Diagnoses on `function` that no plan fits `bytes`: `smallest`, the one of
/// the fewest bytes that computes `recompute` per cent again, takes `least`.
mlir::InFlightDiagnostic rejectArena(mlir::Operation *function,
                                     const StreamGraph &graph,
                                     const StreamPlan &smallest, int64_t least,
                                     int64_t bytes, int64_t recompute);

/// Where the rows of what `vertex` computes are kept. `getName` is the name of
/// a vertex.
RowBufferRecord
recordBuffer(const StreamSchedule &schedule, size_t vertex,
             llvm::function_ref<std::string(size_t vertex)> getName);

/// What there is to say of `plan`, whose streams are `schedules`.
ArenaRecord makeRecord(mlir::FunctionOpInterface function,
                       const StreamGraph &graph, const StreamPlan &plan,
                       llvm::ArrayRef<StreamSchedule> schedules);

/// Remarks all of `record`, of `plan`, and each kernel that can not be in a
/// stream.
void reportStreams(mlir::FunctionOpInterface function, const StreamGraph &graph,
                   const StreamPlan &plan, const ArenaRecord &record);

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// Replaces the kernels of `schedule` by loops over their rows. The operations
/// of its graph that are not part of it stay valid. Fails, after a diagnostic,
/// where a kernel does not compute rows as its model says.
llvm::LogicalResult writeStream(mlir::RewriterBase &rewriter,
                                const StreamSchedule &schedule);

} // namespace mli::streams

#endif // MLI_LIB_TRANSFORMS_STREAMS_FORMSTREAMS_H
