// SPDX-License-Identifier: Apache-2.0
//
// Compiles a network and runs it on tensors from files.

#include "Inputs.h"
#include "Outputs.h"

#include "mli/Execution/Program.h"
#include "mli/Pipelines/Pipelines.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/WithColor.h"

#include <chrono>

using namespace mlir;
using namespace mli;
namespace cl = llvm::cl;

static const char overview[] =
    R"(Compile a network, in TOSA or mli on tensors, and run it on this machine.

  mli-run net.mlir --input picture.npy --top 3 --labels labels.txt
  mli-run net.mlir --input a=a.npy --input b=b.npy --output-dir out
  mli-run net.mlir --input a.npy --compare expected.npy --stats

Tensors are .npy files in C order of the types int8, uint8, int16, int32 and
float32: codes where the network is quantised. Exit code 0 means that it ran and
that all comparisons hold; with any error nothing is written.
)";

static cl::OptionCategory category("mli-run options");
static cl::opt<std::string> model(cl::Positional, cl::desc("MODEL.mlir"),
                                  cl::Required, cl::cat(category));
static cl::list<std::string>
    inputOptions("input",
                 cl::desc("A tensor for the next input, or for the "
                          "one of this name or number"),
                 cl::value_desc("[NAME=|INDEX=]FILE.npy"), cl::cat(category));
static cl::opt<std::string>
    outputDir("output-dir",
              cl::desc("Write result K to DIR/output_K.npy, all or none"),
              cl::value_desc("DIR"), cl::cat(category));
static cl::list<std::string>
    references("compare",
               cl::desc("Compare the next result with this tensor and fail if "
                        "they differ"),
               cl::value_desc("FILE.npy"), cl::cat(category));
static cl::opt<std::string>
    entryName("entry",
              cl::desc("The function to run, if not 'main' or the "
                       "only public one"),
              cl::value_desc("NAME"), cl::cat(category));
static cl::opt<unsigned>
    topCount("top", cl::desc("Print the K greatest elements of each result"),
             cl::value_desc("K"), cl::cat(category));
static cl::opt<std::string>
    labelsFile("labels",
               cl::desc("Names of the elements for --top, one a line"),
               cl::value_desc("FILE"), cl::cat(category));
/// Takes `name` from LLVM, which has a `--stats` for its own developers.
static bool freeOption(StringRef name) {
  if (cl::Option *option = cl::getRegisteredOptions().lookup(name))
    option->removeArgument();
  return true;
}
static const bool isStatsFree = freeOption("stats");
static cl::opt<bool>
    printStats("stats", cl::desc("Print memory, number of kernels and times"),
               cl::cat(category));
static cl::opt<unsigned>
    repeat("repeat", cl::desc("Run N times; --stats gives the median"),
           cl::value_desc("N"), cl::init(1), cl::cat(category));
static cl::opt<std::string>
    runtimeLibrary("runtime",
                   cl::desc("The runtime to call, if not ../lib/libmli.so "
                            "beside this program's folder"),
                   cl::value_desc("libmli.so"), cl::cat(category));

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

/// Prints `error` and returns the exit code for it.
static int fail(llvm::Error error) {
  llvm::logAllUnhandledErrors(std::move(error), llvm::WithColor::error());
  return EXIT_FAILURE;
}

using Clock = std::chrono::steady_clock;
static double millisecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start)
      .count();
}

static std::string findRuntime(const char *argv0) {
  if (!runtimeLibrary.empty())
    return runtimeLibrary;
  void *address = reinterpret_cast<void *>(&findRuntime);
  std::string program = llvm::sys::fs::getMainExecutable(argv0, address);
  SmallString<128> path(llvm::sys::path::parent_path(program));
  llvm::sys::path::append(path, "..", "lib", "libmli.so");
  llvm::sys::path::remove_dots(path, /*remove_dot_dot=*/true);
  return path.str().str();
}

static llvm::Expected<std::vector<std::string>> readLabels() {
  std::vector<std::string> labels;
  if (labelsFile.empty())
    return labels;
  auto buffer = readFile(labelsFile);
  if (!buffer)
    return buffer.takeError();
  SmallVector<StringRef> lines;
  (*buffer)->getBuffer().rtrim().split(lines, '\n');
  for (StringRef line : lines)
    labels.push_back(line.trim().str());
  return labels;
}

/// The references of the first results.
static llvm::Expected<std::vector<HostTensor>>
readReferences(const CompiledFunction &function) {
  if (references.size() > function.results.size())
    return llvm::createStringError(
        "expected at most " + Twine(function.results.size()) +
        " times '--compare', but got " + Twine(references.size()));
  std::vector<HostTensor> tensors;
  for (auto [i, path] : llvm::enumerate(references)) {
    auto tensor =
        readNpyOf(path, "result " + std::to_string(i), function.results[i]);
    if (!tensor)
      return tensor.takeError();
    tensors.push_back(std::move(*tensor));
  }
  return tensors;
}

