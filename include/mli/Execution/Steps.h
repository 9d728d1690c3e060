// SPDX-License-Identifier: Apache-2.0
//
// Runs a function as callers of the network see it: with unsigned values, and
// state that goes from one run to the next.

#ifndef MLI_EXECUTION_STEPS_H
#define MLI_EXECUTION_STEPS_H

#include "mli/Execution/Program.h"

#include <optional>

namespace mli {

/// The tensor that a caller holds for an argument or result of a function.
struct Port {
  mlir::RankedTensorType type;
  /// Whether quantised values are uint8, `value ^ 0x80` of those of `type`.
  bool isUnsigned = false;
  /// There may be one more dimension in front: one tensor for each step.
  bool maySteps = false;
  /// What one quantised value stands for, where that is not the scale of
  /// `type`.
  std::optional<double> scale = std::nullopt;
};

/// The arguments and results of `function` without its state.
llvm::SmallVector<Port> getInputPorts(const CompiledFunction &function);
llvm::SmallVector<Port> getResultPorts(const CompiledFunction &function);

/// Checks that `tensor` is what a caller holds for `port`. The error starts
/// with `expected <what> to`.
llvm::Error checkPort(llvm::StringRef what, const Port &port,
                      const HostTensor &tensor);

/// Converts `tensor`, of bytes, from int8 to uint8 or the other way round: each
/// value ^ 0x80.
HostTensor flipSign(HostTensor tensor);

/// The states that `function` starts with: the real number 0 everywhere.
std::vector<HostTensor> createStates(const CompiledFunction &function);

/// What `function` takes in the first step of `runSteps`: the first slices of
/// `inputs` that have steps, the others as they are, and states.
std::vector<HostTensor> getFirstStep(const CompiledFunction &function,
                                     llvm::ArrayRef<HostTensor> inputs);

/// Runs `function`, on quantised values of its types, from the state that it
/// starts with: once, or once for each index of a dimension that all inputs
/// have before their shapes. Results have that dimension if the inputs have it.
llvm::Expected<std::vector<HostTensor>>
runSteps(const Program &program, const CompiledFunction &function,
         llvm::ArrayRef<HostTensor> inputs);

} // namespace mli

#endif // MLI_EXECUTION_STEPS_H
