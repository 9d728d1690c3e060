// SPDX-License-Identifier: Apache-2.0
//
// Random programs through everything.

#include "Generator/LocalProgram.h"
#include "Generator/Writer.h"
#include "Runner/Trial.h"

#include "mli/IR/MLI.h"
#include "mli/Pipelines/Pipelines.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Path.h"

#include <map>

using namespace mlir;
using namespace mli;
using namespace mli::fuzz;
namespace cl = llvm::cl;

static cl::OptionCategory category("mli-fuzz options");
static cl::list<std::string> files(cl::Positional, cl::desc("FILE..."),
                                   cl::cat(category));
static cl::opt<uint64_t> firstSeed("seed", cl::init(1),
                                   cl::desc("The first seed"),
                                   cl::cat(category));
static cl::opt<uint64_t> count("count", cl::init(100),
                               cl::desc("The number of programs"),
                               cl::cat(category));
static cl::opt<int64_t> size("size", cl::init(8),
                             cl::desc("About how many operations they have"),
                             cl::cat(category));
static cl::list<std::string> weights(
    "weight", cl::value_desc("feature=number"),
    cl::desc("How often a feature is taken; 'all=0' sets all to it"),
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

/// The settings of the command line, or what is wrong with it.
static llvm::Expected<Settings> readSettings() {
  Settings settings;
  settings.size = std::max<int64_t>(1, size);
  for (const std::string &text : weights) {
    auto [name, number] = StringRef(text).split('=');
    int64_t weight = 0;
    if (number.getAsInteger(10, weight) || weight < 0)
      return llvm::createStringError("expected '--weight' as feature=number, "
                                     "but got '" +
                                     text + "'");
    std::optional<Feature> feature = findFeature(name);
    if (name == "all")
      settings.weights.fill(weight);
    else if (feature)
      settings.weight(*feature) = weight;
    else
      return llvm::createStringError("expected the name of a feature, but got '" +
                                     name + "'");
  }
  return settings;
}

/// One program in six is on buffers.
static OwningOpRef<ModuleOp> generateOne(MLIRContext &context,
                                         const Settings &settings) {
  if (settings.seed % 6 == 0)
    return generateLocalProgram(&context, settings);
  return generateProgram(&context, settings);
}

static llvm::Expected<OwningOpRef<ModuleOp>>
generate(MLIRContext &context, Settings settings, uint64_t seed) {
  settings.seed = seed;
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

/// The first line of `text` without what differs from program to program.
static std::string withoutNumbers(StringRef text) {
  std::string short_;
  for (char each : text.split('\n').first)
    if (!llvm::isDigit(each))
      short_ += each;
  return StringRef(short_).take_front(160).str();
}

namespace {

/// The ranges of one kind of kernels.
struct RangeCounts {
  uint64_t kernels = 0, clipped = 0, wrong = 0, hidden = 0, seed = 0;
  double distance = 0;
};

/// Counts what happens.
class Report {
public:
  void add(const Trial &trial) {
    ++trials;
    for (const TrialRange &range : trial.ranges) {
      RangeCounts &counts = ranges[range.op];
      ++counts.kernels;
      counts.clipped += range.isClipped;
      counts.wrong += range.isWrong;
      counts.hidden += range.isWrong && !range.isClipped;
      if (range.isWrong && !range.isClipped)
        counts.seed = trial.seed;
      if (!range.isWrong)
        counts.distance = std::max(counts.distance, range.distance);
    }
    for (const TrialRun &run : trial.runs) {
      const Outcome &outcome = run.outcome;
      ++outcomes[{run.configuration, getName(outcome.kind)}];
      for (const std::string &op : trial.operations)
        ++pairs[{op, run.configuration}];
      if (outcome.kind == Outcome::Kind::Refused)
        ++refusals[withoutNumbers(outcome.text)];
      if (outcome.operations != 0)
        worst = std::max(worst, {outcome.allocations / outcome.operations,
                                 trial.seed, run.configuration});
      if (outcome.isFinding())
        addFinding(trial, run);
    }
  }

  int finish(llvm::raw_ostream &os) const {
    for (const auto &[key, number] : outcomes)
      os << llvm::formatv("{0,-14} {1,-10} {2,8}\n", key.first, key.second,
                          number);
    os << "\nranges:                 kernels  clipped  shown\n";
    for (const auto &[op, counts] : ranges)
      os << llvm::formatv("{0,-22} {1,8} {2,8} {3,6} {4} {5} {6}\n", op,
                          counts.kernels, counts.clipped, counts.wrong,
                          counts.hidden, counts.seed, counts.distance);
    for (const auto &[text, number] : refusals)
      os << "refused " << number << " times: " << text << "\n";
    for (const auto &[text, number] : groups)
      os << "found " << number << " times: " << text << "\n";
    os << "most allocations for an operation: " << std::get<0>(worst)
       << " of seed " << std::get<1>(worst) << " in " << std::get<2>(worst)
       << "\n"
       << trials << " programs, " << findings << " findings\n";
    return findings == 0 ? 0 : 1;
  }

private:
  void addFinding(const Trial &trial, const TrialRun &run) {
    ++findings;
    if (++groups[run.configuration + " " + getName(run.outcome.kind) + ": " +
                 withoutNumbers(run.outcome.text)] > 2)
      return;
    llvm::outs() << "seed " << trial.seed << ": " << run.configuration << " "
                 << getName(run.outcome.kind) << " " << run.outcome.where
                 << ": " << run.outcome.text << "\n";
    if (!run.outcome.layer.empty())
      llvm::outs() << "first layer: " << run.outcome.layer << "\n";
    if (!trial.output.empty())
      llvm::outs() << trial.output << "\n";
    llvm::outs().flush();
    if (outputDir.empty())
      return;
    SmallString<128> path(outputDir);
    llvm::sys::path::append(path, "seed" + Twine(trial.seed) + "-" +
                                      run.configuration + ".mlir");
    std::error_code code;
    llvm::raw_fd_ostream os(path, code);
    // A test that is ready once it is reduced.
    os << "// RUN: mli-fuzz %s --seed " << trial.seed << " --configuration "
       << run.configuration << "\n\n"
       << trial.program;
  }

  uint64_t trials = 0, findings = 0;
  std::map<std::pair<std::string, std::string>, uint64_t> outcomes, pairs;
  std::map<std::string, uint64_t> refusals, groups;
  std::map<std::string, RangeCounts> ranges;
  std::tuple<uint64_t, uint64_t, std::string> worst;
};

} // namespace

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(
      argc, argv, "Runs random programs in many ways and compares the results\n");
  auto settings = readSettings();
  if (!settings)
    return fail(llvm::toString(settings.takeError()));
  DialectRegistry registry;
  registerDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  context.printOpOnDiagnostic(false);
  if (printOnly) {
    for (uint64_t i = 0; i < count; ++i) {
      Settings own = *settings;
      own.seed = firstSeed + i;
      generateOne(context, own)->print(llvm::outs());
      llvm::outs() << "\n";
    }
    return 0;
  }
  TrialOptions options;
  options.jobs = std::max(1U, unsigned(jobs));
  options.seconds = seconds;
  for (const std::string &name : names) {
    const Configuration *configuration = findConfiguration(name);
    if (!configuration)
      return fail("expected the name of a configuration, but got '" + name +
                  "'");
    options.configurations.push_back(configuration);
  }
  if (names.empty())
    for (const Configuration &configuration : getConfigurations())
      options.configurations.push_back(&configuration);
  if (llvm::Error error = prepareConfigurations(runtime))
    return fail(llvm::toString(std::move(error)));
  if (!outputDir.empty())
    if (std::error_code code = llvm::sys::fs::create_directories(outputDir))
      return fail("expected '" + outputDir + "' to be writable, but got: " +
                  code.message());
  MakeCase make = [&](uint64_t seed) -> llvm::Expected<Case> {
    if (!files.empty()) {
      auto module = parseSourceFile<ModuleOp>(files[seed], &context);
      if (!module)
        return llvm::createStringError("'" + files[seed] + "' does not parse");
      return makeCase(std::move(module), firstSeed);
    }
    auto module = generate(context, *settings, seed);
    if (!module)
      return module.takeError();
    return makeCase(std::move(*module), seed);
  };
  std::vector<uint64_t> seeds;
  for (uint64_t i = 0; i < (files.empty() ? uint64_t(count) : files.size());
       ++i)
    seeds.push_back(files.empty() ? firstSeed + i : i);
  Report report;
  runTrials(seeds, make, options,
            [&](const Trial &trial) { report.add(trial); });
  return report.finish(llvm::outs());
}
