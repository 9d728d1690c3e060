// SPDX-License-Identifier: Apache-2.0
//
// Gather, scatter and views.

#include "../TestTensor.h"
#include "LocalLayouts.h"

namespace mli::test {
namespace {

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
    layout.target = currentLocalTarget();
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
  layout.target = currentLocalTarget();
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

/// Strides that make no sense become some that kernels take.
// L7, L26
TEST(LocalTensor, ViewsHaveStridesWhereDimensionsHaveOneIndex) {
  LocalDevice device(1, 16384, 16);
  TensorLayout layout;
  layout.kind = Kind::Strided;
  layout.elementBytes = 2;
  layout.shape = {1, 6, 1, 4};
  layout.strides = {0, 1, 0, 6};
  layout.target = currentLocalTarget();
  layout = *layout::makeLayout(layout);
  for (const std::vector<int8_t> &dims :
       std::vector<std::vector<int8_t>>{{2, 3, 1}, {3, 2, 1}, {3, 1, 2}}) {
    mli_local_tensor local = describe(layout, dims);
    std::vector<uint32_t> shape;
    shape.reserve(dims.size());
    for (int8_t dim : dims)
      shape.push_back(dim == 1 ? 6 : dim == 2 ? 1 : 4);
    Fx16 in(shape, counted<int16_t>(24));
    ASSERT_EQ(mli_local_scatter(in, &local), MLI_STATUS_OK);
    Fx16 view(shape);
    ASSERT_EQ(mli_local_view(&local, view), MLI_STATUS_OK);
    Fx16 out(shape);
    ASSERT_EQ(mli_hlp_convert_tensor_safx(view, out), MLI_STATUS_OK);
    EXPECT_EQ(out.codes, in.codes);
  }
}

// L26
TEST(LocalTensor, ScatteredTensorsHaveNoView) {
  LocalDevice device;
  mli_local_tensor local = describe(makeLayout({1, 6, 4, 5}, 2, 1), {2, 3, 1});
  Fx16 view({4, 5, 6});
  Messages messages;
  EXPECT_EQ(mli_local_view(&local, view), MLI_STATUS_NOT_SUPPORTED);
  EXPECT_EQ(messages.last, "mli_local_view: expected 'local' to be affine and "
                           "no scalar, but got 2 channels per NPU");
}

// L26
TEST(LocalTensor, NpusFartherApartThanAStrideSaysHaveNoView) {
  LocalDevice device(2, 1U << 31);
  mli_local_tensor local = describe(makeLayout({1, 2, 2, 2}, 1), {2, 3, 1});
  Fx8 view({2, 2, 2});
  Messages messages;
  EXPECT_EQ(mli_local_view(&local, view), MLI_STATUS_NOT_SUPPORTED);
  EXPECT_EQ(messages.last,
            "mli_local_view: expected 'tensor' to have a mem_stride[2] of at "
            "most 2147483647, but got 2147483648");
  EXPECT_EQ(view->mem_stride[0], 4);
}

/// The status and the message of a gather that `change` breaks something of,
/// and which writes nothing.
template <typename Change>
std::pair<mli_status, std::string> gatherFrom(Change change) {
  mli_local_tensor local = describe(makeLayout({1, 6, 4, 5}, 2, 1), {2, 3, 1});
  change(local);
  Messages messages;
  Fx16 out({4, 5, 6}, std::vector<int16_t>(120, 9));
  mli_status status = mli_local_gather(&local, out);
  EXPECT_EQ(out.codes, std::vector<int16_t>(120, 9));
  return {status, messages.last};
}

using Answer = std::pair<mli_status, std::string>;

// L34
TEST(LocalTensor, IllegalDescriptions) {
  LocalDevice device;
  using Local = mli_local_tensor;
  EXPECT_EQ(gatherFrom([](Local &local) { local.dims[1] = 2; }),
            Answer(MLI_STATUS_BAD_FUNC_CFG,
                   "mli_local_gather: expected 'local.dims[1]' to be in "
                   "[0, 3] and in no other dimension, but got 2"));
  EXPECT_EQ(gatherFrom([](Local &local) { local.strides[1] = 32; }),
            Answer(MLI_STATUS_BAD_FUNC_CFG,
                   "mli_local_gather: expected 'c stride' to be 64, but got "
                   "32"));
  EXPECT_EQ(gatherFrom([](Local &local) { local.address += 4096 - 128; }),
            Answer(MLI_STATUS_NOT_ENGH_MEM,
                   "mli_local_gather: expected 'bytes_per_npu' to be at most "
                   "128, but got 256"));
  EXPECT_EQ(gatherFrom([](Local &local) { local.address = 16384; }),
            Answer(MLI_STATUS_NOT_ENGH_MEM,
                   "mli_local_gather: expected 'address' to be at most 16383, "
                   "but got 16384"));
  EXPECT_EQ(gatherFrom([](Local &local) { local.mode = MLI_LOCAL_MODE_4N; }),
            Answer(MLI_STATUS_BAD_FUNC_CFG,
                   "mli_local_gather: expected 'element bytes' to be 1 in this "
                   "mode, but got 2"));
  EXPECT_EQ(gatherFrom([](Local &local) {
              local.kind = static_cast<mli_local_kind>(5);
            }),
            Answer(MLI_STATUS_BAD_FUNC_CFG,
                   "mli_local_gather: expected 'local.kind' to be an "
                   "enumerator from 0 to 4, but got 5"));
  EXPECT_EQ(gatherFrom([](Local &local) { local.kind = MLI_LOCAL_MATRIX; }),
            Answer(MLI_STATUS_BAD_FUNC_CFG,
                   "mli_local_gather: expected 'local.columns' to be at least "
                   "1, but got 0"));
  EXPECT_EQ(gatherFrom([](Local &local) {
              local.mode = static_cast<mli_local_mode>(4);
            }),
            Answer(MLI_STATUS_BAD_FUNC_CFG,
                   "mli_local_gather: expected 'local.mode' to be an "
                   "enumerator from 0 to 3, but got 4"));
  EXPECT_EQ(gatherFrom([](Local &local) { local.columns = 2; }),
            Answer(MLI_STATUS_BAD_FUNC_CFG,
                   "mli_local_gather: expected 'local.dims[0]' to be 0 or 3 in "
                   "a matrix, but got 2"));
  Messages messages;
  EXPECT_EQ(mli_local_gather(nullptr, Fx16({1})), MLI_STATUS_BAD_FUNC_CFG);
  EXPECT_EQ(messages.last,
            "mli_local_gather: expected 'local' to be a description, but got "
            "null");
  mli_local_tensor good = describe(makeLayout({1, 6, 4, 5}, 2, 1), {2, 3, 1});
  EXPECT_EQ(mli_local_gather(&good, nullptr), MLI_STATUS_BAD_TENSOR);
}

/// The status of a gather into `tensor`, of which `change` breaks something.
template <typename Change>
std::pair<mli_status, std::string> gatherInto(Change change) {
  mli_local_tensor local = describe(makeLayout({1, 6, 4, 5}, 2, 1), {2, 3, 1});
  Messages messages;
  Fx16 out({4, 5, 6});
  change(*out.operator->());
  mli_status status = mli_local_gather(&local, out);
  return {status, messages.last};
}

// L34
TEST(LocalTensor, IllegalTensors) {
  LocalDevice device;
  EXPECT_EQ(gatherInto([](mli_tensor &out) { out.shape[1] = 0; }),
            Answer(MLI_STATUS_BAD_TENSOR,
                   "mli_local_gather: expected 'tensor' to have shape[1] from "
                   "1 to 2147483647, but got 0"));
  EXPECT_EQ(gatherInto([](mli_tensor &out) { out.rank = 5; }),
            Answer(MLI_STATUS_BAD_TENSOR,
                   "mli_local_gather: expected 'tensor.rank' to be at most 4, "
                   "but got 5"));
  EXPECT_EQ(gatherInto([](mli_tensor &out) { out.el_type = MLI_EL_FX_4; }),
            Answer(MLI_STATUS_BAD_TENSOR,
                   "mli_local_gather: expected 'tensor.el_type' to have "
                   "elements of whole bytes, but got 0x4"));
  EXPECT_EQ(gatherInto([](mli_tensor &out) { out.mem_stride[0] = -1; }),
            Answer(MLI_STATUS_BAD_TENSOR,
                   "mli_local_gather: expected 'tensor' to have a positive "
                   "mem_stride[0], but got -1"));
  EXPECT_EQ(gatherInto([](mli_tensor &out) { out.data.capacity -= 2; }),
            Answer(MLI_STATUS_NOT_ENGH_MEM,
                   "mli_local_gather: expected 'tensor' to have a capacity of "
                   "at least 120 elements, but got 119"));
  EXPECT_EQ(gatherInto([](mli_tensor &out) { out.data.mem.pi16 = nullptr; }),
            Answer(MLI_STATUS_BAD_TENSOR,
                   "mli_local_gather: expected 'tensor' to have data, but got "
                   "null"));
}

} // namespace
} // namespace mli::test
