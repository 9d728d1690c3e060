// SPDX-License-Identifier: Apache-2.0
//
// Who computes the kernels of an interpreted program: the reference of the
// tests, or the functions of the C API.

#ifndef MLI_TEST_FUZZ_INTERPRETER_KERNELS_H
#define MLI_TEST_FUZZ_INTERPRETER_KERNELS_H

#include "Tensor.h"

#include "mli/IR/MLI.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/Error.h"

namespace mli::fuzz {

/// A kernel with the values of its operands.
struct KernelRun {
  KernelOpInterface op;
  /// By the number of the operand: tensors, of which inits hold what they held
  /// before, and numbers of the others.
  llvm::SmallVector<Tensor> tensors;
  llvm::SmallVector<int64_t> numbers;
  /// What the inits become, in their order: copies of them at first.
  llvm::SmallVector<Tensor> results;

  const Tensor &get(mlir::OpOperand &operand) const {
    return tensors[operand.getOperandNumber()];
  }
  const Tensor &get(unsigned operand) const { return tensors[operand]; }
};

class Kernels {
public:
  virtual ~Kernels() = default;
  /// Writes `run.results`. Fails where the kernel cannot be computed.
  virtual llvm::Error compute(KernelRun &run) = 0;
};

/// Integers by definitions that are independent of the library.
std::unique_ptr<Kernels> createReferenceKernels();

/// The functions of the C API, with guards around all that they are given, and
/// with outputs in each form that the API allows. `seed` chooses strides, forms
/// and the bytes of what is not written.
std::unique_ptr<Kernels> createRuntimeKernels(uint64_t seed);

} // namespace mli::fuzz

#endif // MLI_TEST_FUZZ_INTERPRETER_KERNELS_H
