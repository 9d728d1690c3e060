// SPDX-License-Identifier: Apache-2.0
//
// mlir-translate with the translations to and from mli.

#include "Diagnostics.h"
#include "Driver.h"
#include "Help.h"
#include "ImportFlags.h"
#include "Input.h"
#include "InspectModule.h"
#include "NetworkFile.h"
#include "TosaHints.h"

#include "mli/Import/Inspect.h"
#include "mli/Pipelines/Pipelines.h"
#include "mli/Support/OutputFiles.h"
#include "mli/Target/C.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/InitAllTranslations.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Tools/mlir-translate/MlirTranslateMain.h"
#include "mlir/Tools/mlir-translate/Translation.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/WithColor.h"

using namespace mlir;
using namespace mli;
namespace cl = llvm::cl;

static const char purpose[] =
    R"(Import a network of TFLite, inspect one, or print a planned program as C99:
mlir-translate with the translations of this project.
)";

static const char sections[] = R"(
EXAMPLES:
  mli-translate --import-tflite net.tflite -o imported.mlir
  mli-translate --inspect net.tflite --json
  mli-translate --inspect net.tosa.mlir
  mli-opt net.tosa.mlir --mli-c-pipeline | mli-translate --mli-to-c --c-name shapes

EXIT CODES:
  0  the translation is written
  1  there were errors; nothing is written

FILES:
  networks of TFLite    docs/guides/tflite.md
  networks of TOSA      docs/guides/tosa.md
  C                     docs/guides/c.md
)";

static cl::OptionCategory category("mli-translate options");
static tflite::ImportOptions importOptions;
static ImportFlags importFlags(importOptions, category);

/// Whether a network was read.
static bool isImported = false;

/// The options for the network in `sources`, whose mapped pages are given back.
static tflite::ImportOptions
getImportOptions(const std::shared_ptr<llvm::SourceMgr> &sources) {
  isImported = true;
  return releasing(importOptions, sources);
}

static void registerImport() {
  static TranslateToMLIRRegistration registration(
      "import-tflite", "import a quantised network of TFLite",
      [](const std::shared_ptr<llvm::SourceMgr> &sources,
         MLIRContext *context) -> OwningOpRef<Operation *> {
        // The names of layers are in them.
        setDefault("mlir-print-debuginfo", true);
        const llvm::MemoryBuffer *buffer =
            sources->getMemoryBuffer(sources->getMainFileID());
        return importTFLite(buffer->getBuffer(), buffer->getBufferIdentifier(),
                            sources, context, getImportOptions(sources));
      },
      [](DialectRegistry &registry) { registerDialects(registry); },
      llvm::Align(16));
}

/// Whether a network was inspected.
static bool isInspected = false;
static cl::opt<bool> asJson("json", cl::desc("With --inspect: as JSON"),
                            cl::cat(category));

/// Whether `bytes` are none of MLIR, so that a damaged network of TFLite is
/// reported as such.
static bool isInspectedAsTFLite(StringRef bytes) {
  bool isBytecode = bytes.starts_with("ML\xEFR");
  return isTFLite(bytes) || (!isBytecode && bytes.contains('\0'));
}

/// Prints the operations of the network in `sources`, which is MLIR.
static LogicalResult
inspectMLIR(const std::shared_ptr<llvm::SourceMgr> &sources,
            MLIRContext &context, llvm::raw_ostream &os) {
  SourceMgrDiagnosticHandler placed(*sources, &context);
  NamedDiagnosticHandler named(&context);
  auto module = parseSourceFile<ModuleOp>(sources, &context);
  if (!module)
    return failure();
  Inspection inspection = inspectModule(*module);
  if (asJson)
    printInspectionJson(os, inspection);
  else
    printInspection(os, inspection,
                    sources->getMemoryBuffer(sources->getMainFileID())
                        ->getBufferIdentifier());
  return success();
}

