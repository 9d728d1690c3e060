// SPDX-License-Identifier: Apache-2.0
//
// The compiler inside of another program.

#include "mli/Execution/Program.h"

#include "../AllDialects.h"

#include "mli/Execution/Benchmark.h"
#include "mli/Execution/Trace.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace mlir;
using namespace mli;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {
class ProgramTest : public testing::Test {
protected:
  FailureOr<Program> compile(const std::string &source,
                             CompileOptions options = {}) {
    auto module = parseSourceString<ModuleOp>(source, &context);
    EXPECT_TRUE(module);
    if (options.runtimeLibrary.empty())
      options.runtimeLibrary = MLI_RUNTIME_LIBRARY;
    return Program::compile(*module, options);
  }

  static CompileOptions optionsOf(std::vector<std::string> entries,
                                  unsigned level) {
    CompileOptions options;
    options.entries = std::move(entries);
    options.optLevel = level;
    return options;
  }

  MLIRContext context{test::allDialects()};
};
} // namespace

static HostTensor bytes(std::vector<int64_t> shape, std::vector<char> data) {
  return {HostElement::I8, std::move(shape), std::move(data)};
}

/// Two public functions of fx8 maps: a sum, and the greater of pairs.
static const char network[] = R"(
  !map = tensor<1x4x1x!mli.fx8<3>>
  !half = tensor<1x2x1x!mli.fx8<3>>
  func.func @sum(%a: !map, %b: !map) -> !map {
    %init = tensor.empty() : !map
    %sum = mli.eltwise_add ins(%a, %b : !map, !map) outs(%init : !map) -> !map
    return %sum : !map
  }
  func.func @greatest(%a: !map) -> !half {
    %init = tensor.empty() : !half
    %max = mli.maxpool ins(%a : !map) outs(%init : !half) kernel [1, 2]
             pad [0, 0, 0, 0] {strides = array<i64: 1, 2>} -> !half
    return %max : !half
  })";

TEST_F(ProgramTest, RunsEachPublicFunction) {
  FailureOr<Program> program = compile(network);
  ASSERT_TRUE(succeeded(program));
  ASSERT_EQ(program->getFunctions().size(), 2U);
  const CompiledFunction *sum = program->lookup("sum");
  ASSERT_TRUE(sum);
  EXPECT_EQ(program->lookup("main"), nullptr);
  EXPECT_EQ(sum->inputs.size(), 2U);
  EXPECT_EQ(sum->kernels, 1U);
  EXPECT_EQ(sum->memory.argumentBytes, 12);

  HostTensor a = bytes({1, 4, 1}, {1, 2, 3, 127});
  HostTensor b = bytes({1, 4, 1}, {10, 20, -30, 1});
  auto sums = program->run(*sum, {a, b});
  ASSERT_TRUE(static_cast<bool>(sums));
  EXPECT_THAT(sums->front().data, ElementsAre(11, 22, -27, 127));
  EXPECT_THAT(a.data, ElementsAre(1, 2, 3, 127));

  auto greatest = program->run(*program->lookup("greatest"), {b});
  ASSERT_TRUE(static_cast<bool>(greatest));
  EXPECT_THAT(greatest->front().shape, ElementsAre(1, 2, 1));
  EXPECT_THAT(greatest->front().data, ElementsAre(20, 1));
}

TEST_F(ProgramTest, CompilesSeveralTimesAndMoves) {
  FailureOr<Program> first = compile(network, optionsOf({"sum"}, 0));
  FailureOr<Program> second = compile(network, optionsOf({"greatest"}, 3));
  ASSERT_TRUE(succeeded(first) && succeeded(second));
  EXPECT_EQ(first->getFunctions().size(), 1U);
  Program moved = std::move(*first);
  HostTensor a = bytes({1, 4, 1}, {1, 2, 3, 4});
  auto sums = moved.run(*moved.lookup("sum"), {a, a});
  ASSERT_TRUE(static_cast<bool>(sums));
  EXPECT_THAT(sums->front().data, ElementsAre(2, 4, 6, 8));
}

