/* SPDX-License-Identifier: Apache-2.0
 *
 * Compiles a network in TFLite, TOSA or mli, and runs it on bytes:
 *   network NET.tflite|NET.mlir BYTE...
 */

#include "mli-c/Dialect.h"
#include "mli-c/Import.h"
#include "mli-c/Invocation.h"

#include <stdio.h>
#include <stdlib.h>

static MlirModule readNetwork(MlirContext context, const char *path) {
  static char bytes[1 << 24];
  MlirStringRef name = mlirStringRefCreateFromCString(path);
  MliImportOptions defaults = {NULL};
  MlirModule none = {NULL};
  FILE *file = fopen(path, "rb");
  size_t size;
  if (!file) {
    perror(path);
    return none;
  }
  size = fread(bytes, 1, sizeof bytes - 1, file);
  fclose(file);
  if (mliIsTFLite(bytes, size))
    return mliImportTFLite(context, bytes, size, name, defaults);
  /* The parser wants a zero after the text. */
  bytes[size] = '\0';
  return mlirModuleCreateParse(context, mlirStringRefCreate(bytes, size));
}

/* Runs `main`, of one input and one result of bytes. */
static int run(MliProgram program, size_t count, char **values) {
  MlirStringRef name = mlirStringRefCreateFromCString("main");
  MliFunction function = mliProgramLookup(program, name);
  size_t size = mliPortGetNumBytes(mliFunctionGetResult(function, 0)), i;
  signed char *in = calloc(count + 1, 1), *out = calloc(size + 1, 1);
  MliInputBuffer input = {in, count};
  MliResultBuffer result = {out, size};
  int failed = 1;
  if (in && out) {
    for (i = 0; i < count; ++i)
      in[i] = (signed char)strtol(values[i], NULL, 10);
    failed = mlirLogicalResultIsFailure(
        mliProgramInvoke(program, name, 1, &input, 1, &result));
    for (i = 0; i < size && !failed; ++i)
      printf("%d%c", out[i], i + 1 < size ? ' ' : '\n');
  }
  free(in);
  free(out);
  return failed;
}

int main(int argc, char **argv) {
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  MliCompileOptions options;
  MlirContext context;
  MlirModule module;
  MliProgram program;
  int failed;
  if (argc < 2)
    return 1;
  mliRegisterAllDialects(registry);
  context = mlirContextCreateWithRegistry(registry, /*threadingEnabled=*/true);
  mlirDialectRegistryDestroy(registry);
  module = readNetwork(context, argv[1]);

  options = mliCompileOptionsCreate(context);
  mliCompileOptionsSetPlacement(options, MliPlacementLocal);
  mliCompileOptionsSetTarget(
      options, mlirStringRefCreateFromCString("vpx,npu-bytes=65536"));
  program = mliProgramCompile(module, options);
  mliCompileOptionsDestroy(options);
  if (!mlirModuleIsNull(module))
    mlirModuleDestroy(module);

  failed = run(program, (size_t)argc - 2, argv + 2);
  mliProgramDestroy(program);
  mlirContextDestroy(context);
  return failed;
}
