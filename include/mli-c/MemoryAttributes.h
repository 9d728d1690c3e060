// SPDX-License-Identifier: Apache-2.0
//
// Attributes that specify where data lies: the memory, its size and the layout
// in it. Errors are reported as in mli-c/Attributes.h.

#ifndef MLI_C_MEMORYATTRIBUTES_H
#define MLI_C_MEMORYATTRIBUTES_H

#include "mlir-c/IR.h"

// NOLINTBEGIN: a C header, in the style of those of MLIR.
#ifdef __cplusplus
extern "C" {
#endif

//===----------------------------------------------------------------------===//
// `#mli.space`: the memory that data is in
//===----------------------------------------------------------------------===//

enum MliSpace {
  MliSpaceSystem = 0,
  MliSpaceLocal = 1,
};
typedef enum MliSpace MliSpace;

MLIR_CAPI_EXPORTED MlirAttribute mliSpaceAttrGet(MlirContext context,
                                                 MliSpace value);
MLIR_CAPI_EXPORTED bool mliAttributeIsASpace(MlirAttribute attr);
MLIR_CAPI_EXPORTED MliSpace mliSpaceAttrGetValue(MlirAttribute attr);
MLIR_CAPI_EXPORTED MlirTypeID mliSpaceAttrGetTypeID(void);

//===----------------------------------------------------------------------===//
// `#mli.target`: the local memory of a target
//===----------------------------------------------------------------------===//

/// The numbers of a target. `unit` is the number of bytes to which the aligned
/// layout rounds a channel; `dmaAlignment` divides the local address of a copy.
struct MliTargetNumbers {
  int64_t npus;
  int64_t npuBytes;
  int64_t unit;
  int64_t banks;
  int64_t dmaAlignment;
};
typedef struct MliTargetNumbers MliTargetNumbers;

/// The target that `text` spells as options do: `vpx`, or with overrides as
/// `vpx,npu-bytes=65536`, or `custom,npus=4,npu-bytes=16384`.
MLIR_CAPI_EXPORTED MlirAttribute mliTargetAttrParse(MlirContext context,
                                                    MlirStringRef text);

/// The target of these numbers, as custom.
MLIR_CAPI_EXPORTED MlirAttribute mliTargetAttrGet(MlirContext context,
                                                  MliTargetNumbers numbers);
MLIR_CAPI_EXPORTED bool mliAttributeIsATarget(MlirAttribute attr);
MLIR_CAPI_EXPORTED MliTargetNumbers mliTargetAttrGetNumbers(MlirAttribute attr);

/// The name of the preset that the target is, as `vpx`; empty for others.
MLIR_CAPI_EXPORTED MlirStringRef mliTargetAttrGetPreset(MlirAttribute attr);
MLIR_CAPI_EXPORTED MlirTypeID mliTargetAttrGetTypeID(void);

/// The name of the attribute of a module that is its target: `mli.target`.
MLIR_CAPI_EXPORTED MlirStringRef mliTargetAttrGetName(void);

//===----------------------------------------------------------------------===//
// `#mli.layout`: how a buffer lies in the local memory of NPUs
//===----------------------------------------------------------------------===//

enum MliLayoutKind {
  MliLayoutKindContinuous = 0,
  MliLayoutKindAligned = 1,
  MliLayoutKindCompact = 2,
  MliLayoutKindMatrix = 3,
  MliLayoutKindStrided = 4,
};
typedef enum MliLayoutKind MliLayoutKind;

/// The elements that are packed into one: none, four or two along N, or two
/// along I of weights.
enum MliLayoutMode {
  MliLayoutModeNone = 0,
  MliLayoutMode4N = 1,
  MliLayoutMode2N = 2,
  MliLayoutMode2IC = 3,
};
typedef enum MliLayoutMode MliLayoutMode;

enum MliLayoutDim {
  MliLayoutDimN = 0,
  MliLayoutDimC = 1,
  MliLayoutDimH = 2,
  MliLayoutDimW = 3,
};
typedef enum MliLayoutDim MliLayoutDim;

/// The numbers of a layout. `npuElements` is the number of elements that an NPU
/// holds, `columns` 0 but for a matrix; strides count packed elements.
struct MliLayoutNumbers {
  int64_t npus;
  int64_t npuElements;
  int64_t startNpu;
  int64_t columns;
  int64_t strideN;
  int64_t strideC;
  int64_t strideH;
  int64_t strideW;
};
typedef struct MliLayoutNumbers MliLayoutNumbers;

/// `dims` tells for each of `numDims` dimensions of a buffer which it is in
/// local memory.
MLIR_CAPI_EXPORTED MlirAttribute mliLayoutAttrGet(
    MlirContext context, MliLayoutKind kind, MliLayoutMode mode,
    intptr_t numDims, const MliLayoutDim *dims, MliLayoutNumbers numbers);
MLIR_CAPI_EXPORTED bool mliAttributeIsALayout(MlirAttribute attr);
MLIR_CAPI_EXPORTED MliLayoutKind mliLayoutAttrGetKind(MlirAttribute attr);
MLIR_CAPI_EXPORTED MliLayoutMode mliLayoutAttrGetMode(MlirAttribute attr);
MLIR_CAPI_EXPORTED intptr_t mliLayoutAttrGetNumDims(MlirAttribute attr);
MLIR_CAPI_EXPORTED MliLayoutDim mliLayoutAttrGetDim(MlirAttribute attr,
                                                    intptr_t index);
MLIR_CAPI_EXPORTED MliLayoutNumbers mliLayoutAttrGetNumbers(MlirAttribute attr);
MLIR_CAPI_EXPORTED MlirTypeID mliLayoutAttrGetTypeID(void);

#ifdef __cplusplus
}
#endif
// NOLINTEND

#endif // MLI_C_MEMORYATTRIBUTES_H
