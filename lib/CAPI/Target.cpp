// SPDX-License-Identifier: Apache-2.0

#include "mli-c/Target.h"

#include "Handles.h"

#include "mli/Target/Package.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace mli;
using namespace mli::capi;

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

namespace {

struct COptionsHandle {
  MLIRContext *context;
  COptions options;
  bool hasName = false, overwrites = false;
};

} // namespace

static COptionsHandle *unwrap(MliCOptions options) {
  return static_cast<COptionsHandle *>(options.ptr);
}

MliCOptions mliCOptionsCreate(MlirContext context) {
  if (!context.ptr)
    return {nullptr};
  return {new COptionsHandle{::unwrap(context), {}}};
}

void mliCOptionsDestroy(MliCOptions options) { delete unwrap(options); }

MlirLogicalResult mliCOptionsSetName(MliCOptions options, MlirStringRef name) {
  if (!options.ptr)
    return mlirLogicalResultFailure();
  COptionsHandle &handle = *unwrap(options);
  StringRef text = isText(name) ? ::unwrap(name) : StringRef();
  std::string problem = checkCName(text);
  if (!problem.empty()) {
    emitError(handle.context) << problem;
    return mlirLogicalResultFailure();
  }
  handle.options.name = text.str();
  handle.hasName = true;
  return mlirLogicalResultSuccess();
}

MlirLogicalResult mliCOptionsSetOrigin(MliCOptions options, MlirStringRef path,
                                       const void *bytes, size_t numBytes) {
  if (!options.ptr)
    return mlirLogicalResultFailure();
  COptionsHandle &handle = *unwrap(options);
  if (!isText(path) || path.length == 0 || !bytes) {
    emitError(handle.context)
        << "expected the path and the bytes of a network, but got none";
    return mlirLogicalResultFailure();
  }
  handle.options.origin = describeCOrigin(
      ::unwrap(path), StringRef(static_cast<const char *>(bytes), numBytes));
  if (!handle.hasName)
    handle.options.name = makeCName(llvm::sys::path::stem(::unwrap(path)));
  return mlirLogicalResultSuccess();
}

/// Sets `member` to the value of `ours`, in the order of the C enumeration,
/// that `value` numbers.
template <typename Form>
static MlirLogicalResult setForm(MliCOptions options, Form COptions::*member,
                                 uint32_t value, ArrayRef<Form> ours) {
  if (!options.ptr)
    return mlirLogicalResultFailure();
  if (value >= ours.size()) {
    emitError(unwrap(options)->context)
        << "expected a form of C, but got the number " << value;
    return mlirLogicalResultFailure();
  }
  unwrap(options)->options.*member = ours[value];
  return mlirLogicalResultSuccess();
}

MlirLogicalResult mliCOptionsSetWeights(MliCOptions options,
                                        MliCWeights weights) {
  return setForm<CWeights>(
      options, &COptions::weights, static_cast<uint32_t>(weights),
      {CWeights::Source, CWeights::Inline, CWeights::Blob});
}

MlirLogicalResult mliCOptionsSetMoves(MliCOptions options, MliCMoves moves) {
  return setForm<CMoves>(options, &COptions::moves,
                         static_cast<uint32_t>(moves),
                         {CMoves::Sync, CMoves::Async, CMoves::Hook});
}

MlirLogicalResult mliCOptionsSetTables(MliCOptions options, MliCTables tables) {
  return setForm<CTables>(options, &COptions::tables,
                          static_cast<uint32_t>(tables),
                          {CTables::Call, CTables::Once});
}

MlirLogicalResult mliCOptionsSetLibrary(MliCOptions options,
                                        MliCLibrary library) {
  return setForm<CLibrary>(options, &COptions::library,
                           static_cast<uint32_t>(library),
                           {CLibrary::Mli, CLibrary::MliMlir});
}

MlirLogicalResult mliCOptionsSetOverwrite(MliCOptions options,
                                          bool overwrites) {
  if (!options.ptr)
    return mlirLogicalResultFailure();
  unwrap(options)->overwrites = overwrites;
  return mlirLogicalResultSuccess();
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

/// What C has of the options of system placement.
static void copyOptions(const PackingOptions &from, CPipelineOptions &to) {
  to.rounding = from.rounding;
  to.accumulation = from.accumulation;
  to.quant = from.quant;
  to.arena = from.arena;
  to.recompute = from.recompute;
  to.streams = from.streams;
  to.explainStreams = from.explainStreams;
}

/// Lowers `module` to what C is printed of.
static LogicalResult lower(ModuleOp module, CompileOptions compile,
                           CMoves moves) {
  attachComputingModes(module, compile);
  PassManager passes(module.getContext());
  if (compile.placement == Placement::Local) {
    chooseDoubleBuffering(compile.local, module, moves);
    buildLocalCPipeline(passes, compile.local);
  } else {
    CPipelineOptions system;
    copyOptions(compile.packing, system);
    buildCPipeline(passes, system);
  }
  return passes.run(module);
}

/// The options that C is written with; nothing, with a report, if `module` or
/// they are wrong.
static FailureOr<CompileOptions>
prepare(ModuleOp module, MliCompileOptions compile, COptions &options) {
  MLIRContext *context = module.getContext();
  if (!hasDialects(context) || failed(verify(module)))
    return failure();
  const OptionsHandle defaults = {context, {}, {}};
  auto finished = finish(compile.ptr ? *unwrap(compile) : defaults);
  if (failed(finished) || failed(checkModule(module)))
    return failure();
  auto entries = selectEntries(module, finished->entries);
  if (failed(entries))
    return failure();
  options.entries = std::move(*entries);
  if (options.moves == CMoves::Async &&
      finished->placement == Placement::System)
    return emitError(context) << "expected moves beside kernels with local "
                                 "placement, but got system";
  return finished;
}

MlirLogicalResult mliWriteC(MlirModule module, MliCompileOptions compile,
                            MliCOptions options, MlirStringRef path) {
  if (!module.ptr)
    return mlirLogicalResultFailure();
  ModuleOp network = ::unwrap(module);
  MLIRContext *context = network.getContext();
  const COptionsHandle defaults = {context, {}};
  COptionsHandle written = options.ptr ? *unwrap(options) : defaults;
  if (written.context != context ||
      (compile.ptr && unwrap(compile)->context != context)) {
    emitError(context) << "expected options and a module of one context, but "
                          "got two";
    return mlirLogicalResultFailure();
  }
  if (!isText(path) || path.length == 0) {
    emitError(context)
        << "expected the path of a folder, but got an empty text";
    return mlirLogicalResultFailure();
  }
  auto finished = prepare(network, compile, written.options);
  if (failed(finished))
    return mlirLogicalResultFailure();
  OwningOpRef<ModuleOp> copy = network.clone();
  if (failed(lower(*copy, std::move(*finished), written.options.moves)))
    return mlirLogicalResultFailure();
  FailureOr<std::vector<CFile>> files = printC(*copy, written.options);
  if (failed(files))
    return mlirLogicalResultFailure();
  if (llvm::Error error =
          writePackage(::unwrap(path), *files, written.overwrites)) {
    emitError(context) << llvm::toString(std::move(error));
    return mlirLogicalResultFailure();
  }
  return mlirLogicalResultSuccess();
}
