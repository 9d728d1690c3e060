// SPDX-License-Identifier: Apache-2.0

#include "mli/Analysis/LocalNeed.h"

#include "../AllDialects.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace mlir;
using namespace mli;
using layout::OperandUsage;
using testing::ElementsAre;

namespace {
class LocalNeedTest : public testing::Test {
protected:
  /// The roles of the operands of the first kernel of `source`.
  std::vector<OperandUsage> rolesIn(StringRef source) {
    OwningOpRef<ModuleOp> module =
        parseSourceString<ModuleOp>(source, &context);
    EXPECT_TRUE(module);
    std::vector<OperandUsage> roles;
    module->walk([&](DestinationStyleOpInterface kernel) {
      for (OpOperand &operand : kernel->getOpOperands())
        roles.push_back(getOperandUsage(operand));
      return WalkResult::interrupt();
    });
    return roles;
  }

  MLIRContext context{test::allDialects()};
};
} // namespace

// O10
TEST_F(LocalNeedTest, ConvolutionTakesMapFiltersAndBias) {
  EXPECT_THAT(rolesIn(R"(
    !map = memref<8x8x2x!mli.fx16<10>>
    func.func @f(%in: !map, %weights: memref<3x3x2x2x!mli.fx8<7>>,
                 %bias: memref<2x!mli.fx8<5>>, %out: !map) {
      mli.conv2d ins(%in, %weights, %bias : !map,
          memref<3x3x2x2x!mli.fx8<7>>, memref<2x!mli.fx8<5>>)
        outs(%out : !map) pad [1, 1, 1, 1]
      return
    })"),
              ElementsAre(OperandUsage::Map, OperandUsage::Filters,
                          OperandUsage::Channels, OperandUsage::Map));
}

// O10
TEST_F(LocalNeedTest, EveryInputOfRnnDenseIsARow) {
  EXPECT_THAT(rolesIn(R"(
    !row = memref<4x!mli.fx16<10>>
    !weights = memref<4x4x!mli.fx16<10>>
    func.func @f(%a: !row, %b: !row, %v: !weights, %w: !weights, %bias: !row,
                 %out: !row) {
      mli.rnn_dense ins(%a, %b : !row, !row) weights(%v, %w : !weights, !weights)
        bias(%bias : !row) outs(%out : !row)
      return
    })"),
              ElementsAre(OperandUsage::Row, OperandUsage::Row,
                          OperandUsage::Product, OperandUsage::Product,
                          OperandUsage::Channels, OperandUsage::Row));
}

// O10
TEST_F(LocalNeedTest, SlopesAreNumbersOfChannels) {
  EXPECT_THAT(rolesIn(R"(
    !map = memref<8x8x2x!mli.fx16<10>>
    !slope = memref<1x1x2x!mli.fx16<10>>
    func.func @f(%in: !map, %slope: !slope, %out: !map) {
      mli.prelu ins(%in, %slope : !map, !slope) outs(%out : !map)
        {axis = 2 : i32}
      return
    })"),
              ElementsAre(OperandUsage::Map, OperandUsage::Channels,
                          OperandUsage::Map));
}

TEST_F(LocalNeedTest, BytesAreRoundedUpToAddresses) {
  layout::Target target;
  Type byte = IntegerType::get(&context, 8);
  EXPECT_EQ(getLocalBytes({1, 1, 65}, byte, OperandUsage::Map, target), 4);
  EXPECT_EQ(getLocalBytes({8, 17, 65}, byte, OperandUsage::Map, target),
            2 * 256);
  // More than there is, and more than 64 bits hold.
  EXPECT_EQ(getLocalBytes({1024, 1024, 65}, byte, OperandUsage::Map, target),
            1 << 21);
  int64_t most = layout::maxExtent;
  EXPECT_EQ(getLocalBytes({most, most, most}, byte, OperandUsage::Map, target),
            INT64_MAX);
}

TEST_F(LocalNeedTest, NothingIsKnownOfOtherTensors) {
  Type byte = IntegerType::get(&context, 8);
  EXPECT_FALSE(
      getLocalTensorDesc({ShapedType::kDynamic}, byte, OperandUsage::Map));
  EXPECT_FALSE(getLocalTensorDesc({1, 2, 3, 4, 5}, byte, OperandUsage::Map));
  EXPECT_FALSE(getLocalTensorDesc({0}, byte, OperandUsage::Map));
  EXPECT_FALSE(
      getLocalTensorDesc({1}, IndexType::get(&context), OperandUsage::Map));
  EXPECT_FALSE(getLocalTensorDesc({1}, IntegerType::get(&context, 1),
                                  OperandUsage::Map));
}
