// SPDX-License-Identifier: Apache-2.0
//
// Compiles a network and runs it on tensors from files.

#include "Diagnostics.h"
#include "ImportFlags.h"
#include "Input.h"
#include "Inputs.h"
#include "MemoryMapFlag.h"
#include "ModeFlags.h"
#include "NetworkFile.h"
#include "OperationNames.h"
#include "PerLayer.h"
#include "PlacementFlags.h"
#include "ReportFlag.h"
#include "Run.h"
#include "RunHelp.h"
#include "RuntimePath.h"
#include "Sweep.h"
#include "TosaHints.h"

#include "mli/Pipelines/Pipelines.h"
#include "mli/Support/OutputFiles.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace mli;
namespace cl = llvm::cl;

//===----------------------------------------------------------------------===//
// Command line
//===----------------------------------------------------------------------===//

static RunOptions options;
static cl::OptionCategory category("mli-run options");

template <typename T>
using Option = cl::opt<T, /*ExternalStorage=*/true>;
using ListOption = cl::list<std::string, std::vector<std::string>>;

static cl::opt<std::string> model(cl::Positional,
                                  cl::desc("MODEL.mlir|MODEL.tflite"),
                                  cl::Required, cl::cat(category));
static ListOption inputs("input", cl::location(options.inputs),
                         cl::desc("A tensor for the next input, or for the one "
                                  "of this name or number"),
                         cl::value_desc("[NAME=|INDEX=]FILE.npy"),
                         cl::cat(category));
static Option<std::string>
    outputDir("output-dir", cl::location(options.outputDir),
              cl::desc("Write result K to DIR/output_K.npy, all or none"),
              cl::value_desc("DIR"), cl::cat(category));
static ListOption
    references("compare", cl::location(options.references),
               cl::desc("Compare the next result with this tensor "
                        "and fail if they differ"),
               cl::value_desc("FILE.npy"), cl::cat(category));
static Option<std::string>
    layersDir("layers", cl::location(options.layersDir),
              cl::desc("Instead of the network run each kernel alone on what "
                       "the files opNN_<op>_t<tensor>.npy in DIR recorded"),
              cl::value_desc("DIR"), cl::cat(category));
static RecordFlags records(options.records, category);
static Option<unsigned>
    topCount("top", cl::location(options.topCount),
             cl::desc("Print the K greatest elements of each result"),
             cl::value_desc("K"), cl::cat(category));
static Option<std::string>
    labelsFile("labels", cl::location(options.labelsFile),
               cl::desc("Names of the elements for --top, one a line"),
               cl::value_desc("FILE"), cl::cat(category));
static Option<unsigned>
    repeat("repeat", cl::location(options.repeat),
           cl::desc("Run N times; --stats gives the median"),
           cl::value_desc("N"), cl::init(1), cl::cat(category));
static Option<unsigned> benchmarkRuns(
    "benchmark", cl::location(options.benchmarkRuns),
    cl::desc("Run N times for the median latency, and N times more "
             "for that of each kernel"),
    cl::value_desc("N"), cl::cat(category));
static PerLayerFlag perLayer(category);
static Option<std::string> profileFile(
    "profile", cl::location(options.profileFile),
    cl::desc("Write when each call begins and ends in one more run, in the "
             "Trace Event Format that Perfetto shows"),
    cl::value_desc("FILE.json"), cl::cat(category));
static PipelineFlag<PackOrder> packedWeights("packed-weights",
                                             options.compile.packing.order,
                                             category, packOrderValues());
/// Unregisters LLVM's option `name`, which is for its developers.
static bool freeOption(StringRef name) {
  if (cl::Option *option = cl::getRegisteredOptions().lookup(name))
    option->removeArgument();
  return true;
}
static const bool isThreadsFree = freeOption("threads");
static PipelineFlag<ThreadCount> threads("threads",
                                         options.compile.packing.threads,
                                         category, cl::value_desc("N"));
static cl::opt<std::string>
    entryName("entry",
              cl::desc("The function to run, if not 'main' or the "
                       "only public one"),
              cl::value_desc("NAME"), cl::cat(category));
static LocalOptions &local = options.compile.local;
static PlacementFlags placement(options.compile.placement, local, category);
static StreamFlags streams(options.compile.packing, category);
static ModeFlags modes(options.compile.modes, category);
static MemoryMapFlag memoryMap(category);
static ReportFlag reportFlag(category);
static cl::opt<std::string> pipelineOptions(
    "pipeline-options",
    cl::desc("Options of mli-system-pipeline or, with --placement local, of "
             "mli-local-pipeline; they replace those that other flags set"),
    cl::value_desc("NAME=VALUE ..."), cl::cat(category));
static tflite::ImportOptions importOptions;
static ImportFlags importFlags(importOptions, category);
static TosaOptions tosaOptions;
static TosaFlags tosaFlags(tosaOptions, category);
static cl::opt<bool>
    isInspected("inspect",
                cl::desc("Do not run: say whether the network runs, what "
                         "blocks it, and what would run"),
                cl::cat(category));
