// SPDX-License-Identifier: Apache-2.0
//
// Random layers of 8 bits through both front ends, against exact integers.
// MLI_TEST_FULL=1 tries all 10,000 of each.

#include "../AllDialects.h"
#include "RandomLayer.h"

#include "mli/Conversion/Passes.h"
#include "mli/Execution/Program.h"
#include "mli/IR/MLI.h"
#include "mli/Import/TFLite.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

#include <gtest/gtest.h>

#include <cstdlib>

using namespace mlir;
using namespace mli;
using namespace mli::test;

namespace {

/// Gives `layer`, of uint8, weights whose zero point is 0, and one of them the
/// greatest code.
void setGreatestWeight(RandomLayer &layer) {
  for (int16_t &weight : layer.weights)
    weight = std::min<int16_t>(std::abs(weight), 255);
  layer.weights.back() = 255;
  llvm::fill(layer.weightsZeros, 0);
}

/// Layers of a seed, those that were rejected, and how the others compare.
class RandomLayers {
public:
  using Form = RandomLayer::Form;

  explicit RandomLayers(Form form) : form(form) {}

  void run() {
    const char *full = std::getenv("MLI_TEST_FULL");
    int batches = full && *full == '1' ? 50 : 2;
    constexpr int layersPerBatch = 200;
    bool isTosa = form == Form::Tosa;
    std::mt19937 random(17 + static_cast<int>(isTosa));
    for (int i = 0; i < batches; ++i) {
      std::vector<RandomLayer> layers;
      layers.reserve(layersPerBatch);
      for (int j = 0; j < layersPerBatch; ++j)
        layers.push_back(randomLayer(random, form));
      if (form == Form::Unsigned)
        for (size_t j = 0; j < layers.size(); j += 20)
          setGreatestWeight(layers[j]);
      ASSERT_NO_FATAL_FAILURE(isTosa ? runTosa(layers) : runTFLite(layers));
    }
    int64_t count = int64_t{batches} * layersPerBatch;
    EXPECT_EQ(total.wrong, 0);
    // Each form is met, and rejections are few.
    EXPECT_GE(rounded, count / 10000);
    EXPECT_GT(constants, count / 10);
    EXPECT_GE(wide, count / 100);
    EXPECT_LT(rejected, count / 50);
    EXPECT_LT(total.differing, total.elements / 100);
    if (form == Form::Unsigned) {
      EXPECT_GT(repeated, count / 20);
      EXPECT_GT(grouped, count / 100);
      EXPECT_GT(alone, count / 100);
    }
    std::printf("%lld layers: %lld rounded, %lld with constants, %lld in fx16, "
                "%lld rejected; %lld of %lld elements differ; channels twice: "
                "%lld, in all groups %lld, in another kernel %lld\n",
                (long long)count, (long long)rounded, (long long)constants,
                (long long)wide, (long long)rejected,
                (long long)total.differing, (long long)total.elements,
                (long long)repeated, (long long)grouped, (long long)alone);
  }

private:
  /// Counts the remarks; other diagnostics fail the test.
  LogicalResult note(Diagnostic &diagnostic) {
    std::string text = diagnostic.str();
    StringRef remark(text);
    rounded += remark.starts_with("biases rounded");
    constants += remark.starts_with("constants with");
    wide += remark.starts_with("computed in fx16");
    if (remark.consume_front("weights of 9 bits, whose channels ")) {
      repeated += remark.starts_with("the kernel takes twice: ");
      grouped += remark.starts_with("the kernel takes twice, as those");
      alone += remark.starts_with("another kernel takes twice");
    }
    EXPECT_EQ(diagnostic.getSeverity(), DiagnosticSeverity::Remark) << text;
    return success();
  }

  static bool isNamed(StringRef reason) {
    return reason.contains("; the kernel of 8 bits would saturate before "
                           "the result of output ") ||
           reason.starts_with("expected scale ") ||
           reason.starts_with("expected factor ");
  }

