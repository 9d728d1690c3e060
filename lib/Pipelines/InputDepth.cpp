// SPDX-License-Identifier: Apache-2.0

#include "mli/Pipelines/InputDepth.h"

#include "mli/Support/Nesting.h"

#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/IntegerSet.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Operation.h"

using namespace mlir;

//===----------------------------------------------------------------------===//
// Bytecode
//===----------------------------------------------------------------------===//

namespace {

/// Measures operations, and separately attributes and types. Calls itself as
/// often as is allowed, and no more.
class Depths {
public:
  explicit Depths(BytecodeReader &reader) : reader(reader) {}

  bool isTooDeep(Operation &op, unsigned above = 0);

private:
  /// How deep it is: how many levels of others it holds.
  template <typename Part>
  unsigned getDepth(Part part);

  template <typename Deepen>
  static void visit(Attribute part, Deepen deepen);
  template <typename Deepen>
  static void visit(Type part, Deepen deepen);
  template <typename Deepen>
  static void visit(AffineExpr part, Deepen deepen);

  template <typename Part>
  bool isTooDeep(Part part) {
    return getDepth(part) > mli::maxNesting;
  }

  BytecodeReader &reader;
  /// The depths of the parts seen so far; none yet of a type that holds itself.
  llvm::DenseMap<const void *, unsigned> depths;
  unsigned above = 0;
};

} // namespace

template <typename Deepen>
void Depths::visit(Attribute part, Deepen deepen) {
  part.walkImmediateSubElements(deepen, deepen);
  if (auto map = dyn_cast<AffineMapAttr>(part))
    llvm::for_each(map.getValue().getResults(), deepen);
  if (auto set = dyn_cast<IntegerSetAttr>(part))
    llvm::for_each(set.getValue().getConstraints(), deepen);
}

template <typename Deepen>
void Depths::visit(Type part, Deepen deepen) {
  part.walkImmediateSubElements(deepen, deepen);
}

template <typename Deepen>
void Depths::visit(AffineExpr part, Deepen deepen) {
  if (auto pair = dyn_cast<AffineBinaryOpExpr>(part)) {
    deepen(pair.getLHS());
    deepen(pair.getRHS());
  }
}

template <typename Part>
unsigned Depths::getDepth(Part part) {
  if (!part || above > mli::maxNesting)
    return 0;
  auto [known, isNew] = depths.try_emplace(part.getAsOpaquePointer());
  if (!isNew)
    return known->second;
  unsigned depth = 0;
  ++above;
  visit(part,
        [&](auto inner) { depth = std::max(depth, getDepth(inner) + 1); });
  if (above-- > mli::maxNesting)
    depth = mli::maxNesting + 1;
  return depths[part.getAsOpaquePointer()] = depth;
}

bool Depths::isTooDeep(Operation &op, unsigned above) {
  if (above > mli::maxNesting || isTooDeep(Attribute(op.getLoc())) ||
      llvm::any_of(
          op.getAttrDictionary(),
          [&](NamedAttribute named) { return isTooDeep(named.getValue()); }) ||
      llvm::any_of(op.getResultTypes(),
                   [&](Type type) { return isTooDeep(type); }))
    return true;
  // Regions that can not be read are not deep.
  if (reader.isMaterializable(&op) && failed(reader.materialize(&op)))
    return false;
  for (Region &region : op.getRegions())
    for (Block &block : region) {
      for (BlockArgument argument : block.getArguments())
        if (isTooDeep(argument.getType()) ||
            isTooDeep(Attribute(argument.getLoc())))
          return true;
      for (Operation &inner : block)
        if (isTooDeep(inner, above + 1))
          return true;
    }
  return false;
}

/// Reads it for nothing but that, in one thread, level by level, and verifies
/// nothing: that would be deep itself.
static llvm::Error checkBytecode(llvm::MemoryBufferRef input,
                                 const DialectRegistry &dialects) {
  MLIRContext context(dialects, MLIRContext::Threading::DISABLED);
  context.allowUnregisteredDialects();
  ScopedDiagnosticHandler silence(&context,
                                  [](Diagnostic &) { return success(); });
  Block block;
  ParserConfig config(&context, /*verifyAfterParse=*/false);
  BytecodeReader reader(input, config, /*lazyLoad=*/true);
  if (failed(reader.readTopLevel(&block)))
    return llvm::Error::success();
  Depths depths(reader);
  bool isTooDeep =
      llvm::any_of(block, [&](Operation &op) { return depths.isTooDeep(op); });
  (void)reader.finalize([](Operation *) { return false; });
  if (!isTooDeep)
    return llvm::Error::success();
  return llvm::createStringError(
      input.getBufferIdentifier() + ": expected at most " +
      Twine(mli::maxNesting) + " levels of nesting, but got more");
}

llvm::Error mli::checkInput(llvm::MemoryBufferRef input,
                            const DialectRegistry &dialects,
                            StringRef separator) {
  StringRef content = input.getBuffer();
  SmallVector<StringRef> parts = {content};
  if (!separator.empty()) {
    parts.clear();
    content.split(parts, separator);
  }
  bool hasText = false;
  for (StringRef part : parts) {
    llvm::MemoryBufferRef buffer(part, input.getBufferIdentifier());
    if (!isBytecode(buffer))
      hasText = true;
    else if (llvm::Error error = checkBytecode(buffer, dialects))
      return error;
  }
  return hasText ? checkNesting(input, separator) : llvm::Error::success();
}
