// SPDX-License-Identifier: Apache-2.0
//
// The workers that calls keep. One that has nothing to do waits awhile in a
// loop, so that the next layer of a network finds it awake, and then sleeps. It
// belongs to the call that took it until that gives it back, so that calls do
// not wait for each other: where all workers are taken, a call has fewer.

#include "Runtime/Simd/Threads.h"

#include "hwy/cache_control.h"
#include "mli/Runtime/C/mli_packed.h"

#include <csignal>
#include <new>

#include <pthread.h>
#include <sched.h>

namespace mli::rt::simd {
namespace {

/// Looks at what a thread waits for before it sleeps: 20 to 50 microseconds.
constexpr int looksBeforeSleep = 1500;

/// Looks of a worker before others may have its processor: a call that has just
/// been served may wait for this very one.
constexpr int looksBeforeYield = 50;

/// The work of one call.
struct Job {
  Job(WorkFunction function, const void *work, const Partition &partition)
      : function(function), work(work),
        parts(partition.items, std::min(partition.threads, maxThreads)) {}

  /// In the thread whose part is `first`.
  void run(int first) {
    WorkItems items(parts, first);
    if (!function(work, items))
      hasFailed.store(true, std::memory_order_relaxed);
  }

  WorkFunction function;
  const void *work;
  WorkParts parts;
  std::atomic<bool> hasFailed{false};
};

/// A thread and its job. All but `live` belongs to the call that has taken it.
class alignas(64) Worker {
public:
  /// Takes it for this call; false if another one has it, or if the system has
  /// no thread.
  bool take();
  void giveBack() { isTaken.store(false, std::memory_order_release); }

  /// `job` lives until `finish` returns. The worker begins with part `first`.
  void offer(Job &offered, int first) {
    job = &offered;
    part = first;
    set(Phase::Offered);
  }
  /// Withdraws the job if it has not begun, else waits for its end.
  void finish() {
    Phase expected = Phase::Offered;
    if (phase.compare_exchange_strong(expected, Phase::Idle))
      return;
    await([](Phase now) { return now == Phase::Done; }, /*yields=*/false);
    set(Phase::Idle);
  }

  /// Ends and joins the thread, unless a call has it.
  void stop();

private:
  enum class Phase : int { Idle, Offered, Running, Done, Ending };

  static void *start(void *worker) {
    static_cast<Worker *>(worker)->live();
    return nullptr;
  }
  void live();
  bool launch();

  /// Waits for a phase that `isAwaited`.
  template <typename Condition>
  Phase await(Condition isAwaited, bool yields);
  void set(Phase next);

  std::atomic<Phase> phase{Phase::Idle};
  /// Threads that wait for `changed`.
  std::atomic<int> sleepers{0};
  std::atomic<bool> isTaken{false};
  bool isStarted = false;
  Job *job = nullptr;
  int part = 0;
  pthread_t thread = {};
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
};

Worker workers[maxThreads - 1];

/// A child process has none of the threads.
void forgetWorkers() {
  for (Worker &worker : workers)
    new (&worker) Worker();
}

template <typename Condition>
Worker::Phase Worker::await(Condition isAwaited, bool yields) {
  for (int look = 0; look < looksBeforeSleep; ++look) {
    Phase now = phase.load(std::memory_order_acquire);
    if (isAwaited(now))
      return now;
    if (yields && look % looksBeforeYield == 0)
      sched_yield();
    else
      hwy::Pause();
  }
  pthread_mutex_lock(&mutex);
  // Before the phase is looked at again: the setter looks for sleepers after.
  ++sleepers;
  Phase now = phase.load();
  for (; !isAwaited(now); now = phase.load())
    pthread_cond_wait(&changed, &mutex);
  --sleepers;
  pthread_mutex_unlock(&mutex);
  return now;
}

void Worker::set(Phase next) {
  phase.store(next);
  if (sleepers.load() == 0)
    return;
  // A sleeper that still holds the mutex has not looked at the phase.
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  pthread_cond_broadcast(&changed);
}

void Worker::live() {
  for (;;) {
    Phase now = await(
        [](Phase now) { return now == Phase::Offered || now == Phase::Ending; },
        /*yields=*/true);
    if (now == Phase::Ending)
      return;
    if (!phase.compare_exchange_strong(now, Phase::Running))
      continue; // Withdrawn.
    job->run(part);
    set(Phase::Done);
  }
}

bool Worker::launch() {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, [] { pthread_atfork(nullptr, nullptr, forgetWorkers); });
  // Signals are for the threads of the program.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  isStarted = pthread_create(&thread, nullptr, start, this) == 0;
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return isStarted;
}

bool Worker::take() {
  if (isTaken.exchange(true, std::memory_order_acquire))
    return false;
  if (isStarted || launch())
    return true;
  giveBack();
  return false;
}

void Worker::stop() {
  if (isTaken.exchange(true, std::memory_order_acquire))
    return;
  if (isStarted) {
    set(Phase::Ending);
    pthread_join(thread, nullptr);
    isStarted = false;
    phase.store(Phase::Idle);
  }
  giveBack();
}

} // namespace

bool parallelFor(WorkFunction function, const void *work,
                 const Partition &partition) {
  Job job(function, work, partition);
  Worker *taken[maxThreads - 1];
  int count = 0;
  for (Worker &worker : workers) {
    if (count + 1 >= partition.threads)
      break;
    if (!worker.take())
      continue;
    taken[count++] = &worker;
    worker.offer(job, count);
  }
  job.run(/*first=*/0);
  for (int i = 0; i < count; ++i) {
    taken[i]->finish();
    taken[i]->giveBack();
  }
  return !job.hasFailed.load(std::memory_order_relaxed);
}

} // namespace mli::rt::simd

using namespace mli::rt::simd;

// NOLINTBEGIN(readability-identifier-naming): the C names.

void mli_stop_workers(void) {
  for (Worker &worker : workers)
    worker.stop();
}

// NOLINTEND(readability-identifier-naming)

/// Also when the process ends, or a library that has this code is unloaded.
[[gnu::destructor]] static void stopAtExit() { mli_stop_workers(); }
