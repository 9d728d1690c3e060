// SPDX-License-Identifier: Apache-2.0
//
// Work that several threads share, where the caller asks for it. What they
// compute does not depend on how many they are: work is cut into shares, each
// of which is computed as one.

#ifndef MLI_LIB_RUNTIME_SIMD_THREADS_H
#define MLI_LIB_RUNTIME_SIMD_THREADS_H

#include <algorithm>
#include <atomic>
#include <cstdint>

namespace mli::rt::simd {

inline constexpr int maxThreads = 64;

/// Products of sums over input channels that a thread has at least: three to
/// four microseconds of a processor. To give work to a worker takes less than
/// half of one; it begins one later if it is awake, 4 to 40 later if it sleeps,
/// and one that comes when nothing is left is not waited for.
inline constexpr int64_t threadProducts = int64_t{1} << 18;

/// A thread that comes late, or has not got a processor for itself, takes fewer
/// shares than others: there are up to so many for each, as long as a share has
/// so many products. Smaller ones would have few pixels for each weight.
inline constexpr int sharesPerThread = 4;
inline constexpr int64_t shareProducts = int64_t{1} << 20;

/// How many threads may compute some work, and in how many shares.
struct Split {
  int threads;
  int64_t shares;
};

/// The split of so many products, of `units` that are computed as one, for a
/// caller who allows `threads`.
inline Split splitOf(double products, int threads, int64_t units) {
  auto atMost = [&](int64_t limit, int64_t each) {
    double paid = products / static_cast<double>(each);
    return paid < static_cast<double>(limit) ? static_cast<int64_t>(paid)
                                             : limit;
  };
  int64_t most = std::min<int64_t>(std::clamp(threads, 1, maxThreads), units);
  int64_t count = atMost(most, threadProducts);
  if (count <= 1)
    return {1, 1};
  int64_t shares = atMost(count * sharesPerThread, shareProducts);
  return {static_cast<int>(count), std::clamp(shares, count, units)};
}

/// Part `index` of `count` of `whole` units.
struct Range {
  Range(int64_t whole, int64_t index, int64_t count)
      : begin(index == 0 ? 0 : whole * index / count),
        end(index + 1 == count ? whole : whole * (index + 1) / count) {}
  int64_t size() const { return end - begin; }
  int64_t begin;
  int64_t end;
};

/// The shares that nobody has taken yet.
class Shares {
public:
  /// Of one thread alone no step has to be atomic.
  explicit Shares(int64_t count, bool isAlone = false)
      : count(count), isAlone(isAlone) {}
  /// False if there is none.
  bool take(int64_t &index) {
    if (isAlone) {
      index = next.load(std::memory_order_relaxed);
      next.store(index + 1, std::memory_order_relaxed);
    } else {
      index = next.fetch_add(1, std::memory_order_relaxed);
    }
    return index < count;
  }

private:
  int64_t count;
  bool isAlone;
  std::atomic<int64_t> next{0};
};

using ShareFunction = bool (*)(const void *work, Shares &shares);

/// Calls `function(work, shares)` in this thread and, while there are shares
/// left, in up to `split.threads - 1` workers: threads that are started when
/// they are needed first, and kept. Any number of threads may call it at once.
/// True if all calls return true.
bool runShares(ShareFunction function, const void *work, const Split &split);

/// The same of an object that is called with the shares.
template <typename Work>
bool runThreads(const Work &work, const Split &split) {
  if (split.threads <= 1) {
    Shares shares(split.shares, /*isAlone=*/true);
    return work(shares);
  }
  return runShares(
      [](const void *object, Shares &shares) {
        return (*static_cast<const Work *>(object))(shares);
      },
      &work, split);
}

} // namespace mli::rt::simd

#endif // MLI_LIB_RUNTIME_SIMD_THREADS_H
