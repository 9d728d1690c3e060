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

/// Microseconds that this thread had a processor.
static double readProcessor() { return readClock(CLOCK_THREAD_CPUTIME_ID); }

static double medianOf(std::vector<double> values) {
  auto middle = values.begin() + static_cast<ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// What reading the clock adds to a time.
static double clockCost() {
  std::vector<double> costs(101);
  for (double &cost : costs) {
    double start = readProcessor();
    cost = readProcessor() - start;
  }
  return medianOf(costs);
}

namespace {

/// Listens to the calls of some runs.
class Profile {
public:
  Profile() : cost(clockCost()) {}

  /// What reading the clock takes.
  double getCost() const { return cost; }

  /// Runs `invocation` once without checks.
  llvm::Error run(Invocation &invocation) {
    for (auto &[name, times] : calls)
      times.current = 0;
    isFirst = runs++ == 0;
    setRuntimeChecks(false);
    setRuntimeProfile(record, this);
    llvm::Error error = invocation.run();
    setRuntimeProfile(nullptr, nullptr);
    setRuntimeChecks(true);
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
    double now = readProcessor();
    auto &self = *static_cast<Profile *>(cookie);
    Times &times = self.calls[function];
    if (ends) {
      times.count += self.isFirst;
      times.current += std::max(now - self.begin - self.cost, 0.0);
    }
    // Last, so that nothing here is measured.
    self.begin = readProcessor();
  }

  double cost;
  double begin = 0;
  unsigned runs = 0;
  bool isFirst = false;
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
  std::vector<double> wall, processor;
  for (unsigned i = 0; i < runs; ++i) {
    double start = readClock(CLOCK_MONOTONIC), used = readProcessor();
    llvm::Error error = invocation.run();
    processor.push_back(readProcessor() - used - profile.getCost());
    wall.push_back(readClock(CLOCK_MONOTONIC) - start - 2 * profile.getCost());
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
