// SPDX-License-Identifier: Apache-2.0
//
// A program to try, with its inputs and what it computes.

#ifndef MLI_TEST_FUZZ_RUNNER_CASE_H
#define MLI_TEST_FUZZ_RUNNER_CASE_H

#include "../Interpreter/Interpreter.h"
#include "../Interpreter/RealKernels.h"

#include "mli/Execution/HostTensor.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <functional>
#include <optional>

namespace mli::fuzz {

/// A network on mli tensors.
struct Case {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  /// Where the program came from chooses inputs and configurations.
  uint64_t seed = 0;
  std::vector<HostTensor> inputs;
  /// What it computes; nothing where the program leaves one of its tensors, as
  /// `failure` says.
  std::optional<std::vector<HostTensor>> expected;
  std::string failure;
  /// The ranges of the kernels that a run computes.
  std::vector<RangeNote> ranges;
  /// The network that a front end made the program of, if any, as a file, and
  /// the ending of its name.
  std::shared_ptr<std::string> source;
  std::string ending;
  /// Says what differs between the program and that network; null for programs
  /// that no front end made.
  std::function<llvm::Expected<std::string>(const Case &)> checkFrontEnd;

  /// Whether it has buffers of a target of its own.
  bool hasBuffers() const {
    return (*module)->hasAttr(MLIDialect::getTargetAttrName());
  }
  mlir::OwningOpRef<mlir::ModuleOp> clone() const {
    return mlir::cast<mlir::ModuleOp>((*module)->clone());
  }
};

/// The values of `inputs`, as the arguments of `function`.
llvm::SmallVector<Datum> toData(mlir::func::FuncOp function,
                                llvm::ArrayRef<HostTensor> inputs);
std::vector<HostTensor> toHostTensors(llvm::ArrayRef<Datum> data);

/// Chooses the inputs of `module` and computes its results. Fails with a
/// message where the program is none to try: it has no `main`, an operation
/// that is not known, or a result that depends on what nobody writes.
llvm::Expected<Case> makeCase(mlir::OwningOpRef<mlir::ModuleOp> module,
                              uint64_t seed);

} // namespace mli::fuzz

#endif // MLI_TEST_FUZZ_RUNNER_CASE_H
