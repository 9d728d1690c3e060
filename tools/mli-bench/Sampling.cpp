// SPDX-License-Identifier: Apache-2.0

#include "Sampling.h"

#include "Clock.h"

#include <algorithm>
#include <random>

namespace mli::bench {

double median(std::vector<double> values) {
  if (values.empty())
    return 0;
  std::nth_element(values.begin(), values.begin() + values.size() / 2,
                   values.end());
  return values[values.size() / 2];
}

static double measureKernel(Kernel &kernel, int runs) {
  double start = threadSeconds();
  for (int i = 0; i < runs; ++i)
    kernel.run();
  return (threadSeconds() - start) / runs;
}

Column makeColumn(std::string name, Kernel &kernel, double seconds) {
  int runs = runsFor(kernel, seconds);
  return {std::move(name),
          [&kernel, runs] { return measureKernel(kernel, runs); },
          {}};
}

void sample(const std::vector<Column *> &columns, int repetitions) {
  std::mt19937 random(1);
  for (int i = 0; i < repetitions; ++i) {
    std::vector<Column *> order = columns;
    std::shuffle(order.begin(), order.end(), random);
    for (Column *column : order)
      column->samples.push_back(column->measure());
  }
}

int runsFor(Kernel &kernel, double seconds) {
  constexpr double maxRuns = 1e9;
  double once = std::max(measureKernel(kernel, 1), 1e-8);
  int runs = static_cast<int>(std::clamp(seconds / once / 4, 1.0, maxRuns));
  once = std::max(measureKernel(kernel, runs), 1e-9);
  return static_cast<int>(std::clamp(seconds / once, 1.0, maxRuns));
}

void measureCalls(Kernel &kernel, int runs, std::vector<double> &samples) {
  for (int i = 0; i < runs; ++i) {
    double start = wallSeconds();
    kernel.run();
    samples.push_back(wallSeconds() - start);
  }
}

} // namespace mli::bench
