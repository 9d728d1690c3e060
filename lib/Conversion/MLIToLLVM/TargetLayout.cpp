// SPDX-License-Identifier: Apache-2.0

#include "KernelCalls.h"

#include "CallFields.h"

#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/TargetParser/Triple.h"

using namespace mlir;
using namespace mli;

/// The data layout of the machine that `module` names; empty if it names none
/// that is known.
static std::string layoutOfTriple(ModuleOp module) {
  auto triple = module->getAttrOfType<StringAttr>(
      LLVM::LLVMDialect::getTargetTripleAttrName());
  return triple ? llvm::Triple(triple.getValue()).computeDataLayout()
                : std::string();
}

static LogicalResult verifyPointers(ModuleOp module, StringRef name,
                                    uint64_t bits) {
  // U7
  if (bits != pointerBits)
    return module.emitError("expected '")
           << name << "' to have pointers of " << pointerBits
           << " bits, as the structs of calls have, but got " << bits;
  return success();
}

static LogicalResult verifyByteOrder(ModuleOp module, StringRef name,
                                     bool isBigEndian) {
  // U7
  if (isBigEndian)
    return module.emitError("expected '")
           << name
           << "' to be little-endian, as packed layers are, but got big-endian";
  return success();
}

static LogicalResult verifyLayout(ModuleOp module, StringRef name,
                                  StringRef text) {
  // The LLVM dialect has looked whether it is one.
  llvm::DataLayout layout(text);
  if (failed(verifyByteOrder(module, name, layout.isBigEndian())))
    return failure();
  return verifyPointers(module, name, layout.getPointerSizeInBits());
}

/// Verifies the data layout of the DLTI dialect.
static LogicalResult verifySpec(ModuleOp module) {
  StringRef name = DLTIDialect::kDataLayoutAttrName;
  MLIRContext *context = module.getContext();
  DataLayout spec(module);
  auto order = dyn_cast_or_null<StringAttr>(spec.getEndianness());
  if (failed(verifyByteOrder(
          module, name,
          order && order == DLTIDialect::kDataLayoutEndiannessBig)))
    return failure();
  for (Type type : {Type(LLVM::LLVMPointerType::get(context)),
                    Type(IndexType::get(context))})
    if (failed(verifyPointers(module, name, spec.getTypeSizeInBits(type))))
      return failure();
  return success();
}

LogicalResult mli::verifyTargetLayout(Operation *op) {
  auto module = dyn_cast<ModuleOp>(op);
  if (!module)
    return success();
  StringRef name = LLVM::LLVMDialect::getDataLayoutAttrName();
  auto layout = module->getAttrOfType<StringAttr>(name);
  if (layout && failed(verifyLayout(module, name, layout.getValue())))
    return failure();
  if (failed(verifyLayout(module, LLVM::LLVMDialect::getTargetTripleAttrName(),
                          layoutOfTriple(module))))
    return failure();
  return module.getDataLayoutSpec() ? verifySpec(module) : success();
}

void mli::attachTargetLayout(ModuleOp module) {
  StringRef name = LLVM::LLVMDialect::getDataLayoutAttrName();
  if (module->hasAttr(name))
    return;
  std::string layout = layoutOfTriple(module);
  module->setAttr(name, StringAttr::get(module.getContext(),
                                        layout.empty() ? "e-p:64:64" : layout));
}
