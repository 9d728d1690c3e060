// SPDX-License-Identifier: Apache-2.0
//
// Random programs give the same bytes before and after legalisation, on tensors
// and down to buffers, with two patterns in memory that nobody wrote.

#include "../AllDialects.h"
#include "Interpreter.h"
#include "RandomPrograms.h"

#include "mli/Transforms/Passes.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

#include <gtest/gtest.h>

#include <map>

using namespace mlir;
using namespace mli::test;

namespace {

class LegalizeDifferentialTest : public testing::Test {
protected:
  LegalizeDifferentialTest() {
    context.disableMultithreading();
    // Random programs are made of its types.
    context.loadDialect<mli::MLIDialect, memref::MemRefDialect>();
    // Remarks are no failures.
    context.getDiagEngine().registerHandler([this](Diagnostic &diagnostic) {
      if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
        ADD_FAILURE() << diagnostic.str();
      ++diagnosed[diagnostic.str()];
      return success();
    });
  }

  static func::FuncOp functionOf(ModuleOp module) {
    func::FuncOp found;
    module.walk([&](func::FuncOp function) { found = function; });
    return found;
  }

  /// Compares what `module` computes before and after `passes`.
  void check(const Program &program, PassManager &passes, bool isLocal) {
    auto module = parseSourceString<ModuleOp>(program.text, &context);
    ASSERT_TRUE(module) << program.text;
    auto expected =
        Interpreter(/*isLocal=*/false, 0x5a)
            .run(functionOf(*module), program.arguments, program.resultCount);
    ASSERT_TRUE(succeeded(passes.run(*module))) << program.text;
    for (uint8_t seed : {0xa5, 0x3c}) {
      auto actual =
          Interpreter(isLocal, seed)
              .run(functionOf(*module), program.arguments, program.resultCount);
      if (actual == expected)
        continue;
      std::string text;
      llvm::raw_string_ostream os(text);
      module->print(os);
      FAIL() << program.text << "\nbecame\n" << text;
    }
  }

  /// How many remarks begin with `text`.
  int64_t countRemarks(llvm::StringRef text) const {
    int64_t count = 0;
    for (const auto &[remark, times] : diagnosed)
      count += llvm::StringRef(remark).starts_with(text) ? times : 0;
    return count;
  }

  MLIRContext context{allDialects()};
  std::map<std::string, int64_t> diagnosed;
};

/// Programs of each kind; a failure prints the seed of its own.
constexpr uint32_t programCount = 2000;
constexpr uint32_t axisProgramCount = 1000;

void addPassesOnTensors(PassManager &passes) {
  passes.addPass(mli::createLegalizeConversions());
  passes.addPass(mli::createLegalizeLayouts());
  passes.addPass(mli::createLegalizeSubtensors());
}

void addPassesToBuffers(PassManager &passes) {
  addPassesOnTensors(passes);
  passes.addPass(mli::createBufferize());
  passes.addPass(mli::createLegalizeSubtensors());
  passes.addPass(createCSEPass());
  passes.addPass(createCanonicalizerPass());
}

} // namespace

TEST_F(LegalizeDifferentialTest, TensorsStayTensors) {
  PassManager passes(&context);
  addPassesOnTensors(passes);
  for (uint32_t seed = 0; seed < programCount && !HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    check(randomTensorProgram(seed), passes, /*isLocal=*/false);
  }
  // Programs are about what the passes do.
  EXPECT_GT(countRemarks("two conversions are one"), programCount / 10);
  EXPECT_GT(countRemarks("conversions of adjacent slices"), programCount / 40);
}

TEST_F(LegalizeDifferentialTest, TensorsBecomeBuffers) {
  PassManager passes(&context);
  addPassesToBuffers(passes);
  for (uint32_t seed = 100000; seed < 100000 + programCount && !HasFailure();
       ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    check(randomTensorProgram(seed), passes, /*isLocal=*/false);
  }
}

TEST_F(LegalizeDifferentialTest, AxesStayAxes) {
  PassManager passes(&context);
  addPassesOnTensors(passes);
  for (uint32_t seed = 0; seed < axisProgramCount && !HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    check(randomAxisProgram(seed), passes, /*isLocal=*/false);
  }
}

TEST_F(LegalizeDifferentialTest, AxesBecomeBuffers) {
  PassManager passes(&context);
  addPassesToBuffers(passes);
  for (uint32_t seed = 100000;
       seed < 100000 + axisProgramCount && !HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    check(randomAxisProgram(seed), passes, /*isLocal=*/false);
  }
}

TEST_F(LegalizeDifferentialTest, LocalMemory) {
  PassManager passes(&context);
  passes.addPass(mli::createLegalizeSubtensors());
  for (uint32_t seed = 0; seed < 2 * programCount && !HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    check(randomLocalProgram(context, seed), passes, /*isLocal=*/true);
  }
}
