// SPDX-License-Identifier: Apache-2.0

#include "mli/Execution/Benchmark.h"

#include "RuntimeLibrary.h"

#include "mli/Execution/Trace.h"

#include "llvm/ADT/MapVector.h"

#include <algorithm>
#include <ctime>
#include <tuple>

using namespace mlir;
using namespace mli;

static double readClock(clockid_t clock) {
  timespec now;
  clock_gettime(clock, &now);
  return 1e6 * static_cast<double>(now.tv_sec) +
         1e-3 * static_cast<double>(now.tv_nsec);
}

/// Microseconds that this thread had a processor: exact, but the kernel of the
/// system tells, which slows what comes next.
static double readProcessor() { return readClock(CLOCK_THREAD_CPUTIME_ID); }

/// Microseconds on the wall, which a program reads by itself.
static double readWall() { return readClock(CLOCK_MONOTONIC); }

static double medianOf(std::vector<double> values) {
  auto middle = values.begin() + static_cast<ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// What reading `clock` adds to a time.
static double costOf(double (*clock)()) {
  std::vector<double> costs(101);
  for (double &cost : costs) {
    double start = clock();
    cost = clock() - start;
  }
  return medianOf(costs);
}

namespace {

/// Listens to the calls of some runs. Calls are timed on the wall; runs in
/// which the processor did something else do not count if there are others.
class Profile {
public:
  /// Runs `invocation` once without checks.
  llvm::Error run(Invocation &invocation) {
    for (auto &[name, times] : calls)
      times.current = 0;
    isFirst = runs++ == 0;
    setRuntimeChecks(false);
    setRuntimeProfile(record, this);
    double start = readWall(), used = readProcessor();
    llvm::Error error = invocation.run();
    used = readProcessor() - used;
    double wall = readWall() - start;
    setRuntimeProfile(nullptr, nullptr);
    setRuntimeChecks(true);
    // What reading both clocks takes is of that order.
    constexpr double most = 1.02, least = 2;
    bool isDisturbed = wall > most * used + least;
    if (hasQuietRun && isDisturbed)
      return error;
    if (!hasQuietRun && !isDisturbed) {
      hasQuietRun = true;
      kernels.clear();
      for (auto &[name, times] : calls)
        times.all.clear();
    }
    double all = 0;
    for (auto &[name, times] : calls) {
      times.all.push_back(times.current);
      all += getCallKind(name) == CallKind::Kernel ? times.current : 0;
    }
    kernels.push_back(all);
    return error;
  }

  void report(BenchmarkResult &result) const {
    result.kernels = medianOf(kernels);
    for (const auto &[name, times] : calls)
      result.calls.push_back({name.str(), times.count, medianOf(times.all)});
    llvm::sort(result.calls, [](const CallTimes &a, const CallTimes &b) {
      return std::tie(b.microseconds, a.function) <
             std::tie(a.microseconds, b.function);
    });
  }

private:
  struct Times {
    unsigned count = 0;
    double current = 0;
    std::vector<double> all;
  };

  static void record(const char *function, int ends, void *cookie) {
    double now = readWall();
    auto &self = *static_cast<Profile *>(cookie);
    Times &times = self.calls[function];
    if (ends) {
      times.count += self.isFirst;
      times.current += std::max(now - self.begin - self.cost, 0.0);
    }
    // Last, so that nothing here is measured.
    self.begin = readWall();
  }

  double cost = costOf(readWall);
  double begin = 0;
  unsigned runs = 0;
  bool isFirst = false, hasQuietRun = false;
  /// By names, which the runtime has for ever.
  llvm::MapVector<StringRef, Times> calls;
  std::vector<double> kernels;
};

} // namespace

llvm::Expected<BenchmarkResult> mli::benchmark(const Program &program,
                                               const CompiledFunction &function,
                                               ArrayRef<HostTensor> inputs,
                                               unsigned runs) {
  if (llvm::Error error = Program::checkInputs(function, inputs))
    return error;
  Invocation invocation(program, function, inputs);
  // Memory and code are touched for the first time.
  if (llvm::Error error = invocation.run())
    return error;
  Profile profile;
  double cost = costOf(readProcessor);
  std::vector<double> wall, processor;
  for (unsigned i = 0; i < runs; ++i) {
    double start = readWall(), used = readProcessor();
    llvm::Error error = invocation.run();
    processor.push_back(readProcessor() - used - cost);
    wall.push_back(readWall() - start - 2 * cost);
    if (error)
      return error;
    if (llvm::Error failure = profile.run(invocation))
      return failure;
  }
  BenchmarkResult result;
  result.least = *llvm::min_element(wall);
  result.median = medianOf(wall);
  result.processor = medianOf(processor);
  profile.report(result);
  return result;
}
