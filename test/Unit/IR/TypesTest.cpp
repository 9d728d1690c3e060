// SPDX-License-Identifier: Apache-2.0
//
// What the data layout says of element types: sizes and alignment of the C API.

#include "mli/IR/MLI.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"

#include "gtest/gtest.h"

using namespace mlir;
using namespace mli;

namespace {

// H2
TEST(Types, SizesInMemory) {
  MLIRContext context;
  context.loadDialect<MLIDialect>();
  OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(&context));
  DataLayout layout(*module);
  quant::QuantParams one;
  struct Case {
    Type type;
    uint64_t bits, bytes;
  };
  for (const Case &expected :
       {Case{Fx4Type::get(&context, 1), 4, 1},
        Case{Fx8Type::get(&context, 1), 8, 1},
        Case{Fx16Type::get(&context, 1), 16, 2},
        Case{Sa8Type::get(&context, one), 8, 1},
        Case{Sa8Type::get(&context, 0, {one, one}), 8, 1},
        Case{Sa32Type::get(&context, one), 32, 4}}) {
    EXPECT_EQ(layout.getTypeSizeInBits(expected.type).getFixedValue(),
              expected.bits);
    EXPECT_EQ(layout.getTypeSize(expected.type).getFixedValue(),
              expected.bytes);
    EXPECT_EQ(layout.getTypeABIAlignment(expected.type), expected.bytes);
    EXPECT_EQ(layout.getTypePreferredAlignment(expected.type), expected.bytes);
  }
}

} // namespace
