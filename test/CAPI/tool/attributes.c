/* SPDX-License-Identifier: Apache-2.0 */

#include "Common.h"

#include "mli-c/Attributes.h"
#include "mli-c/MemoryAttributes.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdio.h>

/* Prints all values of an enumeration, one more, and what the last answers. */
#define TEST_ENUM(Name, Enum, count)                                           \
  static void test##Name(MlirContext context) {                                \
    MlirAttribute last = {NULL};                                               \
    int i;                                                                     \
    for (i = 0; i < count; ++i) {                                              \
      last = mli##Name##AttrGet(context, (Enum)i);                             \
      printAttribute(#Name, last);                                             \
      if ((int)mli##Name##AttrGetValue(last) != i)                             \
        printf("not %d\n", i);                                                 \
    }                                                                          \
    printAttribute(#Name, mli##Name##AttrGet(context, (Enum)count));           \
    CHECK(mliAttributeIsA##Name(last));                                        \
    CHECK(!mliAttributeIsA##Name(mlirUnitAttrGet(context)));                   \
    CHECK(mlirTypeIDEqual(mlirAttributeGetTypeID(last),                        \
                          mli##Name##AttrGetTypeID()));                        \
    CHECK(mli##Name##AttrGetValue(mlirUnitAttrGet(context)) == (Enum)0);       \
  }
TEST_ENUM(Relu, MliReluKind, 4)
TEST_ENUM(MapLayout, MliMapLayout, 2)
TEST_ENUM(RnnAct, MliRnnAct, 3)
TEST_ENUM(LutFunction, MliLutFunction, 4)
TEST_ENUM(CopyReason, MliCopyReason, 9)
TEST_ENUM(Space, MliSpace, 2)

static void testLutFormat(MlirContext context) {
  MlirAttribute format = mliLutFormatAttrGet(context, 5, 172);
  MlirAttribute unit = mlirUnitAttrGet(context);
  printAttribute("format", format);
  printf("%d and %d\n", mliLutFormatAttrGetInFracBits(format),
         mliLutFormatAttrGetInputOffset(format));
  CHECK(mliAttributeIsALutFormat(format) && !mliAttributeIsALutFormat(unit));
  CHECK(mlirTypeIDEqual(mlirAttributeGetTypeID(format),
                        mliLutFormatAttrGetTypeID()));
  CHECK(mliLutFormatAttrGetInFracBits(unit) == 0);
  CHECK(mliLutFormatAttrGetInputOffset(unit) == 0);
}

static void testData(MlirContext context) {
  int8_t values[2] = {5, -3};
  int64_t shape[1] = {2};
  MlirAttribute none = {NULL}, unit = mlirUnitAttrGet(context);
  MlirType type = mlirRankedTensorTypeGet(
      1, shape, mlirIntegerTypeGet(context, 8), mlirAttributeGetNull());
  MlirAttribute dense = mlirDenseElementsAttrInt8Get(type, 2, values);
  MlirAttribute data = mliDataAttrGet(context, dense);
  printAttribute("data", data);
  CHECK(mliAttributeIsAData(data) && !mliAttributeIsAData(dense));
  CHECK(mlirAttributeEqual(mliDataAttrGetElements(data), dense));
  CHECK(mlirTypeIDEqual(mlirAttributeGetTypeID(data), mliDataAttrGetTypeID()));
  printAttribute("no elements", mliDataAttrGet(context, none));
  printAttribute("unit", mliDataAttrGet(context, unit));
  printAttribute("elements", mliDataAttrGetElements(unit));
}

/* Attributes of one context do not hold those of another, which may end before
 * it. */
static void testOtherContext(MlirContext context) {
  MlirContext other = createContext(true);
  MlirType type = mlirRankedTensorTypeGet(0, NULL, mlirIntegerTypeGet(other, 8),
                                          mlirAttributeGetNull());
  int8_t value = 5;
  printAttribute(
      "another context",
      mliDataAttrGet(context, mlirDenseElementsAttrInt8Get(type, 1, &value)));
  mlirContextDestroy(other);
}

int testAttributes(int count, char **arguments) {
  MlirContext context = createContext(true), empty = createContext(false);
  (void)count;
  (void)arguments;
  testRelu(context);
  testMapLayout(context);
  testRnnAct(context);
  testLutFunction(context);
  testCopyReason(context);
  testSpace(context);
  testLutFormat(context);
  testData(context);
  testOtherContext(context);
  printAttribute("not loaded", mliReluAttrGet(empty, MliReluKindGen));
  mlirContextDestroy(context);
  mlirContextDestroy(empty);
  return 0;
}
