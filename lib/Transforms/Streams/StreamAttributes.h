// SPDX-License-Identifier: Apache-2.0
//
// Decisions of mli-form-streams as attributes of kernels, and from files.

#ifndef MLI_LIB_TRANSFORMS_STREAMS_STREAMATTRIBUTES_H
#define MLI_LIB_TRANSFORMS_STREAMS_STREAMATTRIBUTES_H

#include "StreamDecision.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mli::streams {

/// The kernels of `function` by their names in files, `function:number`.
llvm::MapVector<mlir::Operation *, std::string>
nameKernels(mlir::FunctionOpInterface function);

/// Writes the stream `part`, vertices of `graph`, as an attribute.
void writeStreamAttribute(const StreamGraph &graph, const StreamPart &part);

/// Writes those of `overrides` that are of `function`. Fails with a diagnostic
/// for kernels that are not there, do not follow each other, or are in two
/// streams, or in one and in tiles.
llvm::LogicalResult
writeStreamAttributes(mlir::FunctionOpInterface function,
                      const StreamGraph &graph,
                      const tiling::TileOverrides &overrides);

/// The schedules of all attributes in `graph`, ascending. Fails with a
/// diagnostic for one that is no stream.
mlir::FailureOr<std::vector<StreamSchedule>>
readStreamAttributes(const StreamGraph &graph);

} // namespace mli::streams

#endif // MLI_LIB_TRANSFORMS_STREAMS_STREAMATTRIBUTES_H
