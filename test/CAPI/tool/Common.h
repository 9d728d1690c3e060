/* SPDX-License-Identifier: Apache-2.0
 *
 * What the tests of the C API share.
 */

#ifndef MLI_TEST_CAPI_COMMON_H
#define MLI_TEST_CAPI_COMMON_H

#include "mlir-c/IR.h"

/* A context with all dialects, whose diagnostics are printed; `mli` is loaded
 * if `loads`. */
MlirContext createContext(bool loads);

/* Has the diagnostics of `context` printed. */
void printDiagnostics(MlirContext context);

MlirStringRef text(const char *string);

/* Prints `label: ` and a type or an attribute, or `null`. */
void printType(const char *label, MlirType type);
void printAttribute(const char *label, MlirAttribute attr);

/* A callback that prints. */
void printText(MlirStringRef string, void *userData);

/* Prints `condition: yes` or `condition: no`. */
void printCheck(const char *condition, bool holds);
#define CHECK(condition) printCheck(#condition, condition)

/* The content of a file, which is freed by `free`, or null. */
char *readFile(const char *path, size_t *size);

/* The network in the file, in TFLite or MLIR. */
MlirModule readNetwork(MlirContext context, const char *path);

/* One command of the tool each: of arguments after its name. */
int testTypes(int count, char **arguments);
int testAttributes(int count, char **arguments);
int testMemory(int count, char **arguments);
int testPasses(int count, char **arguments);
int testImport(int count, char **arguments);
int testBatch(int count, char **arguments);
int testProgram(int count, char **arguments);
int testExtensions(int count, char **arguments);
int testStates(int count, char **arguments);
int testThreads(int count, char **arguments);
int testTurns(int count, char **arguments);
int testNetwork(int count, char **arguments);
int testFailing(int count, char **arguments);
int testDamage(int count, char **arguments);
int testMap(int count, char **arguments);
int testLayers(int count, char **arguments);
int testReport(int count, char **arguments);
int testWrite(int count, char **arguments);
int testMisuse(int count, char **arguments);
int testCost(int count, char **arguments);

#endif
