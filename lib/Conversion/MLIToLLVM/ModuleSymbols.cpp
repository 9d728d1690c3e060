// SPDX-License-Identifier: Apache-2.0

#include "ModuleSymbols.h"

#include "mlir/IR/DialectResourceBlobManager.h"
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

static ArrayRef<char> getBytes(ElementsAttr values) {
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(values))
    return resource.getData();
  return cast<DenseElementsAttr>(values).getRawData();
}

static std::string contentName(StringRef prefix, ArrayRef<char> bytes,
                               size_t size) {
  uint64_t hash = llvm::xxh3_64bits(
      ArrayRef(reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size()));
  SmallString<64> name;
  llvm::raw_svector_ostream os(name);
  os << prefix << '_' << size << '_';
  os.write_hex(hash);
  return name.str().str();
}

static void moveToStart(OpBuilder &builder, SymbolTable &symbols) {
  builder.setInsertionPointToStart(&symbols.getOp()->getRegion(0).front());
}

/// The global `name` with `value`, or, where another value has taken the name,
/// the first free `name_N`.
static LLVM::GlobalOp getOrCreateGlobal(OpBuilder &builder, Location loc,
                                        SymbolTable &symbols,
                                        const std::string &name, Type type,
                                        Attribute value) {
  std::string candidate = name;
  for (unsigned i = 0;; candidate = name + "_" + std::to_string(++i)) {
    Operation *symbol = symbols.lookup(candidate);
    if (!symbol)
      break;
    auto global = dyn_cast<LLVM::GlobalOp>(symbol);
    if (global && global.getValueAttr() == value && global.getType() == type)
      return global;
  }
  OpBuilder::InsertionGuard guard(builder);
  moveToStart(builder, symbols);
  auto global = LLVM::GlobalOp::create(builder, loc, type, /*isConstant=*/true,
                                       LLVM::Linkage::Internal, candidate,
                                       value, /*alignment=*/16);
  symbols.insert(global);
  return global;
}

LLVM::GlobalOp mli::dataGlobal(OpBuilder &builder, Location loc,
                               SymbolTable &symbols, ElementsAttr values,
                               int64_t alignment) {
  ElementsAttr flat = flatten(values);
  auto type =
      LLVM::LLVMArrayType::get(flat.getElementType(), flat.getNumElements());
  LLVM::GlobalOp global = getOrCreateGlobal(
      builder, loc, symbols,
      contentName("mli_data", getBytes(flat), flat.getNumElements()), type,
      flat);
  global.setAlignment(std::max<uint64_t>(*global.getAlignment(), alignment));
  return global;
}

LLVM::GlobalOp mli::listGlobal(OpBuilder &builder, Location loc,
                               SymbolTable &symbols,
                               ArrayRef<DenseElementsAttr> lists) {
  SmallString<256> key;
  SmallVector<Type> types;
  SmallVector<Attribute> values;
  for (DenseElementsAttr list : lists) {
    // One of equal elements holds a single one.
    for (int64_t i = 0; i < (list.isSplat() ? list.getNumElements() : 1); ++i)
      llvm::append_range(key, list.getRawData());
    types.push_back(
        LLVM::LLVMArrayType::get(list.getElementType(), list.getNumElements()));
    values.push_back(list);
  }
  Type type = LLVM::LLVMStructType::getLiteral(builder.getContext(), types,
                                               /*isPacked=*/true);
  return getOrCreateGlobal(builder, loc, symbols,
                           contentName("mli_params", key, key.size()), type,
                           builder.getArrayAttr(values));
}

LLVM::GlobalOp mli::recordGlobal(OpBuilder &builder, Location loc,
                                 SymbolTable &symbols, RecordGlobals &records,
                                 const Field &record) {
  SmallString<256> key;
  record.appendKey(key);
  size_t length = key.size();
  // Equal contents may have other types.
  const void *type = record.getType().getAsOpaquePointer();
  key.append(StringRef(reinterpret_cast<const char *>(&type), sizeof(type)));
  LLVM::GlobalOp &global = records[key];
  if (!global)
    global = getOrCreateGlobal(
        builder, loc, symbols,
        contentName("mli_record", ArrayRef<char>(key).take_front(length),
                    record.getBytes()),
        record.getType(), record.getContents());
  return global;
}

LLVM::GlobalOp GlobalCache::get(ArrayRef<int64_t> key,
                                function_ref<LLVM::GlobalOp()> make) {
  LLVM::GlobalOp &global =
      globals[StringRef(reinterpret_cast<const char *>(key.data()),
                        key.size() * sizeof(int64_t))];
  if (!global)
    global = make();
  return global;
}

