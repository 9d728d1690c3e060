// SPDX-License-Identifier: Apache-2.0
//
// Moves and the channels of their asynchronous form.

#include "../TestTensor.h"

#include <gtest/gtest.h>

using namespace mli::test;

namespace {

mli_mov_cfg_t copyConfig() {
  mli_mov_cfg_t cfg;
  mli_mov_cfg_for_copy(&cfg);
  return cfg;
}

/// A destination that the move describes.
class Target : public Fx8 {
public:
  explicit Target(uint32_t bytes) : Fx8({bytes}) { (*this)->mem_stride[0] = 0; }
};

// K33
TEST(Move, SizeIncludesPadding) {
  Fx8 src({3}, {1, 2, 3});
  Target dst(8);
  mli_mov_cfg_t cfg = copyConfig();
  cfg.padding_pre[0] = 2;
  cfg.size[0] = 4;
  ASSERT_EQ(mli_mov_tensor_sync(src, &cfg, dst), MLI_STATUS_OK);
  EXPECT_EQ(dst->shape[0], 4u);
  EXPECT_EQ(dst.codes, (std::vector<int8_t>{0, 0, 1, 2, 0, 0, 0, 0}));
}

// K33
TEST(Move, SubsamplesAndPermutes) {
  Fx8 src({2, 3}, {1, 2, 3, 4, 5, 6});
  Target dst(8);
  mli_mov_cfg_t cfg = copyConfig();
  cfg.perm_dim[0] = 1;
  cfg.perm_dim[1] = 0;
  cfg.sub_sample_step[1] = 2;
  ASSERT_EQ(mli_mov_tensor_sync(src, &cfg, dst), MLI_STATUS_OK);
  EXPECT_EQ(dst->shape[0], 2u);
  EXPECT_EQ(dst->shape[1], 2u);
  EXPECT_EQ(dst.codes, (std::vector<int8_t>{1, 4, 3, 6, 0, 0, 0, 0}));
}

// K34
TEST(Move, EqualShapesIgnoreOffsets) {
  Fx8 src({4}, {1, 2, 3, 4});
  Target dst(4);
  mli_mov_cfg_t cfg = copyConfig();
  cfg.size[0] = 2;
  cfg.dst_offset[0] = 2;
  ASSERT_EQ(mli_mov_tensor_sync(src, &cfg, dst), MLI_STATUS_OK);
  EXPECT_EQ(dst.codes, (std::vector<int8_t>{1, 2, 3, 4}));
}

// K35
TEST(Move, WithoutPaddingIndicesRunOnWithinTheBuffer) {
  Fx8 src({2, 3}, {1, 2, 3, 4, 5, 6});
  Target dst(8);
  std::fill(dst.codes.begin(), dst.codes.end(), 99);
  mli_mov_cfg_t cfg = copyConfig();
  cfg.size[1] = 4;
  ASSERT_EQ(mli_mov_tensor_sync(src, &cfg, dst), MLI_STATUS_OK);
  EXPECT_EQ(dst.codes, (std::vector<int8_t>{1, 2, 3, 4, 4, 5, 6, 0}));
}

// K32
TEST(Move, OwnParametersMoveWithTheirAxis) {
  Sa8 src({2, 3}, {1, 2, 3, 4, 5, 6});
  src.axis(1, {10, 20, 30}, {1, 2, 3}, {-1, -2, -3});
  Sa8 dst({8});
  dst->mem_stride[0] = 0;
  dst.axis(0, {7, 7, 7, 7}, {7, 7, 7, 7}, {7, 7, 7, 7});
  mli_mov_cfg_t cfg = copyConfig();
  cfg.offset[1] = 1;
  cfg.padding_post[1] = 1;
  ASSERT_EQ(mli_mov_tensor_sync(src, &cfg, dst), MLI_STATUS_OK);
  EXPECT_EQ(dst->el_params.sa.dim, 1);
  EXPECT_EQ(mli_hlp_tensor_scale(dst, 0), 20);
  EXPECT_EQ(mli_hlp_tensor_zero_offset(dst, 1), -3);
  EXPECT_EQ(mli_hlp_tensor_scale(dst, 2), 1);        // Padding.
  EXPECT_EQ(dst->el_params.sa.scale.mem.pi16[3], 7); // Not written.
}

// K32
TEST(Move, SharedParametersCannotBeCut) {
  Sa8 src({2, 3});
  src.axis(1, {10, 20, 30}, {1, 2, 3}, {-1, -2, -3});
  Target dst(8);
  mli_mov_cfg_t cfg = copyConfig();
  EXPECT_EQ(mli_mov_tensor_sync(src, &cfg, dst), MLI_STATUS_OK);
  EXPECT_EQ(dst->el_params.sa.scale.mem.pi16, src->el_params.sa.scale.mem.pi16);
  cfg.offset[1] = 1;
  EXPECT_EQ(mli_mov_tensor_sync(src, &cfg, dst),
            MLI_STATUS_SPEC_PARAM_MISMATCH);
}

/// What is cut in front of the axis comes back as padding, which delivers what
/// lies there.
// K32, K33
TEST(Move, SharedParametersStayWhereOffsetAndPaddingCancelOut) {
  Sa8 src({2, 3}, {1, 2, 3, 4, 5, 6});
  src.axis(1, {10, 20, 30}, {1, 2, 3}, {-1, -2, -3});
  Target dst(8);
  mli_mov_cfg_t cfg = copyConfig();
  cfg.offset[1] = cfg.padding_pre[1] = 2;
  ASSERT_EQ(mli_mov_tensor_sync(src, &cfg, dst), MLI_STATUS_OK);
  EXPECT_EQ(dst->shape[1], 3U);
  EXPECT_EQ(dst->el_params.sa.dim, 1);
  EXPECT_EQ(dst->el_params.sa.scale.mem.pi16, src->el_params.sa.scale.mem.pi16);
  EXPECT_EQ(dst->el_params.sa.zero_point.mem.pi16,
            src->el_params.sa.zero_point.mem.pi16);
  EXPECT_EQ(dst->el_params.sa.scale_frac_bits.mem.pi8,
            src->el_params.sa.scale_frac_bits.mem.pi8);
  EXPECT_EQ(dst.codes, (std::vector<int8_t>{1, 2, 3, 4, 5, 6, 0, 0}));
  // Own parameters are those of the same entries.
  Sa8 own({8});
  own->mem_stride[0] = 0;
  own.axis(0, {7, 7, 7}, {7, 7, 7}, {7, 7, 7});
  ASSERT_EQ(mli_mov_tensor_sync(src, &cfg, own), MLI_STATUS_OK);
  for (uint32_t i = 0; i < 3; ++i)
    EXPECT_EQ(mli_hlp_tensor_scale(own, i), mli_hlp_tensor_scale(src, i));
  // One more in front of them has no parameters.
  cfg.padding_pre[1] = 3;
  EXPECT_EQ(mli_mov_tensor_sync(src, &cfg, dst),
            MLI_STATUS_SPEC_PARAM_MISMATCH);
}

TEST(Move, BadConfigurations) {
  Fx8 src({2, 3});
  Target dst(8);
  mli_mov_cfg_t cfg = copyConfig();
  cfg.sub_sample_step[0] = 0;
  EXPECT_EQ(mli_mov_tensor_sync(src, &cfg, dst), MLI_STATUS_BAD_FUNC_CFG);
  cfg = copyConfig();
  cfg.perm_dim[1] = 2;
  EXPECT_EQ(mli_mov_tensor_sync(src, &cfg, dst), MLI_STATUS_BAD_FUNC_CFG);
  cfg = copyConfig();
  cfg.offset[0] = 5;
  EXPECT_NE(mli_mov_tensor_sync(src, &cfg, dst), MLI_STATUS_OK);
  EXPECT_EQ(mli_mov_tensor_sync(src, nullptr, dst), MLI_STATUS_BAD_FUNC_CFG);
  EXPECT_EQ(mli_mov_tensor_sync(src, &cfg, nullptr), MLI_STATUS_BAD_TENSOR);
}

/// Expects a message and that the destination is as it was.
void expectRefused(const mli_tensor *src, const mli_mov_cfg_t &cfg,
                   mli_status status, const char *message) {
  Target dst(8);
  std::fill(dst.codes.begin(), dst.codes.end(), 99);
  Messages messages;
  EXPECT_EQ(mli_mov_tensor_sync(src, &cfg, dst), status);
  EXPECT_EQ(messages.last, message);
  EXPECT_EQ(dst->rank, 1u);
  EXPECT_EQ(dst->shape[0], 8u);
  EXPECT_EQ(dst->mem_stride[0], 0);
  EXPECT_EQ(dst.codes, std::vector<int8_t>(8, 99));
}

TEST(Move, ExtentsThatDoNotFit) {
  Fx8 src({2, 3});
  mli_mov_cfg_t cfg = copyConfig();
  // 2 - 5 elements wrap to 2^32 - 3, and with the offset to 2.
  cfg.offset[0] = 5;
  cfg.dst_offset[0] = 5;
  expectRefused(src, cfg, MLI_STATUS_BAD_TENSOR,
                "mli_mov_tensor_sync: expected 'dst' to have shape[0] of at "
                "most 2147483647, but got 4294967298");
  cfg = copyConfig();
  cfg.dst_offset[0] = 9;
  expectRefused(src, cfg, MLI_STATUS_NOT_ENGH_MEM,
                "mli_mov_tensor_sync: expected 'dst' to have a capacity of at "
                "least 33 bytes, but got 8");
}

// K35
TEST(Move, IndicesFarBeyondTheBuffer) {
  Fx8 src({1, 1, 1, 2}, {1, 2});
  for (int dim = 0; dim < 3; ++dim)
    src->mem_stride[dim] = INT32_MAX;
  Target dst(8);
  std::fill(dst.codes.begin(), dst.codes.end(), 99);
  mli_mov_cfg_t cfg = copyConfig();
  for (int dim = 0; dim < 3; ++dim) {
    cfg.offset[dim] = UINT32_MAX;
    cfg.size[dim] = 1;
  }
  ASSERT_EQ(mli_mov_tensor_sync(src, &cfg, dst), MLI_STATUS_OK);
  EXPECT_EQ(dst.codes, (std::vector<int8_t>{0, 0, 99, 99, 99, 99, 99, 99}));
}

// K32
TEST(Move, TheQuantisedAxisGoesSomewhere) {
  Sa8 src({3, 2});
  src.axis(1, {10, 20}, {1, 2}, {-1, -2});
  mli_mov_cfg_t cfg = copyConfig();
  cfg.perm_dim[1] = 0;
  expectRefused(src, cfg, MLI_STATUS_BAD_FUNC_CFG,
                "mli_mov_tensor_sync: expected 'cfg' to name the quantised "
                "dimension 1 in perm_dim, but got others");
}

// K56
TEST(Move, OwnParametersAreAlignedAndLongEnough) {
  Sa8 src({2, 3});
  src.axis(1, {10, 20, 30}, {1, 2, 3}, {-1, -2, -3});
  Sa8 dst({8});
  dst->mem_stride[0] = 0;
  dst.axis(0, {7, 7, 7, 7}, {7, 7, 7, 7}, {7, 7, 7, 7});
  ++dst->el_params.sa.scale.mem.pi8;
  mli_mov_cfg_t cfg = copyConfig();
  EXPECT_EQ(mli_mov_tensor_sync(src, &cfg, dst), MLI_STATUS_MISALIGNMENT_ERROR);
  // 3 entries from 2^32 - 2 on: not one.
  cfg.dst_offset[1] = UINT32_MAX - 1;
  Messages messages;
  EXPECT_EQ(mli_mov_tensor_sync(src, &cfg, dst),
            MLI_STATUS_SPEC_PARAM_MISMATCH);
  EXPECT_EQ(messages.last,
            "mli_mov_tensor_sync: expected 'dst' to have parameter arrays of "
            "4294967297 entries, but got capacities of 8, 8 and 4 bytes");
}

int32_t lastCookie = 0;
void remember(int32_t cookie) { lastCookie = cookie; }

TEST(MoveAsync, ChannelsAreTakenAndGivenBack) {
  mli_mov_handle_t none;
  EXPECT_EQ(mli_mov_acquire_handle(0, &none), MLI_STATUS_OK);
  EXPECT_EQ(none.state, MLI_MOV_STATE_OPEN);
  EXPECT_EQ(mli_mov_acquire_handle(1, &none), MLI_STATUS_NOT_ENGH_MEM);
  ASSERT_EQ(mli_mov_set_num_dma_ch(2, 4), MLI_STATUS_OK);
  mli_mov_handle_t first;
  mli_mov_handle_t second;
  mli_mov_handle_t third;
  ASSERT_EQ(mli_mov_acquire_handle(1, &first), MLI_STATUS_OK);
  EXPECT_EQ(first.dma_ch, 2);
  ASSERT_EQ(mli_mov_acquire_handle(3, &second), MLI_STATUS_OK);
  EXPECT_EQ(second.dma_ch, 3);
  EXPECT_EQ(mli_mov_acquire_handle(1, &third), MLI_STATUS_NOT_ENGH_MEM);
  ASSERT_EQ(mli_mov_release_handle(&first), MLI_STATUS_OK);
  EXPECT_EQ(first.state, MLI_MOV_STATE_INVALID);
  EXPECT_EQ(mli_mov_acquire_handle(1, &third), MLI_STATUS_OK);
  EXPECT_EQ(third.dma_ch, 2);
  mli_mov_release_handle(&second);
  mli_mov_release_handle(&third);
}

TEST(MoveAsync, MessagesMayTakeChannels) {
  CheckMode mode(MLI_CHECK_MESSAGES);
  mli_mov_handle_t inner = {};
  mli_set_message_callback(
      [](const char *, void *handle) {
        mli_mov_acquire_handle(0, static_cast<mli_mov_handle_t *>(handle));
      },
      &inner);
  mli_mov_handle_t handle;
  EXPECT_EQ(mli_mov_acquire_handle(17, &handle), MLI_STATUS_NOT_ENGH_MEM);
  EXPECT_EQ(inner.state, MLI_MOV_STATE_OPEN);
  mli_set_message_callback(nullptr, nullptr);
}

TEST(MoveAsync, PreparedMovesAreDoneOnceStarted) {
  mli_mov_set_num_dma_ch(0, 2);
  Fx8 src({3}, {1, 2, 3});
  Target dst(3);
  mli_mov_cfg_t cfg = copyConfig();
  mli_mov_handle_t handle;
  ASSERT_EQ(mli_mov_acquire_handle(1, &handle), MLI_STATUS_OK);
  ASSERT_EQ(mli_mov_prepare(&handle, src, &cfg, dst), MLI_STATUS_OK);
  EXPECT_EQ(handle.state, MLI_MOV_STATE_PREPARED);
  EXPECT_EQ(dst.codes, src.codes);
  EXPECT_FALSE(mli_mov_isdone(&handle));
  EXPECT_EQ(mli_mov_wait(&handle), MLI_STATUS_BAD_FUNC_CFG);
  ASSERT_EQ(mli_mov_registercallback(&handle, remember, 42), MLI_STATUS_OK);
  ASSERT_EQ(mli_mov_start(&handle, src, &cfg, dst), MLI_STATUS_OK);
  EXPECT_EQ(lastCookie, 42);
  EXPECT_TRUE(mli_mov_isdone(&handle));
  EXPECT_EQ(mli_mov_wait(&handle), MLI_STATUS_OK);
  mli_mov_release_handle(&handle);
  // The callback stays with its channel, the base one.
  lastCookie = 0;
  ASSERT_EQ(mli_mov_tensor_sync(src, &cfg, dst), MLI_STATUS_OK);
  EXPECT_EQ(lastCookie, 42);
}

TEST(MoveAsync, NoChannelsNoSynchronousMove) {
  Fx8 src({3});
  Target dst(3);
  mli_mov_cfg_t cfg = copyConfig();
  mli_mov_set_num_dma_ch(0, 0);
  EXPECT_EQ(mli_mov_tensor_sync(src, &cfg, dst), MLI_STATUS_NOT_ENGH_MEM);
  mli_mov_set_num_dma_ch(0, 16);
  EXPECT_EQ(mli_mov_tensor_sync(src, &cfg, dst), MLI_STATUS_OK);
}

TEST(MoveAsync, BadHandlesAndRanges) {
  EXPECT_EQ(mli_mov_wait(nullptr), MLI_STATUS_BAD_FUNC_CFG);
  EXPECT_EQ(mli_mov_acquire_handle(1, nullptr), MLI_STATUS_BAD_FUNC_CFG);
  EXPECT_EQ(mli_mov_set_num_dma_ch(10, 7), MLI_STATUS_BAD_FUNC_CFG);
  EXPECT_EQ(mli_mov_set_num_dma_ch(-1, 2), MLI_STATUS_BAD_FUNC_CFG);
  mli_mov_handle_t handle = {16, 0, MLI_MOV_STATE_OPEN};
  EXPECT_EQ(mli_mov_registercallback(&handle, remember, 1),
            MLI_STATUS_BAD_FUNC_CFG);
}

} // namespace
