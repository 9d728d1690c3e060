// SPDX-License-Identifier: Apache-2.0
//
// Compiling a network in memory and running it: for tools and for programs that
// embed the compiler.
//
//   mlir::DialectRegistry registry;
//   mli::registerDialects(registry);
//   mlir::MLIRContext context(registry);
//   auto module = mlir::parseSourceFile<mlir::ModuleOp>("net.mlir", &context);
//   mli::CompileOptions options;
//   options.runtimeLibrary = "build/lib/libmli.so";
//   auto program = mli::Program::compile(*module, options);
//   auto outputs = program->run(*program->lookup("main"), inputs);

#ifndef MLI_EXECUTION_PROGRAM_H
#define MLI_EXECUTION_PROGRAM_H

#include "mli/Execution/HostTensor.h"
#include "mli/Execution/RecordedLayer.h"
#include "mli/Execution/RunLayers.h"
#include "mli/Pipelines/Pipelines.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/Error.h"

#include <functional>
#include <memory>
#include <optional>

namespace mlir {
class ExecutionEngine;
namespace func {
class FuncOp;
} // namespace func
} // namespace mlir

namespace mli {

namespace tiling {
struct CostModel;
} // namespace tiling

/// The fewest bytes that are moved between system and local memory.
struct MoveLimits {
  /// By any placement: arguments, weights and results once.
  int64_t least = 0;
  /// With the `capacity` bytes that the local memory of all NPUs has, see
  /// docs/spec/moves.md; nothing where that is not known.
  std::optional<int64_t> bound = std::nullopt;
  int64_t capacity = 0;
};

/// The memory that a compiled function uses, in bytes. Buffers whose size is
/// not known at compile time are on the heap and not counted.
struct MemoryStatistics {
  int64_t constantBytes = 0;
  /// Bytes of packed weights, which are not among constants, and the number of
  /// layers that have them.
  int64_t packedBytes = 0, packedLayers = 0;
  int64_t argumentBytes = 0;
  int64_t bufferBytes = 0;
  /// The most bytes of buffers that live at once.
  int64_t peakBytes = 0;
  /// The bytes of the arena that a caller provides, and the divisor of its
  /// address.
  int64_t arenaBytes = 0;
  int64_t arenaAlignment = 1;
  /// Bytes of each NPU, where data is in local memory: up to the last byte that
  /// holds some, and the most that do at one time.
  int64_t localBytes = 0, liveLocalBytes = 0;
  /// Machine code for this host of all functions that are compiled with it, but
  /// not of kernels; nothing unless the options say so.
  std::optional<int64_t> codeBytes = std::nullopt;
  /// Banks of it that are shared in one run by what is used at one time;
  /// nothing where it has no banks.
  std::optional<int64_t> bankConflicts;
  /// Bytes moved between system and local memory in one run.
  int64_t movedInBytes = 0, movedOutBytes = 0;
  MoveLimits moveLimits = {};
  /// Bytes that move up in rings in one run, if all conditions hold.
  int64_t shiftedBytes = 0;
  /// The cost model of tiles estimates these costs of the moves and of the
  /// kernels of one run, and of the time in which both run.
  double moveCost = 0, kernelCost = 0, overlappedCost = 0;
  /// The streams in system memory, and the parts in local memory, as lines of
  /// text; empty if there are none.
  std::string streams = {}, parts = {};
  /// The parts as a table.
  std::string partTable = {};