Value EntryValues::get(OpBuilder &builder, const void *key,
                       function_ref<Operation *()> make) {
  Block *entry = &builder.getInsertionBlock()->getParent()->front();
  Operation *&value = values[{entry, key}];
  // The operations of a block may have moved to a new one.
  auto isThere = [&](Operation *op) { return op && op->getBlock() == entry; };
  if (!isThere(value)) {
    OpBuilder::InsertionGuard guard(builder);
    Operation *&last = lasts[entry];
    if (isThere(last))
      builder.setInsertionPointAfter(last);
    else
      builder.setInsertionPointToStart(entry);
    value = last = make();
  }
  return value->getResult(0);
}

LLVM::GlobalOp mli::scratchGlobal(OpBuilder &builder, Location loc,
                                  SymbolTable &symbols, int64_t bytes) {
  constexpr StringLiteral name = "mli_scratch";
  auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), bytes);
  if (auto global = symbols.lookup<LLVM::GlobalOp>(name)) {
    auto present = cast<LLVM::LLVMArrayType>(global.getType());
    if (static_cast<int64_t>(present.getNumElements()) < bytes)
      global.setGlobalTypeAttr(TypeAttr::get(type));
    return global;
  }
  OpBuilder::InsertionGuard guard(builder);
  moveToStart(builder, symbols);
  auto global = LLVM::GlobalOp::create(
      builder, loc, type, /*isConstant=*/false, LLVM::Linkage::Internal, name,
      LLVM::ZeroAttr::get(builder.getContext()), /*alignment=*/64);
  symbols.insert(global);
  return global;
}

/// Creates a constant that compiles only where pointers have 64 bits: code
/// generators take the data layout of their target for that of the module,
/// whatever it carries.
static void assertPointerBits(OpBuilder &builder, SymbolTable &symbols) {
  constexpr StringLiteral name = "mli_calls_need_pointers_of_64_bits";
  static_assert(pointerBits == 64);
  if (symbols.lookup(name))
    return;
  Location loc = symbols.getOp()->getLoc();
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
  auto addGlobal = [&](Type type, LLVM::Linkage linkage, StringRef symbol) {
    OpBuilder::InsertionGuard guard(builder);
    moveToStart(builder, symbols);
    auto global =
        LLVM::GlobalOp::create(builder, loc, type, /*isConstant=*/true, linkage,
                               symbol, /*value=*/Attribute());
    symbols.insert(global);
    builder.createBlock(&global.getInitializerRegion());
    return global;
  };
  OpBuilder::InsertionGuard guard(builder);
  Type address = builder.getIntegerType(pointerBits);
  auto checked = addGlobal(address, LLVM::Linkage::Internal, name);
  builder.setInsertionPointToStart(checked.getInitializerBlock());
  Value own = LLVM::AddressOfOp::create(builder, loc, checked);
  LLVM::ReturnOp::create(builder, loc,
                         LLVM::PtrToIntOp::create(builder, loc, address, own));
  // Nothing reads it, so it would be optimised away.
  auto used = addGlobal(LLVM::LLVMArrayType::get(pointer, 1),
                        LLVM::Linkage::Appending, "llvm.compiler.used");
  used.setSection("llvm.metadata");
  builder.setInsertionPointToStart(used.getInitializerBlock());
  Value list = LLVM::UndefOp::create(builder, loc, used.getType());
  own = LLVM::AddressOfOp::create(builder, loc, checked);
  LLVM::ReturnOp::create(builder, loc,
                         LLVM::InsertValueOp::create(builder, loc, list, own,
                                                     ArrayRef<int64_t>(0)));
}

LLVM::LLVMFuncOp mli::declareFunction(OpBuilder &builder, SymbolTable &symbols,
                                      StringRef name, TypeRange parameters,
                                      Type result) {
  if (auto function = symbols.lookup<LLVM::LLVMFuncOp>(name))
    return function;
  // U7
  assertPointerBits(builder, symbols);
  OpBuilder::InsertionGuard guard(builder);
  moveToStart(builder, symbols);
  auto type = LLVM::LLVMFunctionType::get(result, llvm::to_vector(parameters));
  auto function =
      LLVM::LLVMFuncOp::create(builder, symbols.getOp()->getLoc(), name, type);
  symbols.insert(function);
  return function;
}
