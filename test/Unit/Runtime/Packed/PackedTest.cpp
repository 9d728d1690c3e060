// SPDX-License-Identifier: Apache-2.0
//
// What packed layers reject, and how that is told.

#include "../TestTensor.h"
#include "mli/Runtime/C/mli_packed.h"
#include "mli/Runtime/C/mli_simd.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>

using namespace mli::test;

namespace {

/// A layer that is packed in memory of `Bytes` bytes, and what is told about
/// that.
template <size_t Bytes>
class Packed : public testing::Test {
protected:
  Packed() {
    container.mem.pi8 = memory;
    container.capacity = Bytes;
  }

  virtual mli_status pack() = 0;
  virtual mli_status run() = 0;

  /// Whatever bytes a header has, nothing else is touched.
  void expectDamageIsRefused() {
    ASSERT_EQ(pack(), MLI_STATUS_OK);
    int refused = 0;
    for (int at = 0; at < 256; ++at)
      for (int flip : {0x01, 0x40, 0x80, 0xff}) {
        memory[at] ^= static_cast<int8_t>(flip);
        refused += run() != MLI_STATUS_OK;
        memory[at] ^= static_cast<int8_t>(flip);
      }
    EXPECT_GT(refused, 100);
    EXPECT_EQ(run(), MLI_STATUS_OK);
  }

  alignas(64) int8_t memory[Bytes] = {};
  mli_data_container container;
  Messages messages;
};

/// The same where kernels have vectors of 16 bytes.
template <size_t Bytes>
class PackedForShortVectors : public Packed<Bytes> {
protected:
  ~PackedForShortVectors() override { mli_set_simd_target(chosen); }
  void SetUp() override {
    if (!isOffered)
      GTEST_SKIP() << "no SSE4 or NEON here";
  }

private:
  mli_simd_target chosen = mli_get_simd_target();
  bool isOffered = mli_set_simd_target(MLI_SIMD_SSE4) == MLI_STATUS_OK ||
                   mli_set_simd_target(MLI_SIMD_NEON) == MLI_STATUS_OK;
};

/// A matrix product of so many inputs and outputs.
template <size_t Bytes>
class PackedProduct : public PackedForShortVectors<Bytes> {
protected:
  PackedProduct(uint32_t inputs, uint32_t outputs, mli_pack_order order)
      : in({inputs}), weights({inputs, outputs}), bias({outputs}),
        out({outputs}), order(order) {
    in.params(16384, 15, 0);
    weights.params(16384, 15, 0);
    bias.params(16384, 16, 0);
    out.params(16384, 12, 0);
  }

  mli_status pack() override { return packIn(order); }
  mli_status packIn(mli_pack_order order) {
    return mli_pack_fully_connected(in, weights, bias, &cfg, out, order,
                                    &this->container);
  }
  mli_status run() override {
    return mli_krn_packed(in, &this->container, 1, out);
  }

