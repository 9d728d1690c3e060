// SPDX-License-Identifier: Apache-2.0
//
// The parameters of element types as any input spells them: text, bytecode, C.

#ifndef MLI_IR_ELEMENTPARAMS_H
#define MLI_IR_ELEMENTPARAMS_H

#include "mli/IR/MLI.h"

namespace mli {

/// One set of parameters, each in the range that the C API stores it in;
/// diagnoses the first that is not.
mlir::FailureOr<quant::QuantParams>
checkParams(llvm::function_ref<mlir::InFlightDiagnostic()> emitError,
            int64_t scale, int64_t fracBits, int64_t zeroPoint);

} // namespace mli

#endif // MLI_IR_ELEMENTPARAMS_H
