// SPDX-License-Identifier: Apache-2.0

#include "Handles.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <dlfcn.h>

using namespace mlir;
using namespace mli;
using namespace mli::capi;

//===----------------------------------------------------------------------===//
// Setters
//===----------------------------------------------------------------------===//

MliCompileOptions mliCompileOptionsCreate(MlirContext context) {
  MLIRContext *found = ::unwrap(context);
  if (!found)
    return {nullptr};
  return {new OptionsHandle{found, {}, {}}};
}

void mliCompileOptionsDestroy(MliCompileOptions options) {
  delete unwrap(options);
}

static MlirLogicalResult toResult(bool isSet) {
  return isSet ? mlirLogicalResultSuccess() : mlirLogicalResultFailure();
}

/// Whether `options` are some and `text` is one that is not empty; if not, the
/// reason is reported, unless they are null.
static bool isGiven(MliCompileOptions options, MlirStringRef text,
                    StringRef what) {
  if (!unwrap(options))
    return false;
  if (isText(text) && text.length > 0)
    return true;
  emitError(unwrap(options)->context)
      << "expected " << what << ", but got an empty text";
  return false;
}

MlirLogicalResult mliCompileOptionsSetRuntimeLibrary(MliCompileOptions options,
                                                     MlirStringRef path) {
  if (!isGiven(options, path, "the path of a runtime"))
    return mlirLogicalResultFailure();
  unwrap(options)->compile.runtimeLibrary = ::unwrap(path).str();
  return mlirLogicalResultSuccess();
}

MlirLogicalResult mliCompileOptionsAddEntry(MliCompileOptions options,
                                            MlirStringRef name) {
  if (!isGiven(options, name, "the name of a function"))
    return mlirLogicalResultFailure();
  unwrap(options)->compile.entries.push_back(::unwrap(name).str());
  return mlirLogicalResultSuccess();
}

MlirLogicalResult mliCompileOptionsSetTarget(MliCompileOptions options,
                                             MlirStringRef target) {
  if (!isGiven(options, target, "the text of a target"))
    return mlirLogicalResultFailure();
  std::string error;
  std::string text = ::unwrap(target).str();
  if (!layout::parseTarget(text, error)) {
    emitError(unwrap(options)->context) << error;
    return mlirLogicalResultFailure();
  }
  unwrap(options)->compile.local.target = text;
  unwrap(options)->isForLocal = true;
  return mlirLogicalResultSuccess();
}

MlirLogicalResult mliCompileOptionsSetArena(MliCompileOptions options,
                                            MlirStringRef limit) {
  if (!isGiven(options, limit, "a limit of the arena"))
    return mlirLogicalResultFailure();
  std::optional<ArenaLimit> parsed = ArenaLimit::parse(::unwrap(limit));
  // ST7
  if (!parsed) {
    emitError(unwrap(options)->context)
        << "expected a number of bytes from 1 to 2^60, min or none, but got '"
        << ::unwrap(limit) << "'";
    return mlirLogicalResultFailure();
  }
  unwrap(options)->compile.packing.arena = *parsed;
  unwrap(options)->isForSystem = true;
  return mlirLogicalResultSuccess();
}

MlirLogicalResult mliCompileOptionsSetPipelineOptions(MliCompileOptions options,
                                                      MlirStringRef text) {
  if (!isGiven(options, text, "options of a pipeline"))
    return mlirLogicalResultFailure();
  unwrap(options)->pipeline = ::unwrap(text).str();
  return mlirLogicalResultSuccess();
}

/// Whether `options` are some and `value` is in [least, most]; if not, the
/// reason is reported, unless they are null.
static bool isInRange(MliCompileOptions options, int64_t value, int64_t least,
                      int64_t most, StringRef what) {
  if (!unwrap(options))
    return false;
  if (value >= least && value <= most)
    return true;
  emitError(unwrap(options)->context)
      << "expected " << what << " to be in [" << least << ", " << most
      << "], but got " << value;
  return false;
}

MlirLogicalResult mliCompileOptionsSetThreads(MliCompileOptions options,
                                              int32_t threads) {
  if (!isInRange(options, threads, 1, INT32_MAX, "the number of threads"))
    return mlirLogicalResultFailure();
  unwrap(options)->compile.packing.threads = threads;
  unwrap(options)->isForSystem = true;
  return mlirLogicalResultSuccess();
}

