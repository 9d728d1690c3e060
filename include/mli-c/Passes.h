// SPDX-License-Identifier: Apache-2.0
//
// Passes and pipelines. Single passes are made by functions that TableGen
// writes, as `mlirCreateMLITransformsBufferize()`; with options, and pipelines,
// by `mlirParsePassPipeline` with their text:
//
//   mliRegisterPasses();
//   mlirParsePassPipeline(mlirPassManagerGetAsOpPassManager(manager),
//       text("builtin.module(mli-local-pipeline{target=vpx})"), report, data);

#ifndef MLI_C_PASSES_H
#define MLI_C_PASSES_H

#include "mlir-c/Pass.h"

#include "mli-c/Conversion.capi.h.inc"
#include "mli-c/Transforms.capi.h.inc"

// NOLINTBEGIN: a C header, in the style of those of MLIR.
#ifdef __cplusplus
extern "C" {
#endif

/// Registers all passes and pipelines for `mlirParsePassPipeline`. Later calls,
/// from any thread, do nothing. A process that loads the plugin for mlir-opt as
/// well has them from there already: MLIR ends it at a second registration.
MLIR_CAPI_EXPORTED void mliRegisterPasses(void);

#ifdef __cplusplus
}
#endif
// NOLINTEND

#endif // MLI_C_PASSES_H
