// SPDX-License-Identifier: Apache-2.0
//
// The asynchronous move API over a pool of channels. The channels have no
// engine: preparing a move makes it.

#include "Move.h"
#include "mli/Runtime/C/api/mli_mov_api.h"

#include <atomic>

namespace mli::rt {
namespace {

constexpr int channelCount = 16;

/// Holds a lock that any thread keeps for a few instructions only.
class SpinGuard {
public:
  SpinGuard() {
    while (locked.test_and_set(std::memory_order_acquire)) {
    }
  }
  ~SpinGuard() { locked.clear(std::memory_order_release); }
  SpinGuard(const SpinGuard &) = delete;
  SpinGuard &operator=(const SpinGuard &) = delete;

private:
  static inline std::atomic_flag locked = ATOMIC_FLAG_INIT;
};

struct Callback {
  void (*function)(int32_t);
  int32_t cookie;
};

struct ChannelPool {
  int base = 0;
  int size = channelCount;
  bool isAvailable[channelCount] = {};
  /// Never cleared: a callback also fires for later owners of its channel.
  Callback callbacks[channelCount] = {};

  bool hasRun(int first, int count) const {
    if (first + count > channelCount)
      return false;
    for (int i = first; i < first + count; ++i)
      if (!isAvailable[i])
        return false;
    return true;
  }
  void setAvailable(int first, int count, bool available) {
    for (int i = first; i < first + count; ++i)
      isAvailable[i] = available;
  }
};

ChannelPool pool;

/// Handles and ranges that would leave the pool, in every mode.
mli_status checkChannels(const char *name, int first, int count) {
  if (first >= 0 && count >= 0 && count <= channelCount &&
      first <= channelCount - count)
    return MLI_STATUS_OK;
  return fail(MLI_STATUS_BAD_FUNC_CFG,
              "expected '%s' to name channels within %d, but got %d from %d on",
              name, channelCount, count, first);
}

mli_status checkHandlePointer(const mli_mov_handle_t *handle) {
  if (!handle)
    return fail(MLI_STATUS_BAD_FUNC_CFG,
                "expected 'h' to be a handle, but got null");
  return MLI_STATUS_OK;
}

mli_status checkHandle(const mli_mov_handle_t *handle) {
  MLI_CHECK(checkHandlePointer(handle));
  return checkChannels("h", handle->dma_ch, handle->num_ch);
}

/// Takes the first run of `count` channels; -1 if there is none.
int takeRun(int count) {
  SpinGuard guard;
  for (int first = pool.base; first < pool.base + pool.size; ++first)
    if (count >= 0 && pool.hasRun(first, count)) {
      pool.setAvailable(first, count, false);
      return first;
    }
  return -1;
}

// Messages and callbacks are client code, and run without the lock.
mli_status acquire(int count, mli_mov_handle_t *handle) {
  int first = takeRun(count);
  if (first < 0)
    return fail(MLI_STATUS_NOT_ENGH_MEM,
                "expected 'num_ch' to be that of available channels in a row, "
                "but got %d",
                count);
  *handle = {first, count, MLI_MOV_STATE_OPEN};
  return MLI_STATUS_OK;
}

mli_status release(mli_mov_handle_t *handle) {
  SpinGuard guard;
  pool.setAvailable(handle->dma_ch, handle->num_ch, true);
  *handle = {0, 0, MLI_MOV_STATE_INVALID};
  return MLI_STATUS_OK;
}

void start(mli_mov_handle_t &handle) {
  handle.state = MLI_MOV_STATE_DONE;
  Callback callback = {};
  if (handle.dma_ch < channelCount) {
    SpinGuard guard;
    callback = pool.callbacks[handle.dma_ch];
  }
  if (callback.function)
    callback.function(callback.cookie);
}

} // namespace
} // namespace mli::rt

using namespace mli::rt;

// NOLINTBEGIN(readability-identifier-naming): the C names.

mli_status mli_mov_tensor_sync(const mli_tensor *src, const mli_mov_cfg_t *cfg,
                               mli_tensor *dst) {
  Entry entry("mli_mov_tensor_sync");
  mli_mov_handle_t handle = {};
  MLI_CHECK(acquire(0, &handle));
  MLI_CHECK(move({src, "src"}, cfg, dst));
  start(handle);
  return release(&handle);
}

mli_status mli_mov_prepare(mli_mov_handle_t *h, const mli_tensor *src,
                           const mli_mov_cfg_t *cfg, mli_tensor *dst) {
  Entry entry("mli_mov_prepare");
  MLI_CHECK(checkHandle(h));
  MLI_CHECK(move({src, "src"}, cfg, dst));
  h->state = MLI_MOV_STATE_PREPARED;
  return MLI_STATUS_OK;
}

mli_status mli_mov_registercallback(mli_mov_handle_t *h, void (*cb)(int32_t),
                                    int32_t cookie) {
  Entry entry("mli_mov_registercallback");
  MLI_CHECK(checkHandle(h));
  MLI_CHECK(checkChannels("h", h->dma_ch, 1));
  SpinGuard guard;
  pool.callbacks[h->dma_ch] = {cb, cookie};
  return MLI_STATUS_OK;
}

mli_status mli_mov_start(mli_mov_handle_t *h, const mli_tensor * /*src*/,
                         const mli_mov_cfg_t * /*cfg*/, mli_tensor * /*dst*/) {
  Entry entry("mli_mov_start");
  MLI_CHECK(checkHandle(h));
  start(*h);
  return MLI_STATUS_OK;
}

bool mli_mov_isdone(mli_mov_handle_t *h) {
  return h && h->state == MLI_MOV_STATE_DONE;
}

mli_status mli_mov_wait(mli_mov_handle_t *h) {
  Entry entry("mli_mov_wait");
  MLI_CHECK(checkHandle(h));
  if (checksEnabled() && h->state != MLI_MOV_STATE_DONE)
    return fail(MLI_STATUS_BAD_FUNC_CFG,
                "expected 'h' to be a started transfer, but got state %d",
                static_cast<int>(h->state));
  return MLI_STATUS_OK;
}

mli_status mli_mov_set_num_dma_ch(int ch_offset, int num_ch) {
  Entry entry("mli_mov_set_num_dma_ch");
  MLI_CHECK(checkChannels("ch_offset", ch_offset, num_ch));
  SpinGuard guard;
  pool.base = ch_offset;
  pool.size = num_ch;
  pool.setAvailable(ch_offset, num_ch, true);
  return MLI_STATUS_OK;
}

mli_status mli_mov_acquire_handle(int num_ch, mli_mov_handle_t *h) {
  Entry entry("mli_mov_acquire_handle");
  MLI_CHECK(checkHandlePointer(h));
  return acquire(num_ch, h);
}

mli_status mli_mov_release_handle(mli_mov_handle_t *h) {
  Entry entry("mli_mov_release_handle");
  MLI_CHECK(checkHandle(h));
  return release(h);
}

// NOLINTEND(readability-identifier-naming)
