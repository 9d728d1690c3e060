// SPDX-License-Identifier: Apache-2.0
//
// Work that several threads share, where the caller wants it. Results do not
// depend on the number of threads: work is cut into work items, each of which
// is computed as one.

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
/// work items than others: there are up to so many for each, as long as a work
/// item has so many products. Smaller ones would have few pixels for each
/// weight.
inline constexpr int itemsPerThread = 4;
inline constexpr int64_t itemProducts = int64_t{1} << 20;

/// How many threads may compute some work, and in how many work items.
struct Partition {
  int threads;
  int64_t items;
};

/// The partition of so many products, of `units` that are computed as one, for
/// a caller that allows `threads`.
inline Partition partitionWork(double products, int threads, int64_t units) {
  if (threads <= 1)
    return {1, 1};
  auto atMost = [&](int64_t limit, int64_t each) {
    double paid = products / static_cast<double>(each);
    return paid < static_cast<double>(limit) ? static_cast<int64_t>(paid)
                                             : limit;
  };
  int64_t most = std::min<int64_t>(std::min(threads, maxThreads), units);
  int64_t count = atMost(most, threadProducts);
  if (count <= 1)
    return {1, 1};
  int64_t items = atMost(count * itemsPerThread, itemProducts);
  return {static_cast<int>(count), std::clamp(items, count, units)};
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

/// The work items of one call. Each thread takes those of its own part in turn,
/// and then what is left of the parts of others: of layers that follow one
/// another a thread computes the same part, so that the inputs that it reads
/// are in its cache already.
class WorkParts {
public:
  /// Work items that no thread has taken yet.
  WorkParts(int64_t items, int threads) : count(threads) {
    for (int part = 0; part < threads; ++part) {
      Range range(items, part, threads);
      parts[part].next.store(range.begin, std::memory_order_relaxed);
      parts[part].end = range.end;
    }
  }

  /// An item of part `first` or of those after it; false if there is none.
  bool take(int first, int64_t &index) {
    for (int i = 0; i < count; ++i)
      if (parts[(first + i) % count].take(index))
        return true;
    return false;
  }

private:
  struct alignas(64) Part {
    bool take(int64_t &index) {
      // Who finds nothing leaves the counter to the caches of others.
      if (next.load(std::memory_order_relaxed) >= end)
        return false;
      index = next.fetch_add(1, std::memory_order_relaxed);
      return index < end;
    }
    std::atomic<int64_t> next;
    int64_t end;
  };

  int count;
  Part parts[maxThreads];
};

/// The work items that one thread takes.
class WorkItems {
public:
  /// Thread `first` of those of `parts`.
  WorkItems(WorkParts &parts, int first) : parts(&parts), first(first) {}
  /// All of them, of a call in one thread: no step has to be atomic.
  explicit WorkItems(int64_t count) : count(count) {}

  /// False if there is none.
  bool take(int64_t &index) {
    if (parts)
      return parts->take(first, index);
    index = next++;
    return index < count;
  }

private:
  WorkParts *parts = nullptr;
  int first = 0;
  int64_t next = 0;
  int64_t count = 0;
};

using WorkFunction = bool (*)(const void *work, WorkItems &items);

/// Calls `function(work, work items)` in this thread and, while there are work
/// items left, in up to `partition.threads - 1` workers: threads that are
/// started when they are needed first, and kept. Any number of threads may call
/// it at once. True if all calls return true.
bool parallelFor(WorkFunction function, const void *work,
                 const Partition &partition);

/// The same of an object that is called with the work items.
template <typename Work>
bool parallelFor(const Work &work, const Partition &partition) {
  if (partition.threads <= 1) {
    WorkItems items(partition.items);
    return work(items);
  }
  return parallelFor(
      [](const void *object, WorkItems &items) {
        return (*static_cast<const Work *>(object))(items);
      },
      &work, partition);
}

} // namespace mli::rt::simd

#endif // MLI_LIB_RUNTIME_SIMD_THREADS_H
