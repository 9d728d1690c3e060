// SPDX-License-Identifier: Apache-2.0
//
// Work that several threads share, where the caller asks for it.

#ifndef MLI_LIB_RUNTIME_SIMD_THREADS_H
#define MLI_LIB_RUNTIME_SIMD_THREADS_H

#include <pthread.h>

#include <algorithm>
#include <cstdint>

namespace mli::rt::simd {

inline constexpr int maxThreads = 64;

/// Calls `work(i, threads)` for each i below `threads`, each in a thread of its
/// own but the first; at most `maxThreads`. True if all calls return true. What
/// no thread can be had for runs in this one.
template <typename Work>
bool runThreads(const Work &work, int threads) {
  if (threads <= 1)
    return work(0, 1);
  threads = std::min(threads, maxThreads);
  struct Share {
    const Work *work;
    int64_t index;
    int64_t count;
    bool isDone;
    static void *run(void *share) {
      auto &self = *static_cast<Share *>(share);
      self.isDone = (*self.work)(self.index, self.count);
      return nullptr;
    }
  };
  Share shares[maxThreads];
  pthread_t handles[maxThreads];
  bool started[maxThreads] = {};
  for (int i = 0; i < threads; ++i)
    shares[i] = {&work, i, threads, false};
  for (int i = 1; i < threads; ++i)
    started[i] =
        pthread_create(&handles[i], nullptr, Share::run, &shares[i]) == 0;
  bool isDone = true;
  for (int i = 0; i < threads; ++i) {
    if (started[i])
      pthread_join(handles[i], nullptr);
    else
      Share::run(&shares[i]);
    isDone = isDone && shares[i].isDone;
  }
  return isDone;
}

} // namespace mli::rt::simd

#endif // MLI_LIB_RUNTIME_SIMD_THREADS_H
