// SPDX-License-Identifier: Apache-2.0
//
// Workers: what they are given they do once; they are started when they are
// asked for, are kept, and end.

#include "Runtime/Simd/Threads.h"
#include "../Packed/PackedMemory.h"
#include "../TestTensor.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <thread>

#include <sys/wait.h>
#include <unistd.h>

using namespace mli::rt::simd;

namespace {

/// Threads of this process.
int countThreads() {
  int count = 0;
  for ([[maybe_unused]] const auto &task :
       std::filesystem::directory_iterator("/proc/self/task"))
    ++count;
  return count;
}

/// WorkItems that wait for each other, so that each takes a thread of its own.
bool meet(int threads) {
  std::atomic<int> present{0};
  auto work = [&](WorkItems &items) {
    int64_t index;
    if (!items.take(index))
      return true;
    ++present;
    while (present < threads)
      std::this_thread::yield();
    return true;
  };
  return parallelFor(work, Partition{threads, threads});
}

class Threads : public testing::Test {
protected:
  Threads() { mli_stop_workers(); }
  ~Threads() override { mli_stop_workers(); }
};

TEST_F(Threads, TakeEachShareOnce) {
  for (int threads = 1; threads <= 5; ++threads)
    for (int64_t count = 0; count <= 40; ++count) {
      std::vector<std::atomic<int>> times(count);
      auto work = [&](WorkItems &items) {
        for (int64_t index; items.take(index);)
          ++times[index];
        return true;
      };
      EXPECT_TRUE(parallelFor(work, Partition{threads, count}));
      for (const std::atomic<int> &time : times)
        EXPECT_EQ(time, 1) << threads << " threads, " << count << " items";
    }
}

/// The items that `items` still gives, in order.
std::vector<int64_t> takeAll(WorkItems items) {
  std::vector<int64_t> taken;
  for (int64_t index; items.take(index);)
    taken.push_back(index);
  return taken;
}

// A thread has the same part in each call, and then helps those after it.
TEST_F(Threads, TakeTheirOwnPartFirst) {
  for (const auto &[first, order] :
       {std::pair<int, std::vector<int64_t>>{0, {0, 1, 2, 3, 4, 5, 6, 7}},
        {1, {2, 3, 4, 5, 6, 7, 0, 1}},
        {2, {5, 6, 7, 0, 1, 2, 3, 4}}}) {
    WorkParts parts(8, 3);
    EXPECT_EQ(takeAll({parts, first}), order);
    EXPECT_EQ(takeAll({parts, 0}), std::vector<int64_t>{});
  }
  WorkParts parts(8, 3);
  int64_t index = -1;
  EXPECT_TRUE(parts.take(2, index));
  EXPECT_EQ(index, 5);
  EXPECT_EQ(takeAll({parts, 1}), (std::vector<int64_t>{2, 3, 4, 6, 7, 0, 1}));
}

TEST_F(Threads, TellFailure) {
  for (int64_t bad : {0, 3, 7}) {
    auto work = [&](WorkItems &items) {
      for (int64_t index; items.take(index);)
        if (index == bad)
          return false;
      return true;
    };
    EXPECT_FALSE(parallelFor(work, Partition{1, 8}));
    EXPECT_FALSE(parallelFor(work, Partition{3, 8}));
  }
}

TEST_F(Threads, StartWhenAskedForAndStay) {
  int before = countThreads();
  EXPECT_TRUE(meet(1));
  EXPECT_EQ(countThreads(), before);
  EXPECT_TRUE(meet(3));
  EXPECT_EQ(countThreads(), before + 2);
  EXPECT_TRUE(meet(2));
  EXPECT_TRUE(meet(3));
  EXPECT_EQ(countThreads(), before + 2);
  mli_stop_workers();
  EXPECT_EQ(countThreads(), before);
  EXPECT_TRUE(meet(2));
  EXPECT_EQ(countThreads(), before + 1);
}

// Asleep, and at once.
TEST_F(Threads, AreFoundAgain) {
  std::set<std::thread::id> seen;
  for (int i = 0; i < 20; ++i) {
    std::atomic<int> present{0};
    std::thread::id other;
    auto work = [&](WorkItems &items) {
      int64_t index;
      if (!items.take(index))
        return true;
      if (++present == 2)
        other = std::this_thread::get_id();
      while (present < 2)
        std::this_thread::yield();
      return true;
    };
    EXPECT_TRUE(parallelFor(work, Partition{2, 2}));
    if (other != std::this_thread::get_id())
      seen.insert(other);
    if (i % 2)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  EXPECT_LE(seen.size(), 1U);
}

// A call inside another one, as a caller of its own.
TEST_F(Threads, CallEachOther) {
  auto work = [&](WorkItems &items) {
    bool isDone = true;
    for (int64_t index; items.take(index);)
      isDone = meet(2) && isDone;
    return isDone;
  };
  EXPECT_TRUE(parallelFor(work, Partition{3, 10}));
}

TEST_F(Threads, ServeManyCallers) {
  std::atomic<int64_t> sum{0};
  auto work = [&](WorkItems &items) {
    for (int64_t index; items.take(index);)
      sum += index;
    return true;
  };
  std::vector<std::thread> callers(8);
  for (std::thread &caller : callers)
    caller = std::thread([&] {
      for (int i = 0; i < 500; ++i) {
        EXPECT_TRUE(parallelFor(work, Partition{2 + i % 3, 10}));
        if (i % 100 == 0)
          mli_stop_workers();
      }
    });
  for (std::thread &caller : callers)
    caller.join();
  EXPECT_EQ(sum, 8 * 500 * 45);
}

// More than there are workers: calls wait for nobody.
TEST_F(Threads, AreNotMoreThanTheLimit) {
  int before = countThreads();
  auto work = [](WorkItems &items) {
    for (int64_t index; items.take(index);) {
    }
    return true;
  };
  EXPECT_TRUE(parallelFor(work, Partition{1000, 2000}));
  EXPECT_EQ(countThreads(), before + maxThreads - 1);
}

#if defined(__has_feature)
#if __has_feature(thread_sanitizer) // Which starts no threads in such a child.
#define MLI_TEST_NO_FORK
#endif
#endif
#ifndef MLI_TEST_NO_FORK
/// How a child process ends whose threads were joined, and how another one.
constexpr int endedAlone = 7;
constexpr int endedInCompany = 8;
bool isEndWatched = false;

/// After all that has no priority.
[[gnu::destructor(101)]] void watchEnd() {
  if (isEndWatched)
    _exit(countThreads() == 1 ? endedAlone : endedInCompany);
}

TEST_F(Threads, EndWithTheProcess) {
  pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    isEndWatched = meet(3) && countThreads() == 3;
    std::exit(0);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(WEXITSTATUS(status), endedAlone);
}

TEST_F(Threads, StartAgainInAChildProcess) {
  EXPECT_TRUE(meet(3));
  pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    bool isRight = countThreads() == 1 && meet(3) && countThreads() == 3;
    mli_stop_workers();
    _exit(isRight && countThreads() == 1 ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(meet(3));
}
#endif

} // namespace
