// SPDX-License-Identifier: Apache-2.0
//
// Random programs through everything.

#include "Generator/LocalProgram.h"
#include "Generator/TFLiteProgram.h"
#include "Generator/TosaProgram.h"
#include "Generator/Writer.h"
#include "Help.h"
#include "Report.h"
#include "Runner/FrontEnds.h"
#include "Runner/Trial.h"

#include "mli/IR/MLI.h"
#include "mli/Pipelines/Pipelines.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace mli;
using namespace mli::fuzz;
namespace cl = llvm::cl;

static const char purpose[] =
    R"(Make random programs, compile and run each in many ways, and compare the bytes with
those of an exact interpreter.
)";

static const char sections[] = R"(
EXAMPLES:
  mli-fuzz --count 1000 --jobs 2 --output-dir findings
  mli-fuzz --seed 42 --print
  mli-fuzz --weight all=0 --weight Pool=1 --weight Slice=3 --count 100
  mli-fuzz net.mlir --configuration least

EXIT CODES:
  0  there are no findings
  1  there are findings, each of which is told with its seed
  2  options or files that can not be used

FILES:
  programs of MLIR with a function main, in place of random ones; features of --weight
  and configurations: docs/guides/fuzz.md
)";

static cl::OptionCategory category("mli-fuzz options");
static cl::list<std::string> files(cl::Positional, cl::desc("FILE..."),
                                   cl::cat(category));
static cl::opt<uint64_t> firstSeed("seed", cl::init(1),
                                   cl::desc("The first seed"),
                                   cl::cat(category));
static cl::opt<uint64_t> count("count", cl::init(1),
                               cl::desc("The number of programs"),
                               cl::cat(category));
static cl::opt<int64_t> size("size", cl::init(8),
                             cl::desc("About how many operations they have"),
                             cl::cat(category));
static cl::list<std::string>
    weights("weight", cl::value_desc("feature=number"),
            cl::desc("How often a feature is taken; 'all=0' sets all to it"),
            cl::cat(category));
enum class FrontEnd { Mli, Tosa, TFLite };
static cl::list<FrontEnd> frontEnds(
    "front-end", cl::desc("What programs are written in; all by default"),
    cl::values(clEnumValN(FrontEnd::Mli, "mli", "mli on tensors and buffers"),
               clEnumValN(FrontEnd::Tosa, "tosa", "networks of TOSA"),
               clEnumValN(FrontEnd::TFLite, "tflite", "networks of TFLite")),
    cl::cat(category));
static cl::list<std::string>
    names("configuration",
          cl::desc("Configurations to try, in place of all of them"),
          cl::cat(category));
static cl::opt<unsigned> jobs("jobs", cl::init(1),
                              cl::desc("Processes at the same time"),
                              cl::cat(category));
static cl::opt<unsigned>
    seconds("seconds", cl::init(60),
            cl::desc("Seconds of a processor that a program may take"),
            cl::cat(category));
static cl::opt<std::string>
    outputDir("output-dir", cl::desc("A folder for programs with findings"),
              cl::cat(category));
static cl::opt<std::string> runtime("runtime", cl::init(MLI_RUNTIME_LIBRARY),
                                    cl::desc("The shared runtime"),
                                    cl::cat(category));
static cl::opt<bool> printOnly("print", cl::desc("Print the programs only"),
                               cl::cat(category));

static int fail(const Twine &message) {
  llvm::errs() << "mli-fuzz: error: " << message << "\n";
  return 2;
}

/// The names of `list`, for a message.
template <typename List>
static std::string joinNames(const List &list) {
  std::string text;
  for (const auto &entry : list)
    text += (text.empty() ? "" : ", ") + std::string(entry.name);
  return text;
}

/// The settings of the command line, or what is wrong with it.
static llvm::Expected<Settings> readSettings() {
  Settings settings;
  settings.size = std::max<int64_t>(1, size);
  for (const std::string &text : weights) {
    auto [name, number] = StringRef(text).split('=');
    int64_t weight = 0;
    if (number.getAsInteger(10, weight) || weight < 0)
      return llvm::createStringError(
          "expected '--weight' to be feature=number, but got '" + text + "'");
    std::optional<Feature> feature = findFeature(name);
    if (name == "all")
      settings.weights.fill(weight);
    else if (feature)
      settings.weight(*feature) = weight;
    else
      return llvm::createStringError(
          "expected the feature of '--weight' to be one of " +
          joinNames(features) + ", but got '" + name + "'");
  }
  return settings;
}

/// The configurations of the command line, or what is wrong with it.
static llvm::Expected<std::vector<const Configuration *>> readConfigurations() {
  std::vector<const Configuration *> chosen;
  for (const std::string &name : names) {
    const Configuration *configuration = findConfiguration(name);
    if (!configuration)
      return llvm::createStringError(
          "expected '--configuration' to be one of " +
          joinNames(getConfigurations()) + ", but got '" + name + "'");
    chosen.push_back(configuration);
  }
  if (names.empty())
    for (const Configuration &configuration : getConfigurations())
      chosen.push_back(&configuration);
  return chosen;
}