static Option<std::string>
    runtimeLibrary("runtime", cl::location(options.compile.runtimeLibrary),
                   cl::desc("The runtime to call, if not ../lib/libmli.so.0 "
                            "beside this program's folder"),
                   cl::value_desc("libmli.so"), cl::cat(category));

static SweepFlags sweep(category);
static ProgressFlag progressFlag(category);

static const bool isStatsFree = freeOption("stats");
static Option<bool>
    printStatistics("stats", cl::location(options.printStatistics),
                    cl::desc("Print memory, number of kernels and times"),
                    cl::cat(category));

//===----------------------------------------------------------------------===//
// Main
//===----------------------------------------------------------------------===//

/// Checks that options of a placement stand with that placement.
static llvm::Error checkPlacement() {
  if (llvm::Error error = placement.check())
    return error;
  if (llvm::Error error = streams.check(options.compile.placement))
    return error;
  if (options.compile.placement == Placement::System)
    return llvm::Error::success();
  bool packs = options.compile.packing.order != PackOrder::None;
  bool isRequested =
      packedWeights.getNumOccurrences() > 0 || threads.getNumOccurrences() > 0;
  if (packs && isRequested)
    return llvm::createStringError(
        "expected '--packed-weights' and '--threads' with '--placement "
        "system', "
        "where kernels do not read weights that were moved, but got local");
  return llvm::Error::success();
}

/// The flags that only a run of a whole network takes.
static SmallVector<const cl::Option *> getRunFlags() {
  return {&outputDir,   &references,      &topCount,
          &repeat,      &printStatistics, &benchmarkRuns,
          &profileFile, &records.record,  &records.compareWith};
}

/// Those that `--sweep`, which neither runs nor keeps a program, leaves no use.
static SmallVector<const cl::Option *> getFlagsAgainstSweep() {
  SmallVector<const cl::Option *> flags = getRunFlags();
  flags.append({&inputs, &labelsFile, &layersDir, &perLayer, &memoryMap.path,
                &reportFlag.path, &isInspected, &placement.explain,
                &packedWeights, &threads});
  return flags;
}

/// Whether nothing is requested but what compiling tells.
static bool isCompiledOnly() {
  bool isReported = memoryMap.path.getNumOccurrences() > 0 ||
                    reportFlag.path.getNumOccurrences() > 0;
  return isReported && options.inputs.empty() &&
         llvm::all_of(getRunFlags(), [](const cl::Option *option) {
           return option->getNumOccurrences() == 0;
         });
}

/// Checks that options for a whole network do not stand with `--layers`, and
/// that none for a run stands with `--inspect`.
static llvm::Error checkAlone() {
  SmallVector<const cl::Option *> others = getRunFlags();
  others.append({&memoryMap.path, &reportFlag.path});
  const cl::Option *alone = &layersDir;
  if (isInspected) {
    others.append({&inputs, &layersDir, &placement.explain});
    alone = &isInspected;
  } else if (layersDir.getNumOccurrences() == 0)
    return llvm::Error::success();
  else if (placement.explain == Explanation::Table)
    others.push_back(&placement.explain);
  for (const cl::Option *option : others)
    if (option->getNumOccurrences() > 0)
      return llvm::createStringError("expected '--" + alone->ArgStr +
                                     "' without '--" + option->ArgStr +
                                     "', but got both");
  return llvm::Error::success();
}

/// Says whether the network in `file` runs, and returns the exit code.
static int inspect(const NetworkFile &file, MLIRContext &context) {
  FailureOr<Verdict> verdict =
      file.judge(context, importOptions, tosaOptions, entryName);
  if (failed(verdict))
    return EXIT_FAILURE;
  printVerdict(llvm::outs(), *verdict, model);
  return EXIT_SUCCESS;
}

/// Sets the options of the pipeline for the placement from their text.
static llvm::Error readPipelineOptions() {
  bool isLocal = options.compile.placement == Placement::Local;
  if (failed(isLocal
                 ? local.parseFromString(pipelineOptions)
                 : options.compile.packing.parseFromString(pipelineOptions)))
    return llvm::createStringError(
        "expected '--pipeline-options' to be options of " +
        Twine(isLocal ? "mli-local-pipeline" : "mli-system-pipeline") +
        ", but got '" + pipelineOptions + "'");
  return llvm::Error::success();
}

