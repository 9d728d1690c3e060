// SPDX-License-Identifier: Apache-2.0
//
// What is cut to fit a small local memory computes the same bytes, in tiles of
// static shapes that fit.

#include "../AllDialects.h"
#include "CompareModules.h"
#include "RandomKernels.h"
#include "RandomNetwork.h"

#include "mli/Analysis/LocalNeed.h"
#include "mli/Transforms/FitQuery.h"
#include "mli/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/TilingInterface.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

#include <gtest/gtest.h>

#include <fstream>

using namespace mlir;
using namespace mli;

static int64_t pick(std::mt19937 &random, int64_t least, int64_t most) {
  return std::uniform_int_distribution<int64_t>(least, most)(random);
}

static layout::Target randomTarget(std::mt19937 &random) {
  layout::Target target;
  const int64_t npus[] = {1, 1, 2, 4, 8};
  target.npus = npus[pick(random, 0, 4)];
  target.unit = int64_t{4} << pick(random, 0, 3);
  target.banks = 1;
  target.dmaAlignment = 4;
  return target;
}

/// Local memory that has room for some tile of each kernel of `module`, and not
/// for all of the largest; nothing where a shape is not known or no kernel is.
static std::optional<int64_t> randomBytes(ModuleOp module,
                                          const layout::Target &target,
                                          std::mt19937 &random) {
  int64_t least = 0, most = 0;
  bool isKnown = true;
  module.walk([&](TilingInterface op) {
    if (isa<MovOp>(op.getOperation()))
      return;
    FailureOr<FitQuery> query = FitQuery::get(op, target, 0);
    isKnown &= succeeded(query);
    if (failed(query))
      return;
    least = std::max(least, query->getBytes(query->getSmallestBlock()));
    most = std::max(most, query->getBytes(query->getSizes()));
  });
  if (!isKnown || most == 0)
    return std::nullopt;
  int64_t bytes = pick(random, least, std::max(least, most));
  return (bytes + target.unit - 1) / target.unit * target.unit;
}

namespace {

class TileToFitTest : public testing::TestWithParam<uint32_t> {
protected:
  TileToFitTest() : context(test::allDialects()), random(GetParam()) {}

  /// Cuts `module` to fit a random target, by the costs of the file at
  /// `overrides`; counts what was cut.
  void tile(ModuleOp module, const std::string &overrides = "") {
    layout::Target target = randomTarget(random);
    std::optional<int64_t> bytes = randomBytes(module, target, random);
    if (!bytes)
      return;
    std::string text = "custom,npus=" + std::to_string(target.npus) +
                       ",npu-bytes=" + std::to_string(*bytes) +
                       ",unit=" + std::to_string(target.unit);
    PassManager passes(&context);
    AttachTargetOptions attach;
    attach.target = text;
    TileToFitOptions options;
    options.unroll = pick(random, 0, 8);
    TileToFitOptions deciding;
    deciding.overrides = overrides;
    deciding.decideOnly = true;
    deciding.maxGroup = pick(random, 2, 8);
    passes.addPass(createAttachTarget(attach));
    passes.addPass(createTileToFit(deciding));
    ASSERT_TRUE(succeeded(passes.run(module))) << text;
    countGroups(module);
    PassManager applying(&context);
    applying.addPass(createTileToFit(options));
    ASSERT_TRUE(succeeded(applying.run(module))) << text;
    target.npuBytes = *bytes;
    checkFits(module, target);
  }

  /// Every kernel fits as a whole now, and has static shapes.
  void checkFits(ModuleOp module, const layout::Target &target) {
    module.walk([&](TilingInterface op) {
      if (isa<MovOp>(op.getOperation()))
        return;
      FailureOr<FitQuery> query = FitQuery::get(op, target, target.npuBytes);
      ASSERT_TRUE(succeeded(query));
      EXPECT_GE(query->getSlack(query->getSizes()), 0);
      tiles += op->getBlock()->getParentOp() != module ? 1 : 0;
    });
    module.walk([&](scf::ForOp) { ++loops; });
    module.walk([&](tensor::InsertSliceOp) { ++insertions; });
  }

  /// Kernels that are computed in the tiles of another one.
  static bool isFused(Operation *op) {
    return op && op->hasAttr("mli.tile_fused");
  }

  void countGroups(ModuleOp module) {
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

  static int64_t countKernels(ModuleOp module) {
    int64_t count = 0;
    module.walk([&](TilingInterface) { ++count; });
    return count;
  }

  /// What is the same is there once.
  void simplify(ModuleOp module) {
    PassManager passes(&context);
    passes.addPass(createCSEPass());
    ASSERT_TRUE(succeeded(passes.run(module)));
  }

  MLIRContext context;
  std::mt19937 random;
  int64_t tiles = 0, loops = 0, insertions = 0;
  /// Kernels that use several fused ones, and fused ones that several use.
  int64_t joins = 0, forks = 0;
};

} // namespace

// Z5
// Z6
TEST_P(TileToFitTest, TilesComputeTheSameBytes) {
  OwningOpRef<ModuleOp> whole = ModuleOp::create(UnknownLoc::get(&context));
  OwningOpRef<ModuleOp> tiled = ModuleOp::create(UnknownLoc::get(&context));
  for (int round = 0; round < 2; ++round)
    for (const KernelFamily &family : getKernelFamilies()) {
      std::string name = family.name + "_" + std::to_string(round);
      std::string source = family.write(random, name);
      SCOPED_TRACE(source);
      auto module = parseSourceString<ModuleOp>(source, &context);
      ASSERT_TRUE(module);
      auto function = *module->getOps<func::FuncOp>().begin();
      whole->push_back(function.clone());
      tile(*module);
      ASSERT_FALSE(HasFatalFailure());
      ASSERT_TRUE(succeeded(verify(*module)));
      tiled->push_back(function.clone());
    }
  EXPECT_GT(loops, 5);
  EXPECT_GT(insertions, 50);

  expectSameResults(*whole, *tiled, random);
}

// Z9
// Z15
TEST_P(TileToFitTest, GroupsComputeTheSameBytesAndNothingTwice) {
  std::string overrides = testing::TempDir() + "tile-groups.json";
  std::ofstream(overrides) << R"({"cost": {"mac": 0, "call": 0, "code": 0}})";
  OwningOpRef<ModuleOp> whole = ModuleOp::create(UnknownLoc::get(&context));
  OwningOpRef<ModuleOp> tiled = ModuleOp::create(UnknownLoc::get(&context));
  for (int round = 0; round < 60; ++round) {
    std::string source = test::network(random, "f" + std::to_string(round));
    SCOPED_TRACE(source);
    auto module = parseSourceString<ModuleOp>(source, &context);
    ASSERT_TRUE(module);
    simplify(*module);
    auto function = *module->getOps<func::FuncOp>().begin();
    whole->push_back(function.clone());
    tile(*module, overrides);
    ASSERT_FALSE(HasFatalFailure());
    ASSERT_TRUE(succeeded(verify(*module)));
    tiled->push_back(function.clone());
    int64_t kernels = countKernels(*module);
    simplify(*module);
    EXPECT_EQ(countKernels(*module), kernels);
  }
  EXPECT_GT(joins, 10);
  EXPECT_GT(forks, 5);

  expectSameResults(*whole, *tiled, random);
}

INSTANTIATE_TEST_SUITE_P(Seeds, TileToFitTest, testing::Range(1U, 3U));
