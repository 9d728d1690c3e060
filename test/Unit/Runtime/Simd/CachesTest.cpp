// SPDX-License-Identifier: Apache-2.0
//
// Caches as processors and hypervisors state them.

#include "Runtime/Simd/Caches.h"

#include <gtest/gtest.h>

#include <map>
#include <utility>

using namespace mli::rt::simd;

namespace {

/// What CPUID returns by leaf and subleaf; nothing but zeros elsewhere.
std::map<std::pair<uint32_t, uint32_t>, CpuidResult> stated;

CpuidResult getStated(uint32_t leaf, uint32_t subleaf) {
  auto found = stated.find({leaf, subleaf});
  return found == stated.end() ? CpuidResult{} : found->second;
}

constexpr uint32_t ofIntel = 4, ofAmd = 0x8000001d;

class CachesTest : public testing::Test {
protected:
  ~CachesTest() override { stated.clear(); }

  static void setIntel() { stated[{0, 0}].eax = 0x20; }
  static void setAmd() {
    stated[{0x80000000, 0}].eax = 0x80000028;
    stated[{0x80000001, 0}].ecx = 1U << 22;
  }
  /// The first two levels as processors have them, instructions between them.
  static void setCaches(uint32_t leaf, CpuidResult level1, CpuidResult level2) {
    stated[{leaf, 0}] = level1;
    stated[{leaf, 1}] = {0x122, 0x01c0003f, 0x3f, 0};
    stated[{leaf, 2}] = level2;
    // The third level is none of the two.
    stated[{leaf, 3}] = {0x163, 0x03c0003f, 0x7fff, 0};
  }

  static void expectBytes(int64_t level1, int64_t level2) {
    CacheBytes found = findCacheBytes(getStated);
    EXPECT_EQ(found.level1, level1);
    EXPECT_EQ(found.level2, level2);
  }
  static void expectThoseOfZen5() { expectBytes(48 << 10, 1 << 20); }
};

TEST_F(CachesTest, OfAmd) {
  setAmd();
  setCaches(ofAmd, {0x121, 0x02c0003f, 0x3f, 0}, {0x143, 0x03c0003f, 0x3ff, 0});
  expectThoseOfZen5();
  // Zen 4: 8 ways of 64 bytes each.
  setCaches(ofAmd, {0x121, 0x01c0003f, 0x3f, 0}, {0x143, 0x01c0003f, 0x7ff, 0});
  expectBytes(32 << 10, 1 << 20);
  // The leaf of the other maker is not asked.
  setIntel();
  setCaches(ofIntel, {0x121, 0x01c0003f, 0x1f, 0},
            {0x143, 0x01c0003f, 0x3ff, 0});
  expectBytes(32 << 10, 1 << 20);
}

TEST_F(CachesTest, OfIntel) {
  setIntel();
  setCaches(ofIntel, {0x121, 0x02c0003f, 0x3f, 0},
            {0x143, 0x03c0003f, 0x7ff, 0});
  expectBytes(48 << 10, 2 << 20);
}

TEST_F(CachesTest, OfAmdWithoutTheLeaf) {
  setAmd();
  stated[{0x80000001, 0}].ecx = 0;
  setCaches(ofAmd, {0x121, 0x01c0003f, 0x3f, 0}, {0x143, 0x01c0003f, 0x7ff, 0});
  expectThoseOfZen5();
}

TEST_F(CachesTest, OfNobody) {
  expectThoseOfZen5();
  setIntel();
  expectThoseOfZen5();
}

TEST_F(CachesTest, ThatDoNotExist) {
  setIntel();
  const CpuidResult level1 = {0x121, 0x01c0003f, 0x3f, 0};
  const CpuidResult level2 = {0x143, 0x01c0003f, 0x7ff, 0};
  setCaches(ofIntel, level1, level2);
  expectBytes(32 << 10, 1 << 20);
  // Of one byte, of more than there can be, and a second level in front of the
  // first.
  setCaches(ofIntel, {0x121, 0, 0, 0}, level2);
  expectThoseOfZen5();
  setCaches(ofIntel, level1, {0x143, 0xffffffff, 0xffffffff, 0});
  expectThoseOfZen5();
  setCaches(ofIntel, {0x121, 0x03c0003f, 0xfff, 0}, level2);
  expectThoseOfZen5();
}

TEST_F(CachesTest, OfThisProcessor) {
  CacheBytes found = getCacheBytes();
  EXPECT_GE(found.level1, 4 << 10);
  EXPECT_GT(found.level2, found.level1);
  EXPECT_EQ(getCacheBytes().level1, found.level1);
  EXPECT_EQ(getCacheBytes().level2, found.level2);
}

} // namespace
