// SPDX-License-Identifier: Apache-2.0

#include "mli/Execution/Benchmark.h"

#include "RuntimeLibrary.h"

#include "mli/Execution/Trace.h"

#include "llvm/ADT/MapVector.h"

#include <algorithm>
#include <cassert>
#include <tuple>
#include <utility>

using namespace mlir;
using namespace mli;

/// Runs between two looks at the clock of the processor take so long at least,
/// that what looking does to the first one does not count.
static constexpr double batchMicroseconds = 250;

/// The rest of `time` without `part`. It is not negative: few short runs
/// may take less than the steps of a clock, or than what reading it takes
/// elsewhere.
static double remaining(double time, double part) {
  return std::max(time - part, 0.0);
}

static double computeMedian(std::vector<double> values) {
  auto middle = values.begin() + static_cast<ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// The time that one read of `clock` takes: less than its resolution, so it is
/// the mean of many.
static double getCost(double (*clock)()) {
  constexpr unsigned count = 64;
  std::vector<double> costs(31);
  for (double &cost : costs) {
    double start = clock(), end = start;
    for (unsigned i = 0; i < count; ++i)
      end = clock();
    cost = (end - start) / count;
  }
  return computeMedian(costs);
}

namespace {

/// Clocks, and what reading them costs.
struct MeasuredClocks : Clocks {
  explicit MeasuredClocks(Clocks clocks)
      : Clocks(clocks), wallCost(getCost(wall)),
        processorCost(getCost(processor)) {}

  double wallCost, processorCost;
};

/// Listens to the calls of some runs. Calls are timed on the wall; runs while
/// which the processor did something else do not count if there are others.
class Profile {
public:
  explicit Profile(const MeasuredClocks &clocks) : clocks(clocks) {}

  /// Times `count` layers too, of which each call of a run has the number, or
  /// none.
  void addLayers(std::vector<std::optional<size_t>> numbers, size_t count) {
    layerOfCall = std::move(numbers);
    layers.resize(count);
  }

  /// Runs `invocation` `count` times.
  llvm::Error run(Invocation &invocation, unsigned count) {
    forEachTimes([](Times &times) { times.latest.clear(); });
    double start = clocks.wall(), used = clocks.processor();
    if (llvm::Error error = listen(invocation, count))
      return error;
    used = clocks.processor() - used;
    double wall = clocks.wall() - start;
    // Reading both clocks takes a time of that order.
    constexpr double most = 1.02, least = 2;
    bool isDisturbed = wall > most * used + least;
    if (hasQuietRun && isDisturbed)
      return llvm::Error::success();
    if (!hasQuietRun && !isDisturbed) {
      hasQuietRun = true;
      kernels.clear();
      forEachTimes([](Times &times) { times.all.clear(); });
    }
    for (unsigned i = 0; i < count; ++i) {
      double sum = 0;
      for (auto &[name, times] : calls)
        sum += getCallKind(name) == CallKind::Kernel ? times.latest[i] : 0;
      kernels.push_back(sum);
    }
    forEachTimes(
        [](Times &times) { llvm::append_range(times.all, times.latest); });
    return llvm::Error::success();
  }

  void report(BenchmarkResult &result) const {
    result.kernels = computeMedian(kernels);
    for (const auto &[name, times] : calls)
      if (!times.all.empty())
        result.calls.push_back(
            {name.str(), times.count, computeMedian(times.all)});
    for (auto [times, layer] : llvm::zip_equal(layers, result.layers))
      layer.microseconds = computeMedian(times.all);
    llvm::sort(result.calls, [](const CallTimes &a, const CallTimes &b) {
      return std::tie(b.microseconds, a.function) <
             std::tie(a.microseconds, b.function);
    });
  }

private:
  struct Times {
    unsigned count = 0;
    double current = 0;
    /// The times of each run: the latest ones, and all that count.
    std::vector<double> latest, all;
  };

  void forEachTimes(llvm::function_ref<void(Times &)> visit) {
    for (auto &[name, times] : calls)
      visit(times);
    for (Times &times : layers)
      visit(times);
  }

  /// Adds the time of the next call of a run.
  void addToLayer(double taken) {
    if (callsOfRun >= layerOfCall.size())
      return;
    if (std::optional<size_t> layer = layerOfCall[callsOfRun++])
      layers[*layer].current += taken;
  }

  llvm::Error listen(Invocation &invocation, unsigned count) {
    CallListener listening(record, this);
    for (unsigned i = 0; i < count; ++i) {
      if (llvm::Error error = invocation.run())
        return error;
      forEachTimes([&](Times &times) {
        times.latest.resize(i + 1);
        times.latest[i] = std::exchange(times.current, 0);
      });
      isFirst = false;
      callsOfRun = 0;
    }
    return llvm::Error::success();
  }

  static void record(const char *function, int ends, void *cookie) {
    auto &self = *static_cast<Profile *>(cookie);
    double now = self.clocks.wall();
    Times &times = self.calls[function];
    if (ends) {
      double taken = remaining(now - self.begin, self.clocks.wallCost);
      times.count += self.isFirst;
      times.current += taken;
      self.addToLayer(taken);
    }
    // Last, so that nothing here is measured.
    self.begin = self.clocks.wall();
  }

  MeasuredClocks clocks;
  double begin = 0;
  bool isFirst = true, hasQuietRun = false;
  /// By names, which the runtime has for ever.
  llvm::MapVector<StringRef, Times> calls;
  std::vector<std::optional<size_t>> layerOfCall;
  std::vector<Times> layers;
  size_t callsOfRun = 0;
  std::vector<double> kernels;
};

/// Times of whole runs.
class Latencies {
public:
  explicit Latencies(const MeasuredClocks &clocks) : clocks(clocks) {}

  llvm::Error run(Invocation &invocation, unsigned count) {
    double used = clocks.processor(), start = clocks.wall();
    for (unsigned i = 0; i < count; ++i) {
      if (llvm::Error error = invocation.run())
        return error;
      double end = clocks.wall();
      wall.push_back(remaining(end - start, clocks.wallCost));
      start = end;
    }
    used = remaining(clocks.processor() - used, clocks.processorCost);
    processor.push_back(remaining(used / count, clocks.wallCost));
    return llvm::Error::success();
  }

  double getLeast() const { return *llvm::min_element(wall); }
  double getMedian() const { return computeMedian(wall); }
  double getProcessor() const { return computeMedian(processor); }

private:
  MeasuredClocks clocks;
  std::vector<double> wall, processor;
};

/// Has the runtime check nothing while it lives.
class WithoutChecks {
public:
  WithoutChecks() { setRuntimeChecks(false); }
  ~WithoutChecks() { setRuntimeChecks(true); }
  WithoutChecks(const WithoutChecks &) = delete;
  WithoutChecks &operator=(const WithoutChecks &) = delete;
};

} // namespace

/// Has `profile` time the layers of `function`, and adds them to `result`.
static llvm::Error addLayers(Profile &profile, BenchmarkResult &result,
                             const Program &program,
                             const CompiledFunction &function,
                             ArrayRef<HostTensor> inputs, Clocks clocks) {
  const RunLayers &known = *function.layers;
  auto run = trace(program, function, inputs, clocks);
  if (!run)
    return run.takeError();
  auto matched = matchCalls(known, function.name, getFunctions(*run));
  if (!matched)
    return matched.takeError();
  std::vector<std::optional<size_t>> numbers;
  result.layers.resize(known.layers.size());
  for (auto [traced, call] : llvm::zip_equal(run->calls, *matched)) {
    numbers.push_back(call ? std::optional(call->layer) : std::nullopt);
    if (call)
      result.layers[call->layer].function = traced.function;
  }
  profile.addLayers(std::move(numbers), known.layers.size());
  return llvm::Error::success();
}

llvm::Expected<BenchmarkResult> mli::benchmark(const Program &program,
                                               const CompiledFunction &function,
                                               ArrayRef<HostTensor> inputs,
                                               unsigned runs, Clocks clocks,
                                               bool measuresLayers) {
  assert(runs > 0 && "expected at least one run");
  assert((!measuresLayers || function.layers) && "compiled without layers");
  if (llvm::Error error = Program::checkInputs(function, inputs))
    return error;
  Invocation invocation(program, function, inputs);
  MeasuredClocks measured(clocks);
  // Memory and code are touched for the first time, then for the second.
  double once = 0;
  for (int i = 0; i < 2; ++i) {
    double start = clocks.wall();
    if (llvm::Error error = invocation.run())
      return error;
    once = clocks.wall() - start;
  }
  auto batch = static_cast<unsigned>(
      std::clamp<double>(batchMicroseconds / once, 1, runs));
  Latencies checked(measured), unchecked(measured);
  Profile profile(measured);
  BenchmarkResult result;
  if (measuresLayers)
    if (llvm::Error error =
            addLayers(profile, result, program, function, inputs, clocks))
      return error;
  for (unsigned done = 0; done < runs; done += batch) {
    unsigned count = std::min(batch, runs - done);
    if (llvm::Error error = checked.run(invocation, count))
      return error;
    WithoutChecks without;
    if (llvm::Error error = unchecked.run(invocation, count))
      return error;
    if (llvm::Error error = profile.run(invocation, count))
      return error;
  }
  result.least = checked.getLeast();
  result.median = checked.getMedian();
  result.processor = checked.getProcessor();
  result.checks = remaining(result.processor, unchecked.getProcessor());
  profile.report(result);
  return result;
}
