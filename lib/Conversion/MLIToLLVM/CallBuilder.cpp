// SPDX-License-Identifier: Apache-2.0

#include "CallBuilder.h"

#include "ModuleSymbols.h"
#include "StatusChecks.h"

using namespace mlir;
using namespace mli;

//===----------------------------------------------------------------------===//
// Values and stack
//===----------------------------------------------------------------------===//

Value CallBuilder::toValue(const Field &field) {
  if (field.getValue())
    return field.getValue();
  IntegerAttr known =
      builder.getIntegerAttr(field.getType(), *field.getKnown());
  return values.get(builder, known.getAsOpaquePointer(), [&] {
    return LLVM::ConstantOp::create(builder, loc, known);
  });
}

Value CallBuilder::getAddress(LLVM::GlobalOp global) {
  return values.get(builder, global.getAsOpaquePointer(), [&] {
    return LLVM::AddressOfOp::create(builder, loc, global);
  });
}

Value CallBuilder::getNull() {
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
  return values.get(builder, pointer.getAsOpaquePointer(), [&] {
    return LLVM::ZeroOp::create(builder, loc, pointer);
  });
}

/// `lhs op rhs`; known where both are, as for all static shapes.
template <typename Op, typename Fold>
Field CallBuilder::binary(const Field &lhs, const Field &rhs, Fold fold) {
  if (lhs.getKnown() && rhs.getKnown())
    return quad(fold(*lhs.getKnown(), *rhs.getKnown()));
  return Op::create(builder, loc, toValue(lhs), toValue(rhs)).getResult();
}

Field CallBuilder::add(const Field &lhs, const Field &rhs) {
  if (rhs.getKnown() == 0)
    return lhs;
  if (lhs.getKnown() == 0)
    return rhs;
  return binary<LLVM::AddOp>(lhs, rhs, std::plus<>());
}
Field CallBuilder::sub(const Field &lhs, const Field &rhs) {
  return binary<LLVM::SubOp>(lhs, rhs, std::minus<>());
}
Field CallBuilder::mul(const Field &lhs, const Field &rhs) {
  if (lhs.getKnown() == 0 || rhs.getKnown() == 1)
    return lhs;
  if (rhs.getKnown() == 0 || lhs.getKnown() == 1)
    return rhs;
  return binary<LLVM::MulOp>(lhs, rhs, std::multiplies<>());
}

Field CallBuilder::shift(const Field &address, int64_t bytes) {
  if (std::optional<int64_t> known = address.getKnown())
    return word(static_cast<int32_t>(*known + bytes));
  if (bytes == 0)
    return address;
  return LLVM::AddOp::create(builder, loc, address.getValue(),
                             i32(static_cast<int32_t>(bytes)))
      .getResult();
}

/// A uint32 field. A value beyond it, or below 0, becomes one that no tensor
/// has, so that the runtime rejects it, and is not cut down to a legal one.
Field CallBuilder::toI32(const Field &value) {
  if (std::optional<int64_t> known = value.getKnown())
    return word(static_cast<int32_t>(std::min<uint64_t>(*known, UINT32_MAX)));
  Value limited =
      LLVM::UMinOp::create(builder, loc, value.getValue(), i64(UINT32_MAX));
  return LLVM::TruncOp::create(builder, loc, builder.getI32Type(), limited)
      .getResult();
}

/// In the entry block: a loop must not grow the stack. Calls follow each other,
/// so they share their slots; only within a call is each its own.
Value CallBuilder::createAlloca(Type type) {
  mlir::Block &entry = builder.getInsertionBlock()->getParent()->front();
  SmallVector<LLVM::AllocaOp> &made = slots[&entry];
  for (LLVM::AllocaOp slot : llvm::reverse(made))
    if (slot.getElemType() == type && taken.insert(slot).second)
      return slot;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&entry);
  // What the function has of it is after this.
  Value one =
      LLVM::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(1));
  auto slot = LLVM::AllocaOp::create(
      builder, loc, LLVM::LLVMPointerType::get(builder.getContext()), type, one,
      /*alignment=*/8);
  made.push_back(slot);
  taken.insert(slot);
  return slot;
}

