// SPDX-License-Identifier: Apache-2.0
//
// The dialect, and all others that its passes and pipelines use.

#ifndef MLI_C_DIALECT_H
#define MLI_C_DIALECT_H

#include "mlir-c/IR.h"

// NOLINTBEGIN: a C header, in the style of those of MLIR.
#ifdef __cplusplus
extern "C" {
#endif

/// The dialect `mli`. Its types and attributes are made in contexts that have
/// loaded it: by `mlirDialectHandleLoadDialect`, or by parsing.
MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(MLI, mli);

/// Adds the dialects of networks and of all passes, ready to bufferize and to
/// translate to LLVM IR. What imports, compiles or runs a pipeline needs a
/// context with this registry. Fails for a null registry.
MLIR_CAPI_EXPORTED MlirLogicalResult
mliRegisterAllDialects(MlirDialectRegistry registry);

/// The version of this library, as `0.2.0`.
MLIR_CAPI_EXPORTED MlirStringRef mliGetVersion(void);

#ifdef __cplusplus
}
#endif
// NOLINTEND

#endif // MLI_C_DIALECT_H
