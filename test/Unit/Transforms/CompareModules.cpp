// SPDX-License-Identifier: Apache-2.0

#include "CompareModules.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace mli;

HostTensor mli::randomTensor(RankedTensorType type, std::mt19937 &random) {
  HostTensor tensor;
  tensor.element = *getHostElement(type.getElementType());
  tensor.shape = type.getShape().vec();
  int32_t bound = tensor.element == HostElement::I32 ? 100000 : 32767;
  std::uniform_int_distribution<int32_t> codes(-bound, bound);
  for (int64_t i = 0; i < type.getNumElements(); ++i) {
    int32_t code = codes(random);
    const auto *bytes = reinterpret_cast<const char *>(&code);
    tensor.data.insert(tensor.data.end(), bytes,
                       bytes + getElementBytes(tensor.element));
  }
  return tensor;
}

FailureOr<Program> mli::compileForTest(ModuleOp module, StringRef target) {
  CompileOptions options;
  options.runtimeLibrary = MLI_RUNTIME_LIBRARY;
  if (!target.empty()) {
    options.placement = Placement::Local;
    options.local.target = target.str();
  }
  return Program::compile(module, options);
}

void mli::expectSameResults(ModuleOp expected, ModuleOp actual,
                            std::mt19937 &random) {
  FailureOr<Program> first = compileForTest(expected);
  FailureOr<Program> second = compileForTest(actual);
  ASSERT_TRUE(succeeded(first) && succeeded(second));
  for (const CompiledFunction &function : first->getFunctions()) {
    SCOPED_TRACE(function.name);
    std::vector<HostTensor> inputs;
    for (RankedTensorType type : function.inputs)
      inputs.push_back(randomTensor(type, random));
    auto firstResults = first->run(function, inputs);
    ASSERT_TRUE(static_cast<bool>(firstResults))
        << llvm::toString(firstResults.takeError());
    auto secondResults = second->run(*second->lookup(function.name), inputs);
    ASSERT_TRUE(static_cast<bool>(secondResults))
        << llvm::toString(secondResults.takeError());
    EXPECT_EQ(firstResults->front().data, secondResults->front().data);
  }
}
