// SPDX-License-Identifier: Apache-2.0

#include "CallFields.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mli;

Field::Field(Value value) : type(value.getType()) {
  if (!matchPattern(value, m_Constant(&known)))
    this->value = value;
}

Field::Field(IntegerAttr known) : type(known.getType()), known(known) {}

Field Field::record(MLIRContext *context, ArrayRef<Field> parts) {
  Field field;
  field.parts = parts.vec();
  SmallVector<Type> types;
  for (const Field &part : parts)
    types.push_back(part.type);
  field.type = LLVM::LLVMStructType::getLiteral(context, types);
  return field;
}

Field Field::array(Type element, ArrayRef<Field> parts) {
  Field field;
  field.parts = parts.vec();
  field.type = LLVM::LLVMArrayType::get(element, parts.size());
  return field;
}

Field Field::zeros(MLIRContext *context, int64_t count) {
  Field field;
  field.type = LLVM::LLVMArrayType::get(IntegerType::get(context, 8), count);
  field.zeroBytes = count;
  return field;
}

std::optional<int64_t> Field::getKnown() const {
  return known ? std::optional(known.getInt()) : std::nullopt;
}

bool Field::isKnown() const {
  return !value &&
         llvm::all_of(parts, [](const Field &part) { return part.isKnown(); });
}

bool Field::isUnknown() const {
  return !known && zeroBytes == 0 && llvm::all_of(parts, [](const Field &part) {
    return part.isUnknown();
  });
}

Attribute Field::getContents() const {
  if (known)
    return known;
  if (value)
    return isa<IntegerType>(type) ? Attribute(IntegerAttr::get(type, 0))
                                  : LLVM::ZeroAttr::get(type.getContext());
  if (zeroBytes != 0)
    return DenseElementsAttr::get(
        RankedTensorType::get(zeroBytes,
                              IntegerType::get(type.getContext(), 8)),
        static_cast<int8_t>(0));
  SmallVector<Attribute> contents;
  for (const Field &part : parts)
    contents.push_back(part.getContents());
  return ArrayAttr::get(type.getContext(), contents);
}

int64_t Field::getBytes() const {
  int64_t bytes = zeroBytes;
  for (const Field &part : parts)
    bytes += part.getBytes();
  if (bytes != 0)
    return bytes;
  auto integer = dyn_cast<IntegerType>(type);
  return (integer ? integer.getWidth() : pointerBits) / 8;
}

void Field::appendKey(SmallVectorImpl<char> &key) const {
  if (!parts.empty()) {
    key.push_back(static_cast<char>(parts.size()));
    for (const Field &part : parts)
      part.appendKey(key);
    return;
  }
  key.push_back(static_cast<char>(-getBytes()));
  if (zeroBytes != 0)
    return;
  uint64_t integer = known ? known.getInt() : 0;
  for (int64_t i = 0; i < getBytes(); ++i)
    key.push_back(static_cast<char>(integer >> (8 * i)));
}

void Field::visitValues(
    SmallVectorImpl<LLVM::GEPArg> &path,
    llvm::function_ref<void(Value, ArrayRef<LLVM::GEPArg>)> store) const {
  if (value)
    store(value, path);
  for (auto [i, part] : llvm::enumerate(parts)) {
    path.push_back(static_cast<int32_t>(i));
    part.visitValues(path, store);
    path.pop_back();
  }
}

void Field::forEachValue(
    llvm::function_ref<void(Value, ArrayRef<LLVM::GEPArg>)> store) const {
  SmallVector<LLVM::GEPArg> path = {0};
  visitValues(path, store);
}
