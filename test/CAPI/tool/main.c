/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls the C API as programs in C do, and prints what it answers:
 *   mli-capi-test COMMAND ARGUMENT...
 */

#include "Common.h"

#include "mli-c/Dialect.h"
#include "mli-c/Import.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/Diagnostics.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void printText(MlirStringRef string, void *userData) {
  (void)userData;
  if (string.length > 0)
    fwrite(string.data, 1, string.length, stdout);
}

static MlirLogicalResult printDiagnostic(MlirDiagnostic diagnostic,
                                         void *userData) {
  static const char *const names[] = {"error", "warning", "note", "remark"};
  intptr_t i;
  printf("%s: ", names[mlirDiagnosticGetSeverity(diagnostic)]);
  mlirDiagnosticPrint(diagnostic, printText, NULL);
  printf("\n");
  for (i = 0; i < mlirDiagnosticGetNumNotes(diagnostic); ++i)
    printDiagnostic(mlirDiagnosticGetNote(diagnostic, i), userData);
  return mlirLogicalResultSuccess();
}

MlirStringRef text(const char *string) {
  return mlirStringRefCreateFromCString(string);
}

void printDiagnostics(MlirContext context) {
  mlirContextAttachDiagnosticHandler(context, printDiagnostic, NULL, NULL);
}

MlirContext createContext(bool loads) {
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  MlirContext context;
  mliRegisterAllDialects(registry);
  context = mlirContextCreateWithRegistry(registry, true);
  mlirDialectRegistryDestroy(registry);
  printDiagnostics(context);
  if (loads)
    mlirDialectHandleLoadDialect(mlirGetDialectHandle__mli__(), context);
  return context;
}

void printType(const char *label, MlirType type) {
  printf("%s: ", label);
  if (mlirTypeIsNull(type))
    printf("null");
  else
    mlirTypePrint(type, printText, NULL);
  printf("\n");
}

void printAttribute(const char *label, MlirAttribute attr) {
  printf("%s: ", label);
  if (mlirAttributeIsNull(attr))
    printf("null");
  else
    mlirAttributePrint(attr, printText, NULL);
  printf("\n");
}

void printCheck(const char *condition, bool holds) {
  printf("%s: %s\n", condition, holds ? "yes" : "no");
}

char *readFile(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  char *bytes = NULL;
  long end = -1;
  *size = 0;
  if (!file)
    return NULL;
  if (fseek(file, 0, SEEK_END) == 0)
    end = ftell(file);
  if (end >= 0)
    bytes = calloc((size_t)end + 1, 1);
  if (bytes && fseek(file, 0, SEEK_SET) == 0)
    *size = fread(bytes, 1, (size_t)end, file);
  fclose(file);
  return bytes;
}

MlirModule readNetwork(MlirContext context, const char *path) {
  MlirModule module = {NULL};
  MliImportOptions defaults = {NULL};
  size_t size;
  char *bytes = readFile(path, &size);
  if (mliIsTFLite(bytes, size))
    module = mliImportTFLite(context, bytes, size, text(path), defaults);
  else if (bytes)
    module = mliParseModule(context, bytes, size, text(path));
  free(bytes);
  return module;
}

int main(int argc, char **argv) {
  static const struct {
    const char *name;
    int (*run)(int count, char **arguments);
  } commands[] = {
      {"types", testTypes},           {"attributes", testAttributes},
      {"memory", testMemory},         {"passes", testPasses},
      {"import", testImport},         {"program", testProgram},
      {"states", testStates},         {"threads", testThreads},
      {"network", testNetwork},       {"misuse", testMisuse},
      {"batch", testBatch},           {"turns", testTurns},
      {"failing", testFailing},       {"damage", testDamage},
      {"extensions", testExtensions}, {"map", testMap},
      {"layers", testLayers},         {"write", testWrite},
      {"report", testReport},         {"cost", testCost},
  };
  size_t i;
  for (i = 0; argc > 1 && i < sizeof commands / sizeof *commands; ++i)
    if (strcmp(argv[1], commands[i].name) == 0)
      return commands[i].run(argc - 2, argv + 2);
  fprintf(stderr, "expected a command\n");
  return 1;
}
