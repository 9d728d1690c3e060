// SPDX-License-Identifier: Apache-2.0
//
// Creates functions of 16 bits that fall from 0 on, as a sum of tables: the
// first has an entry for each of the first quantised values, where such a
// function is steep, and others have wider steps, between which kernels
// interpolate.

#ifndef MLI_FRONTEND_WIDETABLE_H
#define MLI_FRONTEND_WIDETABLE_H

#include "mli/Frontend/TensorBuilder.h"

namespace mli {

/// Creates the map of the quantised values of `source`, fx16, by `function`, as
/// `element`, off by at most 1. It gives numbers from INT16_MAX to 0 that fall
/// as quantised values grow from 0 to 32768; those below 0 become that of 0.
// K27, K28, E2
mlir::Value createFallingTables(TensorBuilder &tensors, mlir::Value source,
                                Fx16Type element,
                                llvm::function_ref<double(int code)> function);

} // namespace mli

#endif // MLI_FRONTEND_WIDETABLE_H
