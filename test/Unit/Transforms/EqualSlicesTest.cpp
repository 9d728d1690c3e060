// SPDX-License-Identifier: Apache-2.0
//
// Whether slices are the same one, as bufferization asks it of insertions: by
// their numbers where these are known, and by what values are known to be.

#include "../AllDialects.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Interfaces/SubsetOpInterface.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FormatVariadic.h"

#include <gtest/gtest.h>

using namespace mlir;

namespace {

class EqualSlices : public testing::Test {
protected:
  EqualSlices() : context(mli::test::allDialects()) {}

  /// Whether `insert` into %whole and `extract` from `source`, both of offsets,
  /// sizes and strides, are of the same slice.
  bool areEqual(const Twine &insert, const Twine &extract,
                const Twine &source = "%whole") {
    std::string text =
        ("func.func @main(%part: tensor<2x?xi8>, %whole: tensor<9x9xi8>,\n"
         "    %other: tensor<9x9xi8>, %i: index, %j: index, %size: index)\n"
         "    -> (tensor<9x9xi8>, tensor<2x?xi8>) {\n"
         "  %three = arith.constant 3 : index\n"
         "  %in = tensor.insert_slice %part into %whole" +
         insert +
         "\n      : tensor<2x?xi8> into tensor<9x9xi8>\n"
         "  %out = tensor.extract_slice " +
         source + extract +
         "\n      : tensor<9x9xi8> to tensor<2x?xi8>\n"
         "  return %in, %out : tensor<9x9xi8>, tensor<2x?xi8>\n"
         "}\n")
            .str();
    OwningOpRef<ModuleOp> module =
        parseSourceString<ModuleOp>(text, ParserConfig(&context));
    EXPECT_TRUE(module);
    SubsetOpInterface in, out;
    module->walk([&](Operation *op) {
      if (isa<tensor::InsertSliceOp>(op))
        in = cast<SubsetOpInterface>(op);
      if (isa<tensor::ExtractSliceOp>(op))
        out = cast<SubsetOpInterface>(op);
    });
    auto areSame = [](Value one, Value other) { return one == other; };
    return in.operatesOnEquivalentSubset(out, areSame);
  }

  MLIRContext context;
};

TEST_F(EqualSlices, Numbers) {
  for (int64_t offset : {0, 1, 3})
    for (int64_t stride : {1, 2}) {
      std::string other =
          llvm::formatv("[{0}, 0] [2, %size] [{1}, 1]", offset, stride);
      EXPECT_EQ(areEqual("[1, 0] [2, %size] [2, 1]", other),
                offset == 1 && stride == 2)
          << other;
    }
}

TEST_F(EqualSlices, Values) {
  EXPECT_TRUE(
      areEqual("[%i, %j] [2, %size] [1, 1]", "[%i, %j] [2, %size] [1, 1]"));
  EXPECT_FALSE(
      areEqual("[%i, %j] [2, %size] [1, 1]", "[%j, %i] [2, %size] [1, 1]"));
  EXPECT_FALSE(areEqual("[%i, 0] [2, %size] [1, 1]", "[%i, 0] [2, %i] [1, 1]"));
}

// One offset is not known, but another one differs.
TEST_F(EqualSlices, NumbersBesideValues) {
  EXPECT_FALSE(
      areEqual("[%i, 0] [2, %size] [1, 1]", "[%j, 1] [2, %size] [1, 1]"));
}

// A number and a value that is the same one.
TEST_F(EqualSlices, Constants) {
  EXPECT_TRUE(
      areEqual("[3, 0] [2, %size] [1, 1]", "[%three, 0] [2, %size] [1, 1]"));
  EXPECT_FALSE(
      areEqual("[2, 0] [2, %size] [1, 1]", "[%three, 0] [2, %size] [1, 1]"));
}

TEST_F(EqualSlices, Tensors) {
  const char *slice = "[1, 0] [2, %size] [1, 1]";
  EXPECT_TRUE(areEqual(slice, slice));
  EXPECT_FALSE(areEqual(slice, slice, "%other"));
}

} // namespace
