// SPDX-License-Identifier: Apache-2.0

#include "Configurations.h"

#include "Heap.h"

#include "mli/Execution/Program.h"
#include "mli/Transforms/Passes.h"

#include "mli/Runtime/C/mli_simd.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/DynamicLibrary.h"
#include "llvm/Support/FileSystem.h"

using namespace mlir;
using namespace mli;
using namespace mli::fuzz;

const char *fuzz::getName(Outcome::Kind kind) {
  static constexpr const char *names[] = {"same",     "refused",  "differs",
                                          "rejected", "unusable", "crashed",
                                          "endless"};
  return names[static_cast<int>(kind)];
}

//===----------------------------------------------------------------------===//
// Comparing
//===----------------------------------------------------------------------===//

static std::string describeDifference(ArrayRef<HostTensor> expected,
                                      ArrayRef<HostTensor> actual) {
  for (auto [i, one, other] : llvm::enumerate(expected, actual)) {
    if (one.shape != other.shape)
      return "result " + std::to_string(i) + " has shape " +
             formatShape(other.shape) + ", not " + formatShape(one.shape);
    Difference difference = compare(other, one);
    for (size_t at = 0; difference.elements != 0; ++at)
      if (one.get(at) != other.get(at))
        return "result " + std::to_string(i) + " differs in " +
               std::to_string(difference.elements) + " of " +
               std::to_string(one.getNumElements()) + " elements, first in " +
               std::to_string(at) + ": expected " +
               std::to_string(static_cast<int64_t>(one.get(at))) +
               ", but got " +
               std::to_string(static_cast<int64_t>(other.get(at)));
  }
  return "";
}

/// Compares what a run gave with what is expected.
static Outcome judge(const Case &program,
                     llvm::Expected<std::vector<HostTensor>> results) {
  Outcome outcome;
  if (!results) {
    outcome.text = llvm::toString(results.takeError());
    if (program.expected)
      outcome.kind = Outcome::Kind::Rejected;
    return outcome;
  }
  if (!program.expected) {
    outcome.kind = Outcome::Kind::Differs;
    outcome.text = "expected a failure, as " + program.failure;
    return outcome;
  }
  outcome.text = describeDifference(*program.expected, *results);
  if (!outcome.text.empty())
    outcome.kind = Outcome::Kind::Differs;
  return outcome;
}

//===----------------------------------------------------------------------===//
// Diagnostics
//===----------------------------------------------------------------------===//

namespace {

/// The errors of a context while it lives, and their notes.
class Errors {
public:
  explicit Errors(MLIRContext *context)
      : handler(context, [this](Diagnostic &diagnostic) {
          if (diagnostic.getSeverity() == DiagnosticSeverity::Error) {
            text += diagnostic.str() + "\n";
            for (Diagnostic &note : diagnostic.getNotes())
              text += note.str() + "\n";
          }
          return success();
        }) {}

  std::string text;

private:
  ScopedDiagnosticHandler handler;
};

} // namespace

/// What a configuration cannot do, as its diagnostics say.
static constexpr const char *limits[] = {
    "to be static, as tiles in local memory are",
    "to be a tensor that local memory can hold, of a static shape",
};

static Outcome refuse(StringRef text, bool isLocal) {
  Outcome outcome;
  outcome.kind = Outcome::Kind::Rejected;
  outcome.text = text.str();
  if (isLocal)
    for (const char *limit : limits)
      if (text.contains(limit)) {
        outcome.kind = Outcome::Kind::Refused;
        outcome.text = limit;
      }
  return outcome;
}

//===----------------------------------------------------------------------===//
// Interpreted
//===----------------------------------------------------------------------===//

static Outcome interpret(const Case &program, ModuleOp module,
                         Kernels &kernels, char poison) {
  auto entry = cast<func::FuncOp>(module.lookupSymbol("main"));
  Interpreter interpreter(kernels, poison);
  auto results = interpreter.run(entry, toData(entry, program.inputs));
  if (!results)
    return judge(program, results.takeError());
  return judge(program, toHostTensors(*results));
}

