// SPDX-License-Identifier: Apache-2.0
//
// What to do with TOSA that another version of MLIR has written.

#ifndef MLI_TOOLS_TOSAHINTS_H
#define MLI_TOOLS_TOSAHINTS_H

#include "mlir/IR/DialectRegistry.h"

namespace mli {

/// Adds a note to errors on enumerators that stand in quotes, as MLIR 21 writes
/// them, in contexts that get their dialects from `registry`.
void addTosaHints(mlir::DialectRegistry &registry);

} // namespace mli

#endif // MLI_TOOLS_TOSAHINTS_H
