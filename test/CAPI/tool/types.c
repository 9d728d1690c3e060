/* SPDX-License-Identifier: Apache-2.0 */

#include "Common.h"

#include "mli-c/Dialect.h"
#include "mli-c/Types.h"

#include "mlir-c/BuiltinTypes.h"

#include <stdio.h>

static MlirType parse(MlirContext context, const char *type) {
  return mlirTypeParseGet(context, text(type));
}

static void testGetters(MlirContext context) {
  MliQuantParams sets[2] = {{5, 3, 0}, {7, 3, 0}}, first = {5, 3, -128}, second;
  MlirType fx8 = mliFx8TypeGet(context, 7);
  MlirType sa8 = mliSa8TypeGet(context, first);
  MlirType axis = mliSa32TypeGetPerAxis(context, 3, 2, sets);
  printType("fx4", mliFx4TypeGet(context, -1));
  printType("fx8", fx8);
  printType("fx16", mliFx16TypeGet(context, -128));
  printType("sa8", sa8);
  printType("sa32", mliSa32TypeGet(context, first));
  printType("per axis", axis);
  printType("sa8 per axis", mliSa8TypeGetPerAxis(context, 0, 2, sets));
  CHECK(mlirTypeEqual(fx8, parse(context, "!mli.fx8<7>")));
  CHECK(mlirTypeEqual(axis,
                      parse(context, "!mli.sa32<axis = 3, {5:3:0, 7:3:0}>")));
  CHECK(mliTypeIsAFx8(fx8) && !mliTypeIsAFx16(fx8) && !mliTypeIsAFx4(fx8));
  CHECK(mliTypeIsASa8(sa8) && !mliTypeIsASa32(sa8) && mliTypeIsASa32(axis));
  CHECK(mliTypeIsAQuantized(sa8) &&
        !mliTypeIsAQuantized(mlirF32TypeGet(context)));
  CHECK(mlirTypeIDEqual(mlirTypeGetTypeID(fx8), mliFx8TypeGetTypeID()));
  CHECK(!mlirTypeIDEqual(mliFx4TypeGetTypeID(), mliFx16TypeGetTypeID()));
  CHECK(!mlirTypeIDEqual(mliSa8TypeGetTypeID(), mliSa32TypeGetTypeID()));
  printType("storage", mliQuantizedTypeGetStorageType(axis));
  second = mliQuantizedTypeGetParams(axis, 1);
  printf("second: %d:%d:%d of %d along %d\n", second.scale, second.fracBits,
         second.zeroPoint, (int)mliQuantizedTypeGetNumParams(axis),
         mliQuantizedTypeGetAxis(axis));
  second = mliQuantizedTypeGetParams(fx8, 0);
  printf("fx8: %d:%d:%d, axis %d, %d fraction bits\n", second.scale,
         second.fracBits, second.zeroPoint, mliQuantizedTypeGetAxis(fx8),
         mliFxTypeGetFracBits(fx8));
}

/* Each of these is an error. */
static void testErrors(MlirContext context) {
  MliQuantParams noScale = {0, 3, 0}, wide = {32768, 3, 0};
  MliQuantParams shifted = {5, 128, 0}, far = {5, 3, 32768}, one = {5, 3, 0};
  MlirType f32 = mlirF32TypeGet(context), sa8 = mliSa8TypeGet(context, one);
  printType("fx8", mliFx8TypeGet(context, 128));
  printType("fx4", mliFx4TypeGet(context, -129));
  printType("fx16", mliFx16TypeGet(context, INT32_MIN));
  printType("no scale", mliSa8TypeGet(context, noScale));
  printType("wide scale", mliSa32TypeGet(context, wide));
  printType("fraction bits", mliSa8TypeGet(context, shifted));
  printType("zero point", mliSa8TypeGet(context, far));
  printType("axis 4", mliSa8TypeGetPerAxis(context, 4, 1, &one));
  printType("axis -1", mliSa8TypeGetPerAxis(context, -1, 1, &one));
  printType("no sets", mliSa8TypeGetPerAxis(context, 0, 0, &one));
  printType("null sets", mliSa8TypeGetPerAxis(context, 0, 2, NULL));
  printType("negative", mliSa32TypeGetPerAxis(context, 0, -2, &one));
  printf("params: %d\n", mliQuantizedTypeGetParams(sa8, 1).scale);
  printf("params: %d\n", mliQuantizedTypeGetParams(sa8, -1).scale);
  printf("axis: %d\n", mliQuantizedTypeGetAxis(f32));
  printf("fraction bits: %d\n", mliFxTypeGetFracBits(sa8));
}

int testTypes(int count, char **arguments) {
  MlirContext context = createContext(true), empty = createContext(false);
  (void)count;
  (void)arguments;
  testGetters(context);
  testErrors(context);
  printType("not loaded", mliFx8TypeGet(empty, 7));
  printf("version: ");
  printText(mliGetVersion(), NULL);
  printf("\nnamespace: ");
  printText(mlirDialectHandleGetNamespace(mlirGetDialectHandle__mli__()), NULL);
  printf("\n");
  mlirContextDestroy(context);
  mlirContextDestroy(empty);
  return 0;
}