/// By the functions of the C API, one after the other.
static Outcome runCalls(const Case &program, Random &random) {
  std::unique_ptr<Kernels> kernels = createRuntimeKernels(random.next());
  ModuleOp module = program.module.get();
  return interpret(program, module, *kernels,
                   static_cast<char>(random.next()));
}

/// What the passes on tensors make of it.
static Outcome runLegalized(const Case &program, Random &random) {
  OwningOpRef<ModuleOp> module = program.clone();
  Errors errors(module->getContext());
  PassManager passes(module->getContext());
  buildTensorPipeline(passes);
  if (random.chance(30)) {
    passes.addPass(createCSEPass());
    passes.addPass(createCanonicalizerPass());
  }
  if (failed(passes.run(*module)))
    return refuse(errors.text, /*isLocal=*/false);
  std::unique_ptr<Kernels> kernels = createReferenceKernels();
  return interpret(program, *module, *kernels,
                   static_cast<char>(random.next()));
}

//===----------------------------------------------------------------------===//
// Compiled
//===----------------------------------------------------------------------===//

static std::string runtimeLibrary;

namespace {

/// A program for one set of options, or what there is to say without.
struct Compiled {
  std::optional<Program> program;
  std::string errors;
  uint64_t allocations = 0, operations = 0;
};

} // namespace

static Compiled compile(const Case &program, CompileOptions options) {
  options.runtimeLibrary = runtimeLibrary;
  options.entries = {"main"};
  OwningOpRef<ModuleOp> module = program.clone();
  Errors errors(module->getContext());
  Compiled compiled;
  uint64_t before = countAllocations();
  auto result = Program::compile(*module, options);
  compiled.allocations = countAllocations() - before;
  compiled.errors = std::move(errors.text);
  if (succeeded(result))
    compiled.program.emplace(std::move(*result));
  module->walk([&](Operation *) { ++compiled.operations; });
  return compiled;
}

static Outcome runCompiled(const Case &program, const Compiled &compiled) {
  const CompiledFunction &function = *compiled.program->lookup("main");
  Outcome outcome =
      judge(program, compiled.program->run(function, program.inputs));
  outcome.allocations = compiled.allocations;
  outcome.operations = compiled.operations;
  return outcome;
}

static Outcome runWith(const Case &program, const CompileOptions &options,
                       bool isLocal) {
  Compiled compiled = compile(program, options);
  if (!compiled.program)
    return refuse(compiled.errors, isLocal);
  return runCompiled(program, compiled);
}

static Outcome runSystem(const Case &program, Random &random) {
  CompileOptions options;
  options.packing.order = PackOrder::None;
  options.optLevel = random.chance(10) ? 2 : 0;
  return runWith(program, options, /*isLocal=*/false);
}

static Outcome runPacked(const Case &program, Random &random) {
  static constexpr PackOrder orders[] = {PackOrder::Best, PackOrder::Pairs,
                                         PackOrder::Quads};
  CompileOptions options;
  options.packing.order = random.pick(llvm::ArrayRef(orders));
  options.packing.threads = static_cast<int>(random.pick(1, 3));
  return runWith(program, options, /*isLocal=*/false);
}

/// One program on each instruction set of this machine.
static Outcome runInstructionSets(const Case &program, Random &random) {
  auto find = [](const char *name) {
    return llvm::sys::DynamicLibrary::SearchForAddressOfSymbol(name);
  };
  auto *set = reinterpret_cast<decltype(mli_set_simd_target) *>(
      find("mli_set_simd_target"));
  auto *get = reinterpret_cast<decltype(mli_get_simd_target) *>(
      find("mli_get_simd_target"));
  CompileOptions options;
  options.packing.order = random.chance(50) ? PackOrder::None : PackOrder::Pairs;
  Compiled compiled = compile(program, options);
  if (!compiled.program)
    return refuse(compiled.errors, /*isLocal=*/false);
  mli_simd_target chosen = get();
  Outcome outcome;
  for (int i = MLI_SIMD_SCALAR; i <= MLI_SIMD_NEON_I8MM; ++i) {
    if (set(static_cast<mli_simd_target>(i)) != MLI_STATUS_OK)
      continue;
    outcome = runCompiled(program, compiled);
    if (outcome.isFinding()) {
      outcome.text = (Twine(mli_simd_target_name(
                          static_cast<mli_simd_target>(i))) +
                      ": " + outcome.text)
                         .str();
      break;
    }
  }
  set(chosen);
  return outcome;
}

