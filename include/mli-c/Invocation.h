// SPDX-License-Identifier: Apache-2.0
//
// Runs functions of compiled networks on a caller's buffers.
//
// Invocations of programs in system placement run in any number of threads, one
// thread at a time each. The local memory of a process is one: of programs in
// local placement one runs at a time, the others wait.

#ifndef MLI_C_INVOCATION_H
#define MLI_C_INVOCATION_H

#include "mli-c/Program.h"

// NOLINTBEGIN: a C header, in the style of those of MLIR.
#ifdef __cplusplus
extern "C" {
#endif

/// A function with its state and the memory that it needs to run again and
/// again.
MLI_DEFINE_C_API_STRUCT(MliInvocation, void);

/// The bytes of an input: as many as `mliPortGetNumBytes` tells.
struct MliInputBuffer {
  const void *data;
  size_t numBytes;
};
typedef struct MliInputBuffer MliInputBuffer;

/// The bytes that a result is written to: as many as `mliPortGetNumBytes`
/// tells.
struct MliResultBuffer {
  void *data;
  size_t numBytes;
};
typedef struct MliResultBuffer MliResultBuffer;

/// Prepares runs of `function`, with its state as it is at first; null for a
/// null function.
MLIR_CAPI_EXPORTED MliInvocation mliInvocationCreate(MliFunction function);
MLIR_CAPI_EXPORTED void mliInvocationDestroy(MliInvocation invocation);

/// Computes the results of one step. Inputs are read before any result is
/// written, so that buffers may overlap. Fails, and reports the error to the
/// handlers of the program's context, if the buffers are not those of the
/// function, or with the kernel that failed, where and why; then no result is
/// written, and the state is what it was.
MLIR_CAPI_EXPORTED MlirLogicalResult mliInvocationRun(
    MliInvocation invocation, intptr_t numInputs, const MliInputBuffer *inputs,
    intptr_t numResults, const MliResultBuffer *results);

/// Runs the step twice, first to warm up, and writes of the second when each
/// call of a kernel or a move begins and ends to `callback`, as one JSON object
/// in the Trace Event Format that Perfetto shows, with the layer of each. The
/// state stays as it is. While it runs, other runs wait.
MLIR_CAPI_EXPORTED MlirLogicalResult mliInvocationPrintTrace(
    MliInvocation invocation, intptr_t numInputs, const MliInputBuffer *inputs,
    MlirStringCallback callback, void *userData);

/// Sets the state back to what it is at first: for another sequence.
MLIR_CAPI_EXPORTED MlirLogicalResult
mliInvocationReset(MliInvocation invocation);

/// One step of the function `name` of a program, in an invocation of its own.
MLIR_CAPI_EXPORTED MlirLogicalResult
mliProgramInvoke(MliProgram program, MlirStringRef name, intptr_t numInputs,
                 const MliInputBuffer *inputs, intptr_t numResults,
                 const MliResultBuffer *results);

#ifdef __cplusplus
}
#endif
// NOLINTEND

#endif // MLI_C_INVOCATION_H
