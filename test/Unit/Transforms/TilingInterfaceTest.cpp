// SPDX-License-Identifier: Apache-2.0
//
// What callers of TilingInterface ask, where no transform does: constant
// offsets on quantised axes, fusion by hand, and that every kernel answers.

#include "../AllDialects.h"

#include "mli/IR/MLI.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/Transforms/TileUsingInterface.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/TilingInterface.h"
#include "mlir/Parser/Parser.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace mlir;
using namespace mli;
using testing::ElementsAre;

using Sizes = SmallVector<OpFoldResult>;

namespace {
class TilingInterfaceTest : public testing::Test {
protected:
  TilingInterfaceTest() : context(test::allDialects()), rewriter(&context) {
    context.loadDialect<MLIDialect>();
    context.getDiagEngine().registerHandler(
        [&](Diagnostic &diagnostic) { messages.push_back(diagnostic.str()); });
  }

  /// The only kernel of `source`; the place to add its tiles is before it.
  TilingInterface parse(const std::string &source) {
    module = parseSourceString<ModuleOp>(source, &context);
    TilingInterface kernel;
    if (module)
      module->walk([&](TilingInterface op) { kernel = op; });
    if (kernel)
      rewriter.setInsertionPoint(kernel);
    return kernel;
  }

  Sizes known(ArrayRef<int64_t> values) {
    return getAsIndexOpFoldResult(&context, values);
  }

  template <typename Container>
  static std::vector<int64_t> numbers(const Container &values) {
    std::vector<int64_t> result;
    for (OpFoldResult value : values)
      result.push_back(getConstantIntValue(value).value_or(-1));
    return result;
  }

  MLIRContext context;
  IRRewriter rewriter;
  OwningOpRef<ModuleOp> module;
  std::vector<std::string> messages;
};
} // namespace

TEST_F(TilingInterfaceTest, EveryKernelHasIt) {
  unsigned kernels = 0;
  for (RegisteredOperationName name : context.getRegisteredOperations()) {
    if (name.getDialectNamespace() != "mli" ||
        !name.hasInterface<KernelOpInterface>())
      continue;
    ++kernels;
    EXPECT_TRUE(name.hasInterface<TilingInterface>())
        << name.getStringRef().str();
  }
  EXPECT_GE(kernels, 26U);
}

static const char convolution[] = R"(
  !map = tensor<8x8x3x!mli.sa8<1:4:-128>>
  !weights = tensor<3x3x3x4x!mli.sa8<axis = 3, {5:10:0, 7:10:0, 9:10:0, 3:10:0}>>
  !bias = tensor<4x!mli.sa32<axis = 0, {5:14:0, 7:14:0, 9:14:0, 3:14:0}>>
  !out = tensor<6x6x4x!mli.sa8<1:4:-128>>
  func.func @conv(%input: !map, %weights: !weights, %bias: !bias, %init: !out)
      -> !out {
    %result = mli.conv2d ins(%input, %weights, %bias : !map, !weights, !bias)
      outs(%init : !out) pad [0, 0, 0, 0] -> !out
    return %result : !out
  })";

/// Parameters are cut with the weights and the bias.
// N2
TEST_F(TilingInterfaceTest, KnownOffsetsCutParameters) {
  TilingInterface op = parse(convolution);
  ASSERT_TRUE(op);
  auto tiled =
      op.getTiledImplementation(rewriter, known({0, 0, 1}), known({6, 6, 2}));
  ASSERT_TRUE(succeeded(tiled));
  auto conv = cast<Conv2DOp>(tiled->tiledOps.front());
  EXPECT_TRUE(conv.getWeights().getDefiningOp<SubtensorOp>());
  auto weights =
      cast<QuantizedType>(conv.getWeights().getType().getElementType());
  auto bias = cast<QuantizedType>(conv.getBias().getType().getElementType());
  ASSERT_EQ(weights.getNumParams(), 2U);
  EXPECT_EQ(weights.getParam(0).scale, 7);
  EXPECT_EQ(weights.getParam(1).scale, 9);
  ASSERT_EQ(bias.getNumParams(), 2U);
  EXPECT_EQ(bias.getParam(0).scale, 7);
  EXPECT_EQ(tiled->generatedSlices.size(), 3U);
  EXPECT_TRUE(succeeded(verify(*module)));
  EXPECT_THAT(messages, ElementsAre());
}

