// SPDX-License-Identifier: Apache-2.0

#include "Runs.h"

#include "Heap.h"

#include "mli/Runtime/C/mli_simd.h"

#include "llvm/Support/DynamicLibrary.h"

using namespace mlir;
using namespace mli;
using namespace mli::fuzz;

static std::string runtimeLibrary;

Compiled fuzz::compile(ModuleOp module, CompileOptions options) {
  options.runtimeLibrary = runtimeLibrary;
  options.entries = {"main"};
  Errors errors(module->getContext());
  Compiled compiled;
  uint64_t before = countAllocations();
  auto result = Program::compile(module, options);
  compiled.allocations = countAllocations() - before;
  compiled.errors = std::move(errors.text);
  compiled.remarks = std::move(errors.remarks);
  if (succeeded(result))
    compiled.program.emplace(std::move(*result));
  module->walk([&](Operation *) { ++compiled.operations; });
  return compiled;
}

Compiled fuzz::compile(const Case &program, CompileOptions options) {
  return compile(*program.clone(), std::move(options));
}

/// Allocations of the compiler for each operation of what it makes. Nearly
/// twice as many as 3000 programs take; what grows with the square of their
/// operations is far beyond.
static constexpr uint64_t mostAllocations = 600;

static void judgeCosts(Outcome &outcome) {
  if (outcome.isFinding() ||
      outcome.allocations <= mostAllocations * outcome.operations)
    return;
  outcome.kind = Outcome::Kind::Costly;
  outcome.text = std::to_string(outcome.allocations) +
                 " allocations of the compiler for " +
                 std::to_string(outcome.operations) + " operations, over " +
                 std::to_string(mostAllocations) + " for each";
}

/// Judges whether what moves to local memory and back is at least the bound.
static void judgeMoves(const MemoryStatistics &memory, Outcome &outcome) {
  int64_t moved = memory.getMovedBytes();
  std::optional<int64_t> bound = memory.moveLimits.bound;
  if (outcome.isFinding() || !bound || moved >= *bound)
    return;
  outcome.kind = Outcome::Kind::Unbounded;
  outcome.text = std::to_string(moved) +
                 " bytes move, fewer than the bound of " +
                 std::to_string(*bound);
}

Outcome fuzz::runCompiled(const Case &program, const Compiled &compiled) {
  const CompiledFunction &function = *compiled.program->lookup("main");
  Outcome outcome =
      judge(program, compiled.program->run(function, program.inputs));
  outcome.allocations = compiled.allocations;
  outcome.operations = compiled.operations;
  judgeCosts(outcome);
  judgeMoves(function.memory, outcome);
  return outcome;
}

Outcome fuzz::runWith(const Case &program, const CompileOptions &options,
                      bool mayRefuse) {
  Compiled compiled = compile(program, options);
  if (!compiled.program)
    return refuse(compiled.errors, mayRefuse);
  return runCompiled(program, compiled);
}

Outcome fuzz::runSystem(const Case &program, Random &random) {
  CompileOptions options;
  options.packing.order = PackOrder::None;
  options.optLevel = random.chance(10) ? 2 : 0;
  return runWith(program, options, /*mayRefuse=*/false);
}

Outcome fuzz::runPacked(const Case &program, Random &random) {
  static constexpr PackOrder orders[] = {PackOrder::Best, PackOrder::Pairs,
                                         PackOrder::Quads};
  CompileOptions options;
  options.packing.order = random.pick(llvm::ArrayRef(orders));
  options.packing.threads = static_cast<int>(random.pick(1, 3));
  return runWith(program, options, /*mayRefuse=*/false);
}

/// One program on each instruction set of this machine.
Outcome fuzz::runInstructionSets(const Case &program, Random &random) {
  auto find = [](const char *name) {
    return llvm::sys::DynamicLibrary::SearchForAddressOfSymbol(name);
  };
  auto *set = reinterpret_cast<decltype(mli_set_simd_target) *>(
      find("mli_set_simd_target"));
  auto *get = reinterpret_cast<decltype(mli_get_simd_target) *>(
      find("mli_get_simd_target"));
  CompileOptions options;
  options.packing.order =
      random.chance(50) ? PackOrder::None : PackOrder::Pairs;
  Compiled compiled = compile(program, options);
  if (!compiled.program)
    return refuse(compiled.errors, /*mayRefuse=*/false);
  mli_simd_target chosen = get();
  Outcome outcome;
  for (int i = MLI_SIMD_SCALAR; i <= MLI_SIMD_NEON_DOTPROD; ++i) {
    if (set(static_cast<mli_simd_target>(i)) != MLI_STATUS_OK)
      continue;
    outcome = runCompiled(program, compiled);
    if (outcome.isFinding()) {
      outcome.text =
          (Twine(mli_simd_target_name(static_cast<mli_simd_target>(i))) + ": " +
           outcome.text)
              .str();
      break;
    }
  }
  set(chosen);
  return outcome;
}

llvm::Error fuzz::prepareConfigurations(const std::string &library) {
  runtimeLibrary = library;
  std::string error;
  if (llvm::sys::DynamicLibrary::LoadLibraryPermanently(library.c_str(),
                                                        &error))
    return llvm::createStringError(error);
  return llvm::Error::success();
}
