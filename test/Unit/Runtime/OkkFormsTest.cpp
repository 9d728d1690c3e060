// SPDX-License-Identifier: Apache-2.0
//
// OKK calls other than plain copies: matrices, packed tensors, fills, and
// copies within the NPUs.

#include "LocalDevice.h"

#include <cstring>

namespace mli::test {
namespace {

using layout::Dims;
using layout::Kind;
using layout::Mode;
using layout::TensorLayout;

// L33, L14, L15
TEST(OkkMatrix, CopiesBothWays) {
  LocalDevice device;
  for (int width : {40, 20, 10, 8, 15, 6, 1})
    for (int start = 0; start < 4; ++start) {
      std::vector<uint8_t> data(400);
      Random(width).fill(data);
      local_addr_t address = start * 4096 + 256;
      okk_gdma_32bit_matrix_S2L(address, systemAddress(data.data()), 2, 40,
                                width, 50);
      TensorLayout layout;
      layout.kind = Kind::Matrix;
      layout.matrixColumns = 40;
      layout.shape = *layout::matrixShape(2, 40, width);
      layout.target = LocalDevice::target();
      layout.startNpu = start;
      layout.offset = 256;
      layout = *layout::makeLayout(layout);
      for (int64_t row = 0; row < 2; ++row)
        for (int64_t column = 0; column < 40; ++column) {
          layout::Location at = layout::locateInMatrix(layout, row, column);
          ASSERT_EQ(std::memcmp(okk_local_mem_addr(at.npu, at.offset),
                                &data[(row * 50 + column) * 4], 4),
                    0);
        }
      std::vector<uint8_t> back(360, 0xEE);
      okk_gdma_32bit_matrix_L2S(systemAddress(back.data()), address, 2, 40,
                                width, 45);
      for (int64_t row = 0; row < 2; ++row) {
        ASSERT_EQ(std::memcmp(&back[row * 180], &data[row * 200], 160), 0);
        for (int64_t i = 160; i < 180; ++i)
          ASSERT_EQ(back[row * 180 + i], 0xEE);
      }
    }
  EXPECT_EQ(device.takeReport(), "");
}

// L17, L18, L20, L21
TEST(OkkPacked, TensorsOfEveryModeCopyAsPackedElements) {
  for (Mode mode : {Mode::FourN, Mode::TwoN, Mode::TwoIC}) {
    LocalDevice device(4, 8192);
    TensorLayout layout;
    layout.mode = mode;
    layout.elementBytes = layout::elementBytesOf(mode);
    layout.kind = Kind::Compact;
    layout.shape = {mode == Mode::FourN ? 6 : 3, 5, 4, 5};
    layout.target = LocalDevice::target();
    layout.startNpu = 2;
    layout = *layout::makeLayout(layout);
    // Packed elements of 8 bytes are two of 4 along W.
    int parts = static_cast<int>(layout::packedBytes(layout)) / 4;
    dim4 shape = toDim4(layout::packedShape(layout));
    shape.w *= parts;
    dim4 stride = toDim4(layout.strides);
    stride = {stride.n * parts, stride.c * parts, stride.h * parts, 1};
    std::vector<uint8_t> data(static_cast<size_t>(shape.n) * shape.c * shape.h *
                              shape.w * 4);
    Random(3).fill(data);
    okk_gdma_32bit_cpy_S2L(addressOf(layout), systemAddress(data.data()),
                           &shape, &stride, nullptr);
    Dims at;
    int64_t factor = layout::packFactor(mode);
    int64_t bytes = layout.elementBytes;
    for (at.n = 0; at.n < layout.shape.n; ++at.n)
      for (at.c = 0; at.c < 5; ++at.c)
        for (at.h = 0; at.h < 4; ++at.h)
          for (at.w = 0; at.w < 5; ++at.w) {
            size_t packed = ((at.n / factor * 5 + at.c) * 4 + at.h) * 5 + at.w;
            layout::Location place = layout::locate(layout, at);
            ASSERT_EQ(
                std::memcmp(okk_local_mem_addr(place.npu, place.offset),
                            &data[(packed * factor + at.n % factor) * bytes],
                            bytes),
                0);
          }
    EXPECT_EQ(device.takeReport(), "");
  }
}

// L11, L27
TEST(OkkFill, EveryWidthAndSpace) {
  LocalDevice device;
  dim4 shape = {2, 5, 2, 3};
  x32 words;
  words.u32 = 0x44332211;
  okk_gdma_32bit_set_C_local(4096 * 3, words, &shape, nullptr);
  EXPECT_EQ(*okk_local_mem_addr(3, 1), 0x22);
  EXPECT_EQ(*okk_local_mem_addr(3, 5 * 4 + 3), 0x44);
  EXPECT_EQ(*okk_local_mem_addr(3, 6 * 4), 0);
  EXPECT_EQ(*okk_local_mem_addr(0, 0), 0);
  EXPECT_EQ(*okk_local_mem_addr(0, 128), 0x11);
  x16 halves;
  halves.u16 = 0x6655;
  dim4 stride = {24, 6, 3, 1};
  okk_gdma_16bit_set_C_local(0, halves, &shape, &stride);
  EXPECT_EQ(*okk_local_mem_addr(0, 0), 0x55);
  EXPECT_EQ(*okk_local_mem_addr(0, 11), 0x66);
  std::vector<uint8_t> bytes(60, 1);
  x8 byte;
  byte.u8 = 9;
  okk_gdma_8bit_set_C_system(systemAddress(bytes.data()), byte, &shape,
                             nullptr);
  EXPECT_EQ(bytes, std::vector<uint8_t>(60, 9));
  EXPECT_EQ(device.takeReport(), "");
}

// L31
TEST(OkkBdc, CopiesAndFillsWithAnyWStride) {
  LocalDevice device;
  dim4 shape = {1, 6, 1, 3};
  dim4 wide = {16, 8, 6, 2};
  x32 word;
  word.s32 = 7;
  okk_bdc_32bit_set_C(4096, word, &shape, &wide);
  EXPECT_EQ(*okk_local_mem_addr(1, 8), 7);
  EXPECT_EQ(*okk_local_mem_addr(1, 4), 0);
  EXPECT_EQ(*okk_local_mem_addr(2, 8 * 4 + 16), 7);
  okk_bdc_32bit_cpy(4096 + 1024, 4096, &shape, nullptr, &wide);
  for (int w = 0; w < 3; ++w)
    EXPECT_EQ(*okk_local_mem_addr(2, 1024 + 128 + 4 * w), 7);
  EXPECT_EQ(device.takeReport(), "");
}

} // namespace
} // namespace mli::test
