// SPDX-License-Identifier: Apache-2.0
//
// Errors about networks that have names in the place of lines of a file.

#ifndef MLI_TOOLS_MLI_RUN_DIAGNOSTICS_H
#define MLI_TOOLS_MLI_RUN_DIAGNOSTICS_H

#include "mlir/IR/Diagnostics.h"

/// Prints what is reported at an operation that an importer has named, by that
/// name: `error: operator 2 (FULLY_CONNECTED) 'add_1': ...`. All else goes to
/// the handler before it.
class NamedDiagnosticHandler : public mlir::ScopedDiagnosticHandler {
public:
  explicit NamedDiagnosticHandler(mlir::MLIRContext *context);
};

#endif // MLI_TOOLS_MLI_RUN_DIAGNOSTICS_H
