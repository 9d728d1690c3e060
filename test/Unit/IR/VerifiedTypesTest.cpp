// SPDX-License-Identifier: Apache-2.0
//
// What one context knows to hold says nothing of another, whose types may have
// the addresses of those of a context that is gone. verified-once-invalid.mlir
// tries what differs within a context.

#include "mli/IR/MLI.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace mli;

namespace {

/// A function `name` that adds `count` times; of results of type `output`,
/// which is legal for fx8 only.
std::string makeFunction(StringRef name, int count, StringRef output) {
  constexpr StringLiteral in = "tensor<4x!mli.fx8<3>>";
  std::string out = ("tensor<4x" + output + ">").str();
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << "func.func @" << name << "(%a: " << in << ", %e: " << out
         << ") {\n";
  for (int i = 0; i < count; ++i)
    stream << "  %" << i << " = mli.eltwise_add ins(%a, %a : " << in << ", "
           << in << ") outs(%e : " << out << ") -> " << out << "\n";
  stream << "  return\n}\n";
  return text;
}

/// The number of errors of `text`.
int countErrors(MLIRContext &context, const std::string &text) {
  int errors = 0;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    errors += diagnostic.getSeverity() == DiagnosticSeverity::Error ? 1 : 0;
    return success();
  });
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(text, ParserConfig(&context));
  EXPECT_EQ(static_cast<bool>(module), errors == 0);
  return errors;
}

const std::string good = makeFunction("good", 1, "!mli.fx8<2>");
const std::string bad = makeFunction("bad", 1, "!mli.fx16<2>");

TEST(VerifiedTypes, AreThoseOfTheirContext) {
  for (int turn = 0; turn < 20; ++turn) {
    MLIRContext context(MLIRContext::Threading::DISABLED);
    context.loadDialect<MLIDialect, func::FuncDialect>();
    // Each time that this memory holds another context, the other text comes
    // first.
    for (bool isGood : {turn % 2 == 0, turn % 2 != 0})
      EXPECT_EQ(countErrors(context, isGood ? good : bad), isGood ? 0 : 1);
  }
}

TEST(VerifiedTypes, AreKnownInTwoContextsAtOnce) {
  MLIRContext one(MLIRContext::Threading::DISABLED);
  MLIRContext other(MLIRContext::Threading::DISABLED);
  for (MLIRContext *context : {&one, &other})
    context->loadDialect<MLIDialect, func::FuncDialect>();
  for (int turn = 0; turn < 3; ++turn)
    for (MLIRContext *context : {&one, &other}) {
      EXPECT_EQ(countErrors(*context, good), 0);
      EXPECT_EQ(countErrors(*context, bad), 1);
    }
}

/// Functions are verified by many threads, of which each finds out by itself.
TEST(VerifiedTypes, AreKnownByEachThread) {
  MLIRContext context;
  context.loadDialect<MLIDialect, func::FuncDialect>();
  std::string text;
  for (int i = 0; i < 40; ++i)
    text += makeFunction("f" + std::to_string(i), 10, "!mli.fx8<2>");
  for (int turn = 0; turn < 3; ++turn) {
    EXPECT_EQ(countErrors(context, text), 0);
    EXPECT_EQ(countErrors(context, text + bad), 1);
  }
}

} // namespace
