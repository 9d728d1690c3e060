// SPDX-License-Identifier: Apache-2.0

#include "CallBuilder.h"

#include "ModuleSymbols.h"
#include "StatusChecks.h"

#include "mli/IR/LocalMemory.h"
#include "mli/IR/RuntimeTensor.h"

#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"

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
  return values.get(
      builder.getInsertionBlock(), known.getAsOpaquePointer(),
      [&] { return LLVM::ConstantOp::create(builder, loc, known); });
}

Value CallBuilder::getAddress(LLVM::GlobalOp global) {
  return values.get(
      builder.getInsertionBlock(), global.getAsOpaquePointer(),
      [&] { return LLVM::AddressOfOp::create(builder, loc, global); });
}

/// `lhs op rhs`; known where both are, as for all static shapes.
template <typename Op, typename Fold>
Field CallBuilder::binary(const Field &lhs, const Field &rhs, Fold fold) {
  if (lhs.getKnown() && rhs.getKnown())
    return quad(fold(*lhs.getKnown(), *rhs.getKnown()));
  return Op::create(builder, loc, toValue(lhs), toValue(rhs)).getResult();
}

Field CallBuilder::add(const Field &lhs, const Field &rhs) {
  return binary<LLVM::AddOp>(lhs, rhs, std::plus<>());
}
Field CallBuilder::sub(const Field &lhs, const Field &rhs) {
  return binary<LLVM::SubOp>(lhs, rhs, std::minus<>());
}
Field CallBuilder::mul(const Field &lhs, const Field &rhs) {
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
  for (Operation &op : entry) {
    if (isa<LLVM::ConstantOp>(op))
      continue;
    auto slot = dyn_cast<LLVM::AllocaOp>(op);
    if (!slot)
      break;
    if (slot.getElemType() == type && taken.insert(slot).second)
      return slot;
  }
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&entry);
  // What the block has of it may be after this.
  Value one =
      LLVM::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(1));
  auto slot = LLVM::AllocaOp::create(
      builder, loc, LLVM::LLVMPointerType::get(builder.getContext()), type, one,
      /*alignment=*/8);
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
// mli_tensor
//===----------------------------------------------------------------------===//

// The structs built below name their padding, so that they have these offsets
// whatever alignment the module's data layout gives i64.
static_assert(sizeof(mli_data_container) == 16 &&
              offsetof(mli_data_container, capacity) == 0 &&
              offsetof(mli_data_container, mem) == 8);
// R3, U1
static_assert(sizeof(mli_element_params) == 64 &&
              offsetof(mli_element_params, fx.frac_bits) == 0 &&
              offsetof(mli_element_params, sa.type) == 0 &&
              offsetof(mli_element_params, sa.zero_point) == 8 &&
              offsetof(mli_element_params, sa.scale) == 24 &&
              offsetof(mli_element_params, sa.dim) == 40 &&
              offsetof(mli_element_params, sa.scale_frac_bits) == 48);
// R1, U1
static_assert(sizeof(mli_tensor) == 120 && offsetof(mli_tensor, data) == 0 &&
              offsetof(mli_tensor, mem_stride) == 16 &&
              offsetof(mli_tensor, shape) == 32 &&
              offsetof(mli_tensor, rank) == 48 &&
              offsetof(mli_tensor, el_type) == 52 &&
              offsetof(mli_tensor, el_params) == 56);
// R5
static_assert(sizeof(mli_element_type) == 4 && sizeof(mli_status) == 4 &&
              sizeof(mli_relu_type) == 4 && sizeof(mli_el_param_type) == 4);

Field CallBuilder::container(const Field &capacity, const Field &memory) {
  SmallVector<Field> parts = {capacity, word(0), memory};
  int64_t rest = sizeof(mli_data_container::mem) - memory.getBytes();
  if (rest > 0)
    parts.push_back(zeros(rest));
  return record(parts);
}

/// The fields of an `mli_tensor` with memory `data`.
SmallVector<Field> CallBuilder::describe(Type element, const Field &data,
                                         SmallVectorImpl<Field> &shape,
                                         SmallVectorImpl<Field> &strides,
                                         Params params) {
  // U5
  if (shape.empty()) {
    shape.push_back(word(1));
    strides.push_back(word(1));
  }
  Field rank = word(static_cast<int64_t>(shape.size()));
  shape.resize(MLI_MAX_RANK, word(0));
  strides.resize(MLI_MAX_RANK, word(0));
  return {data,
          words(strides),
          words(shape),
          rank,
          word(static_cast<int64_t>(runtimeType(element))),
          elementParams(element, params)};
}

// U5
Value CallBuilder::scalar(Type element, const Field &value) {
  Field none = words(SmallVector<Field>(MLI_MAX_RANK, word(0)));
  return readOnly({container(word(0), value), none, none, word(0),
                   word(static_cast<int64_t>(runtimeType(element))),
                   elementParams(element, Params::All)});
}

Value CallBuilder::advance(Value first, const Field &bytes) {
  if (bytes.getKnown() == 0)
    return first;
  return LLVM::GEPOp::create(builder, loc, first.getType(), builder.getI8Type(),
                             first, toValue(bytes));
}

Value CallBuilder::firstElement(MemRefType memref, Value descriptor) {
  MemRefDescriptor buffer(descriptor);
  int64_t known = getStridesAndOffset(memref).second;
  Field offset = ShapedType::isStatic(known)
                     ? quad(known)
                     : Field(buffer.offset(builder, loc));
  return advance(buffer.alignedPtr(builder, loc),
                 mul(offset, quad(elementWidth(memref.getElementType()) / 8)));
}

