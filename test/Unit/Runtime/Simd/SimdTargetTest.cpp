// SPDX-License-Identifier: Apache-2.0
//
// The instruction sets that a caller can name.

#include "mli/Runtime/C/mli_simd.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace {

TEST(SimdTarget, HasNames) {
  EXPECT_STREQ(mli_simd_target_name(MLI_SIMD_AVX3_VNNI), "avx3_vnni");
  EXPECT_STREQ(mli_simd_target_name(MLI_SIMD_NEON_I8MM), "neon_i8mm");
  EXPECT_STREQ(mli_simd_target_name(MLI_SIMD_AVX2_VNNI), "avx2_vnni");
  EXPECT_STREQ(mli_simd_target_name(MLI_SIMD_NEON_DOTPROD), "neon_dotprod");
  EXPECT_STREQ(mli_simd_target_name(static_cast<mli_simd_target>(77)),
               "unknown");
}

#if defined(__AARCH64EL__)
TEST(SimdTarget, IsTheFastestOfTheProcessor) {
  const char *expected = std::getenv("MLI_TEST_FASTEST_TARGET");
  if (!expected)
    GTEST_SKIP() << "for emulators of known processors";
  EXPECT_STREQ(mli_simd_target_name(mli_get_simd_target()), expected);
}

TEST(SimdTarget, EveryArmProcessorHasNeon) {
  mli_simd_target chosen = mli_get_simd_target();
  EXPECT_EQ(mli_set_simd_target(MLI_SIMD_NEON), MLI_STATUS_OK);
  mli_set_simd_target(chosen);
}
#endif

TEST(SimdTarget, RefusesWhatIsNotThere) {
  mli_simd_target chosen = mli_get_simd_target();
  EXPECT_EQ(mli_set_simd_target(static_cast<mli_simd_target>(77)),
            MLI_STATUS_NOT_SUPPORTED);
  EXPECT_EQ(mli_get_simd_target(), chosen);
}

} // namespace
