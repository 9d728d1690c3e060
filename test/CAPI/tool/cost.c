/* SPDX-License-Identifier: Apache-2.0 */

#include "Common.h"

#include "mli-c/Invocation.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static int compare(const void *left, const void *right) {
  double l = *(const double *)left, r = *(const double *)right;
  return (l > r) - (l < r);
}

static double readClock(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec * 1e6 + (double)now.tv_nsec * 1e-3;
}

/* The median microseconds of `runs` runs of `function`, which has one input and
 * one result, on zeros. */
static double measure(MliFunction function, int runs) {
  double *times = calloc((size_t)runs, sizeof *times), median;
  MliInvocation invocation = mliInvocationCreate(function);
  MliInputBuffer input;
  MliResultBuffer result;
  void *zeros;
  int i;
  input.numBytes = mliPortGetNumBytes(mliFunctionGetInput(function, 0));
  result.numBytes = mliPortGetNumBytes(mliFunctionGetResult(function, 0));
  input.data = zeros = calloc(input.numBytes, 1);
  result.data = calloc(result.numBytes, 1);
  for (i = 0; i < runs; ++i) {
    double begin = readClock();
    if (mlirLogicalResultIsFailure(
            mliInvocationRun(invocation, 1, &input, 1, &result)))
      printf("failed\n");
    times[i] = readClock() - begin;
  }
  qsort(times, (size_t)runs, sizeof *times, compare);
  median = times[runs / 2];
  free(zeros);
  free(result.data);
  free(times);
  mliInvocationDestroy(invocation);
  return median;
}

/* `cost NET RUNS`: prints the median microseconds of runs of the first
 * function. */
int testCost(int count, char **arguments) {
  MlirContext context = createContext(false);
  MlirModule module = readNetwork(context, arguments[0]);
  MliCompileOptions options = mliCompileOptionsCreate(context);
  MliProgram program = mliProgramCompile(module, options);
  (void)count;
  printf("%.1f\n", measure(mliProgramGetFunction(program, 0),
                           (int)strtol(arguments[1], NULL, 10)));
  mliProgramDestroy(program);
  mliCompileOptionsDestroy(options);
  mlirModuleDestroy(module);
  mlirContextDestroy(context);
  return 0;
}
