// SPDX-License-Identifier: Apache-2.0
//
// Presets, overrides, and what makes a target inconsistent.

#include "mli/Layout/Target.h"

#include <gtest/gtest.h>

namespace mli::layout {
namespace {

std::string getError(std::string_view text) {
  std::string error;
  EXPECT_FALSE(parseTarget(text, error)) << text;
  return error;
}

Target targetOf(std::string_view text) {
  std::string error;
  std::optional<Target> target = parseTarget(text, error);
  EXPECT_TRUE(target) << error;
  return target.value_or(Target());
}

// L36
TEST(Target, Presets) {
  EXPECT_EQ(targetOf("bm1684"), (Target{64, 524288, 8, 128, 4}));
  EXPECT_EQ(targetOf("bm1684x"), (Target{64, 262144, 16, 64, 4}));
  EXPECT_EQ(targetOf("bm1688"), (Target{32, 131072, 16, 16, 4}));
  EXPECT_EQ(targetOf("bm1690"), (Target{64, 262144, 16, 64, 4}));
  EXPECT_EQ(targetOf("vpx"), (Target{1, 262144, 1, 16, 16}));
  EXPECT_EQ(Target(), targetOf("bm1684"));
}

// L36
TEST(Target, Overrides) {
  EXPECT_EQ(targetOf("vpx,npu-bytes=65536"), (Target{1, 65536, 1, 16, 16}));
  EXPECT_EQ(
      targetOf("custom,npus=4,npu-bytes=16384,unit=128,banks=1,dma-align=4"),
      (Target{4, 16384, 1, 128, 4}));
  EXPECT_EQ(targetOf("bm1688,npus=2,npus=8").npus, 8);
  EXPECT_EQ(targetOf("custom,npu-bytes=65536"), (Target{1, 65536, 1, 128, 4}));
}

// L36
TEST(Target, PrintsWhatItParses) {
  for (std::string_view name : presetNames())
    EXPECT_EQ(targetOf(toString(targetOf(name))), targetOf(name));
  EXPECT_EQ(toString(targetOf("vpx,npu-bytes=65536")),
            "custom,npus=1,npu-bytes=65536,unit=16,banks=1,dma-align=16");
  EXPECT_EQ(targetOf(toString(targetOf("vpx,npu-bytes=65536"))),
            targetOf("vpx,npu-bytes=65536"));
}

// L36
TEST(Target, UnknownIsRefused) {
  EXPECT_EQ(getError("bm1685"),
            "expected 'target' to be one of bm1684, bm1684x, bm1688, bm1690, "
            "vpx, custom, but got 'bm1685'");
  EXPECT_EQ(getError("vpx,bytes=3"),
            "expected 'target' to override one of npus, npu-bytes, unit, "
            "banks, dma-align, but got 'bytes'");
  EXPECT_EQ(getError("vpx,npus=3x"),
            "expected 'npus' to be a number, but got '3x'");
  EXPECT_EQ(getError("vpx,npus"), "expected 'npus' to be a number, but got ''");
  EXPECT_EQ(getError("vpx,npus=99999999999999999999"),
            "expected 'npus' to be a number, but got '99999999999999999999'");
  EXPECT_EQ(getError("vpx,"),
            "expected 'target' to override one of npus, npu-bytes, unit, "
            "banks, dma-align, but got ''");
}

// L37
TEST(Target, InconsistentIsRefused) {
  EXPECT_EQ(getError("custom"),
            "expected 'npu-bytes' to be at least 1, but got 0");
  EXPECT_EQ(getError("custom,npus=0"),
            "expected 'npus' to be at least 1, but got 0");
  EXPECT_EQ(getError("custom,npus=4"),
            "expected 'npu-bytes' to be at least 1, but got 0");
  EXPECT_EQ(getError("bm1684,npu-bytes=67108992"),
            "expected 'npu-bytes' to be at most 67108864, but got 67108992");
  EXPECT_EQ(getError("vpx,unit=24"),
            "expected 'unit' to be a power of 2, but got 24");
  EXPECT_EQ(getError("vpx,unit=524288"),
            "expected 'unit' to be at most 262144, but got 524288");
  EXPECT_EQ(getError("vpx,npu-bytes=1000"),
            "expected 'npu-bytes' to be divisible by 16, but got 1000");
  EXPECT_EQ(getError("vpx,banks=3"),
            "expected 'npu-bytes' to be divisible by 3, but got 262144");
  EXPECT_EQ(getError("vpx,banks=0"),
            "expected 'banks' to be at least 1, but got 0");
  EXPECT_EQ(getError("vpx,dma-align=5"),
            "expected 'dma-align' to be a power of 2, but got 5");
  EXPECT_EQ(getError("vpx,npus=-1"),
            "expected 'npus' to be at least 1, but got -1");
  EXPECT_EQ(getError("custom,npus=2147483648,npu-bytes=1"),
            "expected 'npus' to be at most 2147483647, but got 2147483648");
}

} // namespace
} // namespace mli::layout
