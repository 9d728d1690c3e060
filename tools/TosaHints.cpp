// SPDX-License-Identifier: Apache-2.0

#include "TosaHints.h"

#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/Diagnostics.h"

using namespace mlir;

/// A command that takes the quotes away.
static constexpr StringLiteral conversion =
    R"x(sed -E 's/(mode = )"([A-Z_]+)"/\1\2/g')x";

/// The parser of this version drops a string where an enumerator is expected,
/// and the verifier misses it then.
static bool isQuotedEnumerator(StringRef text) {
  return text.starts_with("'tosa.") &&
         (text.ends_with("op requires attribute 'rounding_mode'") ||
          text.ends_with("op requires attribute 'mode'"));
}

void mli::addTosaHints(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, tosa::TosaDialect *) {
    context->getDiagEngine().registerHandler([](Diagnostic &diagnostic) {
      if (isQuotedEnumerator(diagnostic.str()))
        diagnostic.attachNote()
            << "MLIR 21 writes it in quotes, this version without them; to "
               "convert a file: "
            << conversion;
      return failure(); // Others print it.
    });
  });
}