Value CallBuilder::getMemory(Value tensor) {
  // It is read where the calls that set it have not failed.
  chained = nullptr;
  Value place = advance(tensor, quad(offsetof(mli_tensor, data) +
                                     offsetof(mli_data_container, mem)));
  return LLVM::LoadOp::create(builder, loc, tensor.getType(), place);
}

/// Where the elements of `block` of `memref` are.
CallBuilder::Elements CallBuilder::locate(MemRefType memref, Value descriptor,
                                          const calls::Part &block) {
  MemRefDescriptor buffer(descriptor);
  unsigned bytes = elementWidth(memref.getElementType()) / 8;

  int64_t staticOffset = getStridesAndOffset(memref).second;
  SmallVector<int64_t> staticStrides = calls::getStrides(memref);

  // U4
  // Bytes up to the last element: (1 + sum((size - 1) * stride)) * bytes.
  Field reach = quad(1);
  Field start = ShapedType::isStatic(staticOffset)
                    ? quad(staticOffset)
                    : Field(buffer.offset(builder, loc));
  SmallVector<Field> shape, strides;
  for (int64_t dim = 0; dim < memref.getRank(); ++dim) {
    Field size = memref.isDynamicDim(dim)
                     ? Field(buffer.size(builder, loc, dim))
                     : quad(memref.getDimSize(dim));
    Field stride = ShapedType::isDynamic(staticStrides[dim])
                       ? Field(buffer.stride(builder, loc, dim))
                       : quad(staticStrides[dim]);
    if (!block.offsets.empty()) {
      Field offset = quad(block.offsets[dim]);
      size = sub(size, offset);
      start = add(start, mul(offset, stride));
    }
    if (!block.sizes.empty())
      size = quad(block.sizes[dim]);
    reach = add(reach, mul(sub(size, quad(1)), stride));
    shape.push_back(toI32(size));
    strides.push_back(toI32(stride));
  }
  Field capacity = toI32(mul(reach, quad(bytes)));
  Value first =
      advance(buffer.alignedPtr(builder, loc), mul(start, quad(bytes)));
  return {shape, strides, capacity, first};
}

Value CallBuilder::tensor(MemRefType memref, Value descriptor,
                          calls::Part block) {
  Elements elements = locate(memref, descriptor, block);
  return createAlloca(describe(memref.getElementType(),
                               container(elements.capacity, elements.first),
                               elements.shape, elements.strides, Params::All));
}

CallBuilder::Described CallBuilder::elements(MemRefType memref,
                                             Value descriptor,
                                             const calls::Part &block) {
  Elements elements = locate(memref, descriptor, block);
  Value type = readOnly(
      describe(memref.getElementType(), container(elements.capacity, quad(0)),
               elements.shape, elements.strides, Params::None));
  return {type, elements.first};
}

SmallVector<Field> CallBuilder::fieldsAt(Type element, ArrayRef<int64_t> shape,
                                         ArrayRef<int64_t> strides,
                                         const Field &memory, Params params) {
  SmallVector<Field> sizes, steps;
  int64_t reach = 1;
  for (auto [size, stride] : llvm::zip_equal(shape, strides)) {
    sizes.push_back(word(size));
    steps.push_back(word(stride));
    reach += (size - 1) * stride;
  }
  return describe(element,
                  container(word(reach * (elementWidth(element) / 8)), memory),
                  sizes, steps, params);
}

Value CallBuilder::tensorAt(Type element, ArrayRef<int64_t> shape,
                            ArrayRef<int64_t> strides, const Field &memory) {
  return createAlloca(fieldsAt(element, shape, strides, memory, Params::All));
}

Value CallBuilder::getShape(Type element, ArrayRef<int64_t> shape,
                            ArrayRef<int64_t> strides, Params params) {
  // Addresses of lists are values.
  if (params == Params::All)
    return readOnly(fieldsAt(element, shape, strides, quad(0), params));
  SmallVector<int64_t, 16> numbers = {getNumber(element),
                                      static_cast<int64_t>(params),
                                      static_cast<int64_t>(shape.size())};
  llvm::append_range(numbers, shape);
  llvm::append_range(numbers, strides);
  return readOnly(Cached::Shape, numbers, [&] {
    return fieldsAt(element, shape, strides, quad(0), params);
  });
}

//===----------------------------------------------------------------------===//
// Symbols
//===----------------------------------------------------------------------===//

Value CallBuilder::global(ElementsAttr elements, int64_t alignment) {
  return getAddress(dataGlobal(builder, loc, symbols, elements, alignment));
}

Value CallBuilder::text(StringRef text) {
  return getAddress(stringGlobal(builder, loc, symbols, text));
}

Value CallBuilder::findMemory(StringRef name) {
  auto function = dyn_cast<LLVM::LLVMFuncOp>(
      builder.getInsertionBlock()->getParent()->getParentOp());
  auto number =
      function ? function->getAttrOfType<IntegerAttr>(name) : IntegerAttr();
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
  chained = nullptr;
  LLVM::LLVMFuncOp function =
      declareFunction(builder, symbols, name, arguments.getTypes(), result);
  return LLVM::CallOp::create(builder, loc, function, arguments).getResult();
}

void CallBuilder::checkedCall(StringRef name, ValueRange arguments,
                              Operation *what) {
  Value status = call(name, arguments, builder.getI32Type());
  markStatusCheck(status, texts.get(what));
}

void CallBuilder::chainedCall(StringRef name, ValueRange arguments,
                              Operation *what) {
  Operation *before = chained;
  if (before)
    dropStatusCheck(before);
  SmallVector<Value> all = {before ? before->getResult(0) : i32(MLI_STATUS_OK)};
  llvm::append_range(all, arguments);
  Value status = call(name, all, builder.getI32Type());
  markStatusCheck(status, texts.get(what));
  chained = status.getDefiningOp();
}
