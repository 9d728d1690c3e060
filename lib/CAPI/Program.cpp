// SPDX-License-Identifier: Apache-2.0

#include "Handles.h"

#include "mli/IR/LocalMemory.h"
#include "mli/IR/LocationNames.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Verifier.h"

#include <mutex>

using namespace mlir;
using namespace mli;
using namespace mli::capi;

//===----------------------------------------------------------------------===//
// Modes of the process
//===----------------------------------------------------------------------===//

namespace {

/// The modes in which all programs that live compute, and their number.
class LiveModes {
public:
  /// Counts a program in `modes`; if others compute in other ones, answers
  /// these.
  std::optional<ComputingModes> enter(const ComputingModes &modes) {
    std::lock_guard<std::mutex> lock(mutex);
    bool areEqual = live.rounding == modes.rounding &&
                    live.accumulation == modes.accumulation;
    if (programs > 0 && !areEqual)
      return live;
    live = modes;
    ++programs;
    return std::nullopt;
  }

  void leave() {
    std::lock_guard<std::mutex> lock(mutex);
    --programs;
  }

private:
  std::mutex mutex;
  unsigned programs = 0;
  ComputingModes live;
};

} // namespace

static LiveModes &getLiveModes() {
  static LiveModes modes;
  return modes;
}

//===----------------------------------------------------------------------===//
// Compiling
//===----------------------------------------------------------------------===//

/// Names of arguments and of results.
using PortNames = std::pair<std::vector<std::string>, std::vector<std::string>>;

static std::vector<std::string> getNames(ValueRange values) {
  std::vector<std::string> names;
  for (Value value : values) {
    StringAttr name = findName(value.getLoc());
    names.push_back(name ? name.str() : std::string());
  }
  return names;
}

/// The names that `module`, a network, gives arguments and results of its
/// functions.
static llvm::StringMap<PortNames> findNames(ModuleOp module) {
  llvm::StringMap<PortNames> names;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (function.isExternal())
      continue;
    Operation *end = function.getBody().back().getTerminator();
    names[function.getSymName()] = {getNames(function.getArguments()),
                                    getNames(end->getOperands())};
  }
  return names;
}

/// `ports`, with those of `names` that there are.
static std::vector<PortHandle> createPorts(MLIRContext *context,
                                           ArrayRef<Port> ports,
                                           ArrayRef<std::string> names) {
  std::vector<PortHandle> handles;
  for (auto [i, port] : llvm::enumerate(ports)) {
    std::string name = i < names.size() ? names[i] : std::string();
    handles.push_back(
        {context, std::move(name), port.type, port.isUnsigned, port.scale});
  }
  return handles;
}

static bool hasLocalBuffers(ModuleOp module) {
  return module
      .walk([](AllocOp op) {
        return isLocal(op.getType()) ? WalkResult::interrupt()
                                     : WalkResult::advance();
      })
      .wasInterrupted();
}

/// A handle of `program`, made of `buffers`, that points to itself.
static ProgramHandle *createHandle(Program program,
                                   OwningOpRef<ModuleOp> buffers,
                                   llvm::StringMap<PortNames> names) {
  MLIRContext *context = buffers->getContext();
  bool isLocal = hasLocalBuffers(*buffers);
  auto *handle = new ProgramHandle{
      context, std::move(program), std::move(buffers), isLocal, {}};
  for (const CompiledFunction &function : handle->program.getFunctions()) {
    const auto &[inputs, results] = names[function.name];
    handle->functions.push_back(
        {handle, &function,
         createPorts(context, getInputPorts(function), inputs),
         createPorts(context, getResultPorts(function), results)});
  }
  return handle;
}

/// Compiles `module`, which becomes something else. Sets `buffers` to what it
/// is on buffers.
static FailureOr<Program> compile(ModuleOp module, CompileOptions options,
                                  OwningOpRef<ModuleOp> &buffers) {
  options.inspectBuffers = [&](ModuleOp placed) {
    buffers = placed.clone();
    return success();
  };
  // The runtime is loaded, and its modes are set, by one at a time.
  static std::mutex mutex;
  std::lock_guard<std::mutex> lock(mutex);
  ComputingModes modes = attachComputingModes(module, options);
  if (auto live = getLiveModes().enter(modes))
    return emitError(module.getContext())
           << "expected the modes of the programs that live, which hold for "
              "the whole process, rounding "
           << static_cast<int>(live->rounding) << " and accumulation "
           << static_cast<int>(live->accumulation) << ", but got "
           << static_cast<int>(modes.rounding) << " and "
           << static_cast<int>(modes.accumulation);
  FailureOr<Program> program = Program::compile(module, options);
  if (failed(program))
    getLiveModes().leave();
  return program;
}

MliProgram mliProgramCompile(MlirModule module, MliCompileOptions options) {
  if (!module.ptr)
    return {nullptr};
  ModuleOp network = ::unwrap(module);
  MLIRContext *context = network.getContext();
  if (options.ptr && unwrap(options)->context != context) {
    emitError(context) << "expected options and a module of one context, but "
                          "got two";
    return {nullptr};
  }
  // What a builder has made may be wrong.
  if (!hasDialects(context) || failed(verify(network)))
    return {nullptr};
  const OptionsHandle defaults = {context, {}, {}};
  auto finished = finish(options.ptr ? *unwrap(options) : defaults);
  if (failed(finished) || failed(checkModule(network)))
    return {nullptr};
  OwningOpRef<ModuleOp> copy = network.clone();
  OwningOpRef<ModuleOp> buffers;
  FailureOr<Program> program = compile(*copy, *finished, buffers);
  if (failed(program))
    return {nullptr};
  return {createHandle(std::move(*program), std::move(buffers),
                       findNames(network))};
}

void mliProgramDestroy(MliProgram program) {
  if (!program.ptr)
    return;
  delete unwrap(program);
  getLiveModes().leave();
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

intptr_t mliProgramGetNumFunctions(MliProgram program) {
  return program.ptr ? static_cast<intptr_t>(unwrap(program)->functions.size())
                     : 0;
}

MliFunction mliProgramGetFunction(MliProgram program, intptr_t index) {
  if (!program.ptr)
    return {nullptr};
  const ProgramHandle &handle = *unwrap(program);
  return {getElement(handle.context, handle.functions, index, "functions")};
}

MliFunction mliProgramLookup(MliProgram program, MlirStringRef name) {
  if (!program.ptr || !isText(name))
    return {nullptr};
  for (const FunctionHandle &function : unwrap(program)->functions)
    if (function.compiled->name == ::unwrap(name))
      return {&function};
  return {nullptr};
}

MlirStringRef mliFunctionGetName(MliFunction function) {
  return ::wrap(function.ptr ? StringRef(unwrap(function)->compiled->name)
                             : StringRef());
}

intptr_t mliFunctionGetNumInputs(MliFunction function) {
  return function.ptr ? static_cast<intptr_t>(unwrap(function)->inputs.size())
                      : 0;
}

intptr_t mliFunctionGetNumResults(MliFunction function) {
  return function.ptr ? static_cast<intptr_t>(unwrap(function)->results.size())
                      : 0;
}

MliPort mliFunctionGetInput(MliFunction function, intptr_t index) {
  if (!function.ptr)
    return {nullptr};
  const FunctionHandle &handle = *unwrap(function);
  return {getElement(handle.program->context, handle.inputs, index, "inputs")};
}

MliPort mliFunctionGetResult(MliFunction function, intptr_t index) {
  if (!function.ptr)
    return {nullptr};
  const FunctionHandle &handle = *unwrap(function);
  return {
      getElement(handle.program->context, handle.results, index, "results")};
}