/// Split in two by upstream's function, both parts are legal.
TEST_F(TilingInterfaceTest, SplitsParameters) {
  TilingInterface op = parse(convolution);
  ASSERT_TRUE(op);
  auto [first, second] =
      linalg::splitOp(rewriter, op, 2, rewriter.getIndexAttr(1));
  ASSERT_TRUE(first && second);
  EXPECT_TRUE(succeeded(verify(*module)));
  EXPECT_THAT(messages, ElementsAre());
}

static const char conversion[] = R"(
  !real = tensor<4x8xf32>
  !codes = tensor<4x8x!mli.sa8<axis = 0, {5:10:0, 7:10:0, 9:10:0, 3:10:0}>>
  func.func @convert(%input: !real, %init: !codes) -> !codes {
    %result = mli.convert ins(%input : !real) outs(%init : !codes) -> !codes
    return %result : !codes
  })";

/// A consumer gets the tile with its parameters; a tensor does not take it.
// N6
TEST_F(TilingInterfaceTest, TilesOfParametersAreForConsumersOnly) {
  TilingInterface op = parse(conversion);
  ASSERT_TRUE(op);
  Sizes offsets = known({1, 0}), sizes = known({2, 8});
  EXPECT_TRUE(op.isOpFusableWithConsumerSlice(0, offsets, sizes));
  auto tile = op.generateResultTileValue(rewriter, 0, offsets, sizes);
  ASSERT_TRUE(succeeded(tile));
  auto type = cast<ShapedType>(tile->tiledValues.front().getType());
  EXPECT_EQ(cast<QuantizedType>(type.getElementType()).getParam(0).scale, 7);
  EXPECT_THAT(messages, ElementsAre());

  Sizes resultOffsets, resultSizes;
  EXPECT_TRUE(failed(op.getResultTilePosition(rewriter, 0, offsets, sizes,
                                              resultOffsets, resultSizes)));
  EXPECT_THAT(
      messages,
      ElementsAre("'mli.convert' op expected tile of dimension 0 to be whole, "
                  "as the result is quantised along it and no tensor takes a "
                  "tile of other parameters, but got offset 1 and size 2"));
  // The other dimension is free.
  EXPECT_TRUE(succeeded(op.getResultTilePosition(
      rewriter, 0, known({0, 2}), known({4, 3}), resultOffsets, resultSizes)));
}

/// A halo belongs to several tiles, channels to one.
TEST_F(TilingInterfaceTest, ConsumersFollowOperandsWithoutHalo) {
  TilingInterface op = parse(R"(
    !map = tensor<8x8x3x!mli.fx16<10>>
    !out = tensor<7x8x3x!mli.fx16<10>>
    func.func @pool(%input: !map, %init: !out) -> !out {
      %result = mli.maxpool ins(%input : !map) outs(%init : !out) kernel [2, 1]
        pad [0, 0, 0, 0] -> !out
      return %result : !out
    })");
  ASSERT_TRUE(op);
  Sizes loopOffsets, loopSizes;
  unsigned input = 0;
  Sizes offsets = known({0, 2, 1}), sizes = known({8, 3, 2});
  EXPECT_TRUE(op.isOpFusableWithProducerSlices(input, offsets, sizes));
  ASSERT_TRUE(succeeded(op.getIterationDomainTileFromOperandTiles(
      rewriter, input, offsets, sizes, loopOffsets, loopSizes)));
  EXPECT_THAT(numbers(loopOffsets), ElementsAre(0, 2, 1));
  EXPECT_THAT(numbers(loopSizes), ElementsAre(7, 3, 2));

  offsets = known({2, 0, 0});
  sizes = known({4, 8, 3});
  EXPECT_FALSE(op.isOpFusableWithProducerSlices(input, offsets, sizes));
  EXPECT_TRUE(failed(op.getTiledImplementationFromOperandTiles(
      rewriter, input, offsets, sizes)));
  EXPECT_THAT(messages, ElementsAre());
}

