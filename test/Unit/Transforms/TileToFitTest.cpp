// SPDX-License-Identifier: Apache-2.0
//
// Kernels that are computed in the tiles of another one compute the same bytes,
// fit, and compute nothing twice. mli-fuzz tries tiles of all programs.

#include "../../Fuzz/Generator/Writer.h"
#include "../../Fuzz/Runner/Case.h"
#include "../AllDialects.h"

#include "mli/IR/LocalMemory.h"
#include "mli/Transforms/FitQuery.h"
#include "mli/Transforms/Passes.h"

#include "mlir/Interfaces/TilingInterface.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

#include <gtest/gtest.h>

#include <fstream>

using namespace mlir;
using namespace mli;
using namespace mli::fuzz;

namespace {

class TileToFitTest : public testing::TestWithParam<uint64_t> {
protected:
  TileToFitTest() : context(test::allDialects()) {
    context.printOpOnDiagnostic(false);
    context.loadAllAvailableDialects();
  }

  /// Kernels whose results are used again and meet, with windows or without.
  OwningOpRef<ModuleOp> makeNetwork(uint64_t seed, bool hasWindows) {
    Settings settings;
    settings.seed = seed;
    settings.size = 14;
    settings.weights.fill(0);
    settings.weight(Feature::Relu) = 2;
    for (Feature feature : {Feature::Conv2d, Feature::Pool})
      settings.weight(feature) = hasWindows ? 2 : 0;
    settings.weight(Feature::Eltwise) = 6;
    settings.weight(Feature::Meeting) = 100;
    OwningOpRef<ModuleOp> module = generateProgram(&context, settings);
    // What only dead operations use is dead itself.
    for (int64_t count = 0; count != countOps<Operation *>(*module);) {
      count = countOps<Operation *>(*module);
      simplify(*module);
    }
    return module;
  }

  LogicalResult run(ModuleOp module, std::unique_ptr<Pass> pass) {
    PassManager passes(&context);
    passes.addPass(std::move(pass));
    return passes.run(module);
  }

  /// What is the same is there once.
  void simplify(ModuleOp module) {
    ASSERT_TRUE(succeeded(run(module, createCSEPass())));
  }

  /// Local memory that has room for some tile of each kernel of `module`, and
  /// not for all of the largest; nothing without kernels.
  static std::optional<int64_t>
  chooseBytes(ModuleOp module, const layout::Target &target, Random &random) {
    int64_t least = 0, most = 0;
    module.walk([&](TilingInterface op) {
      FailureOr<FitQuery> query = FitQuery::get(op, target, 0);
      if (failed(query))
        return;
      least = std::max(least, query->getBytes(query->getSmallestBlock()));
      most = std::max(most, query->getBytes(query->getSizes()));
    });
    if (most == 0)
      return std::nullopt;
    int64_t bytes = random.pick(least, std::max(least, most));
    return (bytes + target.unit - 1) / target.unit * target.unit;
  }

  /// Every kernel fits as a whole now: alone, or, as mli-insert-moves tells,
  /// with what is in local memory around it.
  void checkFits(ModuleOp module, const layout::Target &target) {
    module.walk([&](TilingInterface op) {
      if (llvm::any_of(op->getOperandTypes(), isLocal))
        return;
      FailureOr<FitQuery> query = FitQuery::get(op, target, target.npuBytes);
      ASSERT_TRUE(succeeded(query));
      EXPECT_GE(query->getSlack(query->getSizes()), 0);
    });
    OwningOpRef<ModuleOp> moved = module.clone();
    EXPECT_TRUE(succeeded(run(*moved, createInsertMoves())));
  }

  /// Counts kernels that use several ones that are computed in their tiles, and
  /// such ones that several use.
  void countGroups(ModuleOp module) {
    auto isFused = [](Operation *op) {
      return op && op->hasAttr("mli.tile_fused");
    };
    module.walk([&](TilingInterface op) {
      llvm::SmallPtrSet<Operation *, 4> producers, users;
      for (Value operand : op->getOperands())
        if (isFused(operand.getDefiningOp()))
          producers.insert(operand.getDefiningOp());
      joins += producers.size() > 1 ? 1 : 0;
      if (isFused(op))
        users.insert_range(op->getUsers());
      forks += users.size() > 1 ? 1 : 0;
    });
  }

