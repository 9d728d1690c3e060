/* SPDX-License-Identifier: Apache-2.0 */

#include "Common.h"

#include "mli-c/Import.h"
#include "mli-c/Invocation.h"

#include <stdio.h>
#include <stdlib.h>

/* `import NET.tflite`: prints the module, what is known of it, and of its first
 * half. */
int testImport(int count, char **arguments) {
  MlirContext context = createContext(false);
  MliImportOptions options = mliImportOptionsCreate(context), none = {NULL};
  MlirStringRef name = text("net.tflite");
  MlirModule module;
  size_t size;
  char *bytes = readFile(arguments[0], &size);
  (void)count;
  module = mliImportTFLite(context, bytes, size, name, none);
  if (!mlirModuleIsNull(module)) {
    mlirOperationPrint(mlirModuleGetOperation(module), printText, NULL);
    mlirModuleDestroy(module);
  }
  CHECK(mlirLogicalResultIsSuccess(
      mliInspectTFLite(context, bytes, size, name, none, printText, NULL)));
  printf("half: ");
  module = mliImportTFLite(context, bytes, size / 2, name, none);
  CHECK(mlirModuleIsNull(module));
  CHECK(mlirLogicalResultIsFailure(
      mliInspectTFLite(context, bytes, size / 2, name, none, printText, NULL)));
  CHECK(mlirLogicalResultIsSuccess(
      mliImportOptionsSetSums(options, MliSumFormExact)));
  CHECK(mlirLogicalResultIsSuccess(
      mliImportOptionsSetAverages(options, MliAverageFormExact)));
  CHECK(mlirLogicalResultIsSuccess(
      mliImportOptionsSetFloats(options, MliFloatFormRefuse)));
  CHECK(mlirLogicalResultIsSuccess(
      mliImportOptionsSetCut(options, MliCutFormNone)));
  CHECK(mlirLogicalResultIsSuccess(
      mliImportOptionsAddOutput(options, text("t3"))));
  module = mliImportTFLite(context, bytes, size, name, options);
  CHECK(!mlirModuleIsNull(module));
  if (!mlirModuleIsNull(module))
    mlirModuleDestroy(module);
  CHECK(mlirLogicalResultIsSuccess(
      mliImportOptionsAddOutput(options, text("nowhere"))));
  CHECK(mlirModuleIsNull(mliImportTFLite(context, bytes, size, name, options)));
  mliImportOptionsDestroy(options);
  free(bytes);
  mlirContextDestroy(context);
  return 0;
}

/* `batch NET.mlir`: runs a network whose batch is open on three pictures of
 * four bytes. */
int testBatch(int count, char **arguments) {
  int8_t in[12], out[3] = {0, 0, 0};
  const MliInputBuffer input = {in, 12};
  const MliResultBuffer result = {out, 3};
  const MliCompileOptions defaults = {NULL};
  const MlirStringRef first = text("0"), other = text("other");
  MlirContext context = createContext(false);
  MlirModule module = readNetwork(context, arguments[0]);
  MliProgram program = mliProgramCompile(module, defaults);
  int i;
  (void)count;
  CHECK(program.ptr == NULL);
  CHECK(mlirLogicalResultIsSuccess(mliTosaSetBatch(module, 3)));
  CHECK(mlirLogicalResultIsFailure(mliTosaSetBatch(module, 3)));
  CHECK(mlirLogicalResultIsFailure(mliTosaKeepOutputs(module, 1, &other)));
  CHECK(mlirLogicalResultIsFailure(mliTosaKeepOutputs(module, 0, &first)));
  CHECK(mlirLogicalResultIsSuccess(mliTosaKeepOutputs(module, 1, &first)));
  program = mliProgramCompile(module, defaults);
  for (i = 0; i < 12; ++i)
    in[i] = (int8_t)i;
  CHECK(mlirLogicalResultIsSuccess(
      mliProgramInvoke(program, text("main"), 1, &input, 1, &result)));
  printf("%d kernels: %d %d %d\n",
         (int)mliFunctionGetStatistic(mliProgramGetFunction(program, 0),
                                      MliStatisticKernels),
         out[0], out[1], out[2]);
  mliProgramDestroy(program);
  mlirModuleDestroy(module);
  mlirContextDestroy(context);
  return 0;
}
