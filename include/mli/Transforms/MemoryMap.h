// SPDX-License-Identifier: Apache-2.0
//
// The memory maps of mli-print-memory-map for tools and for programs that embed
// the compiler.

#ifndef MLI_TRANSFORMS_MEMORYMAP_H
#define MLI_TRANSFORMS_MEMORYMAP_H

#include "mli/Report/Report.h"
#include "mli/Transforms/Options.h"

#include "mlir/IR/BuiltinOps.h"

#include <string>

namespace mli {

/// The memory of all functions of `module`, on buffers: where each buffer is,
/// and when. Fails with a diagnostic, also if there is none.
mlir::FailureOr<std::string> formatMemoryMap(mlir::ModuleOp module,
                                             MapFormat format);

/// The same maps with the layers that use the memory. Fails as that does.
mlir::FailureOr<report::Report> makeReport(mlir::ModuleOp module);

} // namespace mli

#endif // MLI_TRANSFORMS_MEMORYMAP_H
