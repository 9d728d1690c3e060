// SPDX-License-Identifier: Apache-2.0
//
// The clocks of measurements.

#ifndef MLI_TOOLS_MLI_BENCH_CLOCK_H
#define MLI_TOOLS_MLI_BENCH_CLOCK_H

#include <ctime>

namespace mli::bench {

inline double readSeconds(clockid_t clock) {
  timespec time;
  clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) +
         1e-9 * static_cast<double>(time.tv_nsec);
}

/// Processor time of this thread: what others do on the machine matters less.
inline double threadSeconds() { return readSeconds(CLOCK_THREAD_CPUTIME_ID); }

/// Time as it passes, of what several threads do.
inline double wallSeconds() { return readSeconds(CLOCK_MONOTONIC); }

} // namespace mli::bench

#endif // MLI_TOOLS_MLI_BENCH_CLOCK_H
