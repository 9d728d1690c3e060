// SPDX-License-Identifier: Apache-2.0

#include "Vectors.h"

#include "Inputs.h"

#include "mli/Support/OutputFiles.h"

#include "mlir/IR/OwningOpRef.h"

using namespace mlir;
using namespace mli;

/// The bytes of each of `tensors`.
static std::vector<std::string> getBytes(ArrayRef<HostTensor> tensors) {
  std::vector<std::string> all;
  for (const HostTensor &tensor : tensors)
    all.emplace_back(tensor.data.begin(), tensor.data.end());
  return all;
}

llvm::Expected<CVectors> mli::computeVectors(ModuleOp module,
                                             ArrayRef<std::string> names,
                                             ArrayRef<std::string> files,
                                             const CompileOptions &options) {
  // A program lowers its module.
  OwningOpRef<ModuleOp> copy = module.clone();
  FailureOr<Program> program = Program::compile(*copy, options);
  if (failed(program))
    return llvm::make_error<ReportedError>();
  const CompiledFunction &function = program->getFunctions().front();
  auto inputs = readInputs(function, names, "--vectors", files);
  if (!inputs)
    return inputs.takeError();
  auto outputs = runSteps(*program, function, *inputs);
  if (!outputs)
    return outputs.takeError();
  return CVectors{getBytes(*inputs), getBytes(*outputs)};
}
