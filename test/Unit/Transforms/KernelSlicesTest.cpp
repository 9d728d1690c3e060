// SPDX-License-Identifier: Apache-2.0
//
// Kernels on slices of their operands, and with results that are slices, give
// the bytes that they give on tensors of their own: what the compiler takes for
// a view the kernels take, too.

#include "../AllDialects.h"
#include "CompareModules.h"
#include "CutOperands.h"
#include "RandomKernels.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace mli;

namespace {
/// Seeds, each with a target of local placement or none.
class KernelSlicesTest
    : public testing::TestWithParam<std::tuple<uint32_t, const char *>> {};
} // namespace

/// Erases functions with sizes that are computed: local memory takes none.
static void eraseDynamic(ModuleOp module) {
  auto isDynamic = [](Type type) {
    auto shaped = dyn_cast<ShapedType>(type);
    return shaped && !shaped.hasStaticShape();
  };
  for (auto function :
       llvm::make_early_inc_range(module.getOps<func::FuncOp>())) {
    WalkResult walk = function.walk([&](Operation *op) {
      return WalkResult(failure(llvm::any_of(op->getResultTypes(), isDynamic)));
    });
    if (walk.wasInterrupted())
      function.erase();
  }
}

/// What `function` gives for `inputs`; nothing, with a failure of the test, if
/// a kernel refuses them.
static std::optional<HostTensor> run(const Program &program,
                                     const CompiledFunction &function,
                                     ArrayRef<HostTensor> inputs) {
  auto results = program.run(function, inputs);
  if (results)
    return results->front();
  ADD_FAILURE() << llvm::toString(results.takeError());
  return std::nullopt;
}

// T8, T19
TEST_P(KernelSlicesTest, SlicesAreComputedAsWholes) {
  auto [seed, target] = GetParam();
  std::mt19937 random(seed);
  std::string source;
  for (const KernelFamily &family : getKernelFamilies())
    source += family.write(random, family.name);
  for (const KernelFamily &family : getWholeFamilies())
    source += family.write(random, family.name);
  MLIRContext context(test::allDialects());
  auto whole = parseSourceString<ModuleOp>(source, &context);
  ASSERT_TRUE(whole) << source;
  if (*target)
    eraseDynamic(*whole);
  OwningOpRef<ModuleOp> sliced = cast<ModuleOp>((*whole)->clone());
  std::vector<CutFunction> cuts;
  std::vector<std::string> texts;
  for (auto function : sliced->getOps<func::FuncOp>()) {
    cuts.push_back(cutOperands(function, random));
    llvm::raw_string_ostream(texts.emplace_back()) << function;
  }
  ASSERT_TRUE(succeeded(verify(*sliced)));

  FailureOr<Program> expected = compileForTest(*whole);
  FailureOr<Program> actual = compileForTest(*sliced, target);
  ASSERT_TRUE(succeeded(expected) && succeeded(actual));
  for (auto [function, cut, text] :
       llvm::zip_equal(expected->getFunctions(), cuts, texts)) {
    SCOPED_TRACE(text);
    const CompiledFunction &other = *actual->lookup(function.name);
    std::vector<HostTensor> inputs, wholes;
    for (RankedTensorType type : function.inputs)
      inputs.push_back(randomTensor(type, random));
    for (RankedTensorType type : other.inputs)
      wholes.push_back(randomTensor(type, random));
    for (auto [input, into, argument] :
         llvm::zip_first(inputs, wholes, cut.arguments))
      argument.insert(input, into);
    std::optional<HostTensor> own = run(*expected, function, inputs);
    std::optional<HostTensor> got = run(*actual, other, wholes);
    if (!own || !got)
      continue;
    HostTensor result = cut.isOpen ? *got : wholes.back();
    cut.result.insert(*own, result);
    EXPECT_EQ(got->data, result.data);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Seeds, KernelSlicesTest,
    testing::Combine(testing::Range(1U, 7U),
                     testing::Values("", "vpx",
                                     "custom,npus=4,npu-bytes=65536")));
