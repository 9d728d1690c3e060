/* SPDX-License-Identifier: Apache-2.0 */

#include "Common.h"

#include "mli-c/Import.h"
#include "mli-c/Invocation.h"

#include "mlir-c/Diagnostics.h"

#include <stdio.h>
#include <stdlib.h>

/* `failing NET.mlir`: runs a network of 4 bytes to 8 whose kernel fails, twice.
 */
int testFailing(int count, char **arguments) {
  char in[4] = {1, 2, 3, 4}, out[8] = {9, 9, 9, 9, 9, 9, 9, 9};
  const MliInputBuffer input = {in, 4};
  const MliResultBuffer result = {out, 8};
  const MliCompileOptions defaults = {NULL};
  MlirContext context = createContext(false);
  MlirModule module = readNetwork(context, arguments[0]);
  MliProgram program = mliProgramCompile(module, defaults);
  MliInvocation invocation =
      mliInvocationCreate(mliProgramLookup(program, text("main")));
  int i;
  (void)count;
  for (i = 0; i < 2; ++i)
    CHECK(mlirLogicalResultIsFailure(
        mliInvocationRun(invocation, 1, &input, 1, &result)));
  printf("untouched: %d %d\n", out[0], out[7]);
  mliInvocationDestroy(invocation);
  mliProgramDestroy(program);
  mlirModuleDestroy(module);
  mlirContextDestroy(context);
  return 0;
}

static MlirLogicalResult countDiagnostic(MlirDiagnostic diagnostic,
                                         void *userData) {
  if (mlirDiagnosticGetSeverity(diagnostic) == MlirDiagnosticError)
    ++*(int *)userData;
  return mlirLogicalResultSuccess();
}

/* Compiles and runs what imports. */
static bool runs(MlirModule module) {
  const MliCompileOptions defaults = {NULL};
  MliProgram program = mliProgramCompile(module, defaults);
  MliFunction function = mliProgramLookup(program, text("main"));
  MliInputBuffer input = {NULL, 0};
  MliResultBuffer result = {NULL, 0};
  bool hasRun = false;
  char *in, *out;
  input.numBytes = mliPortGetNumBytes(mliFunctionGetInput(function, 0));
  result.numBytes = mliPortGetNumBytes(mliFunctionGetResult(function, 0));
  input.data = in = calloc(input.numBytes + 1, 1);
  result.data = out = calloc(result.numBytes + 1, 1);
  if (in && out)
    hasRun = mlirLogicalResultIsSuccess(
        mliProgramInvoke(program, text("main"), 1, &input, 1, &result));
  free(in);
  free(out);
  mliProgramDestroy(program);
  mlirModuleDestroy(module);
  return hasRun;
}

/* `damage NET.tflite`: imports the file with each of its bytes damaged, and
 * with each length that is shorter; compiles and runs some of what imports. */
int testDamage(int count, char **arguments) {
  const MliImportOptions defaults = {NULL};
  MlirContext context = createContext(false);
  int numErrors = 0, numSilent = 0, numRun = 0;
  size_t size, i;
  char *bytes = readFile(arguments[0], &size);
  (void)count;
  mlirContextAttachDiagnosticHandler(context, countDiagnostic, &numErrors,
                                     NULL);
  for (i = 0; i < 2 * size; ++i) {
    size_t at = i % size;
    char before = bytes[at];
    int errors = numErrors;
    MlirModule module;
    bytes[at] = (char)(before ^ 0x81);
    module = mliImportTFLite(context, bytes, i < size ? size : at,
                             text("net.tflite"), defaults);
    bytes[at] = before;
    if (mlirModuleIsNull(module))
      numSilent += numErrors == errors;
    else if (i % 16 == 0)
      numRun += runs(module);
    else
      mlirModuleDestroy(module);
  }
  printf("%d files, %d fail without an error, some run: %s\n", (int)(2 * size),
         numSilent, numRun > 0 ? "yes" : "no");
  free(bytes);
  mlirContextDestroy(context);
  return 0;
}
