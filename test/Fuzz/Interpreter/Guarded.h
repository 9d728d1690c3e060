// SPDX-License-Identifier: Apache-2.0
//
// The memory of a tensor of the C API between guards.

#ifndef MLI_TEST_FUZZ_INTERPRETER_GUARDED_H
#define MLI_TEST_FUZZ_INTERPRETER_GUARDED_H

#include "../Random.h"
#include "Tensor.h"

#include "mli/Contract/Contract.h"
#include "mli/Contract/Kernels.h"
#include "mli/Runtime/C/mli_types.h"

namespace mli::fuzz {

/// A tensor in memory of its own: with gaps between its rows where `contract`
/// allows some, and random bytes in gaps and around, which shall stay as they
/// are.
class Guarded {
public:
  /// Moves the elements of `tensor`, which are dense, and lets it refer to
  /// where they are now.
  Guarded(mli_tensor &tensor, const contract::Tensor *contract, Random &random);
  Guarded(const Guarded &) = delete;
  Guarded &operator=(const Guarded &) = delete;

  /// Whether nothing but elements has changed, or nothing at all for an input.
  bool isIntact(bool isOutput) const;
  /// The elements, one after the other.
  std::vector<char> takeElements() const;

private:
  void forEachElement(llvm::function_ref<void(int64_t)> visit) const;

  mli_tensor layout;
  int64_t width, first;
  std::vector<char> memory, before;
};

} // namespace mli::fuzz

#endif // MLI_TEST_FUZZ_INTERPRETER_GUARDED_H
