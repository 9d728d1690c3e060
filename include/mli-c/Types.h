// SPDX-License-Identifier: Apache-2.0
//
// Element types: how a stored integer stands for a real number.
//
// Constructors return a null type and report an error to the handlers of the
// context if a parameter is wrong, or if the context has not loaded `mli`; of a
// null context they only return null. Getters that are given another type
// report an error as well, and return 0; of a null type they only return 0.

#ifndef MLI_C_TYPES_H
#define MLI_C_TYPES_H

#include "mlir-c/IR.h"

// NOLINTBEGIN: a C header, in the style of those of MLIR.
#ifdef __cplusplus
extern "C" {
#endif

/// A quantised value `q` stands for `(q - zeroPoint) * scale * 2^-fracBits`.
/// `scale` is 1 to 32767, `fracBits` -128 to 127, `zeroPoint` -32768 to 32767.
struct MliQuantParams {
  int32_t scale;
  int32_t fracBits;
  int32_t zeroPoint;
};
typedef struct MliQuantParams MliQuantParams;

//===----------------------------------------------------------------------===//
// All quantised types
//===----------------------------------------------------------------------===//

/// Whether `type` is one of those below.
MLIR_CAPI_EXPORTED bool mliTypeIsAQuantized(MlirType type);

/// The signless integer that holds one quantised value.
MLIR_CAPI_EXPORTED MlirType mliQuantizedTypeGetStorageType(MlirType type);

/// The dimension along which parameters vary; -1 if there is one set for the
/// whole tensor.
MLIR_CAPI_EXPORTED int32_t mliQuantizedTypeGetAxis(MlirType type);

/// How many sets of parameters there are: 1 for the whole tensor.
MLIR_CAPI_EXPORTED intptr_t mliQuantizedTypeGetNumParams(MlirType type);

/// Set `index` of the parameters. Fixed-point types have scale 1 and zero point
/// 0.
MLIR_CAPI_EXPORTED MliQuantParams mliQuantizedTypeGetParams(MlirType type,
                                                            intptr_t index);

//===----------------------------------------------------------------------===//
// Fixed point: `!mli.fx8<7>`
//===----------------------------------------------------------------------===//

/// `q` stands for `q * 2^-fracBits`, with `fracBits` -128 to 127. No operation
/// takes `fx4`, which is for future use.
MLIR_CAPI_EXPORTED MlirType mliFx4TypeGet(MlirContext context,
                                          int32_t fracBits);
MLIR_CAPI_EXPORTED MlirType mliFx8TypeGet(MlirContext context,
                                          int32_t fracBits);
MLIR_CAPI_EXPORTED MlirType mliFx16TypeGet(MlirContext context,
                                           int32_t fracBits);

MLIR_CAPI_EXPORTED bool mliTypeIsAFx4(MlirType type);
MLIR_CAPI_EXPORTED bool mliTypeIsAFx8(MlirType type);
MLIR_CAPI_EXPORTED bool mliTypeIsAFx16(MlirType type);

MLIR_CAPI_EXPORTED MlirTypeID mliFx4TypeGetTypeID(void);
MLIR_CAPI_EXPORTED MlirTypeID mliFx8TypeGetTypeID(void);
MLIR_CAPI_EXPORTED MlirTypeID mliFx16TypeGetTypeID(void);

/// The fraction bits of any of the three.
MLIR_CAPI_EXPORTED int32_t mliFxTypeGetFracBits(MlirType type);

//===----------------------------------------------------------------------===//
// Signed asymmetric: `!mli.sa8<5:3:-128>`
//===----------------------------------------------------------------------===//

/// One set of parameters for the whole tensor.
MLIR_CAPI_EXPORTED MlirType mliSa8TypeGet(MlirContext context,
                                          MliQuantParams params);
MLIR_CAPI_EXPORTED MlirType mliSa32TypeGet(MlirContext context,
                                           MliQuantParams params);

/// One of `numParams` sets for each index of dimension `axis`, 0 to 3:
/// `!mli.sa8<axis = 3, {5:3:0, 7:3:0}>`.
MLIR_CAPI_EXPORTED MlirType mliSa8TypeGetPerAxis(MlirContext context,
                                                 int32_t axis,
                                                 intptr_t numParams,
                                                 const MliQuantParams *params);
MLIR_CAPI_EXPORTED MlirType mliSa32TypeGetPerAxis(MlirContext context,
                                                  int32_t axis,
                                                  intptr_t numParams,
                                                  const MliQuantParams *params);

MLIR_CAPI_EXPORTED bool mliTypeIsASa8(MlirType type);
MLIR_CAPI_EXPORTED bool mliTypeIsASa32(MlirType type);

MLIR_CAPI_EXPORTED MlirTypeID mliSa8TypeGetTypeID(void);
MLIR_CAPI_EXPORTED MlirTypeID mliSa32TypeGetTypeID(void);

#ifdef __cplusplus
}
#endif
// NOLINTEND

#endif // MLI_C_TYPES_H