  TestTensor<int8_t, MLI_EL_SA_8> in;
  TestTensor<int8_t, MLI_EL_SA_8> weights;
  TestTensor<int32_t, MLI_EL_SA_32> bias;
  TestTensor<int8_t, MLI_EL_SA_8> out;
  mli_fully_connected_cfg cfg = {{MLI_RELU_NONE}};
  mli_pack_order order;
};

class PackedLayer : public PackedProduct<1024> {
protected:
  PackedLayer() : PackedProduct(4, 3, MLI_PACK_BEST) {
    std::iota(in.codes.begin(), in.codes.end(), int8_t{1});
  }
};

TEST_F(PackedLayer, TellsItsSize) {
  container.mem.pi8 = nullptr;
  container.capacity = 0;
  EXPECT_EQ(pack(), MLI_STATUS_OK);
  // A header, the parameters of 16 channels, and 4 weights of each.
  EXPECT_EQ(container.capacity, 256U + 256U + 64U);
}

TEST_F(PackedLayer, Runs) {
  ASSERT_EQ(pack(), MLI_STATUS_OK);
  EXPECT_EQ(run(), MLI_STATUS_OK);
}

TEST_F(PackedLayer, HasLittleMemory) {
  container.capacity = 100;
  EXPECT_EQ(pack(), MLI_STATUS_NOT_ENGH_MEM);
  EXPECT_EQ(messages.last, "mli_pack_fully_connected: expected 'packed' to "
                           "have a capacity of at least 576 bytes, but got "
                           "100");
}

TEST_F(PackedLayer, HasNoSuchOrder) {
  EXPECT_EQ(packIn(static_cast<mli_pack_order>(1)), MLI_STATUS_BAD_FUNC_CFG);
  EXPECT_EQ(packIn(static_cast<mli_pack_order>(16)), MLI_STATUS_BAD_FUNC_CFG);
  EXPECT_EQ(packIn(static_cast<mli_pack_order>(3)), MLI_STATUS_BAD_FUNC_CFG);
  EXPECT_EQ(messages.last, "mli_pack_fully_connected: expected 'order' to be "
                           "0, 2 or 4, but got 3");
}

TEST_F(PackedLayer, HasNoContainer) {
  EXPECT_EQ(mli_krn_packed(in, nullptr, 1, out), MLI_STATUS_BAD_FUNC_CFG);
  EXPECT_EQ(messages.last, "mli_krn_packed: expected 'packed' to be a "
                           "container, but got null");
}

TEST_F(PackedLayer, IsNotPacked) {
  EXPECT_EQ(run(), MLI_STATUS_BAD_FUNC_CFG);
  EXPECT_EQ(messages.last,
            "mli_krn_packed: expected 'packed' to be a packed layer of 1024 "
            "bytes, but got mark 0x0 and 0 bytes");
}

TEST_F(PackedLayer, HasNoMemory) {
  container.mem.pi8 = nullptr;
  char expected[160];
  std::snprintf(expected, sizeof(expected),
                "mli_krn_packed: expected 'packed' to be a packed layer, but "
                "got 1024 bytes at %p",
                nullptr);
  EXPECT_EQ(run(), MLI_STATUS_BAD_FUNC_CFG);
  EXPECT_EQ(messages.last, expected);
}

// K56
TEST_F(PackedLayer, IsMisaligned) {
  ASSERT_EQ(pack(), MLI_STATUS_OK);
  ++container.mem.pi8;
  --container.capacity;
  EXPECT_EQ(run(), MLI_STATUS_MISALIGNMENT_ERROR);
  EXPECT_EQ(messages.last,
            "mli_krn_packed: expected 'packed' to have data at a multiple of "
            "64 bytes, but got an address 1 beyond one");
  EXPECT_EQ(pack(), MLI_STATUS_MISALIGNMENT_ERROR);
}

TEST_F(PackedLayer, HasOtherShape) {
  ASSERT_EQ(pack(), MLI_STATUS_OK);
  TestTensor<int8_t, MLI_EL_SA_8> longer({5});
  EXPECT_EQ(mli_krn_packed(longer, &container, 1, out),
            MLI_STATUS_SHAPE_MISMATCH);
  EXPECT_EQ(messages.last, "mli_krn_packed: expected 'in' to have extent 4 as "
                           "packed, but got 5");
}

TEST_F(PackedLayer, HasOtherFormat) {
  ASSERT_EQ(pack(), MLI_STATUS_OK);
  out.params(16384, 11, 0);
  EXPECT_EQ(run(), MLI_STATUS_INCOMPATEBLE_TENSORS);
  char expected[160];
  std::snprintf(expected, sizeof(expected),
                "mli_krn_packed: expected 'out' to have the format that was "
                "packed (el_type 0x%x), but got el_type 0x%x or other "
                "parameters",
                static_cast<unsigned>(MLI_EL_SA_8),
                static_cast<unsigned>(MLI_EL_SA_8));
  EXPECT_EQ(messages.last, expected);
}

// There is no order that the scalar code runs fastest; it runs all of them.
TEST_F(PackedLayer, HasNoFastKernel) {
  mli_set_simd_target(MLI_SIMD_SCALAR);
  EXPECT_EQ(pack(), MLI_STATUS_NOT_SUPPORTED);
  EXPECT_EQ(messages.last, "mli_pack_fully_connected: expected a layer with a "
                           "fast kernel, but got one without");
}

// K62
TEST_F(PackedLayer, RunsWithoutVectors) {
  ASSERT_EQ(pack(), MLI_STATUS_OK);
  ASSERT_EQ(run(), MLI_STATUS_OK);
  std::vector<int8_t> fast = out.codes;
  std::fill(out.codes.begin(), out.codes.end(), int8_t{99});
  mli_set_simd_target(MLI_SIMD_SCALAR);
  ASSERT_EQ(run(), MLI_STATUS_OK);
  EXPECT_EQ(out.codes, fast);
}

TEST_F(PackedLayer, NeedsTheUsualModes) {
  ASSERT_EQ(pack(), MLI_STATUS_OK);
  mli_set_rounding_mode(MLI_ROUND_CONVERGENT);
  EXPECT_EQ(run(), MLI_STATUS_NOT_SUPPORTED);
  EXPECT_EQ(messages.last,
            "mli_krn_packed: expected rounding up and narrow accumulation, "
            "which packed layers have, but got other modes");
  EXPECT_EQ(pack(), MLI_STATUS_NOT_SUPPORTED);
  mli_set_rounding_mode(MLI_ROUND_UP);
  mli_set_accumulation_mode(MLI_ACCUMULATE_FULL_PRODUCTS);
  EXPECT_EQ(run(), MLI_STATUS_NOT_SUPPORTED);
  mli_set_accumulation_mode(MLI_ACCUMULATE_NARROW);
  EXPECT_EQ(run(), MLI_STATUS_OK);
}

TEST_F(PackedLayer, HasAnotherHeader) {
  ASSERT_EQ(pack(), MLI_STATUS_OK);
  ++memory[4]; // How many inputs are multiplied at once.
  EXPECT_EQ(run(), MLI_STATUS_BAD_FUNC_CFG);
  EXPECT_EQ(messages.last,
            "mli_krn_packed: expected 'packed' to have the header of a packed "
            "layer of 576 bytes, but got another");
}

TEST_F(PackedLayer, HasNoRows) {
  ASSERT_EQ(pack(), MLI_STATUS_OK);
  mli_packed_rows rows = {};
  EXPECT_EQ(mli_krn_packed_rows(in, &container, &rows, 1, out),
            MLI_STATUS_BAD_FUNC_CFG);
  EXPECT_EQ(messages.last, "mli_krn_packed_rows: expected 'packed' to be a "
                           "convolution, but got a matrix product");
}

// A product of matrices is one of vectors, whatever its header says.
TEST_F(PackedLayer, IsOfNoVector) {
  ASSERT_EQ(pack(), MLI_STATUS_OK);
  ++memory[24]; // The height of the input.
  ++memory[80]; // And as rows have it.
  EXPECT_EQ(run(), MLI_STATUS_BAD_FUNC_CFG);
}

// K62
TEST_F(PackedLayer, IsDamaged) { expectDamageIsRefused(); }

/// A matrix product of so few outputs that its weights are packed contiguously.
class PackedContiguous : public PackedProduct<1536> {
protected:
  PackedContiguous() : PackedProduct(64, 2, MLI_PACK_PAIRS) {}
};

TEST_F(PackedContiguous, HasItsOwnGroup) {
  ASSERT_EQ(pack(), MLI_STATUS_OK);
  EXPECT_EQ(memory[4], 16);
  memory[4] = 2; // Pairs would have as many bytes, and run.
  EXPECT_EQ(run(), MLI_STATUS_OK);
  memory[4] = 17;
  EXPECT_EQ(run(), MLI_STATUS_BAD_FUNC_CFG);
  EXPECT_EQ(messages.last,
            "mli_krn_packed: expected 'packed' to have the header of a packed "
            "layer of 1536 bytes, but got another");
}

// K62
TEST_F(PackedContiguous, IsDamaged) { expectDamageIsRefused(); }

/// A depthwise convolution of 4x4 pixels of 3 channels, quantised by channel.
class PackedDepthwise : public Packed<1024> {
protected:
  PackedDepthwise() {
    in.params(16384, 15, 0);
    weights.axis(3, {16384, 16384, 16384}, {15, 15, 15}, {0, 0, 0});
    bias.axis(0, {16384, 16384, 16384}, {16, 16, 16}, {0, 0, 0});
    out.params(16384, 12, 0);
  }

