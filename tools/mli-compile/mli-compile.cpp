// SPDX-License-Identifier: Apache-2.0
//
// Compiles a network to sources for another machine.

#include "Diagnostics.h"
#include "Help.h"
#include "ImportFlags.h"
#include "Input.h"
#include "Inputs.h"
#include "ModeFlags.h"
#include "NetworkFile.h"
#include "PlacementFlags.h"
#include "Progress.h"
#include "RuntimePath.h"
#include "TosaHints.h"
#include "Vectors.h"

#include "mli/Analysis/PartRecord.h"
#include "mli/Pipelines/Pipelines.h"
#include "mli/Support/OutputFiles.h"
#include "mli/Target/Object.h"
#include "mli/Target/Package.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;
using namespace mli;
namespace cl = llvm::cl;

//===----------------------------------------------------------------------===//
// Command line
//===----------------------------------------------------------------------===//

static const char purpose[] =
    R"(Compile a network, in TFLite, TOSA or mli on tensors, to C99 or to an object that
calls the functions of MLI 2.0, for a compiler and a library of your own.
)";

static const char sections[] = R"(
EXAMPLES:
  mli-compile net.tflite --emit c -o net
  mli-compile net.tflite --emit c -o build/net --name net --weights blob
  mli-compile net.tflite --emit c -o local --placement local --target vpx --moves async
  mli-compile net.tflite --emit c -o npus --placement local --target bm1684 --library mli-mlir
  mli-compile net.tosa.mlir --emit c -o tested --vectors picture.npy
  mli-compile net.tflite --emit object --triple riscv64-linux-gnu -o object
  mli-compile net.tflite --emit shared --triple aarch64-linux-gnu --cpu cortex-a53 -o shared

EXIT CODES:
  0  all files are written
  1  there were errors; none is written

FILES:
  The folder holds the header, the source and the constants of the kernels, or an object
  or a shared library of both, a program that runs and compares, a CMakeLists.txt and the
  sizes as JSON: docs/guides/c.md. That program reads files or, with --vectors, has inside
  what it runs on and what this machine gives for that.
  Tensors are .npy files, codes where the network is quantised.
  Tiles and costs (JSON): docs/guides/tiling.md; streams (JSON): docs/guides/streams.md
)";

static cl::OptionCategory category("mli-compile options");

static cl::opt<std::string> model(cl::Positional,
                                  cl::desc("MODEL.mlir|MODEL.tflite"),
                                  cl::Required, cl::cat(category));
enum class Form { C, Object, Shared };
static cl::opt<Form>
    form("emit", cl::desc("What to write"),
         cl::values(clEnumValN(Form::C, "c", "C99"),
                    clEnumValN(Form::Object, "object", "An object"),
                    clEnumValN(Form::Shared, "shared",
                               "A shared library, which the linker makes")),
         cl::Required, cl::cat(category));
static Machine machine;
static cl::opt<std::string, /*ExternalStorage=*/true>
    triple("triple", cl::location(machine.triple),
           cl::desc("The machine that an object is for, if not this one: "
                    "little-endian, with pointers of 64 bits and ELF"),
           cl::value_desc("TRIPLE"), cl::cat(category));
static cl::opt<std::string, /*ExternalStorage=*/true>
    cpu("cpu", cl::location(machine.cpu),
        cl::desc("The processor of that machine, if not any of its kind"),
        cl::value_desc("NAME"), cl::cat(category));
static cl::opt<std::string, /*ExternalStorage=*/true>
    features("features", cl::location(machine.features),
             cl::desc("Instructions that the processor has or lacks"),
             cl::value_desc("+NAME,-NAME"), cl::cat(category));
static cl::opt<std::string>
    linker("linker",
           cl::desc("The program that links a shared library, if not lld"),
           cl::value_desc("PROGRAM"), cl::cat(category));
static cl::opt<std::string> folder("o", cl::desc("The folder to write to"),
                                   cl::value_desc("DIR"), cl::Required,
                                   cl::cat(category));
static cl::opt<std::string>
    networkName("name",
                cl::desc("The name of files and symbols, if not that of the "
                         "network's file"),
                cl::value_desc("NAME"), cl::cat(category));
static cl::list<std::string>
    entries("entry",
            cl::desc("A function to compile, if not 'main' or the only public "
                     "one; several of them share their constants"),
            cl::value_desc("NAME"), cl::cat(category));
static cl::opt<CWeights>
    weights("weights", cl::desc("Where the constants of kernels are"),
            cl::values(clEnumValN(CWeights::Inline, "inline", "In the source"),
                       clEnumValN(CWeights::Source, "source",
                                  "In a source of their own"),
                       clEnumValN(CWeights::Blob, "blob",
                                  "In a file that the caller loads")),
            cl::init(CWeights::Source), cl::cat(category));
