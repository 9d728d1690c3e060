/* SPDX-License-Identifier: Apache-2.0 */

#include "Common.h"

#include "mli-c/Passes.h"

#include <stdio.h>

static void run(MlirPassManager manager, MlirModule module) {
  MlirOperation op = mlirModuleGetOperation(module);
  if (mlirLogicalResultIsFailure(mlirPassManagerRunOnOp(manager, op)))
    printf("failed\n");
}

/* `passes NET.mlir PIPELINE`: prints what the pipeline makes of the network. */
int testPasses(int count, char **arguments) {
  MlirContext context = createContext(false);
  MlirPassManager manager = mlirPassManagerCreate(context);
  MlirModule module = readNetwork(context, arguments[0]);
  MlirPass pass = mlirCreateMLITransformsOrder();
  (void)count;
  /* A pass that is made by itself, and twice is once. */
  mlirPassManagerAddOwnedPass(manager, pass);
  run(manager, module);
  mlirPassManagerDestroy(manager);
  mliRegisterPasses();
  mliRegisterPasses();
  manager = mlirPassManagerCreate(context);
  if (mlirLogicalResultIsFailure(
          mlirParsePassPipeline(mlirPassManagerGetAsOpPassManager(manager),
                                text(arguments[1]), printText, NULL)))
    printf("\n");
  else
    run(manager, module);
  mlirOperationPrint(mlirModuleGetOperation(module), printText, NULL);
  mlirPassManagerDestroy(manager);
  mlirModuleDestroy(module);
  mlirContextDestroy(context);
  return 0;
}