TEST_F(ProgramTest, TellsWhichInputDoesNotFit) {
  FailureOr<Program> program = compile(network);
  ASSERT_TRUE(succeeded(program));
  const CompiledFunction &sum = *program->lookup("sum");
  HostTensor fits = bytes({1, 4, 1}, {1, 2, 3, 4});
  auto getError = [&](ArrayRef<HostTensor> inputs) {
    auto results = program->run(sum, inputs);
    return results ? std::string() : llvm::toString(results.takeError());
  };
  EXPECT_EQ(getError({fits}), "expected 2 inputs of 'sum', but got 1");
  EXPECT_EQ(getError({fits, bytes({4}, {1, 2, 3, 4})}),
            "expected input 1 to have shape [1, 4, 1], but got [4]");
  HostTensor wide = fits;
  wide.element = HostElement::I16;
  EXPECT_EQ(getError({wide, fits}),
            "expected input 0 to have elements of type int8, but got int16");
  HostTensor shorter = bytes({1, 4, 1}, {1, 2, 3});
  EXPECT_EQ(getError({fits, shorter}),
            "expected input 1 to have 4 bytes of data, but got 3");
  EXPECT_EQ(getError({fits, fits}), "");
}

TEST_F(ProgramTest, CompilesTheSameAtEachLevel) {
  HostTensor a = bytes({1, 4, 1}, {1, -128, 3, 127});
  for (unsigned level = 0; level <= 3; ++level) {
    FailureOr<Program> program = compile(network, optionsOf({}, level));
    ASSERT_TRUE(succeeded(program)) << level;
    auto sums = program->run(*program->lookup("sum"), {a, a});
    ASSERT_TRUE(static_cast<bool>(sums)) << level;
    EXPECT_THAT(sums->front().data, ElementsAre(2, -128, 6, 127)) << level;
  }
}

TEST_F(ProgramTest, RefusesByDiagnostics) {
  std::string said;
  ScopedDiagnosticHandler handler(
      &context, [&](Diagnostic &diagnostic) { said += diagnostic.str(); });
  EXPECT_TRUE(failed(compile(network, optionsOf({"product"}, 2))));
  EXPECT_EQ(said,
            "expected a public function 'product', but got 'sum', 'greatest'");
  said.clear();
  CompileOptions options = optionsOf({}, 2);
  options.runtimeLibrary = "/none/libmli.so";
  EXPECT_TRUE(failed(compile(network, options)));
  EXPECT_THAT(said, HasSubstr("expected the runtime library "
                              "'/none/libmli.so' to load, but got"));
  said.clear();
  EXPECT_TRUE(failed(compile("func.func private @memcpy()")));
  EXPECT_EQ(said, "expected a name that the compiler does not use itself, but "
                  "got 'memcpy'");
  said.clear();
  EXPECT_TRUE(failed(compile(network, optionsOf({}, 4))));
  EXPECT_EQ(said, "expected the optimisation level to be 0 to 3, but got 4");
}

/// A clock that tells how often it was read, and one that stands still.
static double ticks = 0;
static const Clocks ticking{[] { return ++ticks; }, [] { return ++ticks; }};
static const Clocks standing{[] { return 1.0; }, [] { return 1.0; }};

