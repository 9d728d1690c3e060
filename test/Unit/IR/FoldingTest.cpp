// SPDX-License-Identifier: Apache-2.0
//
// Constants fold in the modes of their module.

#include "mli/IR/ComputingModes.h"
#include "mli/IR/ConstantFolding.h"
#include "mli/Runtime/C/mli_api.h"
#include "mli/Runtime/C/mli_runtime.h"

#include "mlir/IR/MLIRContext.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace mli;

/// 1.5, -1.5 and 2.5 as integers.
// F1, S15
TEST(FoldingTest, RoundsAsTheModuleSays) {
  MLIRContext context;
  context.loadDialect<MLIDialect>();
  OpBuilder builder(&context);
  Location loc = builder.getUnknownLoc();
  OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
  builder.setInsertionPointToEnd(module->getBody());
  auto type = [&](int8_t fracBits) {
    return RankedTensorType::get({3}, Fx8Type::get(&context, fracBits));
  };
  auto codes = [&](ArrayRef<int8_t> values) {
    return DataAttr::get(
        &context, DenseElementsAttr::get(
                      RankedTensorType::get({3}, builder.getI8Type()), values));
  };
  Value input = tensor::EmptyOp::create(builder, loc, type(1), ValueRange());
  Value init = tensor::EmptyOp::create(builder, loc, type(0), ValueRange());
  auto convert = ConvertOp::create(builder, loc, input, init);
  Attribute operands[] = {codes({3, -3, 5}), Attribute()};
  EXPECT_EQ(foldConstants(convert, operands), codes({2, -1, 3}));
  setComputingModes(*module, {RoundingMode::Convergent});
  EXPECT_EQ(foldConstants(convert, operands), codes({2, -2, 2}));
  // What else computes with this runtime keeps its mode, whatever that is.
  EXPECT_EQ(mli_get_rounding_mode(), MLI_ROUND_UP);
  mli_set_rounding_mode(MLI_ROUND_CONVERGENT);
  setComputingModes(*module, {RoundingMode::Up});
  EXPECT_EQ(foldConstants(convert, operands), codes({2, -1, 3}));
  EXPECT_EQ(mli_get_rounding_mode(), MLI_ROUND_CONVERGENT);
  mli_set_rounding_mode(MLI_ROUND_UP);
}