static Placement placement;
static LocalOptions local;
static PlacementFlags placementFlags(placement, local, category);
static CPipelineOptions systemOptions;
static StreamFlags streams(systemOptions, category);
static cl::opt<CMoves>
    moves("moves", cl::desc("How data moves to and from local memory"),
          cl::values(clEnumValN(CMoves::Sync, "sync", "By mli_mov_tensor_sync"),
                     clEnumValN(CMoves::Async, "async",
                                "Beside kernels, by handles of mli_mov"),
                     clEnumValN(CMoves::Hook, "hook",
                                "By the macro NET_COPY, for rows of bytes")),
          cl::init(CMoves::Sync), cl::cat(category));
static cl::list<std::string>
    vectorFiles("vectors",
                cl::desc("A tensor for the next input, or for the one of this "
                         "name or number; the test program contains it and "
                         "the outputs for it"),
                cl::value_desc("[NAME=|INDEX=]FILE.npy"), cl::cat(category));
static cl::opt<CTables> tables(
    "tables",
    cl::desc("When the library makes tables of functions such as sigm"),
    cl::values(clEnumValN(CTables::Call, "call", "In each call of a kernel"),
               clEnumValN(CTables::Once, "once",
                          "In net_prepare, in memory of their own")),
    cl::init(CTables::Call), cl::cat(category));
static cl::opt<CLibrary> library(
    "library", cl::desc("The library that the C calls"),
    cl::values(clEnumValN(CLibrary::Mli, "mli", "Any of MLI 2.0"),
               clEnumValN(CLibrary::MliMlir, "mli-mlir",
                          "That of this project, which has local memory of "
                          "several NPUs")),
    cl::init(CLibrary::Mli), cl::cat(category));
static cl::opt<bool> putsPortsInArena(
    "ports-in-arena",
    cl::desc("Give inputs and outputs places in the arena too, which the "
             "caller may use"),
    cl::cat(category));
static ComputingModes modes;
static ModeFlags modeFlags(modes, category);
static ProgressFlag progressFlag(category);
static cl::opt<bool>
    isForced("force",
             cl::desc("Overwrite files that mli-compile did not write"),
             cl::cat(category));
static tflite::ImportOptions importOptions;
static ImportFlags importFlags(importOptions, category);
static TosaOptions tosaOptions;
static TosaFlags tosaFlags(tosaOptions, category);

//===----------------------------------------------------------------------===//
// Main
//===----------------------------------------------------------------------===//

/// The name of the network: that of its file, as far as C has it.
static std::string getDefaultName() {
  return makeCName(llvm::sys::path::stem(model));
}

static llvm::Expected<COptions> getOptions() {
  COptions options;
  options.name =
      networkName.getNumOccurrences() > 0 ? networkName : getDefaultName();
  std::string problem = checkCName(options.name);
  if (!problem.empty())
    return llvm::createStringError(problem);
  options.entries.assign(entries.begin(), entries.end());
  options.weights = weights;
  options.moves = moves;
  options.tables = tables;
  options.library = library;
  return options;
}

/// Checks that nothing is to run beside kernels in system memory.
static llvm::Error checkPlacement() {
  if (moves == CMoves::Async && placement == Placement::System)
    return llvm::createStringError("expected '--moves async' with '--placement "
                                   "local', but got system");
  if (llvm::Error error = streams.check(placement))
    return error;
  return placementFlags.check();
}

/// Checks that options are of what is written.
static llvm::Error checkForm() {
  auto check = [](const cl::Option &option, bool holds, llvm::StringRef wanted,
                  llvm::StringRef got) {
    return holds || option.getNumOccurrences() == 0
               ? llvm::Error::success()
               : llvm::createStringError("expected " + wanted + " with '--" +
                                         option.ArgStr + "', but got " + got);
  };
  llvm::StringRef got = form == Form::C        ? "c"
                        : form == Form::Object ? "object"
                                               : "shared";
  for (const cl::Option *option :
       std::initializer_list<const cl::Option *>{&triple, &cpu, &features})
    if (llvm::Error error = check(*option, form != Form::C,
                                  "'--emit object' or '--emit shared'", got))
      return error;
  if (llvm::Error error =
          check(linker, form == Form::Shared, "'--emit shared'", got))
    return error;
  return check(weights, form == Form::C, "'--emit c'", got);
}

/// The machine of an object, none of C. Checks what only C has.
static llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
findMachine(const COptions &options) {
  if (form != Form::C)
    if (llvm::Error error = checkObjectOptions(options))
      return error;
  if (llvm::Error error = checkForm())
    return error;
  if (form == Form::C)
    return nullptr;
  return createCodeGenerator(machine);
}

/// Finds the program that links a shared library; none if there is none to
/// link.
static llvm::Expected<std::string> findLinker() {
  if (form != Form::Shared)
    return "";
  llvm::StringRef wanted = linker;
  llvm::SmallVector<llvm::StringRef, 2> names = {"ld.lld-22", "ld.lld"};
  if (!wanted.empty())
    names = {wanted};
  for (llvm::StringRef name : names)
    if (auto path = llvm::sys::findProgramByName(name))
      return *path;
  return llvm::createStringError("expected a linker, which '--linker' names, "
                                 "but found no '" +
                                 names.back() + "'");
}

