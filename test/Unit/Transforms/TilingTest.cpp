// SPDX-License-Identifier: Apache-2.0
//
// Tiled programs compute the same bytes as whole ones.

#include "../AllDialects.h"
#include "CompareModules.h"
#include "RandomKernels.h"

#include "mli/IR/MLI.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/Transforms/TileUsingInterface.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace mli;

static int64_t pick(std::mt19937 &random, int64_t least, int64_t most) {
  return std::uniform_int_distribution<int64_t>(least, most)(random);
}

/// The kernel whose result `function` returns.
static TilingInterface lastKernel(func::FuncOp function) {
  TilingInterface last;
  function.walk([&](TilingInterface op) { last = op; });
  return last;
}

/// Whether a loop of the tiles of dimension `dim` cuts parameters, which takes
/// constant offsets.
static bool cutsAxis(Operation *op, int64_t dim) {
  Type weights =
      op->getNumOperands() > 1 ? op->getOperand(1).getType() : Type();
  auto shaped = dyn_cast_if_present<ShapedType>(weights);
  auto quantized =
      shaped ? dyn_cast<QuantizedType>(shaped.getElementType()) : nullptr;
  auto init = cast<ShapedType>(op->getResult(0).getType());
  return quantized && quantized.isPerAxis() && dim == init.getRank() - 1;
}

/// Filters of a tile of a group convolution: of one, some, or all groups.
static int64_t randomFilters(GroupConv2DOp op, std::mt19937 &random) {
  ShapedType input = op.getInput().getType();
  ShapedType weights = op.getWeights().getType();
  if (!input.hasStaticShape() || !weights.hasStaticShape() ||
      cutsAxis(op, /*dim=*/2))
    return 0;
  int64_t groups = input.getDimSize(2) / weights.getDimSize(2);
  int64_t filters = weights.getDimSize(3) / groups;
  int64_t sizes[] = {0, 1, filters, 2 * filters};
  return sizes[pick(random, 0, 3)];
}

/// One index of loop `i`, or all: only what is not padded is cut by a loop.
static int64_t randomPart(MovOp op, size_t i, std::mt19937 &random) {
  int64_t dim = op.getPermutation()[i];
  bool isPadded = op.getPadLow()[dim] != 0 || op.getPadHigh()[dim] != 0;
  return isPadded ? 0 : pick(random, 0, 1);
}

/// A random tile size for each loop of `op` that may be cut by one; 0 is whole.
static SmallVector<OpFoldResult> randomSizes(TilingInterface op,
                                             std::mt19937 &random) {
  Builder builder(op.getContext());
  SmallVector<OpFoldResult> sizes;
  for (auto [i, kind] : llvm::enumerate(op.getLoopIteratorTypes())) {
    int64_t size = pick(random, 0, 4);
    if (kind != utils::IteratorType::parallel ||
        cutsAxis(op, static_cast<int64_t>(i)))
      size = 0;
    auto group = dyn_cast<GroupConv2DOp>(op.getOperation());
    if (group && i == 2)
      size = randomFilters(group, random);
    if (auto mov = dyn_cast<MovOp>(op.getOperation()))
      size = randomPart(mov, i, random);
    sizes.push_back(builder.getIndexAttr(size));
  }
  return sizes;
}

static LogicalResult tileKernel(TilingInterface op, std::mt19937 &random) {
  IRRewriter rewriter(op.getContext());
  rewriter.setInsertionPoint(op);
  scf::SCFTilingOptions tiling;
  tiling.setTileSizes(randomSizes(op, random));
  scf::SCFTileAndFuseOptions options;
  options.setTilingOptions(tiling);
  FailureOr<scf::SCFTileAndFuseResult> tiled =
      scf::tileConsumerAndFuseProducersUsingSCF(rewriter, op, options);
  if (failed(tiled))
    return failure();
  for (auto [whole, replacement] : tiled->replacements)
    rewriter.replaceAllUsesWith(whole, replacement);
  return success();
}

/// Cuts the last kernel of `function` in two at a random index, then both parts
/// into tiles.
static LogicalResult tileFunction(func::FuncOp function, std::mt19937 &random) {
  TilingInterface op = lastKernel(function);
  auto type = cast<ShapedType>(op->getResult(0).getType());
  int64_t dim = type.getRank() - 1;
  bool canSplit =
      !type.isDynamicDim(dim) && type.getDimSize(dim) > 1 &&
      op.getLoopIteratorTypes()[dim] == utils::IteratorType::parallel &&
      !isa<GroupConv2DOp, MovOp>(op.getOperation());
  if (!canSplit || pick(random, 0, 2) == 0)
    return tileKernel(op, random);
  IRRewriter rewriter(op.getContext());
  rewriter.setInsertionPoint(op);
  auto [first, second] = linalg::splitOp(
      rewriter, op, static_cast<unsigned>(dim),
      rewriter.getIndexAttr(pick(random, 1, type.getDimSize(dim) - 1)));
  if (!first || !second)
    return failure();
  return success(succeeded(tileKernel(first, random)) &&
                 succeeded(tileKernel(second, random)));
}

namespace {
class TilingTest : public testing::TestWithParam<uint32_t> {};
} // namespace

TEST_P(TilingTest, TiledProgramsComputeTheSameBytes) {
  std::mt19937 random(GetParam());
  std::string source;
  for (const KernelFamily &family : getKernelFamilies())
    source += family.write(random, family.name);
  MLIRContext context(test::allDialects());
  auto whole = parseSourceString<ModuleOp>(source, &context);
  ASSERT_TRUE(whole) << source;
  OwningOpRef<ModuleOp> tiled = cast<ModuleOp>((*whole)->clone());
  int loops = 0;
  for (auto function :
       llvm::make_early_inc_range(tiled->getOps<func::FuncOp>()))
    ASSERT_TRUE(succeeded(tileFunction(function, random)))
        << function.getName().str();
  tiled->walk([&](scf::ForOp) { ++loops; });
  EXPECT_GT(loops, 40);
  ASSERT_TRUE(succeeded(verify(*tiled)));

  expectSameResults(*whole, *tiled, random);
}

INSTANTIATE_TEST_SUITE_P(Seeds, TilingTest, testing::Range(1U, 3U));