/// Checks all that does not depend on the network.
static llvm::Error checkOptions() {
  if (llvm::Error error = sweep.check(options.compile, getFlagsAgainstSweep()))
    return error;
  if (llvm::Error error = readPipelineOptions())
    return error;
  for (const Option<std::string> *option :
       std::initializer_list<const Option<std::string> *>{
           &outputDir, &layersDir, &labelsFile, &placement.overrides,
           &streams.streams, &profileFile, &runtimeLibrary})
    if (option->getNumOccurrences() > 0 && option->getValue().empty())
      return llvm::createStringError("expected '--" + option->ArgStr +
                                     "' to be a path, but got ''");
  if (entryName.getNumOccurrences() > 0 && entryName.empty())
    return llvm::createStringError(
        "expected '--entry' to be a name, but got ''");
  if (options.repeat == 0)
    return llvm::createStringError(
        "expected '--repeat' to be at least 1, but got 0");
  if (benchmarkRuns.getNumOccurrences() > 0 && options.benchmarkRuns == 0)
    return llvm::createStringError(
        "expected '--benchmark' to be at least 1, but got 0");
  if (llvm::Error error = perLayer.check(options.benchmarkRuns))
    return error;
  options.perLayer = perLayer.getFile();
  if (topCount.getNumOccurrences() > 0 && options.topCount == 0)
    return llvm::createStringError(
        "expected '--top' to be at least 1, but got 0");
  if (options.compile.packing.threads > 1 &&
      options.compile.packing.order == PackOrder::None)
    return llvm::createStringError("expected '--threads' without "
                                   "'--packed-weights=none', but got both");
  if (!options.labelsFile.empty() && options.topCount == 0)
    return llvm::createStringError(
        "expected '--labels' with '--top', but got no elements to print");
  if (llvm::Error error = memoryMap.check())
    return error;
  if (llvm::Error error = reportFlag.check())
    return error;
  if (llvm::Error error = checkAlone())
    return error;
  if (llvm::Error error =
          records.check({&benchmarkRuns, &profileFile},
                        references.getNumOccurrences() > 0, options.outputDir))
    return error;
  return checkPlacement();
}

/// Adds the passes that a network is compiled by, and before them those by
/// which layers find their records.
static void addPasses(OpPassManager &passes) {
  if (!options.layersDir.empty() || !options.records.compareDir.empty()) {
    buildTargetPipeline(passes, local);
    buildTensorPipeline(passes);
  }
  buildTargetPipeline(passes, local);
  buildTensorPipeline(passes);
  if (options.compile.placement == Placement::Local)
    buildLocalBufferPipeline(passes, local);
  else
    buildBufferPipeline(passes, options.compile.packing);
  buildCallPipeline(passes);
}

static int runTool(int argc, char **argv) {
  assert(isStatsFree && isThreadsFree && "unregistered before the options");
  setRunHelp(category);
  cl::ParseCommandLineOptions(argc, argv);
  if (llvm::Error error = checkOptions())
    return exitStatus(std::move(error));
  options.printParts = placement.explain == Explanation::Table;
  if (options.compile.runtimeLibrary.empty())
    options.compile.runtimeLibrary = findRuntime(argv[0]);
  DialectRegistry registry;
  registerDialects(registry);
  addTosaHints(registry);
  auto file = NetworkFile::read(model, registry);
  if (!file)
    return exitStatus(file.takeError());
  if (llvm::Error error = importFlags.check(*file, model))
    return exitStatus(std::move(error));
  if (llvm::Error error = tosaFlags.check(*file, model))
    return exitStatus(std::move(error));

  MLIRContext context(registry);
  context.printOpOnDiagnostic(false);
  SourceMgrDiagnosticHandler placed(*file->getSources(), &context);
  NamedDiagnosticHandler named(&context);
  if (isInspected)
    return inspect(*file, context);
  OwningOpRef<ModuleOp> module =
      file->parse(context, importOptions, tosaOptions);
  if (!module)
    return EXIT_FAILURE;
  // Names are for people: what is compiled is the same without.
  if (options.records.recordsLayers())
    nameOperations(*module, file->getBuffer());
  if (failed(checkModule(*module)))
    return EXIT_FAILURE;
  if (llvm::Error error = importFlags.checkForms(*file, *module, model))
    return exitStatus(std::move(error));
  if (failed(importFlags.raise(*module)))
    return EXIT_FAILURE;
  if (llvm::Error error = placement.checkTarget(*module))
    return exitStatus(std::move(error));
  FailureOr<func::FuncOp> entry = selectEntry(*module, entryName);
  if (failed(entry))
    return EXIT_FAILURE;
  Progress progress(progressFlag.mode);
  if (sweep.isRequested()) {
    auto fits = sweep.run(*entry, model, options.compile, progress);
    return fits ? !*fits : exitStatus(fits.takeError());
  }
  PassProgress passes(progress, context, addPasses);
  options.whenCompiled = [&] { progress.clear(); };
  std::vector<std::string> names = getArgumentNames(*entry, file->getBuffer());
  memoryMap.addTo(options);
  reportFlag.addTo(options);
  options.isCompiledOnly = isCompiledOnly();
  auto isAsExpected = options.layersDir.empty()
                          ? runNetwork(*entry, names, options)
                          : runLayers(*entry, names, options);
  progress.clear();
  if (!isAsExpected)
    return exitStatus(isAsExpected.takeError());
  return *isAsExpected ? EXIT_SUCCESS : EXIT_FAILURE;
}

int main(int argc, char **argv) {
  prepareStandardStreams();
  llvm::InitLLVM init(argc, argv);
  return runOnLargeStack([&] { return runTool(argc, argv); });
}
