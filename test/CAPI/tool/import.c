/* SPDX-License-Identifier: Apache-2.0 */

#include "Common.h"

#include "mli-c/Import.h"

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