  mli_status pack() override {
    return mli_pack_depthwise_conv2d(in, weights, bias, &cfg, out, &container);
  }
  mli_status run() override { return mli_krn_packed(in, &container, 1, out); }

  TestTensor<int8_t, MLI_EL_SA_8> in{{4, 4, 3}};
  TestTensor<int8_t, MLI_EL_SA_8> weights{{3, 3, 1, 3}};
  TestTensor<int32_t, MLI_EL_SA_32> bias{{3}};
  TestTensor<int8_t, MLI_EL_SA_8> out{{4, 4, 3}};
  mli_conv2d_cfg cfg = {{MLI_RELU_NONE}, 1, 1, 1, 1, 1, 1, 1, 1};
};

// A header; scales, zero points and fraction bits; the bias, the weights and
// the block of 16 channels.
TEST_F(PackedDepthwise, TellsItsSize) {
  container.mem.pi8 = nullptr;
  EXPECT_EQ(pack(), MLI_STATUS_OK);
  EXPECT_EQ(container.capacity, 256U + 5 * 64U + 128U);
}

// Only strides and dilations have 8 bits.
TEST_F(PackedDepthwise, HasTallKernels) {
  TestTensor<int8_t, MLI_EL_SA_8> in({257, 2, 3}), weights({256, 1, 1, 3});
  TestTensor<int8_t, MLI_EL_SA_8> out({2, 2, 3});
  TestTensor<int32_t, MLI_EL_SA_32> bias({3});
  in.params(16384, 15, 0);
  weights.params(16384, 15, 0);
  bias.params(16384, 16, 0);
  out.params(16384, 12, 0);
  std::iota(in.codes.begin(), in.codes.end(), int8_t{-100});
  for (size_t i = 0; i < weights.codes.size(); ++i)
    weights.codes[i] = static_cast<int8_t>(i % 7) - 3;
  cfg.padding_top = cfg.padding_bottom = 0;
  cfg.padding_left = cfg.padding_right = 0;
  alignas(64) int8_t tall[4096];
  container.mem.pi8 = tall;
  container.capacity = sizeof(tall);
  ASSERT_EQ(mli_pack_depthwise_conv2d(in, weights, bias, &cfg, out, &container),
            MLI_STATUS_OK)
      << messages.last;
  ASSERT_EQ(mli_krn_packed(in, &container, 1, out), MLI_STATUS_OK)
      << messages.last;
  for (uint32_t at = 0; at < 12; ++at) {
    int64_t sum = 0;
    for (uint32_t row = 0; row < 256; ++row)
      sum += int64_t{in.codes[(at / 6 + row) * 6 + at % 6]} *
             weights.codes[row * 3 + at % 3];
    // In steps of 4, of what is in steps of 1/4.
    EXPECT_EQ(out.codes[at], std::clamp<int64_t>((sum + 8) >> 4, -128, 127))
        << at;
  }
}

// The size is told before anything is read.
TEST_F(PackedDepthwise, IsTooLarge) {
  const uint32_t channels = (1U << 29) - 1;
  for (mli_tensor *map : {&*in.operator->(), &*out.operator->()}) {
    map->shape[0] = map->shape[1] = 1;
    map->shape[2] = channels;
    map->mem_stride[0] = map->mem_stride[1] = static_cast<int32_t>(channels);
    map->data.capacity = channels;
  }
  TestTensor<int8_t, MLI_EL_SA_8> weights({2, 2, 1, 1});
  TestTensor<int32_t, MLI_EL_SA_32> bias({1});
  weights.params(16384, 15, 0);
  weights->shape[3] = channels;
  weights->mem_stride[0] = static_cast<int32_t>(2 * channels);
  weights->mem_stride[1] = weights->mem_stride[2] =
      static_cast<int32_t>(channels);
  weights->data.capacity = 4 * channels;
  bias.params(16384, 16, 0);
  bias->shape[0] = channels;
  bias->data.capacity = 4 * channels;
  cfg.padding_top = cfg.padding_left = 0;
  container.mem.pi8 = nullptr;
  // Apart, though nothing is there.
  int8_t *base = in.codes.data();
  auto at = [base](uint64_t place) { return base + (place << 33); };
  in->data.mem.pi8 = at(0);
  weights->data.mem.pi8 = at(1);
  bias->data.mem.pi8 = at(2);
  out->data.mem.pi8 = at(3);
  EXPECT_EQ(mli_pack_depthwise_conv2d(in, weights, bias, &cfg, out, &container),
            MLI_STATUS_NOT_SUPPORTED);
  EXPECT_EQ(messages.last, "mli_pack_depthwise_conv2d: expected a layer of "
                           "less than 2^32 bytes, but got 4294967552");
}

TEST_F(PackedDepthwise, HasLittleMemory) {
  container.capacity = 300;
  EXPECT_EQ(pack(), MLI_STATUS_NOT_ENGH_MEM);
  EXPECT_EQ(messages.last,
            "mli_pack_depthwise_conv2d: expected 'packed' to have a capacity "
            "of at least 704 bytes, but got 300");
}

TEST_F(PackedDepthwise, NeedsTheUsualModes) {
  ASSERT_EQ(pack(), MLI_STATUS_OK);
  mli_set_rounding_mode(MLI_ROUND_CONVERGENT);
  EXPECT_EQ(run(), MLI_STATUS_NOT_SUPPORTED);
  EXPECT_EQ(pack(), MLI_STATUS_NOT_SUPPORTED);
  mli_set_rounding_mode(MLI_ROUND_UP);
  EXPECT_EQ(run(), MLI_STATUS_OK);
}

TEST_F(PackedDepthwise, HasOtherTensors) {
  ASSERT_EQ(pack(), MLI_STATUS_OK);
  TestTensor<int8_t, MLI_EL_SA_8> wider({4, 5, 3});
  EXPECT_EQ(mli_krn_packed(wider, &container, 1, out),
            MLI_STATUS_SHAPE_MISMATCH);
  out.params(16384, 11, 0);
  EXPECT_EQ(run(), MLI_STATUS_INCOMPATEBLE_TENSORS);
}

// K62
TEST_F(PackedDepthwise, IsDamaged) { expectDamageIsRefused(); }

/// Rows of a convolution of 4x4 pixels of 3 channels, which has both kinds of
/// packed layers.
class PackedRows : public Packed<2048> {
protected:
  PackedRows() {
    for (auto *map : {&in, &out})
      map->params(16384, map == &in ? 15 : 12, 0);
    for (auto *kernel : {&weights, &depthwise})
      kernel->params(16384, 15, 0);
    bias.params(16384, 16, 0);
  }

