// SPDX-License-Identifier: Apache-2.0
//
// Writes a network as C99 for another machine: docs/guides/c.md says what that
// calls and how it is built.
//
// Errors go to the handlers of the context; of null handles, where no context
// is known, functions only fail.

#ifndef MLI_C_TARGET_H
#define MLI_C_TARGET_H

#include "mli-c/Program.h"

// NOLINTBEGIN: a C header, in the style of those of MLIR.
#ifdef __cplusplus
extern "C" {
#endif

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

/// How C is written. Null, where a function takes options, stands for the
/// defaults, which are the values 0 of the enumerations.
MLI_DEFINE_C_API_STRUCT(MliCOptions, void);

/// Where the constants of kernels are: in a source of their own, in that of the
/// network, or in a file that the caller loads.
enum MliCWeights {
  MliCWeightsSource = 0,
  MliCWeightsInline = 1,
  MliCWeightsBlob = 2,
};
typedef enum MliCWeights MliCWeights;

/// How data moves to and from local memory: by calls that wait, beside kernels
/// (with local placement), or by a macro of the caller.
enum MliCMoves {
  MliCMovesSync = 0,
  MliCMovesAsync = 1,
  MliCMovesHook = 2,
};
typedef enum MliCMoves MliCMoves;

/// When the library makes the tables of functions as sigm: in each call of a
/// kernel, or in a function that the caller calls once.
enum MliCTables {
  MliCTablesCall = 0,
  MliCTablesOnce = 1,
};
typedef enum MliCTables MliCTables;

/// The library that the C calls: any of MLI 2.0, or that of this project.
enum MliCLibrary {
  MliCLibraryMli = 0,
  MliCLibraryMliMlir = 1,
};
typedef enum MliCLibrary MliCLibrary;

/// The defaults, for networks of `context`; null for a null context.
MLIR_CAPI_EXPORTED MliCOptions mliCOptionsCreate(MlirContext context);
MLIR_CAPI_EXPORTED void mliCOptionsDestroy(MliCOptions options);

/// Each of these fails, and reports the error, if the value is none.

/// The name of files, and what all symbols begin with: `net` by default.
MLIR_CAPI_EXPORTED MlirLogicalResult mliCOptionsSetName(MliCOptions options,
                                                        MlirStringRef name);

/// The file that the network is from, and its bytes, for comments. Unless a
/// name is set, it also gives the name.
MLIR_CAPI_EXPORTED MlirLogicalResult mliCOptionsSetOrigin(MliCOptions options,
                                                          MlirStringRef path,
                                                          const void *bytes,
                                                          size_t numBytes);

MLIR_CAPI_EXPORTED MlirLogicalResult mliCOptionsSetWeights(MliCOptions options,
                                                           MliCWeights weights);
MLIR_CAPI_EXPORTED MlirLogicalResult mliCOptionsSetMoves(MliCOptions options,
                                                         MliCMoves moves);
MLIR_CAPI_EXPORTED MlirLogicalResult mliCOptionsSetTables(MliCOptions options,
                                                          MliCTables tables);
MLIR_CAPI_EXPORTED MlirLogicalResult mliCOptionsSetLibrary(MliCOptions options,
                                                           MliCLibrary library);

/// Whether files of others in the folder may be written over: false by default.
MLIR_CAPI_EXPORTED MlirLogicalResult
mliCOptionsSetOverwrite(MliCOptions options, bool overwrites);

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

/// Writes the network of `module` to the folder `path`, all files or none, as
/// `mli-compile --emit c` does: the functions that `compile` names, or `main`
/// or the only public one, by its placement, target, arena, modes and options
/// of pipelines. What of these is for this machine, as the runtime, packed
/// weights and threads, the C has not. Null options stand for the defaults. The
/// module stays as it is.
MLIR_CAPI_EXPORTED MlirLogicalResult mliWriteC(MlirModule module,
                                               MliCompileOptions compile,
                                               MliCOptions options,
                                               MlirStringRef path);

#ifdef __cplusplus
}
#endif
// NOLINTEND

#endif // MLI_C_TARGET_H
