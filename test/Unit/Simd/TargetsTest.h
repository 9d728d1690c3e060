// SPDX-License-Identifier: Apache-2.0
//
// The same call on every instruction set of this machine must give the bytes
// that the scalar code gives, around the output too.

#ifndef MLI_TEST_UNIT_SIMD_TARGETSTEST_H
#define MLI_TEST_UNIT_SIMD_TARGETSTEST_H

#include "../Runtime/Reference/RandomCase.h"
#include "mli/Runtime/C/mli_simd.h"

namespace mli::test {

/// Cases for each kernel: 100,000 if MLI_TEST_FULL is set, else few enough for
/// seconds.
inline int targetCases() {
  return caseCount(500) / (caseCount(1) > 4 ? 1 : 16);
}

/// The targets that this machine has, without the scalar code.
inline std::vector<mli_simd_target> targetsHere() {
  mli_simd_target chosen = mli_get_simd_target();
  std::vector<mli_simd_target> targets;
  for (int i = MLI_SIMD_SSSE3; i <= MLI_SIMD_AVX3_VNNI; ++i)
    if (mli_set_simd_target(static_cast<mli_simd_target>(i)) == MLI_STATUS_OK)
      targets.push_back(static_cast<mli_simd_target>(i));
  mli_set_simd_target(chosen);
  return targets;
}

/// Runs `call` on all targets, with the same bytes in `out` before.
template <typename Call>
void expectSameOnTargets(RandomTensor &out, Call call) {
  static const std::vector<mli_simd_target> targets = targetsHere();
  mli_simd_target chosen = mli_get_simd_target();
  mli_tensor before = *out;
  out.remember();
  mli_set_simd_target(MLI_SIMD_SCALAR);
  mli_status status = call();
  EXPECT_EQ(status, MLI_STATUS_OK);
  std::vector<int8_t> expected = out.allBytes();
  for (mli_simd_target target : targets) {
    out.restore();
    out.tensor = before;
    mli_set_simd_target(target);
    EXPECT_EQ(call(), status);
    EXPECT_EQ(out.allBytes(), expected) << mli_simd_target_name(target);
  }
  mli_set_simd_target(chosen);
}

} // namespace mli::test

#endif // MLI_TEST_UNIT_SIMD_TARGETSTEST_H
