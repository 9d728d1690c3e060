/* SPDX-License-Identifier: Apache-2.0 */

#include "Common.h"

#include "mli-c/MemoryAttributes.h"

#include "mlir-c/BuiltinAttributes.h"

#include <inttypes.h>
#include <stdio.h>

static void printTarget(MlirAttribute attr) {
  MliTargetNumbers numbers = mliTargetAttrGetNumbers(attr);
  printf("preset '");
  printText(mliTargetAttrGetPreset(attr), NULL);
  printf("': %" PRId64 " NPUs of %" PRId64 ", unit %" PRId64 ", banks %" PRId64
         ", alignment %" PRId64 "\n",
         numbers.npus, numbers.npuBytes, numbers.unit, numbers.banks,
         numbers.dmaAlignment);
}

static void testTarget(MlirContext context) {
  MliTargetNumbers numbers = {4, 16384, 128, 1, 4};
  MlirStringRef none = {NULL, 3};
  MlirAttribute vpx = mliTargetAttrParse(context, text("vpx"));
  MlirAttribute custom = mliTargetAttrGet(context, numbers);
  MlirAttribute unit = mlirUnitAttrGet(context);
  printAttribute("vpx", vpx);
  printTarget(vpx);
  printAttribute("custom", custom);
  printTarget(custom);
  CHECK(mlirAttributeEqual(
      custom,
      mliTargetAttrParse(context, text("custom,npus=4,npu-bytes=16384"))));
  CHECK(mliAttributeIsATarget(vpx) && !mliAttributeIsATarget(unit));
  CHECK(mlirTypeIDEqual(mlirAttributeGetTypeID(vpx), mliTargetAttrGetTypeID()));
  printText(mliTargetAttrGetName(), NULL);
  printf("\n");
  printAttribute("unknown", mliTargetAttrParse(context, text("epx")));
  printAttribute("no text", mliTargetAttrParse(context, none));
  numbers.npus = 0;
  printAttribute("no NPUs", mliTargetAttrGet(context, numbers));
  numbers.npus = INT64_MAX;
  numbers.npuBytes = INT64_MAX;
  printAttribute("too many", mliTargetAttrGet(context, numbers));
  printTarget(unit);
}

static void testLayout(MlirContext context) {
  const MliLayoutDim dims[3] = {MliLayoutDimH, MliLayoutDimW, MliLayoutDimC};
  const MliLayoutDim twice[2] = {MliLayoutDimH, MliLayoutDimH};
  const MliLayoutDim wrong[1] = {(MliLayoutDim)4};
  MliLayoutNumbers numbers = {4, 8192, 2, 0, 128, 64, 5, 1}, read;
  MlirAttribute unit = mlirUnitAttrGet(context), layout;
  layout = mliLayoutAttrGet(context, MliLayoutKindAligned, MliLayoutModeNone, 3,
                            dims, numbers);
  printAttribute("layout", layout);
  read = mliLayoutAttrGetNumbers(layout);
  printf("%" PRId64 " NPUs of %" PRId64 " from %" PRId64 ", columns %" PRId64
         ", strides %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 "\n",
         read.npus, read.npuElements, read.startNpu, read.columns, read.strideN,
         read.strideC, read.strideH, read.strideW);
  printf("kind %d, mode %d, %d dimensions, the last %d\n",
         mliLayoutAttrGetKind(layout), mliLayoutAttrGetMode(layout),
         (int)mliLayoutAttrGetNumDims(layout), mliLayoutAttrGetDim(layout, 2));
  CHECK(mliAttributeIsALayout(layout) && !mliAttributeIsALayout(unit));
  CHECK(mlirTypeIDEqual(mlirAttributeGetTypeID(layout),
                        mliLayoutAttrGetTypeID()));
  printAttribute("kind", mliLayoutAttrGet(context, (MliLayoutKind)5,
                                          MliLayoutModeNone, 3, dims, numbers));
  printAttribute("twice",
                 mliLayoutAttrGet(context, MliLayoutKindAligned,
                                  MliLayoutModeNone, 2, twice, numbers));
  printAttribute("dimension",
                 mliLayoutAttrGet(context, MliLayoutKindAligned,
                                  MliLayoutModeNone, 1, wrong, numbers));
  printAttribute("null", mliLayoutAttrGet(context, MliLayoutKindAligned,
                                          MliLayoutModeNone, 3, NULL, numbers));
  numbers.startNpu = 4;
  printAttribute("start",
                 mliLayoutAttrGet(context, MliLayoutKindAligned,
                                  MliLayoutModeNone, 3, dims, numbers));
  printf("no dimension: %d\n", mliLayoutAttrGetDim(layout, 3));
  printf("no layout: %d\n", mliLayoutAttrGetKind(unit));
}

int testMemory(int count, char **arguments) {
  MlirContext context = createContext(true);
  (void)count;
  (void)arguments;
  testTarget(context);
  testLayout(context);
  mlirContextDestroy(context);
  return 0;
}
