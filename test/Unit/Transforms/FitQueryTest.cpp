// SPDX-License-Identifier: Apache-2.0
//
// What fits, against every block there is: what each of them reads is measured
// with the TilingInterface, what that takes asked of the layouts.

#include "../../Fuzz/Generator/Writer.h"
#include "../AllDialects.h"

#include "mli/Analysis/LocalNeed.h"
#include "mli/Analysis/MemoryProblem.h"
#include "mli/IR/KernelOperands.h"
#include "mli/Transforms/FitQuery.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/TilingInterface.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

#include <random>

using namespace mlir;
using namespace mli;

using Shape = SmallVector<int64_t>;

static int64_t pick(std::mt19937 &random, int64_t least, int64_t most) {
  return std::uniform_int_distribution<int64_t>(least, most)(random);
}

namespace {

/// One kernel, tiled everywhere.
class BruteForce {
public:
  BruteForce(TilingInterface op, const layout::Target &target)
      : op(op), target(target),
        sizes(cast<ShapedType>(op->getResult(0).getType()).getShape()) {
    for (int64_t dim = 0; dim < static_cast<int64_t>(sizes.size()); ++dim)
      measure(dim);
  }

  ArrayRef<int64_t> getSizes() const { return sizes; }

  /// Whether the kernel computes all tiles of `count` indices of `dim`.
  bool computes(size_t dim, int64_t count) const {
    return count == sizes[dim] || isComputed[dim][count - 1];
  }

  /// What the worst block takes.
  int64_t getBytes(ArrayRef<int64_t> block) const {
    int64_t bytes = getScratchBytes(op);
    for (OpOperand &operand : op->getOpOperands()) {
      auto type = cast<ShapedType>(operand.get().getType());
      Shape shape(type.getShape());
      for (size_t dim = 0; dim < block.size(); ++dim) {
        if (block[dim] == sizes[dim])
          continue;
        const Shape &part =
            most[dim][block[dim] - 1][operand.getOperandNumber()];
        // A scalar may have got fewer dimensions.
        for (size_t i = 0; i < std::min(shape.size(), part.size()); ++i)
          shape[i] = std::min(shape[i], part[i]);
      }
      bytes += *getLocalBytes(shape, type.getElementType(),
                              getOperandUsage(operand), target);
    }
    return bytes;
  }

private:
  /// The shapes of the operands of blocks that are whole in all other
  /// dimensions, each the largest of all places.
  void measure(int64_t dim) {
    most.emplace_back();
    isComputed.emplace_back();
    for (int64_t count = 1; count < sizes[dim]; ++count) {
      bool isLegal = true;
      std::vector<Shape> shapes(op->getNumOperands());
      for (int64_t offset = 0; offset + count <= sizes[dim]; ++offset)
        isLegal &= tile(dim, offset, count, shapes) || offset % count != 0;
      int64_t rest = sizes[dim] % count;
      std::vector<Shape> ignored(op->getNumOperands());
      if (rest != 0)
        isLegal &= tile(dim, sizes[dim] - rest, rest, ignored);
      most.back().push_back(shapes);
      isComputed.back().push_back(isLegal);
    }
  }

  bool tile(int64_t dim, int64_t offset, int64_t count,
            std::vector<Shape> &shapes) {
    IRRewriter rewriter(op.getContext());
    rewriter.setInsertionPoint(op);
    Shape offsets(sizes.size(), 0), block(sizes);
    offsets[dim] = offset;
    block[dim] = count;
    auto first = getAsIndexOpFoldResult(op.getContext(), offsets);
    auto extent = getAsIndexOpFoldResult(op.getContext(), block);
    SmallVector<OpFoldResult> resultOffsets, resultSizes;
    FailureOr<TilingResult> tiled =
        op.getTiledImplementation(rewriter, first, extent);
    if (failed(tiled) ||
        failed(op.getResultTilePosition(rewriter, 0, first, extent,
                                        resultOffsets, resultSizes)))
      return false;
    for (auto [i, operand] :
         llvm::enumerate(tiled->tiledOps.front()->getOperands())) {
      auto type = cast<ShapedType>(operand.getType());
      EXPECT_TRUE(type.hasStaticShape());
      Shape &largest = shapes[i];
      // A scalar may get other dimensions of one element.
      if (largest.empty())
        largest.assign(type.getRank(), 0);
      for (int64_t j = 0; j < type.getRank(); ++j)
        largest[j] = std::max(largest[j], type.getDimSize(j));
    }
    return true;
  }

  TilingInterface op;
  layout::Target target;
  Shape sizes;
  /// By dimension, size of the block, operand.
  std::vector<std::vector<std::vector<Shape>>> most;
  std::vector<std::vector<bool>> isComputed;
};

class FitQueryTest : public testing::TestWithParam<uint64_t> {
protected:
  FitQueryTest() : context(test::allDialects()) {
    context.loadAllAvailableDialects();
    context.getDiagEngine().registerHandler([](Diagnostic &) {});
  }

  MLIRContext context;
};

} // namespace

/// All blocks of `sizes`.
static std::vector<Shape> allBlocks(ArrayRef<int64_t> sizes) {
  std::vector<Shape> blocks(1);
  for (int64_t size : sizes) {
    std::vector<Shape> longer;
    for (const Shape &block : blocks)
      for (int64_t count = 1; count <= size; ++count) {
        longer.push_back(block);
        longer.back().push_back(count);
      }
    blocks = std::move(longer);
  }
  return blocks;
}

