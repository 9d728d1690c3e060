// SPDX-License-Identifier: Apache-2.0
//
// Gather, scatter, views and poison.

#include "LocalDevice.h"
#include "TestTensor.h"

namespace mli::test {
namespace {

using layout::Kind;
using layout::Mode;
using layout::TensorLayout;

mli_local_tensor describe(const TensorLayout &layout,
                          std::vector<int8_t> dims) {
  mli_local_tensor local = {};
  local.address = static_cast<uint32_t>(addressOf(layout));
  local.strides[0] = static_cast<int32_t>(layout.strides.n);
  local.strides[1] = static_cast<int32_t>(layout.strides.c);
  local.strides[2] = static_cast<int32_t>(layout.strides.h);
  local.strides[3] = static_cast<int32_t>(layout.strides.w);
  local.kind = static_cast<mli_local_kind>(layout.kind);
  local.mode = static_cast<mli_local_mode>(layout.mode);
  if (layout.matrixColumns != 0)
    local.columns = static_cast<int32_t>(layout.shape.w);
  std::copy(dims.begin(), dims.end(), local.dims);
  return local;
}

TensorLayout makeLayout(const layout::Dims &shape, int64_t bytes,
                        int64_t start = 0, Kind kind = Kind::Aligned,
                        Mode mode = Mode::None) {
  TensorLayout layout;
  layout.shape = shape;
  layout.elementBytes = bytes;
  layout.startNpu = start;
  layout.kind = kind;
  layout.mode = mode;
  layout.target = LocalDevice::target();
  layout::Result<TensorLayout> made = layout::makeLayout(layout);
  EXPECT_TRUE(made) << toString(made.problem());
  return made ? *made : TensorLayout();
}

template <typename Code>
std::vector<Code> counted(size_t count) {
  std::vector<Code> codes(count);
  for (size_t i = 0; i < count; ++i)
    codes[i] = static_cast<Code>(i * 7 + 1);
  return codes;
}

// L34
TEST(LocalTensor, HwcFeatureMapsLieChannelByChannel) {
  LocalDevice device;
  Fx16 in({4, 5, 6}, counted<int16_t>(120));
  Fx16 out({4, 5, 6});
  for (int64_t start = 0; start < 4; ++start) {
    TensorLayout layout = makeLayout({1, 6, 4, 5}, 2, start);
    mli_local_tensor local = describe(layout, {2, 3, 1});
    ASSERT_EQ(mli_local_scatter(in, &local), MLI_STATUS_OK);
    for (int h = 0; h < 4; ++h)
      for (int w = 0; w < 5; ++w)
        for (int c = 0; c < 6; ++c) {
          layout::Location at = layout::locate(layout, {0, c, h, w});
          int16_t code = 0;
          std::memcpy(&code, okk_local_mem_addr(at.npu, at.offset), 2);
          ASSERT_EQ(code, in.codes[(h * 5 + w) * 6 + c]);
        }
    out.codes.assign(120, 0);
    ASSERT_EQ(mli_local_gather(&local, out), MLI_STATUS_OK);
    EXPECT_EQ(out.codes, in.codes);
  }
}

template <typename Tensor, typename Code>
void checkMode(Mode mode, int64_t n) {
  for (uint32_t npus : {1U, 4U, 64U})
    for (int64_t start : {int64_t{0}, int64_t{npus} / 2, int64_t{npus} - 1})
      for (Kind kind : {Kind::Aligned, Kind::Compact}) {
        LocalDevice device(npus, 16384);
        mli_local_set_poison(1, 5);
        auto extent = static_cast<uint32_t>(n);
        Tensor in({extent, 3, 2, 5}, counted<Code>(n * 30));
        Tensor out({extent, 3, 2, 5});
        TensorLayout layout =
            makeLayout({n, 5, 3, 2}, sizeof(Code), start, kind, mode);
        mli_local_tensor local = describe(layout, {0, 2, 3, 1});
        ASSERT_EQ(mli_local_scatter(in, &local), MLI_STATUS_OK);
        ASSERT_EQ(mli_local_gather(&local, out), MLI_STATUS_OK);
        ASSERT_EQ(out.codes, in.codes);
      }
}

// L17, L20, L21, L34
TEST(LocalTensor, StorageModesRoundTrip) {
  for (int64_t n : {1, 3, 4, 6}) {
    checkMode<Fx8, int8_t>(Mode::FourN, n);
    checkMode<Fx16, int16_t>(Mode::TwoN, n);
    checkMode<Fp32, float>(Mode::TwoIC, n);
    checkMode<Sa8, int8_t>(Mode::None, n);
    checkMode<Sa32, int32_t>(Mode::None, n);
  }
}

// L14, L15, L34
TEST(LocalTensor, Matrices) {
  LocalDevice device;
  for (int64_t width : {40, 20, 10, 8, 15, 6, 1}) {
    TensorLayout layout;
    layout.kind = Kind::Matrix;
    layout.elementBytes = 1;
    layout.matrixColumns = 40;
    layout.shape = *layout::matrixShape(2, 40, width);
    layout.target = LocalDevice::target();
    layout.startNpu = 1;
    layout = *layout::makeLayout(layout);
    mli_local_tensor local = describe(layout, {0, 3});
    Fx8 in({2, 40}, counted<int8_t>(80));
    Fx8 out({2, 40});
    ASSERT_EQ(mli_local_scatter(in, &local), MLI_STATUS_OK);
    layout::Location at = layout::locateInMatrix(layout, 1, 39);
    EXPECT_EQ(*okk_local_mem_addr(at.npu, at.offset),
              static_cast<uint8_t>(in.codes[79]));
    ASSERT_EQ(mli_local_gather(&local, out), MLI_STATUS_OK);
    EXPECT_EQ(out.codes, in.codes);
  }
}

// L34
TEST(LocalTensor, StridedOrdinaryTensorsKeepTheirGaps) {
  LocalDevice device;
  TensorLayout layout = makeLayout({1, 3, 1, 4}, 2, 3);
  mli_local_tensor local = describe(layout, {1, 3});
  Fx16 in({3, 4}, counted<int16_t>(12));
  ASSERT_EQ(mli_local_scatter(in, &local), MLI_STATUS_OK);
  Fx16 out({3, 10}, std::vector<int16_t>(30, -1));
  out->shape[1] = 4;
  ASSERT_EQ(mli_local_gather(&local, out), MLI_STATUS_OK);
  for (int c = 0; c < 3; ++c)
    for (int w = 0; w < 10; ++w)
      EXPECT_EQ(out.codes[c * 10 + w], w < 4 ? in.codes[c * 4 + w] : -1);
}

TEST(LocalTensor, Scalars) {
  LocalDevice device;
  TensorLayout layout = makeLayout({1, 1, 1, 1}, 2, 3);
  mli_local_tensor local = describe(layout, {});
  Fx16 in({1});
  in->rank = 0;
  in->data.mem.i16 = 77;
  ASSERT_EQ(mli_local_scatter(in, &local), MLI_STATUS_OK);
  in->data.mem.i16 = 0;
  ASSERT_EQ(mli_local_gather(&local, in), MLI_STATUS_OK);
  EXPECT_EQ(in->data.mem.i16, 77);
}

// L26, L34
TEST(LocalTensor, OneNpuIsAnOrdinaryTensor) {
  LocalDevice device(1, 16384, 16);
  TensorLayout layout;
  layout.kind = Kind::Strided;
  layout.elementBytes = 2;
  layout.shape = {1, 6, 4, 5};
  layout.strides = {0, 1, 30, 6};
  layout.offset = 64;
  layout.target = LocalDevice::target();
  layout = *layout::makeLayout(layout);
  mli_local_tensor local = describe(layout, {2, 3, 1});
  Fx16 in({4, 5, 6}, counted<int16_t>(120));
  ASSERT_EQ(mli_local_scatter(in, &local), MLI_STATUS_OK);
  Fx16 view({4, 5, 6});
  ASSERT_EQ(mli_local_view(&local, view), MLI_STATUS_OK);
  EXPECT_EQ(view->mem_stride[0], 30);
  EXPECT_EQ(view->mem_stride[1], 6);
  EXPECT_EQ(view->mem_stride[2], 1);
  EXPECT_EQ(view->data.capacity, 240U);
  EXPECT_EQ(std::memcmp(view->data.mem.pi16, in.codes.data(), 240), 0);
}

// L26
TEST(LocalTensor, ScatteredTensorsHaveNoView) {
  LocalDevice device;
  mli_local_tensor local = describe(makeLayout({1, 6, 4, 5}, 2, 1), {2, 3, 1});
  Fx16 view({4, 5, 6});
  EXPECT_EQ(mli_local_view(&local, view), MLI_STATUS_NOT_SUPPORTED);
}

/// The message of a refused gather, which writes nothing.
std::string messageOf(const mli_local_tensor &local, mli_status status) {
  Messages messages;
  Fx16 out({4, 5, 6}, std::vector<int16_t>(120, 9));
  EXPECT_EQ(mli_local_gather(&local, out), status);
  EXPECT_EQ(out.codes, std::vector<int16_t>(120, 9));
  return messages.last;
}

// L34
TEST(LocalTensor, IllegalDescriptions) {
  LocalDevice device;
  const mli_local_tensor good =
      describe(makeLayout({1, 6, 4, 5}, 2, 1), {2, 3, 1});
  mli_local_tensor local = good;
  local.dims[1] = 2;
  EXPECT_EQ(messageOf(local, MLI_STATUS_BAD_FUNC_CFG),
            "mli_local_gather: expected 'local.dims[1]' to be in [0, 3] and in "
            "no other dimension, but got 2");
  local = good;
  local.strides[1] = 32;
  EXPECT_EQ(messageOf(local, MLI_STATUS_BAD_FUNC_CFG),
            "mli_local_gather: expected 'c stride' to be 64, but got 32");
  local = good;
  local.address += 4096 - 128;
  EXPECT_EQ(messageOf(local, MLI_STATUS_NOT_ENGH_MEM),
            "mli_local_gather: expected 'bytes_per_npu' to be at most 128, but "
            "got 256");
  local = good;
  local.address = 16384;
  EXPECT_EQ(messageOf(local, MLI_STATUS_NOT_ENGH_MEM),
            "mli_local_gather: expected 'address' to be at most 16383, but got "
            "16384");
  local = good;
  local.mode = MLI_LOCAL_MODE_4N;
  EXPECT_EQ(messageOf(local, MLI_STATUS_BAD_FUNC_CFG),
            "mli_local_gather: expected 'element bytes' to be 1 in this mode, "
            "but got 2");
  local = good;
  local.kind = static_cast<mli_local_kind>(5);
  EXPECT_EQ(messageOf(local, MLI_STATUS_BAD_FUNC_CFG),
            "mli_local_gather: expected 'local.kind' to be one, but got 5");
  local = good;
  local.kind = MLI_LOCAL_MATRIX;
  EXPECT_EQ(messageOf(local, MLI_STATUS_BAD_FUNC_CFG),
            "mli_local_gather: expected 'local.columns' to be at least 1, but "
            "got 0");
  EXPECT_EQ(mli_local_gather(nullptr, Fx16({1})), MLI_STATUS_BAD_FUNC_CFG);
  EXPECT_EQ(mli_local_gather(&good, nullptr), MLI_STATUS_BAD_TENSOR);
}

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

} // namespace
} // namespace mli::test
