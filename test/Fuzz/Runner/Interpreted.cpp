// SPDX-License-Identifier: Apache-2.0

#include "Runs.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mli;
using namespace mli::fuzz;

Outcome fuzz::interpret(const Case &program, ModuleOp module, Kernels &kernels,
                        char poison) {
  auto entry = cast<func::FuncOp>(module.lookupSymbol("main"));
  Interpreter interpreter(kernels, poison);
  auto results = interpreter.run(entry, toData(entry, program.inputs));
  if (results)
    return judge(program, toHostTensors(*results));
  Outcome outcome = judge(program, results.takeError());
  // Tiles of one index each are too many for an interpreter.
  if (StringRef(outcome.text).ends_with("runs for too long"))
    outcome.kind = Outcome::Kind::Refused;
  return outcome;
}

/// By the functions of the C API, one after the other.
Outcome fuzz::runCalls(const Case &program, Random &random) {
  std::unique_ptr<Kernels> kernels = createRuntimeKernels(random.next());
  return interpret(program, program.module.get(), *kernels,
                   static_cast<char>(random.next()));
}

/// What the passes on tensors make of it.
Outcome fuzz::runLegalized(const Case &program, Random &random) {
  OwningOpRef<ModuleOp> module = program.clone();
  Errors errors(module->getContext());
  PassManager passes(module->getContext());
  buildTensorPipeline(passes);
  if (random.chance(30)) {
    passes.addPass(createCSEPass());
    passes.addPass(createCanonicalizerPass());
  }
  if (failed(passes.run(*module)))
    return refuse(errors.text, /*mayRefuse=*/false);
  std::unique_ptr<Kernels> kernels = createReferenceKernels();
  return interpret(program, *module, *kernels,
                   static_cast<char>(random.next()));
}
