// SPDX-License-Identifier: Apache-2.0

#include "mli/Execution/Program.h"

#include "RuntimeLibrary.h"

#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "llvm/Support/Alignment.h"

using namespace mlir;
using namespace mli;

/// A memref descriptor: two pointers, offset, sizes, strides.
static std::vector<int64_t> describeMemory(const void *data,
                                           ArrayRef<int64_t> shape) {
  auto address = reinterpret_cast<intptr_t>(data);
  size_t rank = shape.size();
  std::vector<int64_t> words = {address, address, /*offset=*/0};
  words.resize(3 + 2 * rank, 1);
  llvm::copy(shape, words.begin() + 3);
  for (size_t dim = rank; dim-- > 1;)
    words[3 + rank + dim - 1] = words[3 + rank + dim] * shape[dim];
  return words;
}

static HostTensor allocate(RankedTensorType type) {
  HostTensor tensor;
  tensor.element = *getHostElement(type.getElementType());
  tensor.shape = type.getShape().vec();
  tensor.data.resize(type.getNumElements() * getElementBytes(tensor.element));
  return tensor;
}

llvm::Error Program::checkInputs(const CompiledFunction &function,
                                 ArrayRef<HostTensor> inputs) {
  if (inputs.size() != function.inputs.size())
    return llvm::createStringError("expected " + Twine(function.inputs.size()) +
                                   " inputs of '" + function.name +
                                   "', but got " + Twine(inputs.size()));
  for (auto [i, type, input] : llvm::enumerate(function.inputs, inputs))
    if (llvm::Error error =
            checkTensor(("input " + Twine(i)).str(), type, input))
      return error;
  return llvm::Error::success();
}

void Invocation::describe(const void *data, ArrayRef<int64_t> shape) {
  descriptors.push_back(describeMemory(data, shape));
}

Invocation::Invocation(const Program &program, const CompiledFunction &function,
                       ArrayRef<HostTensor> inputs)
    : code(program.codes[program.lookup(function.name) -
                         program.functions.data()]) {
  for (RankedTensorType type : function.results)
    results.push_back(allocate(type));
  for (const HostTensor &input : inputs)
    describe(input.data.data(), input.shape);
  for (const HostTensor &result : results)
    describe(result.data.data(), result.shape);
  const MemoryStatistics &memory = function.memory;
  // The program reads only what it has written: no need to clear the arena.
  spaceBytes = memory.arenaBytes + memory.arenaAlignment - 1;
  space.reset(new std::byte[spaceBytes]);
  std::byte *arena =
      space.get() + llvm::offsetToAlignedAddr(
                        space.get(), llvm::Align(memory.arenaAlignment));
  describe(arena, memory.arenaBytes);
  for (const RecordedLayer &layer : function.recordedLayers)
    if (layer.obstacle.empty())
      layers.push_back(allocate(layer.type));
  for (const HostTensor &layer : layers)
    describe(layer.data.data(), layer.shape);
  // The wrapper takes addresses of its arguments, which are addresses of
  // descriptors.
  for (std::vector<int64_t> &descriptor : descriptors)
    addresses.push_back(descriptor.data());
  for (int64_t *&address : addresses)
    arguments.push_back(static_cast<void *>(&address));
  arguments.push_back(&status);
}

void Invocation::fill(char byte) {
  std::memset(space.get(), byte, spaceBytes);
  for (HostTensor &layer : layers)
    llvm::fill(layer.data, byte);
}

llvm::Error Invocation::run() {
  FailureLog log;
  code(arguments.data());
  if (status != 0)
    return llvm::createStringError(log.getText());
  return llvm::Error::success();
}

llvm::Expected<std::vector<HostTensor>>
Program::run(const CompiledFunction &function,
             ArrayRef<HostTensor> inputs) const {
  if (llvm::Error error = checkInputs(function, inputs))
    return error;
  Invocation invocation(*this, function, inputs);
  if (llvm::Error error = invocation.run())
    return error;
  return invocation.takeResults();
}
