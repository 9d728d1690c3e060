// SPDX-License-Identifier: Apache-2.0

#include "Run.h"

#include "Inputs.h"
#include "Outputs.h"
#include "PerLayer.h"
#include "Statistics.h"

#include "mli/Execution/Benchmark.h"
#include "mli/Execution/Files.h"
#include "mli/Execution/Trace.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/Format.h"

#include <chrono>

using namespace mlir;
using namespace mli;

using Clock = std::chrono::steady_clock;
static double millisecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start)
      .count();
}

//===----------------------------------------------------------------------===//
// Labels and references
//===----------------------------------------------------------------------===//

/// A label for each element of the results of `function`.
static llvm::Expected<std::vector<std::string>>
readLabels(const CompiledFunction &function, const RunOptions &options) {
  std::vector<std::string> labels;
  if (options.labelsFile.empty())
    return labels;
  auto buffer = readFile(options.labelsFile);
  if (!buffer)
    return buffer.takeError();
  SmallVector<StringRef> lines;
  StringRef text = (*buffer)->getBuffer().rtrim();
  if (!text.empty())
    text.split(lines, '\n');
  for (StringRef line : lines)
    labels.push_back(line.trim().str());
  for (const Port &port : getResultPorts(function))
    if (labels.size() != static_cast<size_t>(port.type.getNumElements()))
      return llvm::createStringError(
          "expected '" + options.labelsFile + "' to have " +
          Twine(port.type.getNumElements()) +
          " lines, one for each element of a result, but got " +
          Twine(labels.size()));
  return labels;
}

