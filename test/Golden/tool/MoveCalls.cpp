// SPDX-License-Identifier: Apache-2.0
//
// The calls of data movement besides plain moves: builders of configurations,
// and the asynchronous API.

#include "Calls.h"
#include "Configs.h"

#include <cstring>

using namespace llvm;

namespace mli::golden {
namespace {

/// The array arguments of the builders of move configurations.
struct MoveArrays {
  int offsets[MLI_MAX_RANK] = {};
  int sizes[MLI_MAX_RANK] = {};
  int steps[MLI_MAX_RANK] = {};
  int dstOffsets[MLI_MAX_RANK] = {};
  int dstStrides[MLI_MAX_RANK] = {};
  uint8_t permutation[MLI_MAX_RANK] = {};
  uint8_t left = 0;
  uint8_t right = 0;
  uint8_t top = 0;
  uint8_t bottom = 0;
};

MoveArrays readArrays(Arguments &a) {
  MoveArrays arrays;
  a.array("offsets", arrays.offsets);
  a.array("sizes", arrays.sizes);
  a.array("sub_sample_step", arrays.steps);
  a.array("subsample_step", arrays.steps);
  a.array("dst_offsets", arrays.dstOffsets);
  a.array("dst_mem_stride", arrays.dstStrides);
  a.array("perm_dim", arrays.permutation);
  set(arrays.left, a, "padleft");
  set(arrays.right, a, "padright");
  set(arrays.top, a, "padtop");
  set(arrays.bottom, a, "padbot");
  return arrays;
}

/// A structure for a builder, without a zero in it.
mli_mov_cfg_t *makeConfig(Arguments &a) {
  mli_mov_cfg_t &config = a.movConfig.emplace();
  std::memset(&config, 0xAA, sizeof(config));
  return &config;
}

#define MLI_MOVE_BUILDER(name, ...)                                            \
  {#name, [](Arguments &a) {                                                   \
     [[maybe_unused]] MoveArrays arrays = readArrays(a);                       \
     return a.call(#name, name, makeConfig(a) __VA_OPT__(, ) __VA_ARGS__);     \
   }}

/// A handle as the vector has it, over the channels `pool` that it makes
/// available: the first and how many.
template <typename Run>
mli_status withHandle(Arguments &a, Run run) {
  int pool[MLI_MAX_RANK] = {};
  a.array("pool", pool);
  auto setChannels = [&](int first, int count) {
    a.callBeside("mli_mov_set_num_dma_ch", mli_mov_set_num_dma_ch, first,
                 count);
  };
  setChannels(pool[0], pool[1]);
  mli_mov_handle_t &handle = a.handle.emplace();
  set(handle.dma_ch, a, "dma_ch");
  set(handle.num_ch, a, "num_ch");
  set(handle.state, a, "state");
  mli_status status = run(&handle);
  // Plain moves need channels, too.
  setChannels(0, 16);
  return status;
}

// Programs of C have these of their own, by the names `golden_keep` and
// `golden_kept`.
int32_t lastCookie = 0;
void keepCookie(int32_t cookie) { lastCookie = cookie; }
int32_t getCookie() { return lastCookie; }

/// Also starts a transfer, to see that the callback is called.
mli_status registerCallback(Arguments &a, mli_mov_handle_t *handle) {
  lastCookie = 0;
  mli_status status =
      a.call("mli_mov_registercallback", mli_mov_registercallback, handle,
             keepCookie, a.number<int32_t>("cookie"));
  mli_mov_handle_t started = *handle;
  a.callBeside("mli_mov_start", mli_mov_start, &started, nullptr, nullptr,
               nullptr);
  a.returned = a.callBeside("golden_kept", getCookie);
  return status;
}

#define MLI_HANDLE_CALL(name, ...)                                             \
  {#name, [](Arguments &a) {                                                   \
     return withHandle(a, [&]([[maybe_unused]] mli_mov_handle_t *h) {          \
       return __VA_ARGS__;                                                     \
     });                                                                       \
   }}

#define MLI_MOVE_CALL(name)                                                    \
  MLI_HANDLE_CALL(name,                                                        \
                  a.call(#name, name, h, a.tensor("in"),                       \
                         ConfigArgument<mli_mov_cfg_t>(a), a.tensor("out")))

} // namespace

ArrayRef<std::pair<StringRef, Call>> moveCalls() {
  static const std::pair<StringRef, Call> calls[] = {
      MLI_MOVE_BUILDER(mli_mov_cfg_for_copy),
      MLI_MOVE_BUILDER(mli_mov_cfg_for_slice, arrays.offsets, arrays.sizes,
                       arrays.dstStrides),
      MLI_MOVE_BUILDER(mli_mov_cfg_for_concat, arrays.dstOffsets,
                       arrays.dstStrides),
      MLI_MOVE_BUILDER(mli_mov_cfg_for_subsample, arrays.steps,
                       arrays.dstStrides),
      MLI_MOVE_BUILDER(mli_mov_cfg_for_permute, arrays.permutation),
      MLI_MOVE_BUILDER(mli_mov_cfg_for_padding2d_chw, arrays.left, arrays.right,
                       arrays.top, arrays.bottom, arrays.dstStrides),
      MLI_MOVE_BUILDER(mli_mov_cfg_for_padding2d_hwc, arrays.left, arrays.right,
                       arrays.top, arrays.bottom, arrays.dstStrides),
      MLI_MOVE_BUILDER(mli_mov_cfg_all, arrays.offsets, arrays.sizes,
                       arrays.steps, arrays.dstOffsets, arrays.dstStrides,
                       arrays.permutation, arrays.left, arrays.right,
                       arrays.top, arrays.bottom),
      MLI_MOVE_CALL(mli_mov_prepare),
      MLI_MOVE_CALL(mli_mov_start),
      MLI_HANDLE_CALL(mli_mov_wait, a.call("mli_mov_wait", mli_mov_wait, h)),
      MLI_HANDLE_CALL(mli_mov_isdone,
                      (a.returned = a.call("mli_mov_isdone", mli_mov_isdone, h),
                       MLI_STATUS_OK)),
      MLI_HANDLE_CALL(mli_mov_registercallback, registerCallback(a, h)),
      MLI_HANDLE_CALL(mli_mov_acquire_handle,
                      a.call("mli_mov_acquire_handle", mli_mov_acquire_handle,
                             a.number<int>("channels"), h)),
      MLI_HANDLE_CALL(
          mli_mov_release_handle,
          a.call("mli_mov_release_handle", mli_mov_release_handle, h)),
      MLI_HANDLE_CALL(mli_mov_set_num_dma_ch,
                      a.call("mli_mov_set_num_dma_ch", mli_mov_set_num_dma_ch,
                             a.number<int>("ch_offset"),
                             a.number<int>("channels"))),
  };
  return calls;
}

} // namespace mli::golden