/// Read-only memory with what is known of `record`.
Value CallBuilder::known(const Field &record) {
  return getAddress(recordGlobal(builder, loc, symbols, records, record));
}

Value CallBuilder::createAlloca(ArrayRef<Field> fields) {
  Field whole = record(fields);
  Value slot = bytesOnStack(whole.getBytes());
  if (!whole.isUnknown())
    LLVM::MemcpyOp::create(builder, loc, slot, known(whole),
                           i64(whole.getBytes()), /*isVolatile=*/false);
  whole.forEachValue([&](Value value, ArrayRef<LLVM::GEPArg> path) {
    Value place = LLVM::GEPOp::create(builder, loc, slot.getType(),
                                      whole.getType(), slot, path);
    LLVM::StoreOp::create(builder, loc, value, place);
  });
  return slot;
}

Value CallBuilder::readOnly(ArrayRef<Field> fields) {
  Field whole = record(fields);
  return whole.isKnown() ? known(whole) : createAlloca(fields);
}

Value CallBuilder::cached(Cached kind, ArrayRef<int64_t> numbers,
                          function_ref<LLVM::GlobalOp()> make) {
  SmallVector<int64_t, 16> key = {static_cast<int64_t>(kind)};
  llvm::append_range(key, numbers);
  return getAddress(cache.get(key, make));
}

Value CallBuilder::readOnly(Cached kind, ArrayRef<int64_t> numbers,
                            function_ref<SmallVector<Field>()> fields) {
  return cached(kind, numbers, [&] {
    return recordGlobal(builder, loc, symbols, records, record(fields()));
  });
}

Value CallBuilder::bytesOnStack(int64_t bytes) {
  return createAlloca(LLVM::LLVMArrayType::get(builder.getI8Type(), bytes));
}

//===----------------------------------------------------------------------===//
// Symbols
//===----------------------------------------------------------------------===//

Value CallBuilder::global(ElementsAttr elements, int64_t alignment) {
  return getAddress(dataGlobal(builder, loc, symbols, elements, alignment));
}

Value CallBuilder::text(StringAttr text) {
  return reports ? texts.getAddress(builder, loc, values, text) : getNull();
}

Value CallBuilder::findMemory(StringRef name) {
  auto function = dyn_cast<LLVM::LLVMFuncOp>(
      builder.getInsertionBlock()->getParent()->getParentOp());
  if (!function)
    return nullptr;
  auto number = cast_or_null<IntegerAttr>(function->getDiscardableAttr(name));
  return number ? function.getArgument(number.getInt()) : Value();
}

Value CallBuilder::addressIn(Value memory, const Field &offset) {
  if (offset.getKnown())
    return advance(memory, quad(*offset.getKnown()));
  return advance(memory,
                 LLVM::ZExtOp::create(builder, loc, builder.getI64Type(),
                                      offset.getValue())
                     .getResult());
}

Value CallBuilder::sharedScratch(int64_t offset, int64_t bytes) {
  LLVM::GlobalOp memory = scratchGlobal(builder, loc, symbols, offset + bytes);
  Value base = getAddress(memory);
  if (offset == 0)
    return base;
  return LLVM::GEPOp::create(builder, loc, base.getType(), builder.getI8Type(),
                             base, LLVM::GEPArg(static_cast<int32_t>(offset)));
}

Value CallBuilder::call(StringRef name, ValueRange arguments, Type result) {
  LLVM::LLVMFuncOp function =
      declareFunction(builder, symbols, name, arguments.getTypes(), result);
  return LLVM::CallOp::create(builder, loc, function, arguments).getResult();
}

void CallBuilder::checkedCall(StringRef name, ValueRange arguments,
                              Operation *op) {
  Value status = call(name, arguments, builder.getI32Type());
  markStatusCheck(status, texts.describe(op));
}

void CallBuilder::chainedCall(StringRef name, ValueRange arguments,
                              Operation *op) {
  SmallVector<Value> all = {i32(MLI_STATUS_OK), text(texts.describe(op))};
  llvm::append_range(all, arguments);
  chained.insert(call(name, all, builder.getI32Type()).getDefiningOp());
}