  mli_status pack() override {
    return mli_pack_conv2d(in, weights, bias, &cfg, out, MLI_PACK_PAIRS,
                           &container);
  }
  mli_status packDepthwise() {
    return mli_pack_depthwise_conv2d(in, depthwise, bias, &cfg, out,
                                     &container);
  }
  mli_status run() override {
    return mli_krn_packed_rows(in, &container, &rows, 1, out);
  }

  /// Rejects `rows` of either kind, with `message`.
  void expectRejected(mli_status status, const std::string &message) {
    ASSERT_EQ(pack(), MLI_STATUS_OK);
    EXPECT_EQ(run(), status);
    EXPECT_EQ(messages.last, message);
    messages.last.clear();
    ASSERT_EQ(packDepthwise(), MLI_STATUS_OK);
    EXPECT_EQ(run(), status);
    EXPECT_EQ(messages.last, message);
  }

  TestTensor<int8_t, MLI_EL_SA_8> in{{4, 4, 3}};
  TestTensor<int8_t, MLI_EL_SA_8> weights{{3, 3, 3, 3}};
  TestTensor<int8_t, MLI_EL_SA_8> depthwise{{3, 3, 1, 3}};
  TestTensor<int32_t, MLI_EL_SA_32> bias{{3}};
  TestTensor<int8_t, MLI_EL_SA_8> out{{4, 4, 3}};
  mli_conv2d_cfg cfg = {{MLI_RELU_NONE}, 1, 1, 1, 1, 1, 1, 1, 1};
  mli_packed_rows rows = {1, 1};
};

TEST_F(PackedRows, AreNull) {
  ASSERT_EQ(pack(), MLI_STATUS_OK);
  EXPECT_EQ(mli_krn_packed_rows(in, &container, nullptr, 1, out),
            MLI_STATUS_BAD_FUNC_CFG);
  EXPECT_EQ(messages.last, "mli_krn_packed_rows: expected 'rows' to be a "
                           "configuration, but got null");
}

TEST_F(PackedRows, HaveNoTensor) {
  for (bool isDepthwise : {false, true}) {
    ASSERT_EQ(isDepthwise ? packDepthwise() : pack(), MLI_STATUS_OK);
    EXPECT_EQ(mli_krn_packed_rows(nullptr, &container, &rows, 1, out),
              MLI_STATUS_BAD_TENSOR);
    EXPECT_EQ(mli_krn_packed_rows(in, &container, &rows, 1, nullptr),
              MLI_STATUS_BAD_TENSOR);
  }
}

TEST_F(PackedRows, AreMissing) {
  rows.padding_bottom = 0;
  expectRejected(MLI_STATUS_BAD_FUNC_CFG,
                 "mli_krn_packed_rows: expected 'in' to be padded to the "
                 "needed extent of 6, but got 5");
}

TEST_F(PackedRows, HaveTooMuchPaddingAbove) {
  rows.padding_top = 3;
  expectRejected(MLI_STATUS_BAD_FUNC_CFG,
                 "mli_krn_packed_rows: expected 'padding_top' to be less than "
                 "the effective kernel of 3, but got 3");
}

TEST_F(PackedRows, HaveTooMuchPaddingBelow) {
  rows.padding_bottom = 4;
  expectRejected(MLI_STATUS_BAD_FUNC_CFG,
                 "mli_krn_packed_rows: expected 'padding_bottom' to be less "
                 "than the effective kernel of 3, but got 4");
}

TEST_F(PackedRows, HaveAnotherWidth) {
  ASSERT_EQ(pack(), MLI_STATUS_OK);
  TestTensor<int8_t, MLI_EL_SA_8> wider({4, 5, 3});
  EXPECT_EQ(mli_krn_packed_rows(wider, &container, &rows, 1, out),
            MLI_STATUS_SHAPE_MISMATCH);
}

// K62
TEST_F(PackedRows, OfDamagedLayers) { expectDamageIsRefused(); }

/// Rows whose arguments are checked once.
class CheckedRows : public PackedRows {
protected:
  mli_status run() override {
    return mli_krn_packed_rows_unchecked(in, &container, &rows, 1, out);
  }
};

TEST_F(CheckedRows, AreAccepted) {
  ASSERT_EQ(pack(), MLI_STATUS_OK);
  EXPECT_EQ(mli_check_packed_rows(in, &container, &rows, out), MLI_STATUS_OK);
}

TEST_F(CheckedRows, AreRejected) {
  ASSERT_EQ(pack(), MLI_STATUS_OK);
  rows.padding_top = 3;
  EXPECT_EQ(mli_check_packed_rows(in, &container, &rows, out),
            MLI_STATUS_BAD_FUNC_CFG);
  EXPECT_EQ(messages.last,
            "mli_check_packed_rows: expected 'padding_top' to be less than the "
            "effective kernel of 3, but got 3");
  EXPECT_EQ(mli_check_packed_rows(in, &container, nullptr, out),
            MLI_STATUS_BAD_FUNC_CFG);
}

TEST_F(CheckedRows, LackData) {
  int8_t *data = in->data.mem.pi8;
  for (bool isDepthwise : {false, true}) {
    ASSERT_EQ(isDepthwise ? packDepthwise() : pack(), MLI_STATUS_OK);
    in->data.mem.pi8 = nullptr;
    EXPECT_EQ(run(), MLI_STATUS_BAD_TENSOR);
    EXPECT_EQ(messages.last, "mli_krn_packed_rows_unchecked: expected 'in' to "
                             "have data, but got null");
    in->data.mem.pi8 = data;
  }
}

TEST_F(CheckedRows, ShareMemory) {
  ASSERT_EQ(pack(), MLI_STATUS_OK);
  out->data.mem.pi8 = in->data.mem.pi8 + 1;
  EXPECT_EQ(run(), MLI_STATUS_INCOMPATEBLE_TENSORS);
  EXPECT_EQ(messages.last,
            "mli_krn_packed_rows_unchecked: expected 'in' to share no memory "
            "with 'out', but got buffers of 48 and 48 bytes that start 1 bytes "
            "apart");
}

TEST_F(CheckedRows, NeedTheUsualModes) {
  ASSERT_EQ(pack(), MLI_STATUS_OK);
  mli_set_rounding_mode(MLI_ROUND_CONVERGENT);
  EXPECT_EQ(run(), MLI_STATUS_NOT_SUPPORTED);
  mli_set_rounding_mode(MLI_ROUND_UP);
  EXPECT_EQ(run(), MLI_STATUS_OK);
}

TEST(SimdTarget, HasNames) {
  EXPECT_STREQ(mli_simd_target_name(MLI_SIMD_AVX3_VNNI), "avx3_vnni");
  EXPECT_STREQ(mli_simd_target_name(MLI_SIMD_NEON_I8MM), "neon_i8mm");
  EXPECT_STREQ(mli_simd_target_name(MLI_SIMD_AVX2_VNNI), "avx2_vnni");
  EXPECT_STREQ(mli_simd_target_name(MLI_SIMD_NEON_DOTPROD), "neon_dotprod");
  EXPECT_STREQ(mli_simd_target_name(static_cast<mli_simd_target>(77)),
               "unknown");
}

#if defined(__AARCH64EL__)
TEST(SimdTarget, IsTheFastestOfTheProcessor) {
  const char *expected = std::getenv("MLI_TEST_FASTEST_TARGET");
  if (!expected)
    GTEST_SKIP() << "for emulators of known processors";
  EXPECT_STREQ(mli_simd_target_name(mli_get_simd_target()), expected);
}

TEST(SimdTarget, EveryArmProcessorHasNeon) {
  mli_simd_target chosen = mli_get_simd_target();
  EXPECT_EQ(mli_set_simd_target(MLI_SIMD_NEON), MLI_STATUS_OK);
  mli_set_simd_target(chosen);
}
#endif

TEST(SimdTarget, RefusesWhatIsNotThere) {
  mli_simd_target chosen = mli_get_simd_target();
  EXPECT_EQ(mli_set_simd_target(static_cast<mli_simd_target>(77)),
            MLI_STATUS_NOT_SUPPORTED);
  EXPECT_EQ(mli_get_simd_target(), chosen);
}

} // namespace
