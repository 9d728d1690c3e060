// SPDX-License-Identifier: Apache-2.0
//
// What a comparison layer by layer refuses.

#include "mli/Execution/Layers.h"

#include "../AllDialects.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace mlir;
using namespace mli;
using testing::MatchesRegex;

namespace {
class LayersTest : public testing::Test {
protected:
  /// What a comparison of the first function of `source` complains of.
  std::string getError(const std::string &source, CompileOptions options = {},
                       std::vector<int64_t> inputShape = {64}) {
    auto module = parseSourceString<ModuleOp>(source, &context);
    EXPECT_TRUE(module);
    options.runtimeLibrary = MLI_RUNTIME_LIBRARY;
    HostTensor recorded{HostElement::I8, {64}, std::vector<char>(64)};
    HostTensor input = recorded;
    input.shape = std::move(inputShape);
    std::vector<LayerRecord> records = {
        {3, "relu", "op03_relu_t4.npy", recorded}};
    auto comparison = compareLayers(*module->getOps<func::FuncOp>().begin(),
                                    {input}, records, std::move(options));
    return comparison ? std::string() : llvm::toString(comparison.takeError());
  }

  MLIRContext context{test::allDialects()};
};
} // namespace

static const char relu[] = R"(
  !row = tensor<64x!mli.fx8<3>>
  func.func @main(%in: !row) -> !row {
    %init = tensor.empty() : !row
    %out = mli.relu ins(%in : !row) outs(%init : !row)
             {relu = #mli.relu<gen>} -> !row
    return %out : !row
  })";

TEST_F(LayersTest, ComparesTheKernelOfARecord) {
  EXPECT_EQ(getError(relu), "");
}

TEST_F(LayersTest, NeedsKernelsInTheBody) {
  EXPECT_THAT(
      getError(R"(
    !row = tensor<64x!mli.fx8<3>>
    func.func @main(%in: !row) -> !row {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %out = scf.for %i = %c0 to %c1 step %c1 iter_args(%to = %in) -> !row {
        %init = tensor.empty() : !row
        %part = mli.relu ins(%to : !row) outs(%init : !row)
                  {relu = #mli.relu<gen>} -> !row
        scf.yield %part : !row
      }
      return %out : !row
    })"),
      MatchesRegex("expected kernels in the body of the function, but got "
                   "'mli.relu' at loc.* inside of 'scf.for'"));
}

TEST_F(LayersTest, NeedsKernels) {
  EXPECT_EQ(getError(R"(
    func.func @main(%in: tensor<64x!mli.fx8<3>>) -> tensor<64x!mli.fx8<3>> {
      return %in : tensor<64x!mli.fx8<3>>
    })"),
            "expected a network with kernels, but got none");
}

TEST_F(LayersTest, SaysWhichLayerDoesNotRun) {
  EXPECT_EQ(getError(relu, {}, {8, 8}),
            "in 'op03_relu_t4.npy': expected input 0 to have shape [64], but "
            "got [8, 8]");
}

TEST_F(LayersTest, SaysThatLayersDoNotCompile) {
  std::string text;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    text += diagnostic.str();
    return success();
  });
  CompileOptions options;
  options.placement = Placement::Local;
  options.local.target = "none";
  EXPECT_EQ(getError(relu, options), "the layers do not compile alone");
  EXPECT_NE(text, "");
}
