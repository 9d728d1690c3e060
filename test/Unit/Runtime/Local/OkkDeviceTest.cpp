// SPDX-License-Identifier: Apache-2.0
//
// Device information and strides of the OKK API.

#include "../TestTensor.h"
#include "LocalDevice.h"

#include <sys/resource.h>

namespace mli::test {
namespace {

bool operator==(const dim4 &a, const dim4 &b) {
  return a.n == b.n && a.c == b.c && a.h == b.h && a.w == b.w;
}

// L36
TEST(OkkDevice, IsBm1684BeforeItIsConfigured) {
  EXPECT_EQ(okk_npu_num(), 64);
  EXPECT_EQ(okk_local_mem_size_per_npu(), 524288U);
  EXPECT_EQ(okk_local_mem_bank_per_npu(), 8U);
  EXPECT_EQ(okk_local_mem_start_addr(), 0U);
  LocalDevice device;
  EXPECT_EQ(okk_npu_num(), 4);
  EXPECT_EQ(okk_local_mem_size_per_npu(), 4096U);
}

TEST(OkkDevice, MemoryNeedsInitialize) {
  LocalDevice device;
  mli_local_target target = mli_local_get_target();
  EXPECT_EQ(mli_local_configure(&target), MLI_STATUS_OK);
  EXPECT_EQ(okk_local_mem_addr(0, 0), nullptr);
  EXPECT_EQ(device.takeReport(),
            "okk_local_mem_addr: expected 'okk_initialize' to be called "
            "before, but got no local memory");
  dim4 shape = {1, 1, 1, 1};
  okk_gdma_32bit_set_C_local(0, x32{}, &shape, nullptr);
  EXPECT_NE(device.takeReport(), "");
}

TEST(OkkDevice, NeedsATarget) {
  Messages messages;
  EXPECT_EQ(mli_local_configure(nullptr), MLI_STATUS_BAD_FUNC_CFG);
  EXPECT_EQ(messages.last,
            "mli_local_configure: expected 'target' to be one, but got null");
}

// Sanitizers end a program that gets no memory.
#if defined(__has_feature)
#define MLI_TEST_HAS_FEATURE(x) __has_feature(x)
#else
#define MLI_TEST_HAS_FEATURE(x) 0
#endif
#if !defined(__SANITIZE_ADDRESS__) && !MLI_TEST_HAS_FEATURE(address_sanitizer)
TEST(OkkDevice, TheHostMayHaveTooLittleMemory) {
  Messages messages;
  LocalDevice device;
  mli_local_target large = {64, 1U << 22, 1, 128, 4};
  rlimit old = {};
  ASSERT_EQ(getrlimit(RLIMIT_AS, &old), 0);
  rlimit none = old;
  none.rlim_cur = 1 << 20;
  ASSERT_EQ(setrlimit(RLIMIT_AS, &none), 0);
  mli_status prepared = mli_local_prepare(&large);
  okk_initialize();
  ASSERT_EQ(setrlimit(RLIMIT_AS, &old), 0);
  EXPECT_EQ(prepared, MLI_STATUS_NOT_ENGH_MEM);
  EXPECT_EQ(messages.last,
            "mli_local_prepare: expected the host to hold 268435456 bytes of "
            "local memory, but got less");
  EXPECT_EQ(device.takeReport(), "okk_initialize: expected the host to hold "
                                 "the local memory, but got none");
}
#endif

TEST(OkkDevice, PreparedMemoryStaysForOneTarget) {
  LocalDevice device;
  mli_local_target same = mli_local_get_target();
  *okk_local_mem_addr(1, 5) = 77;
  EXPECT_EQ(mli_local_prepare(&same), MLI_STATUS_OK);
  EXPECT_EQ(*okk_local_mem_addr(1, 5), 77);
  mli_local_target others[] = {{5, 4096, 1, 128, 4},
                               {4, 8192, 1, 128, 4},
                               {4, 4096, 2, 128, 4},
                               {4, 4096, 1, 64, 4},
                               {4, 4096, 1, 128, 16}};
  for (const mli_local_target &other : others) {
    EXPECT_EQ(mli_local_prepare(&same), MLI_STATUS_OK);
    *okk_local_mem_addr(1, 5) = 77;
    EXPECT_EQ(mli_local_prepare(&other), MLI_STATUS_OK);
    EXPECT_EQ(*okk_local_mem_addr(1, 5), 0);
    EXPECT_EQ(mli_local_get_target().npus, other.npus);
    EXPECT_EQ(mli_local_get_target().npu_bytes, other.npu_bytes);
  }
}

TEST(OkkDevice, PrepareMakesMemoryWhereThereIsNone) {
  LocalDevice device;
  mli_local_target target = mli_local_get_target();
  EXPECT_EQ(mli_local_configure(&target), MLI_STATUS_OK);
  EXPECT_EQ(mli_local_prepare(&target), MLI_STATUS_OK);
  EXPECT_NE(okk_local_mem_addr(0, 0), nullptr);
  target.banks = 3;
  EXPECT_EQ(mli_local_prepare(&target), MLI_STATUS_BAD_FUNC_CFG);
  EXPECT_EQ(mli_local_prepare(nullptr), MLI_STATUS_BAD_FUNC_CFG);
  EXPECT_NE(okk_local_mem_addr(0, 0), nullptr);
}

// L37
TEST(OkkDevice, InconsistentTargetsAreRefused) {
  LocalDevice device;
  mli_local_target target = {4, 4096, 3, 128, 4};
  EXPECT_EQ(mli_local_configure(&target), MLI_STATUS_BAD_FUNC_CFG);
  EXPECT_EQ(mli_local_configure(nullptr), MLI_STATUS_BAD_FUNC_CFG);
  EXPECT_EQ(mli_local_get_target().banks, 1U);
  EXPECT_NE(okk_local_mem_addr(0, 0), nullptr);
}

// L1, L32
TEST(OkkDevice, HostAddresses) {
  LocalDevice device;
  EXPECT_EQ(okk_local_mem_addr(3, 4095) - okk_local_mem_addr(0, 0), 16383);
  EXPECT_EQ(okk_local_mem_addr(4, 0), nullptr);
  EXPECT_EQ(device.takeReport(),
            "okk_local_mem_addr: expected 'npu' to be at most 3, but got 4");
  EXPECT_EQ(okk_local_mem_addr(0, 4096), nullptr);
  EXPECT_EQ(device.takeReport(), "okk_local_mem_addr: expected 'offset' to be "
                                 "at most 4095, but got 4096");
  int value = 0;
  EXPECT_EQ(okk_global_mem_addr(systemAddress(&value)),
            reinterpret_cast<unsigned char *>(&value));
}

TEST(OkkDevice, ParallelBracketsDoNotNest) {
  LocalDevice device;
  EXPECT_FALSE(okk_is_parallel_state());
  okk_parallel_start();
  EXPECT_TRUE(okk_is_parallel_state());
  EXPECT_EQ(device.takeReport(), "");
  okk_parallel_start();
  EXPECT_EQ(device.takeReport(), "okk_parallel_start: expected the state to be "
                                 "serial, but got parallel");
  okk_parallel_end();
  okk_poll();
  EXPECT_FALSE(okk_is_parallel_state());
  okk_parallel_end();
  EXPECT_EQ(device.takeReport(), "okk_parallel_end: expected the state to be "
                                 "parallel, but got serial");
}

// L2, L3, L40
TEST(OkkDevice, StartAndChannels) {
  LocalDevice device(4, 1024);
  EXPECT_EQ(okk_start_npu_index(340), 0);
  EXPECT_EQ(okk_start_npu_index(1472), 1);
  EXPECT_EQ(okk_start_npu_index(2300), 2);
  EXPECT_EQ(okk_start_npu_index(3088), 3);
  EXPECT_EQ(okk_start_npu_index(4096), -1);
  EXPECT_EQ(
      device.takeReport(),
      "okk_start_npu_index: expected 'addr' to be at most 4095, but got 4096");
  EXPECT_EQ(okk_channle_num_per_npu(0, 3), 1);
  EXPECT_EQ(okk_channle_num_per_npu(1, 3), 1);
  EXPECT_EQ(okk_channle_num_per_npu(0, 6), 2);
  EXPECT_EQ(okk_channle_num_per_npu(3, 6), 3);
  EXPECT_EQ(okk_channle_num_per_npu(3, 0), 0);
  EXPECT_EQ(device.takeReport(), "okk_channle_num_per_npu: expected "
                                 "'num_channels' to be at least 1, but got 0");
  EXPECT_EQ(okk_channle_num_per_npu(-1, 1), 0);
  EXPECT_EQ(okk_channle_num_per_npu(3, INT32_MAX), 536870913);
}

// L9, L11, L13, L40
TEST(OkkDevice, Strides) {
  LocalDevice device;
  dim4 shape = {2, 3, 4, 5};
  dim4 stride;
  okk_128_byte_aligned_stride_for_32bit(&stride, 0, &shape);
  EXPECT_TRUE(stride == (dim4{32, 32, 5, 1}));
  okk_128_byte_aligned_stride_for_32bit(&stride, 2, &shape);
  EXPECT_TRUE(stride == (dim4{64, 32, 5, 1}));
  okk_128_byte_aligned_stride_for_16bit(&stride, 2, &shape);
  EXPECT_TRUE(stride == (dim4{128, 64, 5, 1}));
  okk_128_byte_aligned_stride_for_8bit(&stride, 2, &shape);
  EXPECT_TRUE(stride == (dim4{256, 128, 5, 1}));
  okk_compact_stride(&stride, 2, &shape);
  EXPECT_TRUE(stride == (dim4{40, 20, 5, 1}));
  okk_continuous_stride(&stride, &shape);
  EXPECT_TRUE(stride == (dim4{60, 20, 5, 1}));
  EXPECT_EQ(device.takeReport(), "");
}

// L32
TEST(OkkDevice, StridesThatAreRefused) {
  LocalDevice device;
  dim4 shape = {1, 1, 65535, 65535};
  dim4 stride = {7, 7, 7, 7};
  okk_continuous_stride(&stride, &shape);
  EXPECT_EQ(device.takeReport(),
            "okk_continuous_stride: expected 'n stride' to be at most "
            "2147483647, but got 4294836225");
  EXPECT_TRUE(stride == (dim4{0, 0, 0, 0}));
  okk_compact_stride(&stride, 4, &shape);
  EXPECT_EQ(
      device.takeReport(),
      "okk_compact_stride: expected 'start_idx' to be at most 3, but got 4");
  okk_compact_stride(nullptr, 0, &shape);
  EXPECT_EQ(device.takeReport(), "okk_compact_stride: expected 'stride' to be "
                                 "an address, but got null");
  okk_compact_stride(&stride, 0, nullptr);
  EXPECT_EQ(device.takeReport(), "okk_compact_stride: expected 'shape' to be "
                                 "an address, but got null");
  EXPECT_EQ(mli_local_status(), MLI_STATUS_ARGUMENT_ERROR);
  EXPECT_EQ(mli_local_status(), MLI_STATUS_OK);
}

} // namespace
} // namespace mli::test
