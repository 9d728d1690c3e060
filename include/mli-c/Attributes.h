// SPDX-License-Identifier: Apache-2.0
//
// Attributes of kernels. Where data lies is in mli-c/MemoryAttributes.h.
//
// Constructors return a null attribute and report an error to the handlers of
// the context if a parameter is wrong, or if the context has not loaded `mli`;
// of a null context they only return null. Getters that are given another
// attribute report an error as well, and return 0 or null; of a null attribute
// they only return that.

#ifndef MLI_C_ATTRIBUTES_H
#define MLI_C_ATTRIBUTES_H

#include "mlir-c/IR.h"

// NOLINTBEGIN: a C header, in the style of those of MLIR.
#ifdef __cplusplus
extern "C" {
#endif

//===----------------------------------------------------------------------===//
// `#mli.relu`: the range that a kernel clips its result to
//===----------------------------------------------------------------------===//

enum MliReluKind {
  MliReluKindNone = 0,
  MliReluKindGen = 1,
  MliReluKindRelu1 = 2,
  MliReluKindRelu6 = 3,
};
typedef enum MliReluKind MliReluKind;

MLIR_CAPI_EXPORTED MlirAttribute mliReluAttrGet(MlirContext context,
                                                MliReluKind value);
MLIR_CAPI_EXPORTED bool mliAttributeIsARelu(MlirAttribute attr);
MLIR_CAPI_EXPORTED MliReluKind mliReluAttrGetValue(MlirAttribute attr);
MLIR_CAPI_EXPORTED MlirTypeID mliReluAttrGetTypeID(void);

//===----------------------------------------------------------------------===//
// `#mli.map_layout`: the order of the dimensions of feature maps
//===----------------------------------------------------------------------===//

enum MliMapLayout {
  MliMapLayoutHwc = 0,
  MliMapLayoutChw = 1,
};
typedef enum MliMapLayout MliMapLayout;

MLIR_CAPI_EXPORTED MlirAttribute mliMapLayoutAttrGet(MlirContext context,
                                                     MliMapLayout value);
MLIR_CAPI_EXPORTED bool mliAttributeIsAMapLayout(MlirAttribute attr);
MLIR_CAPI_EXPORTED MliMapLayout mliMapLayoutAttrGetValue(MlirAttribute attr);
MLIR_CAPI_EXPORTED MlirTypeID mliMapLayoutAttrGetTypeID(void);

//===----------------------------------------------------------------------===//
// `#mli.rnn_act`: the function that a cell is seen through
//===----------------------------------------------------------------------===//

enum MliRnnAct {
  MliRnnActNone = 0,
  MliRnnActTanh = 1,
  MliRnnActSigm = 2,
};
typedef enum MliRnnAct MliRnnAct;

MLIR_CAPI_EXPORTED MlirAttribute mliRnnActAttrGet(MlirContext context,
                                                  MliRnnAct value);
MLIR_CAPI_EXPORTED bool mliAttributeIsARnnAct(MlirAttribute attr);
MLIR_CAPI_EXPORTED MliRnnAct mliRnnActAttrGetValue(MlirAttribute attr);
MLIR_CAPI_EXPORTED MlirTypeID mliRnnActAttrGetTypeID(void);

//===----------------------------------------------------------------------===//
// `#mli.lut_function`: the function that there is a table of
//===----------------------------------------------------------------------===//

enum MliLutFunction {
  MliLutFunctionSigm = 0,
  MliLutFunctionTanh = 1,
  MliLutFunctionSoftmax = 2,
  MliLutFunctionL2Normalize = 3,
};
typedef enum MliLutFunction MliLutFunction;

MLIR_CAPI_EXPORTED MlirAttribute mliLutFunctionAttrGet(MlirContext context,
                                                       MliLutFunction value);
MLIR_CAPI_EXPORTED bool mliAttributeIsALutFunction(MlirAttribute attr);
MLIR_CAPI_EXPORTED MliLutFunction
mliLutFunctionAttrGetValue(MlirAttribute attr);
MLIR_CAPI_EXPORTED MlirTypeID mliLutFunctionAttrGetTypeID(void);

//===----------------------------------------------------------------------===//
// `#mli.copy_reason`: the reason why elements are copied
//===----------------------------------------------------------------------===//

enum MliCopyReason {
  MliCopyReasonStridedStep = 0,
  MliCopyReasonInnerUnitDims = 1,
  MliCopyReasonMisalignedStart = 2,
  MliCopyReasonCutGroup = 3,
  MliCopyReasonKernelLayout = 4,
  MliCopyReasonKernelContiguous = 5,
  MliCopyReasonPlacedElsewhere = 6,
  MliCopyReasonPadding = 7,
  MliCopyReasonStillNeeded = 8,
};
typedef enum MliCopyReason MliCopyReason;

MLIR_CAPI_EXPORTED MlirAttribute mliCopyReasonAttrGet(MlirContext context,
                                                      MliCopyReason value);
MLIR_CAPI_EXPORTED bool mliAttributeIsACopyReason(MlirAttribute attr);
MLIR_CAPI_EXPORTED MliCopyReason mliCopyReasonAttrGetValue(MlirAttribute attr);
MLIR_CAPI_EXPORTED MlirTypeID mliCopyReasonAttrGetTypeID(void);

//===----------------------------------------------------------------------===//
// `#mli.lut_format`: the entry of a table for a number
//===----------------------------------------------------------------------===//

/// Entry `i` is the value at `(i - inputOffset) / 2^inFracBits`.
MLIR_CAPI_EXPORTED MlirAttribute mliLutFormatAttrGet(MlirContext context,
                                                     int32_t inFracBits,
                                                     int32_t inputOffset);
MLIR_CAPI_EXPORTED bool mliAttributeIsALutFormat(MlirAttribute attr);
MLIR_CAPI_EXPORTED int32_t mliLutFormatAttrGetInFracBits(MlirAttribute attr);
MLIR_CAPI_EXPORTED int32_t mliLutFormatAttrGetInputOffset(MlirAttribute attr);
MLIR_CAPI_EXPORTED MlirTypeID mliLutFormatAttrGetTypeID(void);

//===----------------------------------------------------------------------===//
// `#mli.data`: the quantised values that a constant folds to
//===----------------------------------------------------------------------===//

/// `elements` is an elements attribute, such as a dense one of integers.
MLIR_CAPI_EXPORTED MlirAttribute mliDataAttrGet(MlirContext context,
                                                MlirAttribute elements);
MLIR_CAPI_EXPORTED bool mliAttributeIsAData(MlirAttribute attr);
MLIR_CAPI_EXPORTED MlirAttribute mliDataAttrGetElements(MlirAttribute attr);
MLIR_CAPI_EXPORTED MlirTypeID mliDataAttrGetTypeID(void);

#ifdef __cplusplus
}
#endif
// NOLINTEND

#endif // MLI_C_ATTRIBUTES_H
