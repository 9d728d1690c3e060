/* SPDX-License-Identifier: Apache-2.0 */

#include "Common.h"

#include "mli-c/Invocation.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { numThreads = 4, runs = 20 };

struct Run {
  MliFunction function;
  const char *in;
  const char *expected;
  int numWrong;
};

static void *runOften(void *data) {
  struct Run *run = data;
  MliInputBuffer input;
  MliResultBuffer result;
  MliInvocation invocation = mliInvocationCreate(run->function);
  int i;
  input.data = run->in;
  input.numBytes = mliPortGetNumBytes(mliFunctionGetInput(run->function, 0));
  result.numBytes = mliPortGetNumBytes(mliFunctionGetResult(run->function, 0));
  result.data = calloc(result.numBytes, 1);
  for (i = 0; i < runs; ++i)
    if (mlirLogicalResultIsFailure(
            mliInvocationRun(invocation, 1, &input, 1, &result)) ||
        memcmp(result.data, run->expected, result.numBytes) != 0)
      ++run->numWrong;
  free(result.data);
  mliInvocationDestroy(invocation);
  return NULL;
}

/* The last bytes of a file, after a header. */
static char *readTail(const char *path, size_t numBytes) {
  size_t size;
  char *bytes = readFile(path, &size);
  if (bytes && size >= numBytes)
    memmove(bytes, bytes + (size - numBytes), numBytes);
  return bytes;
}

/* Compiles a network for `arguments`: NET INPUT.npy EXPECTED.npy [TARGET]. */
static MliProgram compile(MlirModule module, int count, char **arguments) {
  MliCompileOptions options =
      mliCompileOptionsCreate(mlirModuleGetContext(module));
  MliProgram program;
  if (count > 3) {
    mliCompileOptionsSetPlacement(options, MliPlacementLocal);
    mliCompileOptionsSetTarget(options, text(arguments[3]));
  }
  program = mliProgramCompile(module, options);
  mliCompileOptionsDestroy(options);
  return program;
}

/* Runs a network in `threads` threads and prints how many results are wrong. */
static int runAll(int count, char **arguments, int threads) {
  MlirContext context = createContext(false);
  MlirModule module = readNetwork(context, arguments[0]);
  MliProgram program = compile(module, count, arguments);
  MliFunction function = mliProgramGetFunction(program, 0);
  struct Run run[numThreads];
  pthread_t handles[numThreads];
  size_t inBytes = mliPortGetNumBytes(mliFunctionGetInput(function, 0));
  size_t outBytes = mliPortGetNumBytes(mliFunctionGetResult(function, 0));
  char *in = readTail(arguments[1], inBytes);
  char *expected = readTail(arguments[2], outBytes);
  int i, numWrong = 0;
  for (i = 0; i < threads; ++i) {
    struct Run one = {{NULL}, NULL, NULL, 0};
    one.function = function;
    one.in = in;
    one.expected = expected;
    run[i] = one;
    pthread_create(&handles[i], NULL, runOften, &run[i]);
  }
  for (i = 0; i < threads; ++i) {
    pthread_join(handles[i], NULL);
    numWrong += run[i].numWrong;
  }
  printf("%d bytes, %d of %d runs wrong\n", (int)outBytes, numWrong,
         threads * runs);
  free(in);
  free(expected);
  mliProgramDestroy(program);
  mlirModuleDestroy(module);
  mlirContextDestroy(context);
  return 0;
}

/* `turns NET INPUT.npy EXPECTED.npy TARGET TARGET`: two programs for targets of
 * their own live and run in turns. */
int testTurns(int count, char **arguments) {
  MlirContext context = createContext(false);
  MlirModule module = readNetwork(context, arguments[0]);
  MliProgram programs[2];
  struct Run run[2];
  char *in, *expected;
  int i;
  programs[0] = compile(module, count, arguments);
  arguments[3] = arguments[4];
  programs[1] = compile(module, count, arguments);
  for (i = 0; i < 2; ++i)
    run[i].function = mliProgramGetFunction(programs[i], 0);
  in = readTail(arguments[1],
                mliPortGetNumBytes(mliFunctionGetInput(run[0].function, 0)));
  expected =
      readTail(arguments[2],
               mliPortGetNumBytes(mliFunctionGetResult(run[0].function, 0)));
  for (i = 0; i < 4; ++i) {
    run[i % 2].in = in;
    run[i % 2].expected = expected;
    run[i % 2].numWrong = 0;
    runOften(&run[i % 2]);
    printf("%d wrong\n", run[i % 2].numWrong);
  }
  free(in);
  free(expected);
  mliProgramDestroy(programs[0]);
  mliProgramDestroy(programs[1]);
  mlirModuleDestroy(module);
  mlirContextDestroy(context);
  return 0;
}

int testThreads(int count, char **arguments) {
  return runAll(count, arguments, numThreads);
}

int testNetwork(int count, char **arguments) {
  return runAll(count, arguments, 1);
}