  void runTFLite(const std::vector<RandomLayer> &layers) {
    std::string bytes = toTFLite(layers), error;
    std::optional<tflite::Model> model = tflite::readModel(bytes, error);
    ASSERT_TRUE(model) << error;
    MLIRContext context(allDialects());
    tflite::ImportOptions options;
    std::vector<size_t> imported;
    {
      ScopedDiagnosticHandler handler(
          &context, [&](Diagnostic &each) { return note(each); });
      auto first = tflite::importModel(*model, options, nullptr, &context);
      ASSERT_TRUE(succeeded(first));
      for (auto [i, report] : llvm::enumerate(first->operators)) {
        if (report.state == tflite::OperatorReport::State::Imported) {
          imported.push_back(i);
          options.outputs.push_back("y" + std::to_string(i));
          continue;
        }
        EXPECT_TRUE(isNamed(report.reason)) << report.reason;
        ++rejected;
      }
    }
    ScopedDiagnosticHandler handler(&context,
                                    [](Diagnostic &) { return success(); });
    auto rest = tflite::importModel(*model, options, nullptr, &context);
    ASSERT_TRUE(succeeded(rest) && rest->module);
    Program program = compile(*rest->module);
    std::vector<HostTensor> inputs;
    inputs.reserve(layers.size());
    for (const RandomLayer &layer : layers)
      inputs.push_back(
          inputOf(layer, program.lookup("main")->inputs[inputs.size()]));
    auto results = program.run(*program.lookup("main"), inputs);
    ASSERT_TRUE(static_cast<bool>(results));
    for (auto [result, i] : llvm::zip_equal(*results, imported))
      check(layers[i], tfliteFactors(layers[i]), result);
  }

  void runTosa(const std::vector<RandomLayer> &layers) {
    std::string text;
    for (auto [i, layer] : llvm::enumerate(layers))
      text += toTosa(layer, i);
    MLIRContext context(allDialects());
    auto module = parseSourceString<ModuleOp>(text, &context);
    ASSERT_TRUE(module) << text;
    {
      ScopedDiagnosticHandler handler(&context, [&](Diagnostic &each) {
        std::string remark = each.str();
        size_t at = remark.find("op not raised: ");
        if (at == std::string::npos)
          return note(each);
        bool belongs = remark.find("it belongs to") != std::string::npos;
        EXPECT_TRUE(belongs || isNamed(StringRef(remark).substr(at + 15)) ||
                    remark.find("reshape") != std::string::npos)
            << remark;
        return success();
      });
      PassManager manager(&context);
      manager.addPass(createConvertTosaToMLI());
      ASSERT_TRUE(succeeded(manager.run(*module)));
    }
    for (auto function :
         llvm::make_early_inc_range(module->getOps<func::FuncOp>())) {
      bool isLeft = false;
      function.walk([&](Operation *op) {
        isLeft |= isa<tosa::TosaDialect>(op->getDialect()) &&
                  !op->use_empty() && !isa<tosa::ConstOp>(op);
      });
      rejected += isLeft;
      if (isLeft)
        function.erase();
    }
    Program program = compile(*module);
    for (auto [i, layer] : llvm::enumerate(layers)) {
      const CompiledFunction *function =
          program.lookup("f" + std::to_string(i));
      if (!function)
        continue;
      auto results =
          program.run(*function, inputOf(layer, function->inputs.front()));
      ASSERT_TRUE(static_cast<bool>(results));
      check(layer, tosaFactors(layer), results->front());
    }
  }

  static Program compile(ModuleOp module) {
    CompileOptions options;
    options.runtimeLibrary = MLI_RUNTIME_LIBRARY;
    FailureOr<Program> program = Program::compile(module, options);
    EXPECT_TRUE(succeeded(program));
    return std::move(*program);
  }

  static HostTensor inputOf(const RandomLayer &layer, RankedTensorType type) {
    const auto *codes = reinterpret_cast<const char *>(layer.input.data());
    return {HostElement::I8,
            type.getShape().vec(),
            {codes, codes + layer.input.size()}};
  }

  void check(const RandomLayer &layer, const std::vector<FixedFactor> &factors,
             const HostTensor &result) {
    Verdict verdict = compare(
        layer, factors, reinterpret_cast<const int8_t *>(result.data.data()));
    total.elements += verdict.elements;
    total.differing += verdict.differing;
    total.wrong += verdict.wrong;
  }

  Form form;
  int64_t rounded = 0, constants = 0, wide = 0, rejected = 0;
  /// The forms of weights of 9 bits.
  int64_t repeated = 0, grouped = 0, alone = 0;
  Verdict total;
};

} // namespace

TEST(ByteProduct, LayersOfTFLiteAreExact) {
  RandomLayers(RandomLayer::Form::TFLite).run();
}

TEST(ByteProduct, UnsignedLayersOfTFLiteAreExact) {
  RandomLayers(RandomLayer::Form::Unsigned).run();
}

TEST(ByteProduct, LayersOfTosaAreExact) {
  RandomLayers(RandomLayer::Form::Tosa).run();
}
