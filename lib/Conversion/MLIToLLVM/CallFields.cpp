// SPDX-License-Identifier: Apache-2.0

#include "CallFields.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/Endian.h"

using namespace mlir;
using namespace mli;

Field::Field(Value value) : type(value.getType()) {
  IntegerAttr constant;
  if (matchPattern(value, m_Constant(&constant)))
    known = constant.getInt();
  else
    this->value = value;
}

Field::Field(Type type, int64_t known)
    : type(type),
      known(llvm::SignExtend64(known, type.getIntOrFloatBitWidth())) {}

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

bool Field::isKnown() const {
  return !value &&
         llvm::all_of(parts, [](const Field &part) { return part.isKnown(); });
}

bool Field::isUnknown() const {
  return !known && zeroBytes == 0 && llvm::all_of(parts, [](const Field &part) {
    return part.isUnknown();
  });
}

/// The contents of an array of integers of type `Int`.
template <typename Int>
static Attribute listIntegers(ArrayRef<Field> parts) {
  SmallVector<Int> values;
  for (const Field &part : parts)
    values.push_back(static_cast<Int>(part.getKnown().value_or(0)));
  return DenseElementsAttr::get(
      RankedTensorType::get(static_cast<int64_t>(values.size()),
                            parts.front().getType()),
      ArrayRef<Int>(values));
}

/// The contents of an array of words or bytes; null of other parts. One
/// attribute is made faster than one of each part.
Attribute Field::getArray() const {
  if (!isa<LLVM::LLVMArrayType>(type) || parts.empty())
    return nullptr;
  if (parts.front().type.isInteger(8))
    return listIntegers<int8_t>(parts);
  return parts.front().type.isInteger(32) ? listIntegers<int32_t>(parts)
                                          : nullptr;
}

Attribute Field::getContents() const {
  if (known)
    return IntegerAttr::get(type, *known);
  if (value)
    return isa<IntegerType>(type) ? Attribute(IntegerAttr::get(type, 0))
                                  : LLVM::ZeroAttr::get(type.getContext());
  if (zeroBytes != 0)
    return DenseElementsAttr::get(
        RankedTensorType::get(zeroBytes,
                              IntegerType::get(type.getContext(), 8)),
        static_cast<int8_t>(0));
  if (Attribute array = getArray())
    return array;
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
  int64_t bytes = getBytes();
  key.push_back(static_cast<char>(-bytes));
  if (zeroBytes != 0)
    return;
  char integer[sizeof(uint64_t)];
  llvm::support::endian::write64le(integer, known.value_or(0));
  key.append(integer, integer + bytes);
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
