// SPDX-License-Identifier: Apache-2.0
//
// Types that follow from operands: of results, by builders.

#include "mli/IR/MLI.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace mli;

namespace {
class InferenceTest : public testing::Test {
protected:
  InferenceTest() : builder(&context) {
    context.loadDialect<MLIDialect, func::FuncDialect>();
    module = ModuleOp::create(builder.getUnknownLoc());
    builder.setInsertionPointToEnd(module->getBody());
  }

  /// The arguments of a function of `types`, in which operations are added.
  Block::BlockArgListType arguments(ArrayRef<Type> types) {
    auto function = func::FuncOp::create(builder, builder.getUnknownLoc(), "f",
                                         builder.getFunctionType(types, {}));
    Block *body = function.addEntryBlock();
    builder.setInsertionPointToEnd(body);
    func::ReturnOp::create(builder, builder.getUnknownLoc());
    builder.setInsertionPointToStart(body);
    return body->getArguments();
  }

  Type map(ArrayRef<int64_t> shape) {
    return RankedTensorType::get(shape, Fx16Type::get(&context, 10));
  }

  MLIRContext context;
  OpBuilder builder;
  OwningOpRef<ModuleOp> module;
};
} // namespace

TEST_F(InferenceTest, ResultsHaveTheTypesOfTensorInits) {
  auto values = arguments({map({4, 8}), map({4, 8})});
  auto relu = ReluOp::create(builder, builder.getUnknownLoc(), values[0],
                             values[1], ReluKind::gen);
  EXPECT_EQ(SmallVector<Type>(relu->getResultTypes()),
            SmallVector<Type>{values[1].getType()});
  EXPECT_TRUE(succeeded(verify(*module)));
}

TEST_F(InferenceTest, BuffersHaveNoResults) {
  auto type = MemRefType::get({4, 8}, Fx16Type::get(&context, 10));
  auto values = arguments({type, type});
  auto sum = EltwiseAddOp::create(builder, builder.getUnknownLoc(), values[0],
                                  values[0], values[1]);
  EXPECT_EQ(sum->getNumResults(), 0U);
  EXPECT_TRUE(succeeded(verify(*module)));
}

/// Two inits, two results: through the interface, as generic code asks.
TEST_F(InferenceTest, EveryInitGivesAResult) {
  Type cell = map({8}), out = map({1, 8});
  auto values = arguments({map({6, 16}), map({8}), map({4, 16, 8}),
                           map({4, 8, 8}), map({4, 8}), cell, out});
  // No tables.
  NamedAttribute segments = builder.getNamedAttr(
      LstmCellOp::getOperandSegmentSizeAttr(),
      builder.getDenseI32ArrayAttr({1, 1, 1, 1, 1, 1, 1, 0, 0}));
  auto lstm =
      LstmCellOp::create(builder, builder.getUnknownLoc(), values, segments);
  EXPECT_EQ(SmallVector<Type>(lstm->getResultTypes()),
            (SmallVector<Type>{cell, out}));
  EXPECT_TRUE(succeeded(verify(*module)));
}

TEST_F(InferenceTest, BlocksHaveTheirParameters) {
  quant::QuantParams params[] = {{5, 3, 0}, {7, 3, 0}, {9, 3, 0}};
  auto type = RankedTensorType::get({2, 3}, Sa8Type::get(&context, 1, params));
  auto values = arguments({type, builder.getIndexType()});
  SmallVector<OpFoldResult> offsets = {values[1], builder.getIndexAttr(1)};
  SmallVector<OpFoldResult> sizes = {builder.getIndexAttr(1),
                                     builder.getIndexAttr(2)};
  auto block = SubtensorOp::create(builder, builder.getUnknownLoc(), values[0],
                                   offsets, sizes);
  EXPECT_EQ(
      block.getType(),
      RankedTensorType::get(
          {1, 2}, Sa8Type::get(&context, 1, ArrayRef(params).drop_front())));
  EXPECT_TRUE(succeeded(verify(*module)));
}
