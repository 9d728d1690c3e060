// SPDX-License-Identifier: Apache-2.0
//
// All tools print errors and remarks about imported networks by the names of
// layers.

#ifndef MLI_TOOLS_DIAGNOSTICS_H
#define MLI_TOOLS_DIAGNOSTICS_H

#include "mlir/IR/Diagnostics.h"

namespace mli {

/// Prints `diagnostic` if it is at an operation that has no position in a file,
/// with the name of its layer: `error: fully_connected "add_1" (operator 2):
/// ...`. Fails for all others.
mlir::LogicalResult printNamed(const mlir::Diagnostic &diagnostic);

/// Prints diagnostics so. What `printNamed` fails for goes to the handler
/// before it.
class NamedDiagnosticHandler : public mlir::ScopedDiagnosticHandler {
public:
  explicit NamedDiagnosticHandler(mlir::MLIRContext *context);
};

} // namespace mli

#endif // MLI_TOOLS_DIAGNOSTICS_H
