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
/// each, or the reason why there are none. The verdict has a command if all of
/// it is raised, or a part in front that has products.
Inspection inspectTosa(mlir::ModuleOp module);

/// Makes the function that has `outputs` return these alone, names or numbers
/// of operations as they are listed, and erases what they do not need. Fails,
/// with a diagnostic, if `module` has no such operations.
mlir::LogicalResult keepOutputs(mlir::ModuleOp module,
                                llvm::ArrayRef<std::string> outputs);

} // namespace mli

#endif // MLI_CONVERSION_INSPECTTOSA_H