  template <typename Op>
  static int64_t countOps(ModuleOp module) {
    int64_t count = 0;
    module.walk([&](Op) { ++count; });
    return count;
  }

  /// What computes: values may move in again.
  static int64_t countKernels(ModuleOp module) {
    int64_t count = 0;
    module.walk([&](TilingInterface op) { count += isa<MovOp>(op) ? 0 : 1; });
    return count;
  }

  void tile(ModuleOp module, const std::string &overrides, Random &random) {
    layout::Target target;
    target.npus = random.pick(1, 2) * random.pick(1, 4);
    target.unit = int64_t{4} << random.pick(0, 3);
    target.banks = 1;
    std::optional<int64_t> bytes = chooseBytes(module, target, random);
    if (!bytes)
      return;
    target.npuBytes = *bytes;
    AttachTargetOptions attach;
    attach.target = "custom,npus=" + std::to_string(target.npus) +
                    ",npu-bytes=" + std::to_string(*bytes) +
                    ",unit=" + std::to_string(target.unit);
    TileToFitOptions decide, apply;
    decide.overrides = overrides;
    decide.decideOnly = true;
    decide.maxGroup = static_cast<int>(random.pick(2, 8));
    // Streams are cut by another pass.
    decide.maxStream = 1;
    apply.unroll = static_cast<int>(random.pick(0, 8));
    ASSERT_TRUE(succeeded(run(module, createAttachTarget(attach))));
    ASSERT_TRUE(succeeded(run(module, createTileToFit(decide))));
    countGroups(module);
    ASSERT_TRUE(succeeded(run(module, createTileToFit(apply))));
    checkFits(module, target);
  }

  MLIRContext context;
  int64_t joins = 0, forks = 0;
};

} // namespace

// Z9
// Z15
TEST_P(TileToFitTest, GroupsComputeTheSameBytesAndNothingTwice) {
  // The seeds run at the same time.
  std::string overrides = testing::TempDir() + "tile-groups-" +
                          std::to_string(GetParam()) + ".json";
  std::ofstream(overrides) << R"({"cost": {"mac": 0, "call": 0, "code": 0}})";
  std::unique_ptr<Kernels> kernels = createReferenceKernels();
  for (uint64_t i = 0; i < 400 && !HasFailure(); ++i) {
    uint64_t seed = 1000 * GetParam() + i;
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    bool hasWindows = i % 2 == 0;
    auto program = makeCase(makeNetwork(seed, hasWindows), seed);
    ASSERT_TRUE(static_cast<bool>(program))
        << llvm::toString(program.takeError());
    OwningOpRef<ModuleOp> tiled = program->clone();
    tile(*tiled, overrides, random);
    ASSERT_FALSE(HasFatalFailure());
    auto entry = cast<func::FuncOp>(tiled->lookupSymbol("main"));
    auto results =
        Interpreter(*kernels, 0x33).run(entry, toData(entry, program->inputs));
    ASSERT_TRUE(static_cast<bool>(results))
        << llvm::toString(results.takeError());
    for (auto [expected, actual] :
         llvm::zip_equal(*program->expected, toHostTensors(*results)))
      EXPECT_EQ(expected.data, actual.data);
    // Of a small map windows may take all of it for each tile.
    int64_t count = countKernels(*tiled);
    simplify(*tiled);
    if (!hasWindows) {
      EXPECT_EQ(countKernels(*tiled), count);
    }
  }
  EXPECT_GT(joins, 10);
  EXPECT_GT(forks, 5);
}

INSTANTIATE_TEST_SUITE_P(Seeds, TileToFitTest, testing::Range<uint64_t>(1, 3));
