// SPDX-License-Identifier: Apache-2.0
//
// One call on every instruction set of this machine, against what a reference
// that knows none of them computed once.

#ifndef MLI_TEST_UNIT_RUNTIME_REFERENCE_TARGETS_H
#define MLI_TEST_UNIT_RUNTIME_REFERENCE_TARGETS_H

#include "RandomTensor.h"
#include "mli/Runtime/C/mli_simd.h"

namespace mli::test {

/// The instruction sets that this machine has; the first is the scalar code.
inline const std::vector<mli_simd_target> &targetsHere() {
  static const std::vector<mli_simd_target> here = [] {
    mli_simd_target chosen = mli_get_simd_target();
    std::vector<mli_simd_target> targets;
    for (int i = MLI_SIMD_SCALAR; i <= MLI_SIMD_NEON_DOTPROD; ++i)
      if (mli_set_simd_target(static_cast<mli_simd_target>(i)) == MLI_STATUS_OK)
        targets.push_back(static_cast<mli_simd_target>(i));
    mli_set_simd_target(chosen);
    return targets;
  }();
  return here;
}

/// Calls `run(target)` with each of them in use, until one fails.
template <typename Run>
void forEachTarget(Run run) {
  mli_simd_target chosen = mli_get_simd_target();
  for (mli_simd_target target : targetsHere()) {
    if (testing::Test::HasFailure())
      break;
    mli_set_simd_target(target);
    run(target);
  }
  mli_set_simd_target(chosen);
}

/// What its elements are after a call is nobody's business.
struct Anything {};

/// A tensor of a call, and the codes that it holds after it; no codes if no
/// byte of it changes.
struct Operand {
  Operand(RandomTensor &tensor) : tensor(&tensor) { tensor.expectNoChange(); }
  Operand(RandomTensor &tensor, const ref::Codes &codes) : tensor(&tensor) {
    tensor.expect(codes);
  }
  Operand(RandomTensor &tensor, Anything) : tensor(&tensor) {
    tensor.expectAnything();
  }

  RandomTensor *tensor;
};

inline bool isDescribedAlike(const mli_tensor &a, const mli_tensor &b) {
  ref::Quant p = ref::quantOf(a);
  ref::Quant q = ref::quantOf(b);
  return a.el_type == b.el_type && ref::getShape(a) == ref::getShape(b) &&
         std::equal(a.mem_stride, a.mem_stride + a.rank, b.mem_stride) &&
         p.s == q.s && p.f == q.f && p.z == q.z &&
         a.data.mem.pi8 == b.data.mem.pi8 && a.data.capacity == b.data.capacity;
}

/// Expects of `call()` on each instruction set that it succeeds, that each
/// operand holds the bytes it should, those around its elements included, and
/// that tensors are described as on the first of them.
template <typename Call>
void expectOnTargets(const std::vector<Operand> &operands, Call call) {
  std::vector<mli_tensor> described;
  forEachTarget([&](mli_simd_target target) {
    const char *name = mli_simd_target_name(target);
    for (const Operand &operand : operands)
      operand.tensor->restore();
    EXPECT_EQ(call(), MLI_STATUS_OK) << name;
    size_t index = 0;
    for (const Operand &operand : operands) {
      EXPECT_TRUE(operand.tensor->isAsExpected())
          << name << ", operand " << index;
      if (target == MLI_SIMD_SCALAR)
        described.push_back(**operand.tensor);
      else
        EXPECT_TRUE(isDescribedAlike(**operand.tensor, described[index]))
            << name << ", operand " << index;
      ++index;
    }
  });
}

} // namespace mli::test

#endif // MLI_TEST_UNIT_RUNTIME_REFERENCE_TARGETS_H