TEST_F(ProgramTest, TellsWhatTakesTime) {
  FailureOr<Program> program = compile(network, optionsOf({"sum"}, 0));
  ASSERT_TRUE(succeeded(program));
  const CompiledFunction &sum = *program->lookup("sum");
  HostTensor a = bytes({1, 4, 1}, {1, 2, 3, 4});
  llvm::Expected<BenchmarkResult> result =
      benchmark(*program, sum, {a, a}, /*runs=*/5, ticking);
  ASSERT_TRUE(static_cast<bool>(result));
  // Nothing but the readings of the clock takes time, and these do not count.
  EXPECT_EQ(result->least, 0);
  EXPECT_EQ(result->median, 0);
  EXPECT_EQ(result->kernels, 0);
  EXPECT_EQ(result->checks, 0);
  EXPECT_EQ(result->calls.front().microseconds, 0);

  // Less than a clock tells.
  result = benchmark(*program, sum, {a, a}, /*runs=*/5, standing);
  ASSERT_TRUE(static_cast<bool>(result));
  EXPECT_EQ(result->processor, 0);
  EXPECT_EQ(result->outside(), 0);
  EXPECT_EQ(result->checking(), 0);

  result->processor = 8;
  result->kernels = 4;
  result->checks = 2;
  EXPECT_EQ(result->checking(), 0.25);
  EXPECT_EQ(result->outside(), 0.25);
  result->processor = 0;
  EXPECT_EQ(result->checking(), 0);
  EXPECT_EQ(result->outside(), 0);
  result->kernels = 16;
  EXPECT_EQ(result->outside(), 0);
  ASSERT_EQ(result->calls.size(), 1U);
  EXPECT_EQ(result->calls.front().function, "mli_krn_eltwise_add_fx8");
  EXPECT_EQ(result->calls.front().calls, 1U);

  result = benchmark(*program, sum, {a}, /*runs=*/5);
  EXPECT_EQ(llvm::toString(result.takeError()),
            "expected 2 inputs of 'sum', but got 1");
}

TEST_F(ProgramTest, MeasuresLayers) {
  CompileOptions options = optionsOf({"greatest"}, 0);
  options.findsLayers = true;
  FailureOr<Program> program = compile(network, options);
  ASSERT_TRUE(succeeded(program));
  const CompiledFunction &greatest = *program->lookup("greatest");
  ASSERT_TRUE(greatest.layers);
  ASSERT_EQ(greatest.layers->layers.size(), 1U);
  const RunLayer &layer = greatest.layers->layers.front();
  EXPECT_EQ(layer.kernel, "maxpool");
  EXPECT_THAT(layer.shape, ElementsAre(1, 2, 1));
  EXPECT_EQ(layer.calls, 1U);
  // Two windows of two elements; four bytes in, two out.
  EXPECT_EQ(layer.work.products, 4);
  EXPECT_EQ(layer.work.bytes, 6);
  EXPECT_TRUE(greatest.layers->estimate.empty());

  HostTensor a = bytes({1, 4, 1}, {1, 2, 3, 4});
  auto result = benchmark(*program, greatest, {a}, /*runs=*/3, ticking,
                          /*measuresLayers=*/true);
  ASSERT_TRUE(static_cast<bool>(result));
  ASSERT_EQ(result->layers.size(), 1U);
  EXPECT_EQ(result->layers.front().function, "mli_krn_maxpool_hwc_fx8");
  EXPECT_EQ(result->layers.front().microseconds, 0);
}

/// Tiles, here of four elements, have the shapes of their layers where these
/// are recorded, too.
TEST_F(ProgramTest, FindsLayersThatItRecords) {
  const char wide[] = R"(
    !map = tensor<1x8x1x!mli.fx8<3>>
    func.func @sum(%a: !map, %b: !map) -> !map {
      %init = tensor.empty() : !map
      %sum = mli.eltwise_add ins(%a, %b : !map, !map) outs(%init : !map) -> !map
      return %sum : !map
    })";
  for (bool recordsLayers : {false, true}) {
    CompileOptions options = optionsOf({"sum"}, 0);
    options.placement = Placement::Local;
    options.local.target = "custom,npus=1,npu-bytes=12,unit=2";
    options.findsLayers = true;
    options.recordsLayers = recordsLayers;
    FailureOr<Program> program = compile(wide, options);
    ASSERT_TRUE(succeeded(program));
    const RunLayers &run = *program->getFunctions().front().layers;
    ASSERT_EQ(run.layers.size(), 1U);
    EXPECT_EQ(run.layers.front().calls, 2U);
    EXPECT_THAT(run.layers.front().shape, ElementsAre(1, 8, 1));
    EXPECT_TRUE(run.estimate.empty());
  }
}