  int64_t getMovedBytes() const { return movedInBytes + movedOutBytes; }
  /// What the cost model estimates for one run.
  double getCost() const { return moveCost + kernelCost - overlappedCost; }
};

/// What attributes of an argument or a result say to callers.
struct PortAttributes {
  /// Quantised values are held as uint8: `mli.unsigned`.
  bool isUnsigned = false;
  /// The real number that one quantised value stands for, where that is not the
  /// scale of the type: `mli.scale`.
  std::optional<double> scale = std::nullopt;
};

/// A function of a network, as its callers see it: static shapes of dimensions
/// in [1, 2147483647], elements quantised or i8, ui8, i16, i32 or f32, of a
/// tensor at most 2147483647 bytes.
struct CompiledFunction {
  std::string name;
  llvm::SmallVector<mlir::RankedTensorType> inputs;
  llvm::SmallVector<mlir::RankedTensorType> results;
  /// The last inputs are state, which the last results are from now on: those
  /// with the attribute `mli.state`.
  unsigned numStates = 0;
  /// Of the others.
  llvm::SmallVector<PortAttributes> inputAttributes, resultAttributes;
  /// Operations that compute; those that only move data are `moves`.
  unsigned kernels = 0, moves = 0;
  MemoryStatistics memory;
  /// The costs that its run is estimated with.
  std::shared_ptr<const tiling::CostModel> costs = nullptr;
  /// What one run computes; nothing unless the options say so.
  std::optional<RunLayers> layers = std::nullopt;
  /// Its layers, if it is compiled to record them.
  std::vector<RecordedLayer> recordedLayers = {};
};

/// The memory in which kernels find their operands: plain memory, or the local
/// memory of the target, which they are moved to and from.
enum class Placement { System, Local };

struct CompileOptions {
  CompileOptions() { packing.order = PackOrder::Best; }

  /// The path of the shared runtime, `libmli.so`.
  std::string runtimeLibrary;
  /// Names of the functions to run; empty for all that are public.
  std::vector<std::string> entries;
  Placement placement = Placement::System;
  /// The target and the rest of local placement.
  LocalOptions local;
  /// The packing of layers in system memory, by default the order that this
  /// processor runs fastest.
  PackingOptions packing;
  /// The modes of kernels, which hold for all programs of the process; those of
  /// the module, or of the options of its pipeline, where they are unset.
  ComputingModes modes;
  /// What looks at the module, if it is set, once it is on buffers with their
  /// addresses. Compiling fails where it does.
  std::function<mlir::LogicalResult(mlir::ModuleOp)> inspectBuffers;
  /// The level at which LLVM optimises the code around the kernels: 0 to 3.
  /// Where that is calls only, more takes longer to compile and runs no faster.
  unsigned optLevel = 0;
  /// Whether functions get `layers`, and whether these get their `estimate`,
  /// which has an entry for each step of a run. The code is the same.
  bool findsLayers = false, findsEstimate = false;
  /// Whether functions get `codeBytes`. The code is the same.
  bool measuresCode = false;
  /// Whether runs also copy the results of layers out of the program, which is
  /// otherwise the same. It is not measured: no layer has the calls that copy.
  bool recordsLayers = false;
};

/// Machine code of a network and what is known of its functions.
class Program {
public:
  /// Compiles `module`, which is lowered in place and not needed afterwards;
  /// its context has to outlive the program. Errors are reported as
  /// diagnostics.
  static mlir::FailureOr<Program> compile(mlir::ModuleOp module,
                                          const CompileOptions &options);

  Program(Program &&) noexcept;
  Program &operator=(Program &&) noexcept;
  ~Program();

  /// The functions that can be run, in the order of the module.
  llvm::ArrayRef<CompiledFunction> getFunctions() const { return functions; }
  /// The function `name`, or null.
  const CompiledFunction *lookup(llvm::StringRef name) const;

  /// Checks that `inputs` are those of `function`. The error reports which one
  /// is not.
  static llvm::Error checkInputs(const CompiledFunction &function,
                                 llvm::ArrayRef<HostTensor> inputs);

  /// Runs `function`, one of `getFunctions()`, on `inputs` and returns its
  /// results. An error reports which input does not fit, or which kernel
  /// failed, where and why.
  llvm::Expected<std::vector<HostTensor>>
  run(const CompiledFunction &function,
      llvm::ArrayRef<HostTensor> inputs) const;

private:
  friend class Invocation;
  /// Takes addresses of arguments, and at last where to write the status.
  using Code = void (*)(void **);

  Program();

