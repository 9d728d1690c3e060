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
      layout.target = currentLocalTarget();
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

/// A random tensor in a storage mode, with room for another of its size.
TensorLayout randomPacked(Random &random, Mode mode) {
  TensorLayout layout;
  layout.mode = mode;
  layout.elementBytes = layout::getElementBytes(mode);
  layout.kind = random.in(0, 1) == 0 ? Kind::Compact : Kind::Aligned;
  layout.shape = {random.in(1, 9), random.in(1, 9), random.in(1, 4),
                  random.in(1, 5)};
  layout.target = currentLocalTarget();
  layout.startNpu = random.in(0, okk_npu_num() - 1);
  layout.offset = int64_t{128} * random.in(0, 3);
  layout::Result<TensorLayout> made = layout::makeLayout(layout);
  EXPECT_TRUE(made) << toString(made.violation());
  return made ? *made : TensorLayout();
}

/// What a copy of a packed tensor is told: packed elements of 8 bytes are two
/// of 4 along W.
struct PackedCopy {
  explicit PackedCopy(const TensorLayout &layout)
      : address(static_cast<local_addr_t>(getAddress(layout))),
        shape(toDim4(layout::packedShape(layout))),
        stride(toDim4(layout.strides)) {
    int parts = static_cast<int>(layout::packedBytes(layout)) / 4;
    shape.w *= parts;
    stride = {stride.n * parts, stride.c * parts, stride.h * parts, 1};
  }
  local_addr_t address;
  dim4 shape, stride;
};

/// That every element of `layout` is where `data`, packed elements one after
/// the other, has it.
void checkPacked(const TensorLayout &layout, const std::vector<uint8_t> &data) {
  const Dims &shape = layout.shape;
  int64_t factor = layout::packFactor(layout.mode);
  int64_t bytes = layout.elementBytes;
  Dims at;
  for (at.n = 0; at.n < shape.n; ++at.n)
    for (at.c = 0; at.c < shape.c; ++at.c)
      for (at.h = 0; at.h < shape.h; ++at.h)
        for (at.w = 0; at.w < shape.w; ++at.w) {
          size_t packed =
              ((at.n / factor * shape.c + at.c) * shape.h + at.h) * shape.w +
              at.w;
          layout::Location place = layout::locate(layout, at);
          ASSERT_EQ(
              std::memcmp(okk_local_mem_addr(place.npu, place.offset),
                          &data[(packed * factor + at.n % factor) * bytes],
                          bytes),
              0);
        }
}

// L17, L18, L20, L21
TEST(OkkPacked, TensorsOfEveryModeRoundTripAsPackedElements) {
  Random random(3);
  for (int i = 0; i < 1500; ++i)
    for (Mode mode : {Mode::FourN, Mode::TwoN, Mode::TwoIC}) {
      LocalDevice device(random.in(1, 16), 32768);
      TensorLayout first = randomPacked(random, mode);
      TensorLayout second = first;
      second.offset += 16384;
      PackedCopy from(first);
      PackedCopy to(second);
      std::vector<uint8_t> data(static_cast<size_t>(from.shape.n) *
                                from.shape.c * from.shape.h * from.shape.w * 4);
      random.fill(data);
      okk_gdma_32bit_cpy_S2L(from.address, systemAddress(data.data()),
                             &from.shape, &from.stride, nullptr);
      checkPacked(first, data);
      okk_gdma_32bit_cpy_L2L(to.address, from.address, &from.shape, &to.stride,
                             &from.stride);
      checkPacked(second, data);
      std::vector<uint8_t> back(data.size());
      okk_gdma_32bit_cpy_L2S(systemAddress(back.data()), to.address, &to.shape,
                             nullptr, &to.stride);
      ASSERT_EQ(back, data);
      ASSERT_EQ(device.takeReport(), "");
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
  std::vector<uint16_t> manyHalves(60, 1);
  okk_gdma_16bit_set_C_system(systemAddress(manyHalves.data()), halves, &shape,
                              nullptr);
  EXPECT_EQ(manyHalves, std::vector<uint16_t>(60, 0x6655));
  std::vector<uint32_t> manyWords(60, 1);
  okk_gdma_32bit_set_C_system(systemAddress(manyWords.data()), words, &shape,
                              nullptr);
  EXPECT_EQ(manyWords, std::vector<uint32_t>(60, 0x44332211));
  byte.u8 = 0xCD;
  okk_gdma_8bit_set_C_local(1024, byte, &shape, nullptr);
  EXPECT_EQ(*okk_local_mem_addr(0, 1024 + 128 + 5), 0xCD);
  EXPECT_EQ(*okk_local_mem_addr(0, 1024 + 128 + 6), 0);
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