/// Prints the operators of the network in `sources`.
static LogicalResult inspect(const std::shared_ptr<llvm::SourceMgr> &sources,
                             llvm::raw_ostream &os) {
  isInspected = true;
  DialectRegistry registry;
  registerDialects(registry);
  addTosaHints(registry);
  MLIRContext context(registry);
  context.printOpOnDiagnostic(false);
  const llvm::MemoryBuffer &source =
      *sources->getMemoryBuffer(sources->getMainFileID());
  StringRef bytes = source.getBuffer();
  if (!isInspectedAsTFLite(bytes))
    return inspectMLIR(sources, context, os);
  NamedDiagnosticHandler named(&context);
  std::string error;
  std::optional<tflite::Model> model = tflite::readModel(bytes, error);
  if (!model) {
    llvm::WithColor::error()
        << source.getBufferIdentifier() << ": " << error << "\n";
    return failure();
  }
  FailureOr<tflite::ImportResult> result =
      tflite::importModel(*model, getImportOptions(sources), nullptr, &context);
  if (failed(result))
    return failure();
  if (asJson)
    printInspectionJson(os, *model, *result);
  else
    printInspection(os, tflite::inspect(*model, *result),
                    source.getBufferIdentifier());
  return success();
}

static void registerInspect() {
  static TranslateRegistration registration(
      "inspect",
      "print the operators of a network of TFLite or TOSA, their shapes, "
      "formats and products, and the kernels that compute them",
      [](const std::shared_ptr<llvm::SourceMgr> &sources, llvm::raw_ostream &os,
         MLIRContext *) { return inspect(sources, os); });
}

static cl::opt<std::string>
    cName("c-name", cl::desc("With --mli-to-c: the name of the network"),
          cl::value_desc("NAME"), cl::init("net"), cl::cat(category));
static cl::opt<CWeights>
    cWeights("c-weights",
             cl::desc("With --mli-to-c: where the constants of kernels are"),
             cl::values(clEnumValN(CWeights::Inline, "inline", "in the source"),
                        clEnumValN(CWeights::Source, "source",
                                   "in a source of their own"),
                        clEnumValN(CWeights::Blob, "blob",
                                   "in a file that the caller loads")),
             cl::init(CWeights::Inline), cl::cat(category));
static cl::opt<CMoves>
    cMoves("c-moves",
           cl::desc("With --mli-to-c: how data moves to and from local memory"),
           cl::values(clEnumValN(CMoves::Sync, "sync", "by one call"),
                      clEnumValN(CMoves::Async, "async", "beside kernels"),
                      clEnumValN(CMoves::Hook, "hook", "by a macro")),
           cl::init(CMoves::Sync), cl::cat(category));

static cl::opt<CLibrary> cLibrary(
    "c-library", cl::desc("With --mli-to-c: the library that C calls"),
    cl::values(clEnumValN(CLibrary::Mli, "mli", "any of MLI 2.0"),
               clEnumValN(CLibrary::MliMlir, "mli-mlir",
                          "that of this project, which has several NPUs")),
    cl::init(CLibrary::Mli), cl::cat(category));

/// Prints header and source one after the other.
static LogicalResult printCFiles(ModuleOp module, llvm::raw_ostream &os) {
  if (std::string problem = checkCName(cName); !problem.empty())
    return emitError(module.getLoc(), problem);
  COptions options;
  options.name = cName;
  options.weights = cWeights;
  options.moves = cMoves;
  options.library = cLibrary;
  FailureOr<std::vector<CFile>> files = printC(module, options);
  if (failed(files))
    return failure();
  for (const CFile &file : *files)
    if (StringRef(file.name).ends_with(".h") ||
        file.name == options.name + ".c" ||
        StringRef(file.name).contains("_weights"))
      os << file.contents;
  return success();
}

static void registerC() {
  static TranslateFromMLIRRegistration registration(
      "mli-to-c", "print planned programs as C99",
      [](ModuleOp module, llvm::raw_ostream &os) {
        return printCFiles(module, os);
      },
      [](DialectRegistry &registry) { registerDialects(registry); });
}

