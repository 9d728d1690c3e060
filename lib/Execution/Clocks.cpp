// SPDX-License-Identifier: Apache-2.0

#include "mli/Execution/Clocks.h"

#include <ctime>

using namespace mli;

static double read(clockid_t clock) {
  timespec now;
  clock_gettime(clock, &now);
  return 1e6 * static_cast<double>(now.tv_sec) +
         1e-3 * static_cast<double>(now.tv_nsec);
}

static double readWall() { return read(CLOCK_MONOTONIC); }
static double readProcessor() { return read(CLOCK_THREAD_CPUTIME_ID); }

Clocks mli::getSystemClocks() { return {readWall, readProcessor}; }