TEST(RunLayersTest, MatchesCallsInTheirOrder) {
  RunLayers layers;
  layers.layers.resize(2);
  layers.calls = {{0, "mli_krn_packed", {}}, {1, "mli_mov_tensor_sync", {}}};
  layers.order = {0, 1, 0};
  std::string failure;
  auto match = [&](const std::vector<std::string> &functions) {
    std::vector<size_t> found;
    auto matched = matchCalls(layers, "f", functions);
    failure = matched ? "" : llvm::toString(matched.takeError());
    if (failure.empty())
      for (const LayerCall *call : *matched)
        found.push_back(call ? call->layer : 9);
    return found;
  };
  EXPECT_THAT(match({"mli_krn_packed_rows", "mli_local_gather",
                     "mli_mov_tensor_sync", "mli_krn_packed"}),
              ElementsAre(0, 9, 1, 0));
  // Too few, too many, and others.
  for (const std::vector<std::string> &functions :
       {std::vector<std::string>{"mli_krn_packed", "mli_mov_tensor_sync"},
        {"mli_krn_packed", "mli_mov_tensor_sync", "mli_krn_packed",
         "mli_krn_packed"},
        {"mli_krn_relu_fx8", "mli_mov_tensor_sync", "mli_krn_packed"}}) {
    EXPECT_TRUE(match(functions).empty());
    EXPECT_THAT(failure, HasSubstr("expected the loops and conditions of 'f'"));
  }
}

TEST_F(ProgramTest, TracesARun) {
  FailureOr<Program> program = compile(network, optionsOf({"sum"}, 0));
  ASSERT_TRUE(succeeded(program));
  const CompiledFunction &sum = *program->lookup("sum");
  HostTensor a = bytes({1, 4, 1}, {1, 2, 3, 4});
  llvm::Expected<Trace> run = trace(*program, sum, {a, a}, ticking);
  ASSERT_TRUE(static_cast<bool>(run));
  ASSERT_EQ(run->calls.size(), 1U);
  const TracedCall &call = run->calls.front();
  EXPECT_EQ(call.function, "mli_krn_eltwise_add_fx8");
  EXPECT_EQ(getName(getCallKind(call.function)), "kernel");
  EXPECT_EQ(call.begin, 1);
  EXPECT_EQ(call.end, 2);
  EXPECT_EQ(run->end, 3);

  run = trace(*program, sum, {a});
  EXPECT_EQ(llvm::toString(run.takeError()),
            "expected 2 inputs of 'sum', but got 1");
}

TEST(TraceTest, KnowsWhatCallsDo) {
  EXPECT_EQ(getName(getCallKind("mli_mov_tensor_sync")), "move");
  EXPECT_EQ(getName(getCallKind("mli_local_gather")), "move");
  EXPECT_EQ(getName(getCallKind("mli_krn_softmax_create_lut")), "table");
  EXPECT_EQ(getName(getCallKind("mli_hlp_convert_tensor_safx")), "kernel");
}

TEST_F(ProgramTest, RunsAgain) {
  FailureOr<Program> program = compile(network, optionsOf({"sum"}, 0));
  ASSERT_TRUE(succeeded(program));
  std::vector<HostTensor> inputs(2, bytes({1, 4, 1}, {1, 2, 3, 4}));
  Invocation invocation(*program, *program->lookup("sum"), inputs);
  for (char first : {1, 7}) {
    inputs.front().data.front() = first;
    ASSERT_FALSE(static_cast<bool>(invocation.run()));
    EXPECT_THAT(invocation.getResults().front().data,
                ElementsAre(first + 1, 4, 6, 8));
  }
}
