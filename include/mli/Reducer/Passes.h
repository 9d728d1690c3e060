// SPDX-License-Identifier: Apache-2.0
//
// Creating and registering the passes of mli-reduce.

#ifndef MLI_REDUCER_PASSES_H
#define MLI_REDUCER_PASSES_H

#include "mlir/Pass/Pass.h"

namespace mli {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "mli/Reducer/Passes.h.inc"

} // namespace mli

#endif // MLI_REDUCER_PASSES_H
