// SPDX-License-Identifier: Apache-2.0
//
// Creating and registering the conversion passes.

#ifndef MLI_CONVERSION_PASSES_H
#define MLI_CONVERSION_PASSES_H

#include "mli/Frontend/FormValues.h"

#include "mlir/Pass/Pass.h"

namespace mli {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "mli/Conversion/Passes.h.inc"

} // namespace mli

#endif // MLI_CONVERSION_PASSES_H
