// SPDX-License-Identifier: Apache-2.0
//
// mli-run prints errors about imported networks by the names of operators.

#ifndef MLI_TOOLS_DIAGNOSTICS_H
#define MLI_TOOLS_DIAGNOSTICS_H

#include "mlir/IR/Diagnostics.h"

/// Prints diagnostics at an operation that an importer has named with that
/// name: `error: operator 2 (FULLY_CONNECTED) 'add_1': ...`. All others go to
/// the handler before it.
class NamedDiagnosticHandler : public mlir::ScopedDiagnosticHandler {
public:
  explicit NamedDiagnosticHandler(mlir::MLIRContext *context);
};

#endif // MLI_TOOLS_DIAGNOSTICS_H
