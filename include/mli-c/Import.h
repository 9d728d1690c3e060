// SPDX-License-Identifier: Apache-2.0
//
// Networks: from TFLite files to mli on tensors, from text or bytecode of MLIR,
// and what TOSA leaves open.
//
// All errors and warnings go to the handlers of the context.

#ifndef MLI_C_IMPORT_H
#define MLI_C_IMPORT_H

#include "mli-c/Support.h"

#include "mlir-c/IR.h"

// NOLINTBEGIN: a C header, in the style of those of MLIR.
#ifdef __cplusplus
extern "C" {
#endif

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

/// How a TFLite file becomes a module. Null, where a function takes options,
/// stands for the defaults.
MLI_DEFINE_C_API_STRUCT(MliImportOptions, void);

/// How sums and differences of 8 bits are computed: by the kernel if few are
/// off, always by the kernel, or exactly, with four kernels for one.
enum MliSumForm {
  MliSumFormNear = 0,
  MliSumFormKernel = 1,
  MliSumFormExact = 2,
};
typedef enum MliSumForm MliSumForm;

/// How averages of 8 bits are computed: by the average pool if few are off,
/// always by it, or by products with ones wherever these have more right.
enum MliAverageForm {
  MliAverageFormNear = 0,
  MliAverageFormKernel = 1,
  MliAverageFormExact = 2,
};
typedef enum MliAverageForm MliAverageForm;

/// What becomes of operators of float32: cut off in front and behind where no
/// kernel computes them, kept, or refused.
enum MliFloatForm {
  MliFloatFormCut = 0,
  MliFloatFormKeep = 1,
  MliFloatFormRefuse = 2,
};
typedef enum MliFloatForm MliFloatForm;

/// What becomes of other operators that no kernel computes: cut off in front
/// of all layers and behind, or refused.
enum MliCutForm {
  MliCutFormEnds = 0,
  MliCutFormNone = 1,
};
typedef enum MliCutForm MliCutForm;

/// The defaults, for networks of `context`; null for a null context.
MLIR_CAPI_EXPORTED MliImportOptions mliImportOptionsCreate(MlirContext context);
MLIR_CAPI_EXPORTED void mliImportOptionsDestroy(MliImportOptions options);

/// Each fails, and reports the error, if the value is none of its type.
MLIR_CAPI_EXPORTED MlirLogicalResult
mliImportOptionsSetSums(MliImportOptions options, MliSumForm form);
MLIR_CAPI_EXPORTED MlirLogicalResult
mliImportOptionsSetAverages(MliImportOptions options, MliAverageForm form);
MLIR_CAPI_EXPORTED MlirLogicalResult
mliImportOptionsSetFloats(MliImportOptions options, MliFloatForm form);
MLIR_CAPI_EXPORTED MlirLogicalResult
mliImportOptionsSetCut(MliImportOptions options, MliCutForm form);

/// Adds a tensor, by name or number, that the network gives in place of its
/// outputs.
MLIR_CAPI_EXPORTED MlirLogicalResult
mliImportOptionsAddOutput(MliImportOptions options, MlirStringRef tensor);

//===----------------------------------------------------------------------===//
// TFLite
//===----------------------------------------------------------------------===//

/// Whether the bytes start like a TFLite file.
MLIR_CAPI_EXPORTED bool mliIsTFLite(const void *bytes, size_t numBytes);

/// The first graph of a TFLite file as the public function `main`; null if it
/// does not import. `name` is that of the file in errors. The bytes are copied:
/// they need not stay. The context needs `mliRegisterAllDialects`.
MLIR_CAPI_EXPORTED MlirModule mliImportTFLite(MlirContext context,
                                              const void *bytes,
                                              size_t numBytes,
                                              MlirStringRef name,
                                              MliImportOptions options);

/// Writes one JSON object to `callback`: the tensors and operators of a TFLite
/// file, the kernels that compute each, and the reason where there are none, as
/// `mli-translate --inspect --json` does. Fails if it is no such file.
MLIR_CAPI_EXPORTED MlirLogicalResult mliInspectTFLite(
    MlirContext context, const void *bytes, size_t numBytes, MlirStringRef name,
    MliImportOptions options, MlirStringCallback callback, void *userData);

//===----------------------------------------------------------------------===//
// MLIR
//===----------------------------------------------------------------------===//

/// A module in text or bytecode of MLIR, such as a network in TOSA or mli; null
/// if it is none. `name` is that of the file in errors and locations. Other
/// than `mlirModuleCreateParse` it needs no zero after the text, and reports
/// what is nested more than 500 deep, which would leave the stack. The context
/// needs `mliRegisterAllDialects`.
MLIR_CAPI_EXPORTED MlirModule mliParseModule(MlirContext context,
                                             const void *bytes, size_t numBytes,
                                             MlirStringRef name);

//===----------------------------------------------------------------------===//
// TOSA
//===----------------------------------------------------------------------===//

/// Makes the first dimension of inputs that leave it open `batch`. Fails if
/// none does. If it fails otherwise, the module can only be destroyed.
MLIR_CAPI_EXPORTED MlirLogicalResult mliTosaSetBatch(MlirModule module,
                                                     int64_t batch);

/// Makes the network give the results of these operations, named or numbered as
/// `mli-translate --inspect` lists them, in place of its own. Fails if it has
/// no such operations.
MLIR_CAPI_EXPORTED MlirLogicalResult mliTosaKeepOutputs(
    MlirModule module, intptr_t numOutputs, const MlirStringRef *outputs);

#ifdef __cplusplus
}
#endif
// NOLINTEND

#endif // MLI_C_IMPORT_H
