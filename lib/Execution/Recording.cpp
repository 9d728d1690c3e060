// SPDX-License-Identifier: Apache-2.0

#include "mli/Execution/Recording.h"

#include "RuntimeLibrary.h"

#include "mli/Execution/Steps.h"

using namespace mlir;
using namespace mli;

/// Runs once, in memory that held `byte`, and appends what layers gave.
static llvm::Error runOnce(Invocation &invocation, uint8_t byte,
                           std::vector<HostTensor> &layers) {
  setRuntimePoison(/*seed=*/byte);
  invocation.fill(static_cast<char>(byte));
  llvm::Error error = invocation.run();
  setRuntimePoison();
  layers = invocation.getLayers();
  return error;
}

llvm::Expected<Recording> mli::record(const Program &program,
                                      const CompiledFunction &function,
                                      ArrayRef<HostTensor> inputs) {
  std::vector<HostTensor> operands = inputs.vec();
  llvm::append_range(operands, createStates(function));
  if (llvm::Error error = Program::checkInputs(function, operands))
    return error;
  Invocation invocation(program, function, operands);
  std::vector<HostTensor> first, second;
  if (llvm::Error error = runOnce(invocation, 0x55, first))
    return error;
  if (llvm::Error error = runOnce(invocation, 0xAA, second))
    return error;
  Recording recording;
  recording.results = invocation.takeResults();
  recording.results.resize(recording.results.size() - function.numStates);
  size_t next = 0;
  for (const RecordedLayer &layer : function.recordedLayers) {
    recording.layers.push_back({layer, {}});
    if (!layer.obstacle.empty())
      continue;
    LayerValue &recorded = recording.layers.back();
    if (first[next].data == second[next].data)
      recorded.value = std::move(first[next]);
    else
      recorded.layer.obstacle = "only parts of it are ever computed";
    ++next;
  }
  return recording;
}
