// SPDX-License-Identifier: Apache-2.0
//
// OKK copies and fills move exactly the elements they name.

#include "LocalDevice.h"

#include <cstring>

namespace mli::test {
namespace {

using layout::Dims;
using layout::Kind;
using layout::TensorLayout;

/// The functions of one element width.
struct Width {
  int bytes;
  void (*s2l)(local_addr_t, system_addr_t, const dim4 *, const dim4 *,
              const dim4 *);
  void (*l2s)(system_addr_t, local_addr_t, const dim4 *, const dim4 *,
              const dim4 *);
  void (*l2l)(local_addr_t, local_addr_t, const dim4 *, const dim4 *,
              const dim4 *);
  void (*s2s)(system_addr_t, system_addr_t, const dim4 *, const dim4 *,
              const dim4 *);
};

#define MLI_WIDTH(bits)                                                        \
  {(bits) / 8, okk_gdma_##bits##bit_cpy_S2L, okk_gdma_##bits##bit_cpy_L2S,     \
   okk_gdma_##bits##bit_cpy_L2L, okk_gdma_##bits##bit_cpy_S2S}
constexpr Width widths[] = {MLI_WIDTH(32), MLI_WIDTH(16), MLI_WIDTH(8)};
#undef MLI_WIDTH

class OkkCopy : public testing::TestWithParam<Width> {};
INSTANTIATE_TEST_SUITE_P(Bytes, OkkCopy, testing::ValuesIn(widths),
                         [](const auto &info) {
                           return std::to_string(info.param.bytes);
                         });

/// Strides for a copy: null for the default, else those of a layout or wide
/// ones.
struct Choice {
  TensorLayout layout;
  dim4 stride;
  const dim4 *argument = nullptr;
};

void chooseLocal(Random &random, const dim4 &shape, int bytes, Choice &choice) {
  TensorLayout &layout = choice.layout;
  layout.elementBytes = bytes;
  layout.shape = {shape.n, shape.c, shape.h, shape.w};
  layout.target = currentLocalTarget();
  layout.startNpu = random.in(0, static_cast<int>(layout.target.npus) - 1);
  layout.offset = int64_t{128} * random.in(0, 3);
  int kind = random.in(0, 2);
  if (kind == 1)
    layout.kind = Kind::Compact;
  if (kind == 2) {
    layout.kind = Kind::Strided;
    int64_t h = shape.w + random.in(0, 2);
    int64_t c = h * shape.h + random.in(0, 2);
    layout.strides = {c * layout::channelsPerNpu(layout) + random.in(0, 2), c,
                      h, 1};
  }
  layout::Result<TensorLayout> made = layout::makeLayout(layout);
  ASSERT_TRUE(made) << toString(made.violation());
  layout = *made;
  choice.stride = toDim4(layout.strides);
  choice.argument = kind == 0 ? nullptr : &choice.stride;
}

/// Every element by its definition.
template <typename Visit>
void forEach(const dim4 &shape, Visit visit) {
  for (int n = 0; n < shape.n; ++n)
    for (int c = 0; c < shape.c; ++c)
      for (int h = 0; h < shape.h; ++h)
        for (int w = 0; w < shape.w; ++w)
          visit(Dims{n, c, h, w},
                ((static_cast<size_t>(n) * shape.c + c) * shape.h + h) *
                        shape.w +
                    w);
}

size_t byteOf(const TensorLayout &layout, const Dims &at) {
  layout::Location location = layout::locate(layout, at);
  return location.npu * layout.target.npuBytes + location.offset;
}

/// Writes the elements of `data` where `layout` has them.
void writeElements(std::vector<uint8_t> &memory, const TensorLayout &layout,
                   const dim4 &shape, const std::vector<uint8_t> &data) {
  int64_t bytes = layout.elementBytes;
  forEach(shape, [&](const Dims &at, size_t i) {
    std::memcpy(&memory[byteOf(layout, at)], &data[i * bytes], bytes);
  });
}

// L4, L6, L11, L13, L22, L27
TEST_P(OkkCopy, RoundTripsTouchNothingElse) {
  const Width &width = GetParam();
  Random random(width.bytes);
  for (int i = 0; i < 2000; ++i) {
    LocalDevice device(1 << random.in(0, 4), 16384);
    dim4 shape = {random.in(1, 3), random.in(1, 10), random.in(1, 4),
                  random.in(1, 4)};
    size_t count = static_cast<size_t>(shape.n) * shape.c * shape.h * shape.w;
    std::vector<uint8_t> data(count * width.bytes);
    random.fill(data);
    Choice first;
    Choice second;
    chooseLocal(random, shape, width.bytes, first);
    chooseLocal(random, shape, width.bytes, second);
    second.layout.offset += 8192; // Apart from the first.
    std::vector<uint8_t> expected = device.memory();

    width.s2l(getAddress(first.layout), systemAddress(data.data()), &shape,
              first.argument, nullptr);
    writeElements(expected, first.layout, shape, data);
    ASSERT_EQ(device.memory(), expected);
    width.l2l(getAddress(second.layout), getAddress(first.layout), &shape,
              second.argument, first.argument);
    writeElements(expected, second.layout, shape, data);
    ASSERT_EQ(device.memory(), expected);
    std::vector<uint8_t> back(data.size());
    width.l2s(systemAddress(back.data()), getAddress(second.layout), &shape,
              nullptr, second.argument);
    ASSERT_EQ(back, data);
    ASSERT_EQ(device.memory(), expected);
    ASSERT_EQ(device.takeReport(), "");
  }
}

// L8, L9, L27
TEST_P(OkkCopy, SystemStrides) {
  const Width &width = GetParam();
  LocalDevice device;
  dim4 shape = {2, 3, 2, 2};
  dim4 wide = {60, 18, 5, 1};
  const size_t bytes = width.bytes;
  std::vector<uint8_t> data(24 * bytes);
  Random(1).fill(data);
  std::vector<uint8_t> apart(120 * bytes, 0xEE);
  std::vector<uint8_t> expected = apart;
  width.s2s(systemAddress(apart.data()), systemAddress(data.data()), &shape,
            &wide, nullptr);
  forEach(shape, [&](const Dims &at, size_t i) {
    size_t element = at.n * 60 + at.c * 18 + at.h * 5 + at.w;
    std::memcpy(&expected[element * width.bytes], &data[i * width.bytes],
                width.bytes);
  });
  EXPECT_EQ(apart, expected);
  std::vector<uint8_t> back(data.size());
  width.s2s(systemAddress(back.data()), systemAddress(apart.data()), &shape,
            nullptr, &wide);
  EXPECT_EQ(back, data);
}

// L14, L15
TEST_P(OkkCopy, MatricesThroughTheStridesOfTheMatrixLayout) {
  const Width &width = GetParam();
  LocalDevice device;
  for (int columnsPerChannel : {40, 20, 10, 8, 15, 6})
    for (int start = 0; start < 4; ++start) {
      int full = 40 / columnsPerChannel;
      int rest = 40 % columnsPerChannel;
      TensorLayout layout;
      layout.kind = Kind::Matrix;
      layout.elementBytes = width.bytes;
      layout.matrixColumns = 40;
      layout.shape = *layout::matrixShape(2, 40, columnsPerChannel);
      layout.target = currentLocalTarget();
      layout.startNpu = start;
      layout = *layout::makeLayout(layout);
      std::vector<uint8_t> data(size_t{80} * width.bytes);
      Random(start).fill(data);
      dim4 shape = {2, full, 1, columnsPerChannel};
      dim4 local = toDim4(layout.strides);
      dim4 system = {40, columnsPerChannel, 40, 1};
      auto address = static_cast<local_addr_t>(getAddress(layout));
      system_addr_t from = systemAddress(data.data());
      width.s2l(address, from, &shape, &local, &system);
      if (rest != 0) {
        layout::Location last = layout::locate(layout, {0, full, 0, 0});
        shape = {2, 1, 1, rest};
        width.s2l(*layout::joinAddress(last, layout.target),
                  from + static_cast<system_addr_t>(full) * columnsPerChannel *
                             width.bytes,
                  &shape, &local, &system);
      }
      ASSERT_EQ(device.takeReport(), "");
      for (int64_t row = 0; row < 2; ++row)
        for (int64_t column = 0; column < 40; ++column) {
          layout::Location at = layout::locateInMatrix(layout, row, column);
          ASSERT_EQ(std::memcmp(okk_local_mem_addr(at.npu, at.offset),
                                &data[(row * 40 + column) * width.bytes],
                                width.bytes),
                    0);
        }
    }
}

} // namespace
} // namespace mli::test
