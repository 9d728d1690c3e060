/* SPDX-License-Identifier: Apache-2.0 */

#include "Common.h"

#include "mli-c/Invocation.h"

#include <stdio.h>

static void step(MliInvocation invocation, int first, int second) {
  uint8_t in[2], out[2] = {0, 0};
  MliInputBuffer input = {in, 2};
  MliResultBuffer result = {out, 2};
  in[0] = (uint8_t)first;
  in[1] = (uint8_t)second;
  if (mlirLogicalResultIsFailure(
          mliInvocationRun(invocation, 1, &input, 1, &result)))
    printf("failed\n");
  printf("step: %d %d\n", out[0], out[1]);
}

static void trace(MliInvocation invocation) {
  uint8_t in[2] = {134, 143};
  MliInputBuffer input = {in, 2};
  if (mlirLogicalResultIsFailure(
          mliInvocationPrintTrace(invocation, 1, &input, printText, NULL)))
    printf("failed\n");
}

/* `states NET.mlir`: two sequences of a network that sums up, in turns. */
int testStates(int count, char **arguments) {
  MlirContext context = createContext(false);
  MlirModule module = readNetwork(context, arguments[0]);
  MliCompileOptions defaults = {NULL};
  MliProgram program = mliProgramCompile(module, defaults);
  MliFunction function = mliProgramLookup(program, text("main"));
  MliInvocation one = mliInvocationCreate(function);
  MliInvocation two = mliInvocationCreate(function);
  MliPort port = mliFunctionGetInput(function, 0);
  (void)count;
  printf("element %d from %d\n", mliPortGetElement(port),
         mliPortGetZeroPoint(port, 0));
  step(one, 134, 143);
  step(two, 133, 133);
  step(one, 134, 123);
  step(two, 135, 133);
  mliInvocationReset(one);
  step(one, 134, 143);
  trace(one);
  step(one, 134, 143);
  mliInvocationDestroy(one);
  mliInvocationDestroy(two);
  mliProgramDestroy(program);
  mlirModuleDestroy(module);
  mlirContextDestroy(context);
  return 0;
}