/// The most of `dim` that fits beside `block`, by looking at every size.
static int64_t findLargest(const BruteForce &truth, const FitQuery &query,
                           size_t dim, Shape block, int64_t capacity) {
  int64_t largest = 0;
  for (int64_t count = 1; count <= truth.getSizes()[dim]; ++count) {
    block[dim] = count;
    if (query.isLegal(dim, count) && truth.getBytes(block) <= capacity)
      largest = count;
  }
  return largest;
}

static void checkKernel(TilingInterface op, const layout::Target &target,
                        std::mt19937 &random, unsigned &blocks) {
  FailureOr<FitQuery> any = FitQuery::get(op, target, 0);
  if (failed(any))
    return;
  BruteForce truth(op, target);
  ArrayRef<int64_t> sizes = truth.getSizes();
  ASSERT_EQ(any->getSizes(), sizes);
  for (size_t dim = 0; dim < sizes.size(); ++dim)
    for (int64_t count = 1; count <= sizes[dim]; ++count)
      if (any->isLegal(dim, count)) {
        EXPECT_TRUE(truth.computes(dim, count)) << dim << " " << count;
      }
  std::vector<Shape> legal;
  for (const Shape &block : allBlocks(sizes)) {
    bool isLegal = true;
    for (size_t dim = 0; dim < sizes.size(); ++dim)
      isLegal &= any->isLegal(dim, block[dim]);
    if (!isLegal)
      continue;
    legal.push_back(block);
    ASSERT_EQ(any->getBytes(block), truth.getBytes(block));
    ++blocks;
  }
  int64_t least = truth.getBytes(any->getSmallestBlock());
  for (int i = 0; i < 8; ++i) {
    int64_t capacity = pick(random, least - 1, truth.getBytes(sizes));
    FitQuery query = *FitQuery::get(op, target, capacity);
    const Shape &block = legal[pick(random, 0, legal.size() - 1)];
    EXPECT_EQ(query.getSlack(block), capacity - truth.getBytes(block));
    for (unsigned dim = 0; dim < sizes.size(); ++dim) {
      DimFit fit = query.getLargest(dim, block);
      EXPECT_EQ(fit.block, findLargest(truth, query, dim, block, capacity));
      EXPECT_EQ(fit.limit == FitLimit::Nothing, fit.block == sizes[dim]);
      if (fit.block == sizes[dim] || fit.block == 0)
        continue;
      Shape now(block), next(block);
      now[dim] = fit.block;
      next[dim] = fit.block + fit.step;
      EXPECT_TRUE(query.isLegal(dim, next[dim]));
      EXPECT_EQ(fit.stepBytes, truth.getBytes(next) - truth.getBytes(now));
      EXPECT_GT(truth.getBytes(next), capacity);
    }
    // Nothing can be added to the largest block.
    Shape largest = query.getLargestBlock();
    ASSERT_EQ(largest.empty(), capacity < least);
    if (largest.empty())
      continue;
    EXPECT_LE(truth.getBytes(largest), capacity);
    for (size_t dim = 0; dim < sizes.size(); ++dim)
      EXPECT_EQ(largest[dim],
                findLargest(truth, query, dim, largest, capacity));
  }
}

/// Kernels that tiles are made of, each of few elements.
static SmallVector<TilingInterface> getSmallKernels(ModuleOp module) {
  SmallVector<TilingInterface> kernels;
  module.walk([&](TilingInterface op) {
    if (!isa<KernelOpInterface>(op.getOperation()) ||
        isa<MovOp, ArgmaxOp>(op.getOperation()) ||
        op->hasTrait<RecurrentCell>())
      return;
    auto type = cast<ShapedType>(op->getResult(0).getType());
    if (type.hasStaticShape() && type.getNumElements() <= 60 &&
        kernels.size() < 4)
      kernels.push_back(op);
  });
  return kernels;
}

// Z1
TEST_P(FitQueryTest, BlocksAreThoseThatFit) {
  const char *targets[] = {"vpx", "bm1684", "bm1688",
                           "custom,npus=4,npu-bytes=16384",
                           "custom,npus=3,npu-bytes=65536,unit=32"};
  std::mt19937 random(GetParam());
  unsigned blocks = 0;
  for (uint64_t i = 0; i < 30; ++i) {
    fuzz::Settings settings;
    settings.seed = 1000 * GetParam() + i;
    settings.weight(fuzz::Feature::Dynamic) = 0;
    settings.weight(fuzz::Feature::Large) = 0;
    SCOPED_TRACE("seed " + std::to_string(settings.seed));
    OwningOpRef<ModuleOp> module = fuzz::generateProgram(&context, settings);
    std::string error;
    std::optional<layout::Target> target =
        layout::parseTarget(targets[pick(random, 0, 4)], error);
    ASSERT_TRUE(target) << error;
    for (TilingInterface op : getSmallKernels(*module))
      checkKernel(op, *target, random, blocks);
    if (HasFailure())
      return;
  }
  EXPECT_GT(blocks, 500U);
}

INSTANTIATE_TEST_SUITE_P(Seeds, FitQueryTest, testing::Range<uint64_t>(1, 7));
