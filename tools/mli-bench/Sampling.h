// SPDX-License-Identifier: Apache-2.0
//
// How often kernels run, and how long each run takes.

#ifndef MLI_TOOLS_MLI_BENCH_SAMPLING_H
#define MLI_TOOLS_MLI_BENCH_SAMPLING_H

#include "Backend.h"

#include <functional>

namespace mli::bench {

double median(std::vector<double> values);

/// Something to measure: seconds of one run.
struct Column {
  std::string name;
  std::function<double()> measure;
  std::vector<double> samples;
  double seconds() const { return median(samples); }
};

/// Measures `kernel`, which has to live as long, by so many runs at a time that
/// they take about `seconds`.
Column makeColumn(std::string name, Kernel &kernel, double seconds);

/// Measures all columns `repetitions` times, each time in another order.
void sample(const std::vector<Column *> &columns, int repetitions);

/// Runs that take about `seconds`.
int runsFor(Kernel &kernel, double seconds);

/// Appends how long each of so many calls takes, on the wall.
void measureCalls(Kernel &kernel, int runs, std::vector<double> &samples);

} // namespace mli::bench

#endif // MLI_TOOLS_MLI_BENCH_SAMPLING_H
