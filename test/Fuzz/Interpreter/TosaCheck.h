// SPDX-License-Identifier: Apache-2.0
//
// Compares what was made of a network of TOSA with the network, each tensor of
// i8 computed from those before it that the program gave.

#ifndef MLI_TEST_FUZZ_INTERPRETER_TOSACHECK_H
#define MLI_TEST_FUZZ_INTERPRETER_TOSACHECK_H

#include "mli/Execution/HostTensor.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace mli::fuzz {

/// Makes the function `main` of `module` return all its tensors of i8.
void returnAll(mlir::ModuleOp module);

/// What differs between `function`, after `returnAll`, and the results of a
/// program that was made of it; nothing if all of them are right.
std::string checkTosa(mlir::func::FuncOp function,
                      llvm::ArrayRef<HostTensor> inputs,
                      llvm::ArrayRef<HostTensor> results);

} // namespace mli::fuzz

#endif // MLI_TEST_FUZZ_INTERPRETER_TOSACHECK_H
