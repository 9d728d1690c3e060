// SPDX-License-Identifier: Apache-2.0
//
// Compiles a network for this machine, and describes its functions. They are
// run by mli-c/Invocation.h.
//
// Errors go to the handlers of the context; functions that can fail return a
// null handle or a failure. Of null handles they return that, 0 or an empty
// text, without a report where no context is known.
//
// A context, a program and its functions and ports are read by any number of
// threads at a time. Compiling, parsing and importing change the context: one
// thread at a time. Programs of any contexts are compiled one at a time, the
// others wait; so a handler of diagnostics compiles none.

#ifndef MLI_C_PROGRAM_H
#define MLI_C_PROGRAM_H

#include "mli-c/Support.h"

#include "mlir-c/IR.h"

// NOLINTBEGIN: a C header, in the style of those of MLIR.
#ifdef __cplusplus
extern "C" {
#endif

/// How a module is compiled.
MLI_DEFINE_C_API_STRUCT(MliCompileOptions, void);
/// Machine code of a network, owned by who compiled it.
MLI_DEFINE_C_API_STRUCT(MliProgram, void);
/// A function of a program, as long as that lives.
MLI_DEFINE_C_API_STRUCT(MliFunction, const void);
/// An input or a result of a function, as long as the program lives.
MLI_DEFINE_C_API_STRUCT(MliPort, const void);

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

/// Where kernels find their operands: in plain memory, or in the local memory
/// of the target.
enum MliPlacement {
  MliPlacementSystem = 0,
  MliPlacementLocal = 1,
};
typedef enum MliPlacement MliPlacement;

/// How kernels round halves: as the module says, up, or to the even number.
enum MliRounding {
  MliRoundingUnset = 0,
  MliRoundingUp = 1,
  MliRoundingConvergent = 2,
};
typedef enum MliRounding MliRounding;

/// How kernels of sa8 accumulate: as the module says; products through 16 bits
/// and averages with multipliers of 8; one of them, or both, with all bits.
enum MliAccumulation {
  MliAccumulationUnset = 0,
  MliAccumulationNarrow = 1,
  MliAccumulationFullProducts = 2,
  MliAccumulationFullAverages = 3,
  MliAccumulationFull = 4,
};
typedef enum MliAccumulation MliAccumulation;

/// The defaults, for modules of `context`; null for a null context.
MLIR_CAPI_EXPORTED MliCompileOptions
mliCompileOptionsCreate(MlirContext context);
MLIR_CAPI_EXPORTED void mliCompileOptionsDestroy(MliCompileOptions options);

/// Each of these fails, and reports the error, if the value is none.

/// The runtime that programs call, by default the `libmli.so.0` beside this
/// library. A process loads one.
MLIR_CAPI_EXPORTED MlirLogicalResult mliCompileOptionsSetRuntimeLibrary(
    MliCompileOptions options, MlirStringRef path);

/// Adds a function to run, in place of all that are public.
MLIR_CAPI_EXPORTED MlirLogicalResult
mliCompileOptionsAddEntry(MliCompileOptions options, MlirStringRef name);

MLIR_CAPI_EXPORTED MlirLogicalResult mliCompileOptionsSetPlacement(
    MliCompileOptions options, MliPlacement placement);

/// The target of local placement, as `mliTargetAttrParse` takes it, in place of
/// that of the module.
MLIR_CAPI_EXPORTED MlirLogicalResult
mliCompileOptionsSetTarget(MliCompileOptions options, MlirStringRef target);

/// Threads that may compute a layer with packed weights, at least 1: in system
/// placement.
MLIR_CAPI_EXPORTED MlirLogicalResult
mliCompileOptionsSetThreads(MliCompileOptions options, int32_t threads);

/// The most bytes of the arena, or `min` for the fewest there are: kernels are
/// computed row by row where that takes it. In system placement.
MLIR_CAPI_EXPORTED MlirLogicalResult
mliCompileOptionsSetArena(MliCompileOptions options, MlirStringRef limit);

/// The options of mli-system-pipeline or, with local placement, of
/// mli-local-pipeline, as `packed-weights=none` or `target=vpx mode=4N`. They
/// replace those that other setters set; their errors are found, and reported,
/// by `mliProgramCompile`.
MLIR_CAPI_EXPORTED MlirLogicalResult mliCompileOptionsSetPipelineOptions(
    MliCompileOptions options, MlirStringRef text);

/// The modes in which kernels compute. They hold for all programs of the
/// process: what is compiled while another program lives has to have the same.
MLIR_CAPI_EXPORTED MlirLogicalResult
mliCompileOptionsSetRounding(MliCompileOptions options, MliRounding rounding);
MLIR_CAPI_EXPORTED MlirLogicalResult mliCompileOptionsSetAccumulation(
    MliCompileOptions options, MliAccumulation accumulation);

/// The level, 0 to 3, at which LLVM optimises the code around the kernels: 0 by
/// default. More takes longer to compile and seldom runs faster.
MLIR_CAPI_EXPORTED MlirLogicalResult
mliCompileOptionsSetOptLevel(MliCompileOptions options, int32_t level);

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

/// Compiles a network in TOSA or in mli on tensors; null if it does not
/// compile. Null options stand for the defaults. The module stays as it is, its
/// context has to outlive the program.
MLIR_CAPI_EXPORTED MliProgram mliProgramCompile(MlirModule module,
                                                MliCompileOptions options);

/// Frees a program. Its invocations have to be destroyed before.
MLIR_CAPI_EXPORTED void mliProgramDestroy(MliProgram program);

MLIR_CAPI_EXPORTED intptr_t mliProgramGetNumFunctions(MliProgram program);

/// Function `index`, in the order of the module.
MLIR_CAPI_EXPORTED MliFunction mliProgramGetFunction(MliProgram program,
                                                     intptr_t index);

/// The function of this name; null, without a report, if there is none.
MLIR_CAPI_EXPORTED MliFunction mliProgramLookup(MliProgram program,
                                                MlirStringRef name);

/// How a memory map is written: as text, as JSON or as a picture in SVG.
enum MliMapFormat {
  MliMapFormatText = 0,
  MliMapFormatJson = 1,
  MliMapFormatSvg = 2,
};
typedef enum MliMapFormat MliMapFormat;

/// Writes where each buffer of all functions is, and when, to `callback`, as
/// `mli-run --memory-map` does; docs/guides/memory.md lists the fields of the
/// JSON. The map is made when it is asked for, in the context: by one thread at
/// a time, as a module is changed.
MLIR_CAPI_EXPORTED MlirLogicalResult
mliProgramPrintMemoryMap(MliProgram program, MliMapFormat format,
                         MlirStringCallback callback, void *userData);

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

MLIR_CAPI_EXPORTED MlirStringRef mliFunctionGetName(MliFunction function);

/// Inputs and results, without the state of a network, which invocations keep.
MLIR_CAPI_EXPORTED intptr_t mliFunctionGetNumInputs(MliFunction function);
MLIR_CAPI_EXPORTED MliPort mliFunctionGetInput(MliFunction function,
                                               intptr_t index);
MLIR_CAPI_EXPORTED intptr_t mliFunctionGetNumResults(MliFunction function);
MLIR_CAPI_EXPORTED MliPort mliFunctionGetResult(MliFunction function,
                                                intptr_t index);

/// Numbers that are known of a compiled function. Bytes, where it is nothing
/// else.
enum MliStatistic {
  /// Operations that compute, and those that only move data.
  MliStatisticKernels = 0,
  MliStatisticMoves = 1,
  /// Weights, and those that are packed in addition.
  MliStatisticConstantBytes = 2,
  MliStatisticPackedBytes = 3,
  /// Inputs and results.
  MliStatisticArgumentBytes = 4,
  /// Buffers in between: all, and the most that live at once.
  MliStatisticBufferBytes = 5,
  MliStatisticPeakBytes = 6,
  /// The memory that an invocation has for buffers.
  MliStatisticArenaBytes = 7,
  /// Bytes of each NPU, in local placement: up to the last that holds data, and
  /// the most that do at one time.
  MliStatisticLocalBytes = 8,
  MliStatisticLiveLocalBytes = 9,
  /// Bytes moved into local memory and out of it in one run.
  MliStatisticMovedInBytes = 10,
  MliStatisticMovedOutBytes = 11,
};
typedef enum MliStatistic MliStatistic;

/// One number; -1, with a report, if there is no such one.
MLIR_CAPI_EXPORTED int64_t mliFunctionGetStatistic(MliFunction function,
                                                   MliStatistic statistic);

/// Writes one JSON object to `callback`: `function`, `kernels`, `moves`,
/// `inputs` and `results` [{`name`, `type`, `element`, `shape`, `bytes`,
/// `scales`, `zero_points`, `axis`}], `memory` with all that mli-run --stats
/// prints, and for local placement `local`. docs/guides/c-api.md lists the
/// fields.
MLIR_CAPI_EXPORTED MlirLogicalResult mliFunctionPrintReport(
    MliFunction function, MlirStringCallback callback, void *userData);

/// Writes one JSON object to `callback`: `function`, and `layers` [{`name`,
/// `shape` of the result, with -1 for what is not known, `kernel`, `calls`,
/// `products`, `bytes`}] in the order of a run, the last three as sums over all
/// calls, null where they are not known.
MLIR_CAPI_EXPORTED MlirLogicalResult mliFunctionPrintLayers(
    MliFunction function, MlirStringCallback callback, void *userData);

/// How a report of a network is written: as JSON, or as a page for browsers
/// that needs no network.
enum MliReportFormat {
  MliReportFormatJson = 0,
  MliReportFormatPage = 1,
};
typedef enum MliReportFormat MliReportFormat;

/// Writes all that is known of `function`, which comes first, and of those that
/// it calls to `callback`, as `mli-run --report` does but for the size of code;
/// docs/guides/report.md lists the fields of the JSON. It is made when it is
/// asked for, in the context: by one thread at a time, as a module is changed.
MLIR_CAPI_EXPORTED MlirLogicalResult
mliFunctionPrintNetworkReport(MliFunction function, MliReportFormat format,
                              MlirStringCallback callback, void *userData);

//===----------------------------------------------------------------------===//
// Ports
//===----------------------------------------------------------------------===//

/// What a caller holds of each element.
enum MliElement {
  MliElementInt8 = 0,
  MliElementUInt8 = 1,
  MliElementInt16 = 2,
  MliElementInt32 = 3,
  MliElementFloat32 = 4,
};
typedef enum MliElement MliElement;

/// The name that the network gives it; empty if it gives none.
MLIR_CAPI_EXPORTED MlirStringRef mliPortGetName(MliPort port);

/// The tensor type of the compiled function. Quantised values that a caller
/// holds as uint8 are int8 in it.
MLIR_CAPI_EXPORTED MlirType mliPortGetType(MliPort port);
MLIR_CAPI_EXPORTED MliElement mliPortGetElement(MliPort port);
MLIR_CAPI_EXPORTED intptr_t mliPortGetRank(MliPort port);
MLIR_CAPI_EXPORTED int64_t mliPortGetDimSize(MliPort port, intptr_t dim);

/// The bytes of its buffer: elements in row-major order without gaps.
MLIR_CAPI_EXPORTED size_t mliPortGetNumBytes(MliPort port);

/// Elements of quantised tensors stand for `(element - zeroPoint) * scale`.
/// There is one pair for the whole tensor, or one for each index of dimension
/// `mliPortGetAxis`, which is -1 otherwise; none for tensors of plain integers
/// and float32.
MLIR_CAPI_EXPORTED intptr_t mliPortGetNumScales(MliPort port);
MLIR_CAPI_EXPORTED double mliPortGetScale(MliPort port, intptr_t index);
MLIR_CAPI_EXPORTED int32_t mliPortGetZeroPoint(MliPort port, intptr_t index);
MLIR_CAPI_EXPORTED int32_t mliPortGetAxis(MliPort port);

#ifdef __cplusplus
}
#endif
// NOLINTEND

#endif // MLI_C_PROGRAM_H