MlirLogicalResult mliCompileOptionsSetPlacement(MliCompileOptions options,
                                                MliPlacement placement) {
  auto value = static_cast<int64_t>(placement);
  if (!isInRange(options, value, MliPlacementSystem, MliPlacementLocal,
                 "the placement"))
    return mlirLogicalResultFailure();
  unwrap(options)->compile.placement =
      value == MliPlacementLocal ? Placement::Local : Placement::System;
  return mlirLogicalResultSuccess();
}

static_assert(int(RoundingMode::Unset) == MliRoundingUnset &&
              int(RoundingMode::Up) == MliRoundingUp &&
              int(RoundingMode::Convergent) == MliRoundingConvergent);
static_assert(int(AccumulationMode::Narrow) == MliAccumulationNarrow &&
              int(AccumulationMode::Full) == MliAccumulationFull);

MlirLogicalResult mliCompileOptionsSetRounding(MliCompileOptions options,
                                               MliRounding rounding) {
  auto value = static_cast<int64_t>(rounding);
  bool isMode = isInRange(options, value, MliRoundingUnset,
                          MliRoundingConvergent, "the rounding");
  if (isMode)
    unwrap(options)->compile.modes.rounding = static_cast<RoundingMode>(value);
  return toResult(isMode);
}

MlirLogicalResult
mliCompileOptionsSetAccumulation(MliCompileOptions options,
                                 MliAccumulation accumulation) {
  auto value = static_cast<int64_t>(accumulation);
  bool isMode = isInRange(options, value, MliAccumulationUnset,
                          MliAccumulationFull, "the accumulation");
  if (isMode)
    unwrap(options)->compile.modes.accumulation =
        static_cast<AccumulationMode>(value);
  return toResult(isMode);
}

MlirLogicalResult mliCompileOptionsSetOptLevel(MliCompileOptions options,
                                               int32_t level) {
  bool isLevel = isInRange(options, level, 0, 3, "the optimisation level");
  if (isLevel)
    unwrap(options)->compile.optLevel = level;
  return toResult(isLevel);
}

//===----------------------------------------------------------------------===//
// Together
//===----------------------------------------------------------------------===//

/// The runtime in the folder of this library.
static std::string findRuntime() {
  Dl_info info;
  if (dladdr(reinterpret_cast<void *>(&mliProgramCompile), &info) == 0)
    return MLI_RUNTIME_FILE;
  llvm::SmallString<128> path;
  if (llvm::sys::fs::real_path(info.dli_fname, path))
    path = info.dli_fname;
  llvm::sys::path::remove_filename(path);
  llvm::sys::path::append(path, MLI_RUNTIME_FILE);
  return path.str().str();
}

/// Sets the options of the pipeline from their text.
static LogicalResult readPipeline(const OptionsHandle &options,
                                  CompileOptions &compile) {
  bool isLocal = compile.placement == Placement::Local;
  std::string errors;
  llvm::raw_string_ostream stream(errors);
  if (succeeded(
          isLocal ? compile.local.parseFromString(options.pipeline, stream)
                  : compile.packing.parseFromString(options.pipeline, stream)))
    return success();
  InFlightDiagnostic diagnostic =
      emitError(options.context)
      << "expected options of "
      << (isLocal ? "mli-local-pipeline" : "mli-system-pipeline")
      << ", but got '" << options.pipeline << "'";
  if (!errors.empty())
    diagnostic.attachNote() << StringRef(errors).trim();
  return diagnostic;
}

FailureOr<CompileOptions> capi::finish(const OptionsHandle &options) {
  CompileOptions compile = options.compile;
  bool isLocal = compile.placement == Placement::Local;
  if (isLocal && options.isForSystem)
    return emitError(options.context)
           << "expected an arena and threads with system placement, but got "
              "local";
  if (!isLocal && options.isForLocal)
    return emitError(options.context)
           << "expected a target with local placement, but got system";
  if (failed(readPipeline(options, compile)))
    return failure();
  // Traces name them. Few programs are traced, so none keeps the estimate of a
  // whole run.
  compile.findsLayers = true;
  if (compile.runtimeLibrary.empty())
    compile.runtimeLibrary = findRuntime();
  return compile;
}