/// Tiles of two operands make one of the loops if they agree.
TEST_F(TilingInterfaceTest, ConsumersFollowOperandsThatAgree) {
  TilingInterface op = parse(R"(
    !map = tensor<8x6x!mli.fx16<10>>
    func.func @add(%lhs: !map, %rhs: !map, %init: !map) -> !map {
      %result = mli.eltwise_add ins(%lhs, %rhs : !map, !map) outs(%init : !map)
        -> !map
      return %result : !map
    })");
  ASSERT_TRUE(op);
  Sizes first = known({2, 0}), other = known({4, 0}), sizes = known({2, 6});
  EXPECT_TRUE(
      op.isOpFusableWithProducerSlices({0, 1}, {first, first}, {sizes, sizes}));
  EXPECT_FALSE(
      op.isOpFusableWithProducerSlices({0, 1}, {first, other}, {sizes, sizes}));
  auto tiled = op.getTiledImplementationFromOperandTiles(
      rewriter, {0, 1}, {first, first}, {sizes, sizes});
  ASSERT_TRUE(succeeded(tiled));
  EXPECT_EQ(tiled->generatedSlices.size(), 3U);
}

/// What goes around the written block stays that of the init.
TEST_F(TilingInterfaceTest, BlockOfAMoveIsItsDomain) {
  TilingInterface op = parse(R"(
    !part = tensor<2x4x!mli.fx8<5>>
    !all = tensor<6x4x!mli.fx8<5>>
    func.func @concat(%source: !part, %init: !all) -> !all {
      %result = mli.mov ins(%source : !part) outs(%init : !all)
        {dst_offsets = array<i64: 3, 0>} -> !all
      return %result : !all
    })");
  ASSERT_TRUE(op);
  Sizes domain;
  for (Range range : op.getIterationDomain(rewriter))
    domain.push_back(range.size);
  EXPECT_THAT(numbers(domain), ElementsAre(2, 4));
  Sizes offsets, sizes;
  ASSERT_TRUE(succeeded(op.getResultTilePosition(
      rewriter, 0, known({1, 0}), known({1, 4}), offsets, sizes)));
  EXPECT_THAT(numbers(offsets), ElementsAre(4, 0));
  EXPECT_THAT(numbers(sizes), ElementsAre(1, 4));
  EXPECT_FALSE(
      op.isOpFusableWithConsumerSlice(0, known({3, 0}), known({2, 4})));
}

/// Upstream's fusion of consumers: the loops over the producer take up relu.
TEST_F(TilingInterfaceTest, ConsumersAreFusedIntoLoops) {
  TilingInterface consumer = parse(R"(
    !map = tensor<8x6x!mli.fx16<10>>
    func.func @chain(%lhs: !map, %rhs: !map, %init: !map) -> !map {
      %sum = mli.eltwise_add ins(%lhs, %rhs : !map, !map) outs(%init : !map)
        -> !map
      %empty = tensor.empty() : !map
      %result = mli.relu ins(%sum : !map) outs(%empty : !map)
        {relu = #mli.relu<gen>} -> !map
      return %result : !map
    })");
  ASSERT_TRUE(consumer);
  auto sum = consumer->getOperand(0).getDefiningOp<TilingInterface>();
  rewriter.setInsertionPoint(sum);
  scf::SCFTilingOptions options;
  options.setTileSizes(known({2, 3}));
  auto tiled = scf::tileUsingSCF(rewriter, sum, options);
  ASSERT_TRUE(succeeded(tiled));
  rewriter.replaceOp(sum, tiled->replacements);
  ASSERT_TRUE(
      succeeded(scf::tileAndFuseConsumer(rewriter, consumer, tiled->loops)));
  EXPECT_TRUE(succeeded(verify(*module)));
  unsigned inLoops = 0;
  module->walk([&](ReluOp relu) {
    inLoops += relu->getParentOfType<scf::ForOp>() ? 1 : 0;
  });
  EXPECT_EQ(inLoops, 1U);
  EXPECT_THAT(messages, ElementsAre());
}