/// What the program of `seed` is written in.
static FrontEnd getFrontEnd(uint64_t seed) {
  static constexpr FrontEnd all[] = {FrontEnd::Mli, FrontEnd::Tosa,
                                     FrontEnd::TFLite};
  SmallVector<FrontEnd> chosen(frontEnds.begin(), frontEnds.end());
  if (chosen.empty())
    chosen.assign(std::begin(all), std::end(all));
  // Numbers of its own, since the program takes those of its seed.
  return Random(~seed).pick(ArrayRef(chosen));
}

/// One program of mli in six is on buffers.
static OwningOpRef<ModuleOp> generateOne(MLIRContext &context,
                                         const Settings &settings) {
  if (getFrontEnd(settings.seed) == FrontEnd::Tosa)
    return generateTosa(&context, settings);
  if (settings.seed % 6 == 0)
    return generateLocalProgram(&context, settings);
  return generateProgram(&context, settings);
}

static llvm::Expected<OwningOpRef<ModuleOp>>
generate(MLIRContext &context, const Settings &settings) {
  OwningOpRef<ModuleOp> module = generateOne(context, settings);
  std::string text;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    text += diagnostic.str();
    return success();
  });
  if (failed(verify(*module)))
    return llvm::createStringError("does not verify: " + text);
  return module;
}

static llvm::Expected<Case> generateCase(MLIRContext &context,
                                         Settings settings, uint64_t seed) {
  settings.seed = seed;
  if (getFrontEnd(seed) == FrontEnd::TFLite)
    return makeTFLiteCase(generateTFLite(settings), seed, &context);
  auto module = generate(context, settings);
  if (!module)
    return module.takeError();
  if (getFrontEnd(seed) == FrontEnd::Tosa)
    return makeTosaCase(std::move(*module), seed);
  return makeCase(std::move(*module), seed);
}

/// Prints programs; of a file of TFLite what it becomes.
static void printPrograms(MLIRContext &context, Settings settings) {
  for (uint64_t i = 0; i < count; ++i) {
    settings.seed = firstSeed + i;
    if (getFrontEnd(settings.seed) != FrontEnd::TFLite) {
      generateOne(context, settings)->print(llvm::outs());
    } else {
      auto program = generateCase(context, settings, settings.seed);
      if (program)
        program->module->print(llvm::outs());
      else
        llvm::outs() << "// " << llvm::toString(program.takeError());
    }
    llvm::outs() << "\n";
  }
}

/// The program of a file.
static llvm::Expected<Case> readCase(MLIRContext &context,
                                     const std::string &file) {
  if (StringRef(file).ends_with(".tflite")) {
    auto bytes = llvm::MemoryBuffer::getFile(file);
    if (!bytes)
      return llvm::createStringError("'" + file + "' is not there");
    return makeTFLiteCase((*bytes)->getBuffer().str(), firstSeed, &context);
  }
  auto module = parseSourceFile<ModuleOp>(file, &context);
  if (!module)
    return llvm::createStringError("'" + file + "' does not parse");
  if (hasTosa(*module))
    return makeTosaCase(std::move(module), firstSeed);
  return makeCase(std::move(module), firstSeed);
}

/// Tries files, or random programs of the seeds; returns whether nothing was
/// found.
static bool runAll(MLIRContext &context, const Settings &settings,
                   const TrialOptions &options) {
  uint64_t programs = files.empty() ? uint64_t(count) : files.size();
  std::vector<uint64_t> seeds;
  seeds.reserve(programs);
  for (uint64_t i = 0; i < programs; ++i)
    seeds.push_back(files.empty() ? firstSeed + i : i);
  auto make = [&](uint64_t seed) -> llvm::Expected<Case> {
    return files.empty() ? generateCase(context, settings, seed)
                         : readCase(context, files[seed]);
  };
  if (files.empty())
    llvm::outs() << "seeds " << seeds.front() << " to " << seeds.back() << "\n";
  Report report(outputDir, llvm::outs());
  runTrials(seeds, make, options,
            [&](const Trial &trial) { report.add(trial); });
  return report.finish(options.configurations);
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  setHelp({purpose, "mli-fuzz [options] [FILE...]", sections, &category});
  cl::ParseCommandLineOptions(argc, argv, purpose);
  auto settings = readSettings();
  if (!settings)
    return fail(llvm::toString(settings.takeError()));
  auto configurations = readConfigurations();
  if (!configurations)
    return fail(llvm::toString(configurations.takeError()));
  DialectRegistry registry;
  registerDialects(registry);
  // Processes are made of this one, which threads do not survive.
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  context.printOpOnDiagnostic(false);
  if (printOnly) {
    printPrograms(context, *settings);
    return 0;
  }
  if (llvm::Error error = prepareConfigurations(runtime))
    return fail(llvm::toString(std::move(error)));
  if (!outputDir.empty())
    if (std::error_code code = llvm::sys::fs::create_directories(outputDir))
      return fail("expected '--output-dir' to be writable, but got: " +
                  code.message());
  TrialOptions options;
  options.jobs = std::max(1U, unsigned(jobs));
  options.seconds = seconds;
  options.configurations = std::move(*configurations);
  return runAll(context, *settings, options) ? 0 : 1;
}
