// SPDX-License-Identifier: Apache-2.0
//
// Two engines at the same time: what one writes the other leaves alone.

#include "../TestTensor.h"
#include "LocalLayouts.h"

namespace mli::test {
namespace {

/// A map of 2 x 2 and six channels at `address`, from NPU `start` on.
struct Map {
  explicit Map(uint32_t address)
      : layout(makeLayout({1, 6, 2, 2}, 1, address / 4096)),
        tensor({2, 2, 6}, std::vector<int8_t>(24, 0)),
        local(describe(layout, {2, 3, 1})) {
    local.address = address;
  }

  mli_status use(mli_local_engine engine, bool isWritten) {
    return mli_local_use(&local, tensor, engine, isWritten);
  }

  TensorLayout layout;
  Fx8 tensor;
  mli_local_tensor local;
};

class Parallel : public ::testing::Test {
protected:
  Parallel() {
    mli_local_set_poison(1, 1);
    okk_initialize();
    okk_parallel_start();
  }

  LocalDevice device;
};

// L41
TEST_F(Parallel, WhatOneEngineWritesTheOtherLeavesAlone) {
  Messages messages;
  Map one(0), same(128), next(384);
  ASSERT_EQ(one.use(MLI_LOCAL_KERNELS, true), MLI_STATUS_OK);
  // Six channels on four NPUs are two rows of 128 bytes.
  EXPECT_EQ(same.use(MLI_LOCAL_MOVES, false), MLI_STATUS_ARGUMENT_ERROR);
  EXPECT_EQ(messages.last,
            "mli_local_use: expected 'local' to share no byte with what the "
            "other engine uses, where one of both writes, but got address 128");
  EXPECT_EQ(same.use(MLI_LOCAL_KERNELS, false), MLI_STATUS_OK);
  EXPECT_EQ(next.use(MLI_LOCAL_MOVES, true), MLI_STATUS_OK);
  EXPECT_EQ(next.use(MLI_LOCAL_KERNELS, false), MLI_STATUS_ARGUMENT_ERROR);
  okk_parallel_end();
  EXPECT_EQ(next.use(MLI_LOCAL_KERNELS, false), MLI_STATUS_OK);
  EXPECT_EQ(mli_local_status(), MLI_STATUS_OK);
}

TEST_F(Parallel, ThereAreTwoEngines) {
  Messages messages;
  Map one(0);
  EXPECT_EQ(one.use(static_cast<mli_local_engine>(2), false),
            MLI_STATUS_BAD_FUNC_CFG);
  EXPECT_EQ(messages.last, "mli_local_use: expected 'engine' to be an "
                           "enumerator from 0 to 1, but got 2");
}

// L41
TEST_F(Parallel, BothMayRead) {
  Map one(0);
  EXPECT_EQ(one.use(MLI_LOCAL_KERNELS, false), MLI_STATUS_OK);
  EXPECT_EQ(one.use(MLI_LOCAL_MOVES, false), MLI_STATUS_OK);
}

// L41
TEST_F(Parallel, EmptyBlocksAndPaddingAreNotUsed) {
  // Channels 4 and 5 are in NPUs 0 and 1.
  Map one(0), below(3 * 4096 + 128);
  ASSERT_EQ(one.use(MLI_LOCAL_KERNELS, true), MLI_STATUS_OK);
  // Its first channel is in NPU 3, behind the only one of the other there.
  below.layout = makeLayout({1, 1, 2, 2}, 1, 3);
  Fx8 tensor({2, 2, 1}, std::vector<int8_t>(4, 0));
  below.local = describe(below.layout, {2, 3, 1});
  below.local.address = 3 * 4096 + 128;
  EXPECT_EQ(
      mli_local_use(&below.local, tensor, MLI_LOCAL_MOVES, /*is_written=*/1),
      MLI_STATUS_OK);
}

// L41
TEST_F(Parallel, CopiesOfTheOtherEngineAreRefused) {
  dim4 shape = {1, 4, 4, 4};
  std::vector<int32_t> system(64, 1);
  okk_gdma_32bit_cpy_S2L(0, systemAddress(system.data()), &shape, nullptr,
                         nullptr);
  EXPECT_EQ(mli_local_status(), MLI_STATUS_OK);
  okk_bdc_32bit_cpy(1024, 0, &shape, nullptr, nullptr);
  EXPECT_EQ(device.takeReport(),
            "okk_bdc_32bit_cpy: expected 'src' to share no byte with what the "
            "other engine uses, where one of both writes, but got address 0");
  EXPECT_EQ(mli_local_status(), MLI_STATUS_ARGUMENT_ERROR);
  // What is refused writes nothing.
  int32_t element;
  std::memcpy(&element, okk_local_mem_addr(0, 1024), 4);
  EXPECT_NE(element, 1);
  okk_parallel_end();
  okk_bdc_32bit_cpy(1024, 0, &shape, nullptr, nullptr);
  EXPECT_EQ(mli_local_status(), MLI_STATUS_OK);
}

// L41
TEST_F(Parallel, FillsAndMatricesCount) {
  dim4 shape = {1, 1, 4, 4};
  x32 one;
  one.s32 = 1;
  okk_bdc_32bit_set_C(0, one, &shape, nullptr);
  okk_gdma_32bit_set_C_local(0, one, &shape, nullptr);
  EXPECT_EQ(device.takeReport(),
            "okk_gdma_32bit_set_C_local: expected 'dst' to share no byte with "
            "what the other engine uses, where one of both writes, but got "
            "address 0");
  std::vector<int32_t> system(16, 2);
  okk_gdma_32bit_matrix_S2L(0, systemAddress(system.data()), 1, 16, 16, 16);
  EXPECT_EQ(device.takeReport(),
            "okk_gdma_32bit_matrix_S2L: expected 'dst' to share no byte with "
            "what the other engine uses, where one of both writes, but got "
            "address 0");
  EXPECT_EQ(mli_local_status(), MLI_STATUS_ARGUMENT_ERROR);
}

TEST(ParallelState, ProgramsBeginSerial) {
  LocalDevice device;
  okk_parallel_start();
  mli_local_target target = mli_local_get_target();
  ASSERT_EQ(mli_local_prepare(&target), MLI_STATUS_OK);
  EXPECT_FALSE(okk_is_parallel_state());
}

// L41
TEST(ParallelState, WithoutPoisonNobodyLooks) {
  LocalDevice device;
  okk_parallel_start();
  Map one(0);
  EXPECT_EQ(one.use(MLI_LOCAL_KERNELS, true), MLI_STATUS_OK);
  EXPECT_EQ(one.use(MLI_LOCAL_MOVES, true), MLI_STATUS_OK);
}

} // namespace
} // namespace mli::test
