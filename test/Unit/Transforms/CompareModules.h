// SPDX-License-Identifier: Apache-2.0
//
// Two compiled modules compute the same.

#ifndef MLI_TEST_UNIT_TRANSFORMS_COMPAREMODULES_H
#define MLI_TEST_UNIT_TRANSFORMS_COMPAREMODULES_H

#include "mli/Execution/Program.h"

#include "mlir/IR/BuiltinOps.h"

#include <random>

namespace mli {

/// Random codes; those of 32 bits, which biases have, leave room for a sum.
HostTensor randomTensor(mlir::RankedTensorType type, std::mt19937 &random);

/// Compiles `module`, which is lowered in place, in system memory, or in the
/// local memory of `target`.
mlir::FailureOr<Program> compileForTest(mlir::ModuleOp module,
                                        llvm::StringRef target = "");

/// Compiles both modules, which are lowered in place, and expects each function
/// to give the same bytes in both for random inputs.
void expectSameResults(mlir::ModuleOp expected, mlir::ModuleOp actual,
                       std::mt19937 &random);

} // namespace mli

#endif // MLI_TEST_UNIT_TRANSFORMS_COMPAREMODULES_H
