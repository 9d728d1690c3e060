/* SPDX-License-Identifier: Apache-2.0 */

#include "Common.h"

#include "mli-c/Dialect.h"
#include "mli-c/Invocation.h"

#include "mlir-c/Dialect/Arith.h"
#include "mlir-c/Dialect/Func.h"
#include "mlir-c/Dialect/LLVM.h"
#include "mlir-c/Dialect/SCF.h"
#include "mlir-c/Dialect/Tensor.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void printPort(const char *label, MliPort port) {
  intptr_t i;
  printf("%s '", label);
  printText(mliPortGetName(port), NULL);
  printf("', element %d, %d bytes, shape", mliPortGetElement(port),
         (int)mliPortGetNumBytes(port));
  for (i = 0; i < mliPortGetRank(port); ++i)
    printf(" %" PRId64, mliPortGetDimSize(port, i));
  printf(", axis %d,", mliPortGetAxis(port));
  for (i = 0; i < mliPortGetNumScales(port); ++i)
    printf(" %g from %d", mliPortGetScale(port, i),
           mliPortGetZeroPoint(port, i));
  printf("\n");
  printType("type", mliPortGetType(port));
}

static void describe(MliProgram program) {
  intptr_t i, k;
  for (i = 0; i < mliProgramGetNumFunctions(program); ++i) {
    MliFunction function = mliProgramGetFunction(program, i);
    printf("function ");
    printText(mliFunctionGetName(function), NULL);
    printf("\n");
    for (k = 0; k < mliFunctionGetNumInputs(function); ++k)
      printPort("input", mliFunctionGetInput(function, k));
    for (k = 0; k < mliFunctionGetNumResults(function); ++k)
      printPort("result", mliFunctionGetResult(function, k));
    printf("statistics:");
    for (k = MliStatisticKernels; k <= MliStatisticMovedOutBytes; ++k)
      printf(" %" PRId64, mliFunctionGetStatistic(function, (MliStatistic)k));
    printf("\n");
    mliFunctionPrintReport(function, printText, NULL);
  }
}

/* Runs `main` on the four bytes of the test, and wrongly. */
static void invoke(MliProgram program) {
  int8_t in[4] = {-3, -1, 0, 2}, out[4] = {9, 9, 9, 9};
  MliInputBuffer input = {in, 4}, shortInput = {in, 3}, noInput = {NULL, 4};
  MliResultBuffer result = {out, 4}, longResult = {out, 5};
  MlirStringRef name = text("main");
  CHECK(mlirLogicalResultIsFailure(
      mliProgramInvoke(program, name, 1, &shortInput, 1, &result)));
  CHECK(mlirLogicalResultIsFailure(
      mliProgramInvoke(program, name, 1, &noInput, 1, &result)));
  CHECK(mlirLogicalResultIsFailure(
      mliProgramInvoke(program, name, 1, &input, 1, &longResult)));
  CHECK(mlirLogicalResultIsFailure(
      mliProgramInvoke(program, name, 2, &input, 1, &result)));
  CHECK(mlirLogicalResultIsFailure(
      mliProgramInvoke(program, name, 1, NULL, 1, &result)));
  CHECK(mlirLogicalResultIsFailure(
      mliProgramInvoke(program, text("other"), 1, &input, 1, &result)));
  printf("untouched: %d %d %d %d\n", out[0], out[1], out[2], out[3]);
  CHECK(mlirLogicalResultIsSuccess(
      mliProgramInvoke(program, name, 1, &input, 1, &result)));
  printf("result: %d %d %d %d\n", out[0], out[1], out[2], out[3]);
  /* Into the buffer of the input. */
  result.data = in;
  mliProgramInvoke(program, name, 1, &input, 1, &result);
  printf("in place: %d %d %d %d\n", in[0], in[1], in[2], in[3]);
}

/* `program NET.mlir OPTION=VALUE...`: compiles, describes and runs a network.
 */
int testProgram(int count, char **arguments) {
  MlirContext context = createContext(false);
  MlirModule module = readNetwork(context, arguments[0]);
  MliCompileOptions options = mliCompileOptionsCreate(context);
  MliProgram program;
  int i;
  for (i = 1; i < count; ++i) {
    MlirStringRef value = text(strchr(arguments[i], '=') + 1);
    int number = value.length > 0 ? value.data[0] - '0' : 0;
    switch (arguments[i][0]) {
    case 'p':
      mliCompileOptionsSetPlacement(options, (MliPlacement)number);
      break;
    case 't':
      mliCompileOptionsSetTarget(options, value);
      break;
    case 'o':
      mliCompileOptionsSetPipelineOptions(options, value);
      break;
    case 'e':
      mliCompileOptionsAddEntry(options, value);
      break;
    case 'n':
      mliCompileOptionsSetThreads(options, number);
      break;
    case 'a':
      mliCompileOptionsSetArena(options, value);
      break;
    case 'c':
      /* With the options so far. */
      mliProgramDestroy(mliProgramCompile(module, options));
      break;
    case 'r':
      mliCompileOptionsSetRuntimeLibrary(options, value);
      break;
    case 'l':
      mliCompileOptionsSetOptLevel(options, number);
      break;
    case 'm':
      mliCompileOptionsSetRounding(options, (MliRounding)number);
      break;
    case 's':
      mliCompileOptionsSetAccumulation(options, (MliAccumulation)number);
      break;
    default:
      return 1;
    }
  }
  program = mliProgramCompile(module, options);
  CHECK(program.ptr != NULL);
  if (program.ptr) {
    describe(program);
    invoke(program);
  }
  /* The module is what it was: it compiles again, while the program lives. */
  mliProgramDestroy(mliProgramCompile(module, options));
  mliCompileOptionsSetRounding(options, MliRoundingConvergent);
  CHECK(mliProgramCompile(module, options).ptr == NULL);
  mliProgramDestroy(program);
  program = mliProgramCompile(module, options);
  CHECK(program.ptr != NULL);
  mliProgramDestroy(program);
  mliCompileOptionsDestroy(options);
  mlirModuleDestroy(module);
  mlirContextDestroy(context);
  return 0;
}

/* `extensions NET.mlir`: compiles and runs a network in a context that has the
 * dialects, but nothing that translates them. */
int testExtensions(int count, char **arguments) {
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  MliCompileOptions defaults = {NULL};
  MlirContext context;
  MlirModule module;
  MliProgram program;
  (void)count;
  mlirDialectHandleInsertDialect(mlirGetDialectHandle__mli__(), registry);
  mlirDialectHandleInsertDialect(mlirGetDialectHandle__func__(), registry);
  mlirDialectHandleInsertDialect(mlirGetDialectHandle__tensor__(), registry);
  mlirDialectHandleInsertDialect(mlirGetDialectHandle__scf__(), registry);
  mlirDialectHandleInsertDialect(mlirGetDialectHandle__arith__(), registry);
  mlirDialectHandleInsertDialect(mlirGetDialectHandle__llvm__(), registry);
  context = mlirContextCreateWithRegistry(registry, true);
  mlirDialectRegistryDestroy(registry);
  printDiagnostics(context);
  module = readNetwork(context, arguments[0]);
  program = mliProgramCompile(module, defaults);
  CHECK(program.ptr != NULL);
  if (program.ptr)
    invoke(program);
  mliProgramDestroy(program);
  mlirModuleDestroy(module);
  mlirContextDestroy(context);
  return 0;
}
