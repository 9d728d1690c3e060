// SPDX-License-Identifier: Apache-2.0
//
// The clock of measurements.

#ifndef MLI_TOOLS_MLI_BENCH_CLOCK_H
#define MLI_TOOLS_MLI_BENCH_CLOCK_H

#include <ctime>

namespace mli::bench {

/// Processor time of this thread: what others do on the machine matters less.
inline double threadSeconds() {
  timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) +
         1e-9 * static_cast<double>(time.tv_nsec);
}

} // namespace mli::bench

#endif // MLI_TOOLS_MLI_BENCH_CLOCK_H