//===----------------------------------------------------------------------===//
// In local memory
//===----------------------------------------------------------------------===//

namespace {

/// A target that is tried with several sizes.
struct TargetChoice {
  int64_t npus, unit, bytes;

  std::string getText() const {
    return "custom,npus=" + std::to_string(npus) +
           ",npu-bytes=" + std::to_string(bytes) +
           ",unit=" + std::to_string(unit) + ",banks=1";
  }
};

} // namespace

static TargetChoice chooseTarget(Random &random) {
  static constexpr int64_t npus[] = {1, 1, 2, 3, 4, 8, 64};
  TargetChoice target;
  target.npus = random.pick(llvm::ArrayRef(npus));
  target.unit = int64_t{4} << random.pick(0, 5);
  target.bytes = 1 << 20;
  return target;
}

static CompileOptions localOptions(const TargetChoice &target) {
  CompileOptions options;
  options.placement = Placement::Local;
  options.local.target = target.getText();
  return options;
}

/// As much memory as everything takes at once.
static Outcome runLocal(const Case &program, Random &random) {
  if (program.hasBuffers()) {
    CompileOptions options;
    options.placement = Placement::Local;
    return runWith(program, options, /*isLocal=*/true);
  }
  if (random.chance(40)) {
    static constexpr const char *targets[] = {"vpx", "bm1684", "bm1684x",
                                              "bm1688"};
    CompileOptions options = localOptions({});
    options.local.target = random.pick(llvm::ArrayRef(targets));
    return runWith(program, options, /*isLocal=*/true);
  }
  return runWith(program, localOptions(chooseTarget(random)), /*isLocal=*/true);
}

/// The number of bytes that the errors say would do, or 0.
static int64_t findEnough(StringRef errors) {
  size_t at = errors.find("npu-bytes=");
  int64_t bytes = 0;
  if (at == StringRef::npos ||
      errors.substr(at + 10).consumeInteger(10, bytes))
    return 0;
  return bytes;
}

/// The least memory that is enough, found by what the errors say would do.
static Compiled compileInLeast(const Case &program, CompileOptions &options,
                               TargetChoice target) {
  target.bytes = target.unit;
  while (true) {
    options.local.target = target.getText();
    Compiled compiled = compile(program, options);
    int64_t enough = findEnough(compiled.errors);
    if (compiled.program || enough <= target.bytes)
      return compiled;
    target.bytes = enough;
  }
}

static Outcome runInLeast(const Case &program, CompileOptions options,
                          const TargetChoice &target) {
  Compiled compiled = compileInLeast(program, options, target);
  Outcome outcome = compiled.program
                        ? runCompiled(program, compiled)
                        : refuse(compiled.errors, /*isLocal=*/true);
  outcome.where = options.local.target;
  return outcome;
}

static Outcome runLeast(const Case &program, Random &random) {
  TargetChoice target = chooseTarget(random);
  return runInLeast(program, localOptions(target), target);
}

/// Between the least memory and as much as everything takes.
static Outcome runSmall(const Case &program, Random &random) {
  TargetChoice target = chooseTarget(random);
  target.bytes = (random.pick(64, 4096) + target.unit - 1) / target.unit *
                 target.unit;
  CompileOptions options = localOptions(target);
  Compiled compiled = compile(program, options);
  if (int64_t enough = findEnough(compiled.errors);
      !compiled.program && enough > target.bytes)
    return runInLeast(program, options, target);
  Outcome outcome = compiled.program
                        ? runCompiled(program, compiled)
                        : refuse(compiled.errors, /*isLocal=*/true);
  outcome.where = options.local.target;
  return outcome;
}

