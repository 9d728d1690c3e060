// SPDX-License-Identifier: Apache-2.0
//
// Poison is where no element is, and catches who reads there.

#include "../TestTensor.h"
#include "LocalLayouts.h"

#include <algorithm>

namespace mli::test {
namespace {

// L35
TEST(Poison, FreshMemoryIsTheSameForASeed) {
  LocalDevice device;
  EXPECT_EQ(device.memory(), std::vector<uint8_t>(16384, 0));
  mli_local_set_poison(1, 1);
  okk_initialize();
  std::vector<uint8_t> first = device.memory();
  EXPECT_NE(first, std::vector<uint8_t>(16384, 0));
  okk_initialize();
  EXPECT_EQ(device.memory(), first);
  mli_local_set_poison(1, 2);
  okk_initialize();
  std::vector<uint8_t> second = device.memory();
  int same = 0;
  for (size_t i = 0; i < first.size(); ++i)
    same += first[i] == second[i];
  EXPECT_LT(same, 16384 / 100);
}

// L19, L35
TEST(Poison, DummiesAndEmptyBlocks) {
  LocalDevice device;
  mli_local_set_poison(1, 1);
  okk_initialize();
  std::vector<uint8_t> pattern = device.memory();
  TensorLayout layout =
      makeLayout({6, 5, 3, 2}, 1, 3, Kind::Aligned, Mode::FourN);
  mli_local_tensor local = describe(layout, {0, 2, 3, 1});
  std::memset(okk_local_mem_addr(0, 0), 0, 16384);
  Fx8 in({6, 3, 2, 5}, std::vector<int8_t>(180, 0));
  ASSERT_EQ(mli_local_scatter(in, &local), MLI_STATUS_OK);
  auto check = [&](std::initializer_list<layout::Content> poisoned) {
    std::vector<uint8_t> memory = device.memory();
    for (int npu = 0; npu < 4; ++npu)
      for (int offset = 0; offset < 4096; ++offset) {
        layout::Content content =
            layout::contentAt(layout, {npu, offset}).content;
        bool isPoisoned = std::find(poisoned.begin(), poisoned.end(),
                                    content) != poisoned.end();
        size_t byte = npu * 4096 + offset;
        ASSERT_EQ(memory[byte], isPoisoned ? pattern[byte] : 0)
            << toString(content) << " " << npu << " " << offset;
      }
  };
  check({layout::Content::Dummy});
  ASSERT_EQ(mli_local_poison(&local, in), MLI_STATUS_OK);
  check({layout::Content::Dummy, layout::Content::Element,
         layout::Content::Padding, layout::Content::EmptyBlock});
  ASSERT_EQ(mli_local_scatter(in, &local), MLI_STATUS_OK);
  check({layout::Content::Dummy, layout::Content::Padding,
         layout::Content::EmptyBlock});
}

/// A kernel on scattered int8 tensors that sums what it finds: elements, and
/// carelessly also what else is in the blocks that it reads.
int64_t getSum(const TensorLayout &layout, layout::Content careless) {
  int64_t sum = 0;
  for (int64_t npu = 0; npu < layout.target.npus; ++npu)
    for (int64_t i = 0; i < bytesPerNpu(layout); ++i) {
      layout::Content content =
          layout::contentAt(layout, {npu, layout.offset + i}).content;
      if (content == layout::Content::Element || content == careless)
        sum += static_cast<int8_t>(*okk_local_mem_addr(npu, layout.offset + i));
    }
  return sum;
}

/// What that kernel computes on fresh memory with a seed; 0 for no poison.
int64_t runOnFreshMemory(uint32_t seed, layout::Content careless) {
  LocalDevice device;
  mli_local_set_poison(seed != 0, seed);
  okk_initialize();
  TensorLayout layout =
      makeLayout({6, 5, 3, 2}, 1, 3, Kind::Aligned, Mode::FourN);
  mli_local_tensor local = describe(layout, {0, 2, 3, 1});
  Fx8 in({6, 3, 2, 5}, counted<int8_t>(180));
  EXPECT_EQ(mli_local_scatter(in, &local), MLI_STATUS_OK);
  return getSum(layout, careless);
}

// L5, L19, L35
TEST(Poison, CatchesAKernelThatReadsWhatIsNoElement) {
  using layout::Content;
  int64_t expected = 0;
  for (int8_t code : counted<int8_t>(180))
    expected += code;
  for (uint32_t seed : {0, 1, 2, 3})
    EXPECT_EQ(runOnFreshMemory(seed, Content::Element), expected);
  for (Content careless :
       {Content::Dummy, Content::Padding, Content::EmptyBlock}) {
    // Memory of zeros would hide it.
    EXPECT_EQ(runOnFreshMemory(0, careless), expected) << toString(careless);
    for (uint32_t seed : {1, 2, 3})
      EXPECT_NE(runOnFreshMemory(seed, careless), expected)
          << toString(careless);
  }
}

// L19, L35
TEST(Poison, CatchesAnMliKernelThatGetsDummies) {
  // Three batches of one group, in place on one NPU; who takes the group for
  // four gets a maximum of a dummy.
  auto largest = [](uint32_t seed, uint32_t batches) {
    LocalDevice device(1, 4096);
    mli_local_set_poison(seed != 0, seed);
    okk_initialize();
    TensorLayout layout =
        makeLayout({3, 40, 1, 1}, 1, 0, Kind::Compact, Mode::FourN);
    mli_local_tensor local = describe(layout, {1, 0});
    Fx8 in({40, 3}, std::vector<int8_t>(120, 5));
    EXPECT_EQ(mli_local_scatter(in, &local), MLI_STATUS_OK);
    EXPECT_EQ(mli_local_view(&local, in), MLI_STATUS_OK);
    in->shape[1] = batches;
    in->data.capacity = 160;
    Fx8 out({40, batches});
    mli_relu_cfg cfg = {MLI_RELU_GEN};
    EXPECT_EQ(mli_krn_relu_fx8(in, &cfg, out), MLI_STATUS_OK);
    return *std::max_element(out.codes.begin(), out.codes.end());
  };
  for (uint32_t seed : {0, 1, 2})
    EXPECT_EQ(largest(seed, 3), 5);
  EXPECT_EQ(largest(0, 4), 5);
  EXPECT_GT(largest(1, 4), 5);
  EXPECT_GT(largest(2, 4), 5);
}

} // namespace
} // namespace mli::test
