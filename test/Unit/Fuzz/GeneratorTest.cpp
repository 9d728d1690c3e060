// SPDX-License-Identifier: Apache-2.0
//
// Random programs verify, are the same for the same seed, and have every
// operation of the dialect.

#include "../../Fuzz/Generator/LocalProgram.h"
#include "../../Fuzz/Generator/Writer.h"
#include "../../Fuzz/Runner/Case.h"
#include "../AllDialects.h"

#include "mli/IR/KernelOps.h"

#include "mlir/IR/Verifier.h"

#include <gtest/gtest.h>

#include <set>

using namespace mlir;
using namespace mli;
using namespace mli::fuzz;

namespace {

class GeneratorTest : public testing::Test {
protected:
  GeneratorTest() : context(test::allDialects()) {
    context.loadAllAvailableDialects();
  }

  static std::string toText(ModuleOp module) {
    std::string text;
    llvm::raw_string_ostream os(text);
    module.print(os);
    return text;
  }

  MLIRContext context;
};

} // namespace

TEST_F(GeneratorTest, SeedsDecideAll) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    Settings settings;
    settings.seed = seed;
    EXPECT_EQ(toText(*generateProgram(&context, settings)),
              toText(*generateProgram(&context, settings)));
    EXPECT_EQ(toText(*generateLocalProgram(&context, settings)),
              toText(*generateLocalProgram(&context, settings)));
  }
}

TEST_F(GeneratorTest, ProgramsHaveAllOperations) {
  std::set<std::string> names;
  for (uint64_t seed = 1; seed <= 500; ++seed) {
    Settings settings;
    settings.seed = seed;
    for (auto generate : {generateProgram, generateLocalProgram}) {
      OwningOpRef<ModuleOp> module = generate(&context, settings);
      ASSERT_TRUE(succeeded(verify(*module))) << toText(*module);
      module->walk([&](Operation *op) {
        names.insert(op->getName().getStringRef().str());
      });
    }
  }
  anyOp([&](auto op) {
    EXPECT_TRUE(names.count(decltype(op)::Type::getOperationName().str()))
        << decltype(op)::Type::getOperationName().str();
    return false;
  });
  for (const char *name :
       {"scf.for", "scf.if", "func.call", "tensor.concat", "tensor.pad",
        "tensor.insert_slice", "tensor.extract_slice", "tensor.insert"})
    EXPECT_TRUE(names.count(name)) << name;
}

TEST_F(GeneratorTest, WeightsChooseFeatures) {
  Settings settings;
  settings.weights.fill(0);
  settings.weight(Feature::Pool) = 1;
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    settings.seed = seed;
    OwningOpRef<ModuleOp> module = generateProgram(&context, settings);
    module->walk([&](KernelOpInterface op) {
      EXPECT_TRUE((isa<AvePoolOp, MaxPoolOp, ConvertOp>(op.getOperation())))
          << op->getName().getStringRef().str();
    });
  }
}

TEST_F(GeneratorTest, ResultsDependOnInputsOnly) {
  for (uint64_t seed = 1; seed <= 100; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Settings settings;
    settings.seed = seed;
    auto program = makeCase(generateProgram(&context, settings), seed);
    EXPECT_TRUE(static_cast<bool>(program))
        << llvm::toString(program.takeError());
  }
}