/// Whether `translation` reads `input` as a text or as bytecode of MLIR.
static bool readsNested(StringRef translation, StringRef input) {
  if (translation == "import-llvm")
    return !input.starts_with("BC\xC0\xDE");
  if (translation == "inspect")
    return !isInspectedAsTFLite(input);
  return !llvm::is_contained(
      {"deserialize-spirv", "import-tflite", "import-wasm"}, translation);
}

/// Lists the translations of this project for the help. Options are not parsed
/// yet: their list can be had only once at a time.
static std::string describeTranslations() {
  cl::list<const Translation *, bool, TranslationParser> all("");
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "\nTRANSLATIONS of this project; --help-hidden lists those of MLIR:\n";
  for (StringRef name : {"import-tflite", "inspect", "mli-to-c"}) {
    const Translation *known = nullptr;
    (void)all.getParser().parse(all, name, "", known);
    printHelpEntry(os, ("--" + name).str(), known->getDescription());
  }
  all.removeArgument();
  return text;
}

/// Prints diagnostics of `context` by the names of layers, unless the driver
/// compares them with what the input expects.
static void nameLayers(MLIRContext *context,
                       std::optional<NamedDiagnosticHandler> &named) {
  const cl::Option *verify =
      cl::getRegisteredOptions().lookup("verify-diagnostics");
  if (verify && verify->getNumOccurrences() > 0)
    return;
  // An operation may hold a whole network, and all of its weights.
  context->printOpOnDiagnostic(false);
  named.emplace(context);
}

/// Makes all translations check their input and name layers in diagnostics,
/// whatever project they are of.
static void checkInputs() {
  cl::list<const Translation *, bool, TranslationParser> all("");
  TranslationParser &translations = all.getParser();
  for (unsigned i = 0; i < translations.getNumOptions(); ++i) {
    const Translation *known = nullptr;
    StringRef name = translations.getOption(i);
    (void)translations.parse(all, name, "", known);
    auto checked =
        [name, plain = *known](const std::shared_ptr<llvm::SourceMgr> &sources,
                               llvm::raw_ostream &os, MLIRContext *context) {
          DialectRegistry registry;
          registerDialects(registry);
          const llvm::MemoryBuffer *input =
              sources->getMemoryBuffer(sources->getMainFileID());
          if (readsNested(name, input->getBuffer()))
            if (llvm::Error error = checkInput(*input, registry)) {
              exitStatus(std::move(error));
              return failure();
            }
          std::optional<NamedDiagnosticHandler> named;
          nameLayers(context, named);
          return plain(sources, os, context);
        };
    // The registry owns them, but hands out constant pointers.
    const_cast<Translation &>(*known) = Translation(
        checked, known->getDescription(), known->getInputAlignment());
  }
  all.removeArgument();
}

/// Checks that all options apply to the translation that has run: options of a
/// driver are known only then.
static LogicalResult checkOptions() {
  for (const cl::Option *option : importFlags.list())
    if (option->getNumOccurrences() > 0 && !isImported) {
      llvm::WithColor::error()
          << "expected '--" << option->ArgStr
          << "' with '--import-tflite' or '--inspect' of a network of TFLite, "
             "but got neither\n";
      return failure();
    }
  if (asJson && !isInspected) {
    llvm::WithColor::error()
        << "expected '--json' with '--inspect', but got none\n";
    return failure();
  }
  return success();
}

int main(int argc, char **argv) {
  registerAllTranslations();
  registerImport();
  registerInspect();
  registerC();
  checkInputs();
  setHelp({purpose,
           "mli-translate [options] FILE",
           sections,
           &category,
           {"mlir-elide-elementsattrs-if-larger", "mlir-print-debuginfo", "o",
            "split-input-file", "verify-diagnostics"},
           [translations = describeTranslations()](llvm::raw_ostream &os) {
             os << translations;
           }});
  return runOnLargeStack([&] {
    return runDriver(argc, argv, [](int argc, char **argv) {
      if (failed(mlirTranslateMain(argc, argv, purpose)))
        return failure();
      return checkOptions();
    });
  });
}