static void buildPipeline(OpPassManager &passes, ModuleOp module) {
  if (placement == Placement::System) {
    systemOptions.arguments = putsPortsInArena;
    return buildCPipeline(passes, systemOptions);
  }
  local.arguments = putsPortsInArena;
  chooseDoubleBuffering(local, module, moves);
  buildLocalCPipeline(passes, local);
}

/// The vectors for the first function of `module` that is compiled, as the
/// program for tests runs it.
static llvm::Expected<CVectors> getVectors(ModuleOp module,
                                           const NetworkFile &file,
                                           const COptions &options,
                                           const char *argv0) {
  auto functions = module.getOps<func::FuncOp>();
  func::FuncOp first = *llvm::find_if(functions, [&](func::FuncOp function) {
    return llvm::is_contained(options.entries, function.getSymName());
  });
  CompileOptions compile;
  compile.runtimeLibrary = findRuntime(argv0);
  compile.entries = {first.getSymName().str()};
  return computeVectors(module, getArgumentNames(first, file.getBuffer()),
                        vectorFiles, compile);
}

/// Prints how the functions of `module` are computed in local memory.
static void printParts(ModuleOp module) {
  for (auto function : module.getOps<func::FuncOp>())
    if (std::optional<PartsRecord> parts = PartsRecord::get(function))
      parts->printTable(llvm::outs());
}

/// Writes `files` to the folder. The error about a file of others names the
/// option that writes over it.
static llvm::Error writeFiles(const std::vector<CFile> &files) {
  return llvm::handleErrors(writePackage(folder, files, isForced),
                            [](const ForeignFileError &foreign) {
                              return llvm::createStringError(
                                  "expected '" + foreign.getPath() +
                                  "' to be a file of mli-compile, or "
                                  "'--force', but got another one");
                            });
}

static int runTool(int argc, char **argv) {
  setHelp({purpose, "mli-compile [options] MODEL.mlir|MODEL.tflite", sections,
           &category});
  cl::ParseCommandLineOptions(argc, argv, purpose);
  if (llvm::Error error = checkPlacement())
    return exitStatus(std::move(error));
  DialectRegistry registry;
  registerDialects(registry);
  addTosaHints(registry);
  auto options = getOptions();
  if (!options)
    return exitStatus(options.takeError());
  auto codeGenerator = findMachine(*options);
  if (!codeGenerator)
    return exitStatus(codeGenerator.takeError());
  auto program = findLinker();
  if (!program)
    return exitStatus(program.takeError());
  auto file = NetworkFile::read(model, registry);
  if (!file)
    return exitStatus(file.takeError());
  if (llvm::Error error = importFlags.check(*file, model))
    return exitStatus(std::move(error));
  if (llvm::Error error = tosaFlags.check(*file, model))
    return exitStatus(std::move(error));
  options->origin = describeCOrigin(model, file->getBuffer().getBuffer());
  MLIRContext context(registry);
  context.printOpOnDiagnostic(false);
  SourceMgrDiagnosticHandler placed(*file->getSources(), &context);
  NamedDiagnosticHandler named(&context);
  OwningOpRef<ModuleOp> module =
      file->parse(context, importOptions, tosaOptions);
  if (!module || failed(checkModule(*module)))
    return EXIT_FAILURE;
  if (llvm::Error error = importFlags.checkForms(*file, *module, model))
    return exitStatus(std::move(error));
  if (failed(importFlags.raise(*module)))
    return EXIT_FAILURE;
  if (llvm::Error error = placementFlags.checkTarget(*module))
    return exitStatus(std::move(error));
  setComputingModes(*module, modes);
  auto entries = selectEntries(*module, options->entries);
  if (failed(entries))
    return EXIT_FAILURE;
  options->entries = std::move(*entries);
  if (!vectorFiles.empty()) {
    auto vectors = getVectors(*module, *file, *options, argv[0]);
    if (!vectors)
      return exitStatus(vectors.takeError());
    options->vectors = std::move(*vectors);
  }
  PassManager passes(&context);
  buildPipeline(passes, *module);
  Progress progress(progressFlag.mode);
  PassProgress shown(progress, context, [&](OpPassManager &counted) {
    buildPipeline(counted, *module);
  });
  if (failed(passes.run(*module)))
    return EXIT_FAILURE;
  FailureOr<std::vector<CFile>> files =
      *codeGenerator ? emitObject(*module, *options, **codeGenerator, *program)
                     : printC(*module, *options);
  if (failed(files))
    return EXIT_FAILURE;
  if (placementFlags.explain == Explanation::Table)
    printParts(*module);
  if (llvm::Error error = flushStandardOutput())
    return exitStatus(std::move(error));
  if (llvm::Error error = writeFiles(*files))
    return exitStatus(std::move(error));
  return EXIT_SUCCESS;
}

int main(int argc, char **argv) {
  prepareStandardStreams();
  llvm::InitLLVM init(argc, argv);
  return runOnLargeStack([&] { return runTool(argc, argv); });
}
