/* SPDX-License-Identifier: Apache-2.0 */

#include "Common.h"

#include "mli-c/Target.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The number that `string` begins with. */
static int numberOf(const char *string) {
  return (int)strtol(string, NULL, 10);
}

/* Compiles `module` for `target`, or for system placement if that is empty. */
static MliProgram compileFor(MlirContext context, MlirModule module,
                             const char *target) {
  MliCompileOptions options = mliCompileOptionsCreate(context);
  MliProgram program;
  if (*target) {
    mliCompileOptionsSetPlacement(options, MliPlacementLocal);
    mliCompileOptionsSetTarget(options, text(target));
  }
  program = mliProgramCompile(module, options);
  mliCompileOptionsDestroy(options);
  return program;
}

/* `map NET FORMAT [TARGET]`: prints the memory map of a program. */
int testMap(int count, char **arguments) {
  MlirContext context = createContext(false);
  MlirModule module = readNetwork(context, arguments[0]);
  MliProgram program =
      compileFor(context, module, count > 2 ? arguments[2] : "");
  mliProgramPrintMemoryMap(program, (MliMapFormat)numberOf(arguments[1]),
                           printText, NULL);
  mliProgramDestroy(program);
  if (!mlirModuleIsNull(module))
    mlirModuleDestroy(module);
  mlirContextDestroy(context);
  return 0;
}

/* `layers NET [TARGET]`: prints the layers of each function. */
int testLayers(int count, char **arguments) {
  MlirContext context = createContext(false);
  MlirModule module = readNetwork(context, arguments[0]);
  MliProgram program =
      compileFor(context, module, count > 1 ? arguments[1] : "");
  intptr_t i;
  for (i = 0; i < mliProgramGetNumFunctions(program); ++i)
    mliFunctionPrintLayers(mliProgramGetFunction(program, i), printText, NULL);
  mliProgramDestroy(program);
  if (!mlirModuleIsNull(module))
    mlirModuleDestroy(module);
  mlirContextDestroy(context);
  return 0;
}

/* `report NET FORMAT [TARGET]`: prints the report of a network. */
int testReport(int count, char **arguments) {
  MlirContext context = createContext(false);
  MlirModule module = readNetwork(context, arguments[0]);
  MliProgram program =
      compileFor(context, module, count > 2 ? arguments[2] : "");
  mliFunctionPrintNetworkReport(mliProgramGetFunction(program, 0),
                                (MliReportFormat)numberOf(arguments[1]),
                                printText, NULL);
  mliProgramDestroy(program);
  mlirModuleDestroy(module);
  mlirContextDestroy(context);
  return 0;
}

/* Sets the option that `argument`, `OPTION=VALUE`, names; whether it is one. */
static int setOption(MliCompileOptions compile, MliCOptions options,
                     const char *argument) {
  MlirStringRef value = text(strchr(argument, '=') + 1);
  int number = numberOf(value.data);
  switch (argument[0]) {
  case 'p':
    mliCompileOptionsSetPlacement(compile, (MliPlacement)number);
    return 1;
  case 't':
    mliCompileOptionsSetTarget(compile, value);
    return 1;
  case 'a':
    mliCompileOptionsSetArena(compile, value);
    return 1;
  case 'e':
    mliCompileOptionsAddEntry(compile, value);
    return 1;
  case 'o':
    mliCompileOptionsSetPipelineOptions(compile, value);
    return 1;
  case 'r':
    mliCompileOptionsSetRounding(compile, (MliRounding)number);
    return 1;
  case 'n':
    mliCOptionsSetName(options, value);
    return 1;
  case 'w':
    mliCOptionsSetWeights(options, (MliCWeights)number);
    return 1;
  case 'm':
    mliCOptionsSetMoves(options, (MliCMoves)number);
    return 1;
  case 'b':
    mliCOptionsSetTables(options, (MliCTables)number);
    return 1;
  case 'l':
    mliCOptionsSetLibrary(options, (MliCLibrary)number);
    return 1;
  case 'f':
    mliCOptionsSetOverwrite(options, number != 0);
    return 1;
  default:
    return 0;
  }
}

/* `write NET DIR OPTION=VALUE...`: writes a network as C. */
int testWrite(int count, char **arguments) {
  MlirContext context = createContext(false);
  MlirModule module = readNetwork(context, arguments[0]);
  MliCompileOptions compile = mliCompileOptionsCreate(context);
  MliCOptions options = mliCOptionsCreate(context);
  size_t size;
  char *bytes = readFile(arguments[0], &size);
  int i, isRight = 1;
  mliCOptionsSetOrigin(options, text(arguments[0]), bytes, size);
  free(bytes);
  for (i = 2; i < count; ++i)
    isRight &= setOption(compile, options, arguments[i]);
  if (isRight)
    CHECK(mlirLogicalResultIsSuccess(
        mliWriteC(module, compile, options, text(arguments[1]))));
  mliCOptionsDestroy(options);
  mliCompileOptionsDestroy(compile);
  mlirModuleDestroy(module);
  mlirContextDestroy(context);
  return !isRight;
}