static llvm::Error checkLabels(const CompiledFunction &function,
                               ArrayRef<std::string> labels) {
  for (RankedTensorType type : function.results)
    if (!labels.empty() &&
        labels.size() != static_cast<size_t>(type.getNumElements()))
      return llvm::createStringError(
          "expected '--labels' to have " + Twine(type.getNumElements()) +
          " lines, one for each element, but got " + Twine(labels.size()));
  return llvm::Error::success();
}

static void printResults(const CompiledFunction &function,
                         ArrayRef<HostTensor> results,
                         ArrayRef<std::string> labels) {
  for (auto [i, type, result] : llvm::enumerate(function.results, results)) {
    if (topCount == 0 || results.size() > 1)
      llvm::outs() << "output " << i << ": " << type << "\n";
    if (topCount == 0)
      printTensor(llvm::outs(), type, result);
    else
      printTop(llvm::outs(), type, result, topCount, labels);
  }
}

/// Prints how results differ from references and whether they are equal.
static bool compareResults(ArrayRef<HostTensor> results,
                           ArrayRef<HostTensor> expected) {
  bool areEqual = true;
  for (auto [i, reference] : llvm::enumerate(expected)) {
    Difference difference = compare(results[i], reference);
    areEqual &= difference.elements == 0;
    llvm::outs() << "output " << i << ": " << difference.elements << " of "
                 << reference.getNumElements() << " elements differ from '"
                 << references[i] << "', max |d| "
                 << llvm::format("%g", difference.greatest) << "\n";
  }
  return areEqual;
}

static void printStatistics(const CompiledFunction &function,
                            double compileTime, double runTime) {
  llvm::outs() << "kernels: " << function.kernels
               << ", moves: " << function.moves << "\n";
  if (const auto &memory = function.memory)
    llvm::outs() << "weights: " << memory->constantBytes << " bytes\n"
                 << "inputs and results: " << memory->argumentBytes
                 << " bytes\n"
                 << "activation buffers: " << memory->bufferBytes
                 << " bytes, live at once: " << memory->peakBytes << " bytes\n";
  llvm::outs() << llvm::format("compile: %.1f ms\n", compileTime)
               << llvm::format("run: %.3f ms (median of %u)\n", runTime,
                               repeat.getValue());
}

//===----------------------------------------------------------------------===//
// Main
//===----------------------------------------------------------------------===//

/// Everything after the program is compiled.
static llvm::Expected<bool> run(const Program &program,
                                const CompiledFunction &function,
                                ArrayRef<std::string> names,
                                double compileTime) {
  auto labels = readLabels();
  if (!labels)
    return labels.takeError();
  if (llvm::Error error = checkLabels(function, *labels))
    return error;
  auto inputs = readInputs(function, names, inputOptions);
  if (!inputs)
    return inputs.takeError();
  auto expected = readReferences(function);
  if (!expected)
    return expected.takeError();

  std::vector<HostTensor> results;
  std::vector<double> times;
  for (unsigned i = 0; i < std::max(1U, repeat.getValue()); ++i) {
    auto start = Clock::now();
    auto outputs = program.run(function, *inputs);
    if (!outputs)
      return outputs.takeError();
    times.push_back(millisecondsSince(start));
    results = std::move(*outputs);
  }
  llvm::sort(times);

  if (!outputDir.empty())
    if (llvm::Error error = writeOutputs(outputDir, results))
      return error;
  if (topCount > 0 || (outputDir.empty() && references.empty()))
    printResults(function, results, *labels);
  if (printStats)
    printStatistics(function, compileTime, times[times.size() / 2]);
  return compareResults(results, *expected);
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  assert(isStatsFree && "made before the option");
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(argc, argv, overview);

  auto buffer = readFile(model);
  if (!buffer)
    return fail(buffer.takeError());
  llvm::MemoryBufferRef source = (*buffer)->getMemBufferRef();
  auto sources = std::make_shared<llvm::SourceMgr>();
  sources->AddNewSourceBuffer(std::move(*buffer), llvm::SMLoc());

  DialectRegistry registry;
  registerDialects(registry);
  MLIRContext context(registry);
  SourceMgrDiagnosticHandler diagnostics(*sources, &context);
  auto module = parseSourceFile<ModuleOp>(sources, &context);
  if (!module)
    return EXIT_FAILURE;
  FailureOr<func::FuncOp> entry = selectEntry(*module, entryName);
  if (failed(entry))
    return EXIT_FAILURE;
  std::vector<std::string> names = getArgumentNames(*entry, source);

  CompileOptions options;
  options.runtimeLibrary = findRuntime(argv[0]);
  options.entries = {entry->getSymName().str()};
  auto start = Clock::now();
  FailureOr<Program> program = Program::compile(*module, options);
  if (failed(program))
    return EXIT_FAILURE;
  auto isAsExpected = run(*program, program->getFunctions().front(), names,
                          millisecondsSince(start));
  if (!isAsExpected)
    return fail(isAsExpected.takeError());
  return *isAsExpected ? EXIT_SUCCESS : EXIT_FAILURE;
}
