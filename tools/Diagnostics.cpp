// SPDX-License-Identifier: Apache-2.0

#include "Diagnostics.h"

#include "mli/IR/LayerName.h"

#include "mlir/IR/Location.h"
#include "llvm/Support/WithColor.h"

using namespace mlir;
using namespace mli;

/// Takes `'mli.conv2d' op ` from the front of `message`, and returns the name
/// without the dialect, which is that of kernels; empty if there is none.
static StringRef takeKind(StringRef &message) {
  StringRef rest = message;
  if (!rest.consume_front("'"))
    return "";
  auto [kind, after] = rest.split("' op ");
  if (after.empty() || kind.contains('\''))
    return "";
  message = after;
  kind.consume_front("mli.");
  return kind;
}

/// `op`, an operator of a network, as kernels are spelled: `conv2d` of a
/// CONV_2D. What is said of it before its kernel is known reads as what is said
/// later.
static std::string spellKind(StringRef op) {
  std::string kind = op.lower();
  if (op.ends_with("_2D"))
    kind.erase(kind.size() - 3, 1);
  return kind;
}

static llvm::raw_ostream &printPrefix(DiagnosticSeverity severity) {
  switch (severity) {
  case DiagnosticSeverity::Error:
    return llvm::WithColor::error();
  case DiagnosticSeverity::Warning:
    return llvm::WithColor::warning();
  case DiagnosticSeverity::Note:
    return llvm::WithColor::note();
  case DiagnosticSeverity::Remark:
    return llvm::WithColor::remark();
  }
  llvm_unreachable("no other severity");
}

LogicalResult mli::printNamed(const Diagnostic &diagnostic) {
  Location loc = diagnostic.getLocation();
  LayerName layer = getUnplacedLayer(loc);
  if (layer.empty() && !isa<UnknownLoc>(loc))
    return failure();
  std::string text = diagnostic.str();
  StringRef message = text;
  llvm::raw_ostream &os = printPrefix(diagnostic.getSeverity());
  if (!layer.empty()) {
    StringRef kind = takeKind(message);
    os << describeLayer(kind.empty() ? spellKind(layer.op) : kind.str(), layer)
       << ": ";
  }
  os << message << "\n";
  for (const Diagnostic &note : diagnostic.getNotes())
    printPrefix(note.getSeverity()) << note.str() << "\n";
  return success();
}

mli::NamedDiagnosticHandler::NamedDiagnosticHandler(MLIRContext *context)
    : ScopedDiagnosticHandler(context, [](Diagnostic &diagnostic) {
        return printNamed(diagnostic);
      }) {}
