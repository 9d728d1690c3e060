// SPDX-License-Identifier: Apache-2.0
//
// What packed matrix products reject, and how that is reported.

#include "PackedFixture.h"
#include "mli/Runtime/C/mli_simd.h"

#include <algorithm>
#include <cstdio>
#include <numeric>

using namespace mli::test;

namespace {

/// A packed layer of kernels with vectors of 16 bytes.
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
  EXPECT_EQ(container.capacity, 256U + 128U + 64U);
}

TEST_F(PackedLayer, Runs) {
  ASSERT_EQ(pack(), MLI_STATUS_OK);
  EXPECT_EQ(run(), MLI_STATUS_OK);
}

TEST_F(PackedLayer, HasLittleMemory) {
  container.capacity = 100;
  EXPECT_EQ(pack(), MLI_STATUS_NOT_ENGH_MEM);
  EXPECT_EQ(messages.last, "mli_pack_fully_connected: expected 'packed' to "
                           "have a capacity of at least 448 bytes, but got "
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
            "layer of 448 bytes, but got another");
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
            "layer of 1408 bytes, but got another");
}

// K62
TEST_F(PackedContiguous, IsDamaged) { expectDamageIsRefused(); }

} // namespace
