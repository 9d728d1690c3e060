// SPDX-License-Identifier: Apache-2.0
//
// Random programs on buffers in local memory.

#ifndef MLI_TEST_FUZZ_GENERATOR_LOCALPROGRAM_H
#define MLI_TEST_FUZZ_GENERATOR_LOCALPROGRAM_H

#include "Settings.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace mli::fuzz {

/// A function `main` on tensors whose body moves buffers in the local memory of
/// a target of its own: layouts of all kinds, modes and start NPUs, matrices
/// too, filled from plain memory, sliced, read and written, moved, padded,
/// permuted and converted there, and copied back. It verifies.
mlir::OwningOpRef<mlir::ModuleOp>
generateLocalProgram(mlir::MLIRContext *context, const Settings &settings);

} // namespace mli::fuzz

#endif // MLI_TEST_FUZZ_GENERATOR_LOCALPROGRAM_H
