// SPDX-License-Identifier: Apache-2.0

#include "ModuleSymbols.h"

#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;
using namespace mli;

/// The same elements as one row: nested arrays are slow to translate.
static ElementsAttr flatten(ElementsAttr values) {
  auto type =
      RankedTensorType::get(values.getNumElements(), values.getElementType());
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(values))
    return DenseResourceElementsAttr::get(type, resource.getRawHandle());
  return cast<DenseElementsAttr>(values).reshape(type);
}

static ArrayRef<char> bytesOf(ElementsAttr values) {
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(values))
    return resource.getData();
  return cast<DenseElementsAttr>(values).getRawData();
}

static std::string contentName(StringRef prefix, ArrayRef<char> bytes,
                               size_t size) {
  uint64_t hash = llvm::xxh3_64bits(
      ArrayRef(reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size()));
  return llvm::formatv("{0}_{1}_{2:x-}", prefix, size, hash).str();
}

/// The global `name` with `value`, or, where another value has taken the name,
/// the first free `name_N`.
static LLVM::GlobalOp
getOrCreateGlobal(OpBuilder &builder, Location loc, ModuleOp module,
                  const std::string &name, Type type, Attribute value,
                  function_ref<Operation *(StringRef)> lookup) {
  std::string candidate = name;
  for (unsigned i = 0;; candidate = name + "_" + std::to_string(++i)) {
    Operation *symbol = lookup(candidate);
    if (!symbol)
      break;
    auto global = dyn_cast<LLVM::GlobalOp>(symbol);
    if (global && global.getValueAttr() == value && global.getType() == type)
      return global;
  }
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(module.getBody());
  return LLVM::GlobalOp::create(builder, loc, type, /*isConstant=*/true,
                                LLVM::Linkage::Internal, candidate, value,
                                /*alignment=*/16);
}

LLVM::GlobalOp mli::dataGlobal(OpBuilder &builder, Location loc,
                               ModuleOp module, ElementsAttr values) {
  ElementsAttr flat = flatten(values);
  auto type =
      LLVM::LLVMArrayType::get(flat.getElementType(), flat.getNumElements());
  return getOrCreateGlobal(
      builder, loc, module,
      contentName("mli_data", bytesOf(flat), flat.getNumElements()), type, flat,
      [&](StringRef name) {
        return SymbolTable::lookupSymbolIn(module, name);
      });
}

LLVM::GlobalOp mli::stringGlobal(OpBuilder &builder, Location loc,
                                 SymbolTable &symbols, StringRef text) {
  std::string terminated = text.str();
  terminated.push_back('\0');
  ArrayRef<char> bytes(terminated.data(), terminated.size());
  auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), terminated.size());
  LLVM::GlobalOp global =
      getOrCreateGlobal(builder, loc, cast<ModuleOp>(symbols.getOp()),
                        contentName("mli_text", bytes, bytes.size()), type,
                        builder.getStringAttr(terminated),
                        [&](StringRef name) { return symbols.lookup(name); });
  if (!symbols.lookup(global.getSymName()))
    symbols.insert(global);
  return global;
}

LLVM::LLVMFuncOp mli::declareFunction(OpBuilder &builder, ModuleOp module,
                                      StringRef name, TypeRange parameters,
                                      Type result) {
  if (auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(name))
    return function;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(module.getBody());
  auto type = LLVM::LLVMFunctionType::get(result, llvm::to_vector(parameters));
  return LLVM::LLVMFuncOp::create(builder, module.getLoc(), name, type);
}
