// SPDX-License-Identifier: Apache-2.0
//
// Tensor arguments under their names in the prototypes, without the tables of
// what kernels take: code that only computes includes no more than this.

#ifndef MLI_LIB_RUNTIME_CORE_ARGUMENT_H
#define MLI_LIB_RUNTIME_CORE_ARGUMENT_H

#include "mli/Runtime/C/mli_types.h"

namespace mli::contract {
struct Tensor;
} // namespace mli::contract

namespace mli::rt {

/// A tensor argument under its name in the prototype; one of a kernel has the
/// contract that the table of kernels states for it.
struct Argument {
  const mli_tensor *tensor;
  const char *name;
  const contract::Tensor *contract = nullptr;

  const mli_tensor *operator->() const { return tensor; }
  const mli_tensor &operator*() const { return *tensor; }
};

/// The operands of a kernel with weights.
struct WeightedArguments {
  Argument in;
  Argument weights;
  Argument bias;
  Argument out;
};

} // namespace mli::rt

#endif // MLI_LIB_RUNTIME_CORE_ARGUMENT_H