/// The references of the first results.
static llvm::Expected<std::vector<HostTensor>>
readReferences(const CompiledFunction &function, const RunOptions &options) {
  SmallVector<Port> ports = getResultPorts(function);
  if (options.references.size() > ports.size())
    return llvm::createStringError(
        "expected '--compare' for " + Twine(ports.size()) +
        " results at most, but got " + Twine(options.references.size()));
  std::vector<HostTensor> tensors;
  for (auto [i, path] : llvm::enumerate(options.references)) {
    auto tensor = readPort(path, "result " + std::to_string(i), ports[i]);
    if (!tensor)
      return tensor.takeError();
    tensors.push_back(std::move(*tensor));
  }
  return tensors;
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

/// The slice of `result` for the last step.
static HostTensor getLastStep(const Port &port, const HostTensor &result) {
  if (result.shape.size() == static_cast<size_t>(port.type.getRank()))
    return result;
  HostTensor step = result;
  step.shape = port.type.getShape().vec();
  size_t bytes = result.data.size() / result.shape.front();
  step.data.assign(result.data.end() - static_cast<ptrdiff_t>(bytes),
                   result.data.end());
  return step;
}

static void printResults(llvm::raw_ostream &os,
                         const CompiledFunction &function,
                         ArrayRef<HostTensor> results,
                         ArrayRef<std::string> labels, unsigned topCount) {
  for (auto [i, port, all] :
       llvm::enumerate(getResultPorts(function), results)) {
    RankedTensorType type = port.type;
    HostTensor result = getLastStep(port, all);
    if (topCount == 0 || results.size() > 1)
      os << "output " << i << ": " << type << "\n";
    if (topCount == 0)
      printTensor(os, type, result);
    else
      printTop(os, type, result, topCount, labels);
  }
}

/// Prints `differences` of results from references and whether they are near
/// enough.
static bool compareResults(llvm::raw_ostream &os,
                           const CompiledFunction &function,
                           ArrayRef<HostTensor> results,
                           ArrayRef<HostTensor> references,
                           ArrayRef<ResultDifference> differences,
                           const RunOptions &options) {
  SmallVector<Port> ports = getResultPorts(function);
  bool areNear = true;
  for (auto [i, reference, compared, file] :
       llvm::enumerate(references, differences, options.references)) {
    os << "output " << i << ": " << compared.difference.elements << " of "
       << compared.elements << " elements differ from '" << file
       << "', max |d| " << llvm::format("%g", compared.difference.greatest)
       << "\n";
    areNear &= printReference(os, ports[i], results[i], reference, compared,
                              options.records.tolerance);
  }
  return areNear;
}

/// Converts `results` to the element types that callers of the network use.
static std::vector<HostTensor> toCallerTypes(const CompiledFunction &function,
                                             std::vector<HostTensor> results) {
  for (auto [port, result] : llvm::zip_equal(getResultPorts(function), results))
    if (port.isUnsigned)
      result = flipSign(std::move(result));
  return results;
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

namespace {

/// A program that was run, and all that is printed of it.
struct Run {
  const Program &program;
  const RunOptions &options;
  LayerRun &layers;
  std::vector<std::string> labels;
  std::vector<HostTensor> inputs, references, results;
  /// Milliseconds; of runs that record layers, which do more, no times.
  double compileTime;
  std::vector<double> times;
  /// There if runs are measured.
  std::optional<BenchmarkResult> benchmark = std::nullopt;
  /// The first results beside `references`.
  std::vector<ResultDifference> differences = {};

  const CompiledFunction &function() const {
    return program.getFunctions().front();
  }
  /// What a measured run takes.
  MeasuredRun getMeasured() const {
    return {function(), *benchmark, options.benchmarkRuns};
  }
  RunFacts getFacts() const {
    return {function(), benchmark ? &*benchmark : nullptr,
            options.benchmarkRuns, layers.getDifferences(), differences};
  }
};

} // namespace

static llvm::Error execute(Run &run) {
  for (unsigned i = 0; i < run.options.repeat; ++i) {
    auto start = Clock::now();
    auto outputs = run.options.records.recordsLayers()
                       ? run.layers.run(run.program, run.function(), run.inputs)
                       : runSteps(run.program, run.function(), run.inputs);
    if (!outputs)
      return outputs.takeError();
    if (!run.options.records.recordsLayers())
      run.times.push_back(millisecondsSince(start));
    run.results = std::move(*outputs);
  }
  return llvm::Error::success();
}

/// Runs the function again, one step if there are several, for its times.
static llvm::Error measure(Run &run) {
  if (run.options.benchmarkRuns == 0)
    return llvm::Error::success();
  auto result = benchmark(
      run.program, run.function(), getFirstStep(run.function(), run.inputs),
      run.options.benchmarkRuns, getSystemClocks(), run.options.needsLayers());
  if (!result)
    return result.takeError();
  run.benchmark = std::move(*result);
  return llvm::Error::success();
}

/// Prints all requested outputs; the result is whether comparisons hold.
static bool print(llvm::raw_ostream &os, const Run &run) {
  const RunOptions &options = run.options;
  if (options.topCount > 0 ||
      (options.outputDir.empty() && run.references.empty() &&
       !options.records.recordsLayers()))
    printResults(os, run.function(), run.results, run.labels, options.topCount);
  if (options.printParts)
    os << run.function().memory.partTable;
  if (options.printStatistics)
    printStatistics(os, run.function(), run.compileTime, run.times);
  if (run.benchmark)
    printBenchmark(os, *run.benchmark, options.benchmarkRuns);
  if (options.perLayer && options.perLayer->empty())
    printLayerTable(os, run.getMeasured());
  bool areNear = compareResults(os, run.function(), run.results, run.references,
                                run.differences, options);
  return run.layers.print(os) && areNear;
}

/// Writes the results, the trace of one more run and the printed text, all or
/// nothing.
static llvm::Expected<bool> writeAll(const Run &run) {
  const RunOptions &options = run.options;
  const CompiledFunction &function = run.function();
  std::vector<HostTensor> results = toCallerTypes(function, run.results);
  std::vector<OutputFile> files;
  // That of the records, which may be in the other, goes first.
  OutputFolder folder, recordFolder;
  if (!options.outputDir.empty()) {
    if (llvm::Error error = folder.make(options.outputDir))
      return error;
    files = getOutputFiles(options.outputDir, results);
  }
  if (llvm::Error error = run.layers.addFiles(files, recordFolder))
    return error;
  auto writeProfile = [&](llvm::raw_ostream &os) -> llvm::Error {
    auto traced =
        trace(run.program, function, getFirstStep(function, run.inputs));
    if (!traced)
      return traced.takeError();
    writeTrace(os, function, *traced);
    return llvm::Error::success();
  };
  if (!options.profileFile.empty())
    files.push_back({"--profile", options.profileFile, writeProfile, nullptr});
  auto writeLayers = [&](llvm::raw_ostream &os) -> llvm::Error {
    writeLayerFile(os, *options.perLayer, run.getMeasured());
    return llvm::Error::success();
  };
  if (options.perLayer && !options.perLayer->empty())
    files.push_back({"--per-layer", *options.perLayer, writeLayers, nullptr});
  options.whenKnown(run.getFacts());
  llvm::append_range(files, options.reports);
  bool isAsExpected = false;
  auto show = [&](llvm::raw_ostream &os) -> llvm::Error {
    isAsExpected = print(os, run);
    return llvm::Error::success();
  };
  files.push_back({"standard output", "-", show, nullptr});
  if (llvm::Error error = writeTogether(files))
    return error;
  return isAsExpected;
}

/// Reads the inputs of a compiled program, runs it and writes its outputs.
static llvm::Expected<bool> runProgram(const Program &program,
                                       ArrayRef<std::string> names,
                                       const RunOptions &options,
                                       LayerRun &layers, double compileTime) {
  Run run{program, options, layers, {}, {}, {}, {}, compileTime, {}};
  auto labels = readLabels(run.function(), options);
  if (!labels)
    return labels.takeError();
  run.labels = std::move(*labels);
  auto inputs = readInputs(run.function(), names, "--input", options.inputs);
  if (!inputs)
    return inputs.takeError();
  run.inputs = std::move(*inputs);
  auto references = readReferences(run.function(), options);
  if (!references)
    return references.takeError();
  run.references = std::move(*references);
  if (llvm::Error error = execute(run))
    return error;
  for (auto [port, result, reference] :
       llvm::zip(getResultPorts(run.function()), run.results, run.references))
    run.differences.push_back(compareResult(port.type, result, reference));
  if (llvm::Error error = measure(run))
    return error;
  return writeAll(run);
}

llvm::Expected<bool> mli::runNetwork(func::FuncOp entry,
                                     ArrayRef<std::string> names,
                                     RunOptions options) {
  options.compile.entries = {entry.getSymName().str()};
  options.compile.findsLayers =
      options.needsLayers() || !options.profileFile.empty();
  options.compile.findsEstimate =
      options.isReported || !options.profileFile.empty();
  options.compile.recordsLayers = options.records.recordsLayers();
  LayerRun layers(options.records);
  if (llvm::Error error = layers.prepare(entry, options.compile))
    return error;
  auto start = Clock::now();
  auto program =
      Program::compile(entry->getParentOfType<ModuleOp>(), options.compile);
  options.whenCompiled();
  if (failed(program))
    return false;
  if (!options.isCompiledOnly)
    return runProgram(*program, names, options, layers,
                      millisecondsSince(start));
  auto printParts = [&](llvm::raw_ostream &os) {
    os << program->getFunctions().front().memory.partTable;
    return llvm::Error::success();
  };
  if (options.printParts)
    options.reports.push_back({"standard output", "-", printParts, nullptr});
  options.whenKnown({program->getFunctions().front()});
  if (llvm::Error error = writeTogether(options.reports))
    return error;
  return true;
}

llvm::Expected<bool> mli::runLayers(func::FuncOp entry,
                                    ArrayRef<std::string> names,
                                    const RunOptions &options) {
  auto module = entry->getParentOfType<ModuleOp>();
  std::string name = entry.getSymName().str();
  if (failed(raise(module, options.compile)))
    return false;
  entry = module.lookupSymbol<func::FuncOp>(name);
  FailureOr<CompiledFunction> function = describeFunction(entry);
  if (failed(function))
    return false;
  auto inputs = readInputs(*function, names, "--input", options.inputs);
  if (!inputs)
    return inputs.takeError();
  llvm::append_range(*inputs, createStates(*function));
  auto records = readLayerRecords(options.layersDir);
  if (!records)
    return records.takeError();
  auto comparison = compareLayers(entry, *inputs, *records, options.compile);
  options.whenCompiled();
  if (!comparison)
    return comparison.takeError();
  bool areWithin = printLayers(llvm::outs(), *comparison);
  if (llvm::Error error = flushStandardOutput())
    return error;
  return areWithin;
}
