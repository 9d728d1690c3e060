// SPDX-License-Identifier: Apache-2.0
//
// Reports what becomes of the operations of a network in TOSA.

#ifndef MLI_CONVERSION_INSPECTTOSA_H
#define MLI_CONVERSION_INSPECTTOSA_H

#include "mli/Frontend/Inspection.h"

#include "mlir/IR/BuiltinOps.h"

namespace mli {

/// Raises `module` as convert-tosa-to-mli does, and lists its operations of
/// TOSA and kernels: their results, products, and the kernels that compute
/// each, or the reason why there are none. The verdict has no command.
Inspection inspectTosa(mlir::ModuleOp module);

} // namespace mli

#endif // MLI_CONVERSION_INSPECTTOSA_H
