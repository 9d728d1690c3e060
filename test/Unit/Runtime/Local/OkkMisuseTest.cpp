// SPDX-License-Identifier: Apache-2.0
//
// Misuse of OKK copies is told with function, argument and numbers, and writes
// nothing.

#include "LocalDevice.h"

#include <functional>

namespace mli::test {
namespace {

class OkkMisuse : public testing::Test {
protected:
  /// The report of `call`, which leaves local memory and `data` as they are.
  std::string reportOf(const std::function<void()> &call) {
    std::vector<uint8_t> memory = device.memory();
    std::vector<uint32_t> before = data;
    call();
    EXPECT_EQ(device.memory(), memory);
    EXPECT_EQ(data, before);
    return device.takeReport();
  }
  std::string reportOfS2L(local_addr_t dst, const dim4 &shape,
                          const dim4 *dstStride = nullptr,
                          const dim4 *srcStride = nullptr) {
    return reportOf([&] {
      okk_gdma_32bit_cpy_S2L(dst, system, &shape, dstStride, srcStride);
    });
  }

  LocalDevice device = LocalDevice(4, 1024);
  std::vector<uint32_t> data = std::vector<uint32_t>(4096, 0x12345678);
  system_addr_t system = systemAddress(data.data());
};

// L28, L32
TEST_F(OkkMisuse, WStrideIsOne) {
  dim4 stride = {64, 32, 8, 2};
  EXPECT_EQ(reportOfS2L(0, {1, 1, 2, 2}, &stride),
            "okk_gdma_32bit_cpy_S2L: expected 'dst_stride.w' to be 1, but got "
            "2");
  EXPECT_EQ(reportOfS2L(0, {1, 1, 2, 2}, nullptr, &stride),
            "okk_gdma_32bit_cpy_S2L: expected 'src_stride.w' to be 1, but got "
            "2");
}

// L22, L32
TEST_F(OkkMisuse, EndsWithinTheNpu) {
  dim4 fits = {1, 3, 1, 32};
  okk_gdma_32bit_cpy_S2L(1024 + 896, system, &fits, nullptr, nullptr);
  EXPECT_EQ(device.takeReport(), "");
  EXPECT_EQ(reportOfS2L(1024 + 896, {1, 4, 1, 32}),
            "okk_gdma_32bit_cpy_S2L: expected 'dst' to end after at most 128 "
            "bytes of local memory from its offset on, but got 256");
  EXPECT_EQ(reportOfS2L(4096, {1, 1, 1, 1}),
            "okk_gdma_32bit_cpy_S2L: expected 'dst' to be at most 4095, but "
            "got 4096");
  EXPECT_EQ(reportOf([&] {
              dim4 shape = {1, 1, 1, 257};
              okk_gdma_32bit_cpy_L2S(system, 0, &shape, nullptr, nullptr);
            }),
            "okk_gdma_32bit_cpy_L2S: expected 'src' to end after at most 1024 "
            "bytes of local memory from its offset on, but got 1152");
  dim4 stride = {INT32_MAX, INT32_MAX, INT32_MAX, 1};
  EXPECT_NE(reportOfS2L(0, {65535, 4095, 65535, 65535}, &stride), "");
}

// L30, L32
TEST_F(OkkMisuse, Alignment) {
  dim4 stride = {4, 4, 4, 1};
  EXPECT_EQ(reportOfS2L(2, {1, 1, 1, 1}, &stride),
            "okk_gdma_32bit_cpy_S2L: expected 'dst' to be divisible by 4, but "
            "got 2");
  EXPECT_EQ(reportOfS2L(64, {1, 1, 1, 1}),
            "okk_gdma_32bit_cpy_S2L: expected 'dst' to be divisible by 128, "
            "but got 64");
  system += 2;
  EXPECT_NE(reportOfS2L(0, {1, 1, 1, 1}, &stride)
                .find("expected 'src' to be "
                      "divisible by 4"),
            std::string::npos);
}

// L30
TEST(OkkAlignment, OfTheTarget) {
  LocalDevice device(1, 1024, 16, 16);
  dim4 shape = {1, 1, 1, 1};
  dim4 stride = {1, 1, 1, 1};
  okk_gdma_8bit_set_C_local(4, x8{}, &shape, &stride);
  EXPECT_EQ(device.takeReport(), "okk_gdma_8bit_set_C_local: expected 'dst' to "
                                 "be divisible by 16, but got 4");
  okk_bdc_32bit_set_C(4, x32{}, &shape, &stride);
  EXPECT_EQ(device.takeReport(), "");
}

// L29, L32
TEST_F(OkkMisuse, InstructionLimits) {
  EXPECT_EQ(reportOfS2L(0, {65536, 1, 1, 1}),
            "okk_gdma_32bit_cpy_S2L: expected 'shape.n' to be at most 65535, "
            "but got 65536");
  EXPECT_EQ(reportOfS2L(0, {1, 4096, 1, 1}),
            "okk_gdma_32bit_cpy_S2L: expected 'shape.c' to be at most 4095, "
            "but got 4096");
  EXPECT_EQ(reportOfS2L(0, {1, 1, 0, 1}),
            "okk_gdma_32bit_cpy_S2L: expected 'shape.h' to be at least 1, but "
            "got 0");
  EXPECT_EQ(reportOfS2L(0, {1, 1, 1, -5}),
            "okk_gdma_32bit_cpy_S2L: expected 'shape.w' to be at least 1, but "
            "got -5");
}

// L25, L32
TEST_F(OkkMisuse, DestinationElementsLieApart) {
  dim4 stride = {16, 8, 3, 1};
  EXPECT_EQ(reportOfS2L(0, {1, 1, 2, 4}, &stride),
            "okk_gdma_32bit_cpy_S2L: expected 'dst_stride.h' to be at least 4, "
            "but got 3");
  stride = {-16, 8, 4, 1};
  EXPECT_EQ(reportOfS2L(0, {1, 1, 2, 4}, &stride),
            "okk_gdma_32bit_cpy_S2L: expected 'dst_stride.n' to be at least 0, "
            "but got -16");
  // A source may be read repeatedly.
  stride = {0, 0, 0, 1};
  dim4 shape = {1, 4, 2, 4};
  okk_gdma_32bit_cpy_S2L(0, system, &shape, nullptr, &stride);
  EXPECT_EQ(device.takeReport(), "");
}

// L32
TEST_F(OkkMisuse, NullArguments) {
  EXPECT_EQ(reportOf([&] {
              okk_gdma_32bit_cpy_S2L(0, system, nullptr, nullptr, nullptr);
            }),
            "okk_gdma_32bit_cpy_S2L: expected 'shape' to be an address, but "
            "got null");
  system = 0;
  EXPECT_EQ(reportOfS2L(0, {1, 1, 1, 1}),
            "okk_gdma_32bit_cpy_S2L: expected 'src' to be an address, but got "
            "null");
}

// L31, L32
TEST_F(OkkMisuse, ComputeOperandsStartAtTheSameNpu) {
  dim4 shape = {1, 2, 1, 1};
  EXPECT_EQ(reportOf([&] {
              okk_bdc_32bit_cpy(1024, 2048, &shape, nullptr, nullptr);
            }),
            "okk_bdc_32bit_cpy: expected 'src' to start at NPU 1, where dst "
            "does, but got 2");
}

// L39, L32
TEST_F(OkkMisuse, SourceAndDestinationLieApart) {
  dim4 shape = {1, 2, 3, 8};
  dim4 stride = {64, 64, 16, 1};
  auto copy = [&](local_addr_t dst, local_addr_t src) {
    return reportOf(
        [&] { okk_gdma_32bit_cpy_L2L(dst, src, &shape, &stride, &stride); });
  };
  EXPECT_EQ(copy(4, 0), "okk_gdma_32bit_cpy_L2L: expected 'src' to be apart "
                        "from the element of dst at 4, but got 4");
  // From the last NPU on the second channel is in the first.
  EXPECT_EQ(copy(256 + 64, 3 * 1024),
            "okk_gdma_32bit_cpy_L2L: expected 'src' to be apart from the "
            "element of dst at 320, but got 320");
  // Rows beside rows, and the same bytes of other NPUs.
  EXPECT_EQ(copy(32, 0), "");
  EXPECT_EQ(copy(2 * 1024, 0), "");
  system_addr_t to = system + 4;
  EXPECT_EQ(reportOf([&] {
              okk_gdma_8bit_cpy_S2S(to, system, &shape, nullptr, nullptr);
            }),
            "okk_gdma_8bit_cpy_S2S: expected 'src' to be apart from the "
            "element of dst at " +
                std::to_string(to) + ", but got " + std::to_string(to));
  // A pointer into local memory.
  system = systemAddress(okk_local_mem_addr(1, 128));
  EXPECT_NE(
      reportOf([&] { okk_gdma_32bit_matrix_L2S(system, 0, 2, 40, 15, 40); }),
      "");
  EXPECT_EQ(
      reportOf([&] { okk_gdma_32bit_matrix_L2S(system, 512, 2, 40, 15, 40); }),
      "");
}

// L33, L32
TEST_F(OkkMisuse, Matrices) {
  auto report = [&](int rows, int columns, int width, int stride) {
    return reportOf([&] {
      okk_gdma_32bit_matrix_L2S(system, 0, rows, columns, width, stride);
    });
  };
  EXPECT_EQ(report(2, 40, 41, 40),
            "okk_gdma_32bit_matrix_L2S: expected 'cols_per_channel' to be at "
            "most 40, but got 41");
  EXPECT_EQ(report(2, 40, 10, 39),
            "okk_gdma_32bit_matrix_L2S: expected 'row_stride' to be at least "
            "40, but got 39");
  EXPECT_EQ(report(0, 40, 10, 40),
            "okk_gdma_32bit_matrix_L2S: expected 'rows' to be at least 1, but "
            "got 0");
  EXPECT_EQ(
      report(1, 4096, 1, 4096),
      "okk_gdma_32bit_matrix_L2S: expected 'cols' to be at most 4095, but "
      "got 4096");
  EXPECT_EQ(report(9, 40, 10, 40),
            "okk_gdma_32bit_matrix_L2S: expected 'src' to end after at most "
            "1024 bytes of local memory from its offset on, but got 1152");
}

// L32
TEST_F(OkkMisuse, FirstFailureIsKept) {
  reportOfS2L(4096, {1, 1, 1, 1});
  reportOfS2L(2, {0, 1, 1, 1});
  EXPECT_EQ(mli_local_status(), MLI_STATUS_NOT_ENGH_MEM);
  EXPECT_EQ(mli_local_status(), MLI_STATUS_OK);
}

} // namespace
} // namespace mli::test
