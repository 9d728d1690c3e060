// SPDX-License-Identifier: Apache-2.0

#include "Diagnostics.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Location.h"
#include "llvm/Support/WithColor.h"

using namespace mlir;

/// The names in `loc`, the kind of operator first; empty if it has a position
/// in a file, or no name.
static std::string getName(Location loc) {
  std::string text;
  if (loc->findInstanceOf<FileLineColLoc>())
    return text;
  llvm::raw_string_ostream os(text);
  llvm::StringRef separator;
  loc->walk([&](Location part) {
    if (auto fused = dyn_cast<FusedLocWith<StringAttr>>(part)) {
      os << separator << fused.getMetadata().getValue();
      separator = " ";
    } else if (auto name = dyn_cast<NameLoc>(part)) {
      os << separator << "'" << name.getName().getValue() << "'";
      separator = " ";
    }
    return WalkResult::advance();
  });
  return text;
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

static LogicalResult print(const Diagnostic &diagnostic) {
  std::string name = getName(diagnostic.getLocation());
  if (name.empty())
    return failure();
  printPrefix(diagnostic.getSeverity())
      << name << ": " << diagnostic.str() << "\n";
  for (const Diagnostic &note : diagnostic.getNotes())
    printPrefix(note.getSeverity()) << note.str() << "\n";
  return success();
}

NamedDiagnosticHandler::NamedDiagnosticHandler(MLIRContext *context)
    : ScopedDiagnosticHandler(
          context, [](Diagnostic &diagnostic) { return print(diagnostic); }) {}