  std::vector<CompiledFunction> functions;
  std::vector<Code> codes;
  std::unique_ptr<mlir::ExecutionEngine> engine;
};

/// A function with everything that it takes, to be run again and again: its
/// inputs, which stay where they are, memory for its results, and its arena.
class Invocation {
public:
  /// Prepares runs of `function`, one of those of `program`. `inputs` have
  /// passed `checkInputs`.
  Invocation(const Program &program, const CompiledFunction &function,
             llvm::ArrayRef<HostTensor> inputs);
  Invocation(const Invocation &) = delete;
  Invocation &operator=(const Invocation &) = delete;

  /// Computes the results. An error reports which kernel failed, where and why.
  llvm::Error run();

  /// The results of the last run.
  const std::vector<HostTensor> &getResults() const { return results; }
  std::vector<HostTensor> takeResults() { return std::move(results); }
  /// What the last run had as results of the layers that have no obstacle, in
  /// their order.
  const std::vector<HostTensor> &getLayers() const { return layers; }

  /// Fills the memory for layers and the arena with `byte`.
  void fill(char byte);

private:
  void describe(const void *data, llvm::ArrayRef<int64_t> shape);

  Program::Code code;
  std::vector<HostTensor> results, layers;
  std::unique_ptr<std::byte[]> space;
  size_t spaceBytes;
  std::vector<std::vector<int64_t>> descriptors;
  std::vector<int64_t *> addresses;
  std::vector<void *> arguments;
  int32_t status = 0;
};

/// Checks that `module` has no module inside, no function of a name that the
/// code around the kernels uses (`_mlir_...`, `malloc`, ...), none without a
/// body that is called, and no constant of more than 256 MiB that repeats one
/// value. Fails with a diagnostic.
mlir::LogicalResult checkModule(mlir::ModuleOp module);

/// Lowers a network to mli kernels on tensors, the first step of `compile`.
/// Fails with a diagnostic, also for what `checkModule` rejects.
mlir::LogicalResult raise(mlir::ModuleOp module);

/// The same with the modes and the target of `options`, the first step of
/// `Program::compile`.
mlir::LogicalResult raise(mlir::ModuleOp module, const CompileOptions &options);

/// Lowers what `raise` leaves to buffers with their addresses, the next step of
/// `Program::compile`, and returns the functions of `options` with the memory
/// that they use: all that is known of a program that does not run. Fails with
/// a diagnostic.
mlir::FailureOr<std::vector<CompiledFunction>>
placeEntries(mlir::ModuleOp module, const CompileOptions &options);

/// `function`, on tensors, as its callers see it; fails with a diagnostic where
/// they could not hold an argument or result.
mlir::FailureOr<CompiledFunction> describeFunction(mlir::func::FuncOp function);

/// The public function to run: `name`, or where that is empty `main` or the
/// only one. Fails with a diagnostic that lists the candidates.
mlir::FailureOr<mlir::func::FuncOp> selectEntry(mlir::ModuleOp module,
                                                llvm::StringRef name);

/// The names of the public functions that `names` has; of none, of the one that
/// `selectEntry` finds without a name. Fails with its diagnostic.
mlir::FailureOr<std::vector<std::string>>
selectEntries(mlir::ModuleOp module, llvm::ArrayRef<std::string> names);

/// Sets the modes of `module` that `options` have, as `Program::compile` does,
/// and returns those in which its program computes.
ComputingModes attachComputingModes(mlir::ModuleOp module,
                                    const CompileOptions &options);

/// Whether `op` is an mli operation that computes: neither data nor a move.
bool isComputingKernel(mlir::Operation *op);

/// Returns how elements of type `element` are stored outside of a program;
/// nothing if they cannot be.
std::optional<HostElement> getHostElement(mlir::Type element);

/// Checks that `tensor` is one of `type`. The error starts with `expected
/// <what> to`.
llvm::Error checkTensor(llvm::StringRef what, mlir::RankedTensorType type,
                        const HostTensor &tensor);

} // namespace mli

#endif // MLI_EXECUTION_PROGRAM_H
