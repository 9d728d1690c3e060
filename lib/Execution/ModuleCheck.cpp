// SPDX-License-Identifier: Apache-2.0
//
// Rejects modules whose code would be wrong, or take too long to compile.

#include "mli/Execution/Program.h"

#include "mli/IR/MLI.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mli;

/// Bytes of a constant that is one value repeated, which is much larger as code
/// than as text: more take minutes to compile.
static constexpr uint64_t maxSplatBytes = uint64_t(256) << 20;

/// A compiled module is one name space.
static LogicalResult verifyNesting(ModuleOp module, Operation *op) {
  auto nested = dyn_cast<ModuleOp>(op);
  if (!nested || nested == module)
    return success();
  return emitError(nested.getLoc(),
                   "expected functions outside of nested modules, but got "
                   "module '")
         << nested.getSymName().value_or("") << "'";
}

/// Code that the compiler adds calls functions of these names.
static bool isReserved(StringRef name) {
  return name.starts_with("_mlir_") ||
         llvm::StringSwitch<bool>(name)
             .Cases({"malloc", "free", "aligned_alloc", "memrefCopy"}, true)
             .Cases({"memcpy", "memmove", "memset"}, true)
             .Default(false);
}

static LogicalResult verifyName(Operation *op) {
  auto symbol = dyn_cast<SymbolOpInterface>(op);
  if (!symbol || !symbol.getNameAttr() || !isReserved(symbol.getName()))
    return success();
  if (auto function = dyn_cast<LLVM::LLVMFuncOp>(op);
      function && function.isExternal())
    return success();
  return emitError(op->getLoc(), "expected a name that the compiler does not "
                                 "use itself, but got '")
         << symbol.getName() << "'";
}

/// Nothing else is there to link with.
static LogicalResult verifyBody(ModuleOp module, Operation *op) {
  auto function = dyn_cast<func::FuncOp>(op);
  if (!function || !function.isExternal() ||
      function.symbolKnownUseEmpty(module))
    return success();
  return emitError(function.getLoc(), "expected '")
         << function.getSymName()
         << "' to have a body, as it is called, but got a declaration";
}

static LogicalResult verifyConstants(Operation *op) {
  for (NamedAttribute attribute : op->getAttrs()) {
    auto data = dyn_cast<DenseElementsAttr>(attribute.getValue());
    if (!data || !data.isSplat())
      continue;
    Type element = data.getElementType();
    if (!element.isIntOrIndexOrFloat())
      continue;
    uint64_t width = element.isIndex() ? 64 : elementWidth(element);
    uint64_t bytes = llvm::divideCeil(width, 8);
    for (int64_t extent : data.getType().getShape())
      bytes = llvm::SaturatingMultiply<uint64_t>(bytes, extent);
    if (bytes > maxSplatBytes)
      return emitError(op->getLoc(), "expected '")
             << attribute.getName().getValue() << "' of '" << op->getName()
             << "' to be at most " << maxSplatBytes
             << " bytes of one repeated value, but got " << bytes;
  }
  return success();
}

LogicalResult mli::checkModule(ModuleOp module) {
  WalkResult result = module->walk<WalkOrder::PreOrder>([&](Operation *op) {
    return failed(verifyNesting(module, op)) || failed(verifyName(op)) ||
                   failed(verifyBody(module, op)) || failed(verifyConstants(op))
               ? WalkResult::interrupt()
               : WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}