static Outcome runModes(const Case &program, Random &random) {
  TargetChoice target = chooseTarget(random);
  target.npus = int64_t{1} << random.pick(1, 4);
  CompileOptions options = localOptions(target);
  static constexpr layout::Mode modes[] = {
      layout::Mode::None, layout::Mode::FourN, layout::Mode::TwoN};
  options.local.mode = random.pick(llvm::ArrayRef(modes));
  options.local.matrices = random.chance(50);
  if (random.chance(50))
    return runInLeast(program, options, target);
  return runWith(program, options, /*isLocal=*/true);
}

static Outcome runDoubleBuffered(const Case &program, Random &random) {
  TargetChoice target = chooseTarget(random);
  CompileOptions options = localOptions(target);
  options.local.doubleBuffer =
      random.chance(50) ? DoubleBuffering::Auto : DoubleBuffering::On;
  if (random.chance(60))
    return runInLeast(program, options, target);
  return runWith(program, options, /*isLocal=*/true);
}

/// Costs from a file, which lead to other tiles and groups.
static Outcome runCosts(const Case &program, Random &random) {
  TargetChoice target = chooseTarget(random);
  CompileOptions options = localOptions(target);
  SmallString<128> path;
  int descriptor = -1;
  if (llvm::sys::fs::createTemporaryFile("mli-fuzz", "json", descriptor, path))
    return {};
  {
    llvm::raw_fd_ostream os(descriptor, /*shouldClose=*/true);
    os << "{\"cost\": {\"mac\": " << random.pick(0, 4)
       << ", \"call\": " << (random.chance(50) ? 0 : random.pick(0, 5000))
       << ", \"code\": " << (random.chance(50) ? 0 : random.pick(0, 5000))
       << ", \"byte\": " << random.pick(0, 3)
       << ", \"overlap\": " << (random.chance(50) ? 0 : 1) << "}}";
  }
  options.local.overrides = path.str().str();
  target.bytes = (random.pick(128, 2048) + target.unit - 1) / target.unit *
                 target.unit;
  options.local.target = target.getText();
  Outcome outcome = runInLeast(program, options, target);
  llvm::sys::fs::remove(path);
  return outcome;
}

//===----------------------------------------------------------------------===//
// The list
//===----------------------------------------------------------------------===//

static constexpr Configuration configurations[] = {
    {"calls", "the functions of the C API, between guards", runCalls,
     /*takesBuffers=*/true},
    {"legalized", "interpreted after the passes on tensors", runLegalized,
     /*takesBuffers=*/true},
    {"system", "compiled for system memory", runSystem},
    {"packed", "the same with packed weights and threads", runPacked},
    {"simd", "the same on each instruction set", runInstructionSets},
    {"local", "in local memory that holds everything", runLocal,
     /*takesBuffers=*/true},
    {"least", "in the least local memory that is enough", runLeast},
    {"small", "in local memory of a random size", runSmall},
    {"modes", "in storage modes and matrices", runModes},
    {"double-buffer", "moved while kernels compute", runDoubleBuffered},
    {"costs", "in other tiles", runCosts},
};

llvm::ArrayRef<Configuration> fuzz::getConfigurations() {
  return configurations;
}

const Configuration *fuzz::findConfiguration(StringRef name) {
  for (const Configuration &configuration : configurations)
    if (name == configuration.name)
      return &configuration;
  return nullptr;
}

llvm::Error fuzz::prepareConfigurations(const std::string &library) {
  runtimeLibrary = library;
  std::string error;
  if (llvm::sys::DynamicLibrary::LoadLibraryPermanently(library.c_str(),
                                                        &error))
    return llvm::createStringError(error);
  return llvm::Error::success();
}
