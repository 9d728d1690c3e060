// SPDX-License-Identifier: Apache-2.0
//
// The chains of tensors of one buffer that mli-bufferize finds in a program.

#ifndef MLI_TEST_UNIT_TRANSFORMS_DESTINATIONCHAINS_H
#define MLI_TEST_UNIT_TRANSFORMS_DESTINATIONCHAINS_H

#include "../AllDialects.h"

#include "Transforms/Bufferization/DestinationChain.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

namespace mli::test {

/// Follows the chain that begins with the operation {first} of a function.
class DestinationChains : public testing::Test {
protected:
  DestinationChains() : context(allDialects()) {}

  /// The chain of a function that begins with the operations `begin`.
  DestinationChain follow(const llvm::Twine &begin) {
    std::string text =
        ("!t = tensor<4x4x!mli.sa8<1:4:0>>\n"
         "!row = tensor<1x4x!mli.sa8<1:4:0>>\n"
         "!left = tensor<4x1x!mli.sa8<1:4:0>>\n"
         "!position = tensor<1x1x!mli.sa32<1:0:0>>\n"
         "func.func @main(%in: !t, %row: !row, %c: i1, %n: index) {\n"
         "  %c0 = arith.constant 0 : index\n"
         "  %c1 = arith.constant 1 : index\n" +
         begin + "  return\n}\n")
            .str();
    module = mlir::parseSourceString<mlir::ModuleOp>(
        text, mlir::ParserConfig(&context));
    if (!module)
      llvm::report_fatal_error("no program: " + llvm::Twine(text));
    return DestinationChain(find("first")->getResult(0));
  }

  /// Expects the last tensor to be the result of {last}, of the number that
  /// this attribute has.
  void expectLast(const llvm::Twine &begin) {
    mlir::Value last = follow(begin).getLast();
    mlir::Operation *op = find("last");
    auto number = llvm::cast<mlir::IntegerAttr>(op->getAttr("last")).getInt();
    EXPECT_EQ(last, op->getResult(number)) << print(last);
  }
  mlir::Operation *find(llvm::StringRef name) {
    mlir::Operation *found = nullptr;
    module->walk([&](mlir::Operation *op) {
      if (op->hasAttr(name))
        found = op;
    });
    if (!found)
      llvm::report_fatal_error("no operation is " + llvm::Twine(name));
    return found;
  }
  static std::string print(mlir::Value value) {
    std::string text;
    llvm::raw_string_ostream(text) << value;
    return text;
  }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

/// %a is computed into the first tensor, %e.
constexpr const char *computed = R"(
  %e = tensor.empty() {first} : !t
  %a = mli.mov ins(%in : !t) outs(%e : !t) -> !t
)";
/// The same, where %a is the last one.
constexpr const char *computedLast = R"(
  %e = tensor.empty() {first} : !t
  %a = mli.mov ins(%in : !t) outs(%e : !t) {last = 0} -> !t
)";

} // namespace mli::test

#endif // MLI_TEST_UNIT_TRANSFORMS_DESTINATIONCHAINS_H
