// SPDX-License-Identifier: Apache-2.0

#include "CallBuilder.h"

#include "ModuleSymbols.h"
#include "StatusChecks.h"

#include "mli/IR/RuntimeTensor.h"

#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mli;

//===----------------------------------------------------------------------===//
// Values and stack
//===----------------------------------------------------------------------===//

Value CallBuilder::constant(Type type, int64_t value) {
  return LLVM::ConstantOp::create(builder, loc,
                                  builder.getIntegerAttr(type, value));
}

Value CallBuilder::pack(Type type, ValueRange fields) {
  Value aggregate = LLVM::ZeroOp::create(builder, loc, type);
  for (auto [i, field] : llvm::enumerate(fields))
    aggregate = LLVM::InsertValueOp::create(builder, loc, aggregate, field,
                                            static_cast<int64_t>(i));
  return aggregate;
}

Value CallBuilder::structure(ValueRange fields) {
  return pack(LLVM::LLVMStructType::getLiteral(
                  builder.getContext(), llvm::to_vector(fields.getTypes())),
              fields);
}

Value CallBuilder::array(Type element, ArrayRef<Value> values) {
  return pack(LLVM::LLVMArrayType::get(element, values.size()), values);
}

/// `lhs op rhs`; a constant where both are, as for all static shapes.
template <typename Op, typename Fold>
Value CallBuilder::binary(Value lhs, Value rhs, Fold fold) {
  IntegerAttr left, right;
  if (matchPattern(lhs, m_Constant(&left)) &&
      matchPattern(rhs, m_Constant(&right)))
    return i64(fold(left.getInt(), right.getInt()));
  return Op::create(builder, loc, lhs, rhs);
}

Value CallBuilder::add(Value lhs, Value rhs) {
  return binary<LLVM::AddOp>(lhs, rhs, std::plus<>());
}
Value CallBuilder::sub(Value lhs, Value rhs) {
  return binary<LLVM::SubOp>(lhs, rhs, std::minus<>());
}
Value CallBuilder::mul(Value lhs, Value rhs) {
  return binary<LLVM::MulOp>(lhs, rhs, std::multiplies<>());
}

/// A uint32 field. A value beyond it, or below 0, becomes one that no tensor
/// has, so that the runtime refuses it, and is not cut down to a legal one.
Value CallBuilder::toI32(Value value) {
  IntegerAttr known;
  if (matchPattern(value, m_Constant(&known)))
    return i32(
        static_cast<int32_t>(std::min<uint64_t>(known.getInt(), UINT32_MAX)));
  Value limited = LLVM::UMinOp::create(builder, loc, value, i64(UINT32_MAX));
  return LLVM::TruncOp::create(builder, loc, builder.getI32Type(), limited);
}

/// In the entry block: a loop must not grow the stack. Calls follow each other,
/// so they share their slots; only within a call is each its own.
Value CallBuilder::alloca(Type type) {
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
  Value one = i64(1);
  auto slot = LLVM::AllocaOp::create(
      builder, loc, LLVM::LLVMPointerType::get(builder.getContext()), type, one,
      /*alignment=*/8);
  taken.insert(slot);
  return slot;
}

Value CallBuilder::onStack(ValueRange fields) {
  Value value = structure(fields);
  Value address = alloca(value.getType());
  LLVM::StoreOp::create(builder, loc, value, address);
  return address;
}

Value CallBuilder::bytesOnStack(int64_t bytes) {
  return alloca(LLVM::LLVMArrayType::get(builder.getI8Type(), bytes));
}

//===----------------------------------------------------------------------===//
// mli_tensor
//===----------------------------------------------------------------------===//

// The structs built below name their padding, so that they have these offsets
// whatever the module's data layout says of i64.
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

Value CallBuilder::container(Value capacity, Value memory) {
  if (isa<LLVM::LLVMPointerType>(memory.getType()))
    memory =
        LLVM::PtrToIntOp::create(builder, loc, builder.getI64Type(), memory);
  return structure({capacity, i32(0), memory});
}

/// One of the three parameters: the value itself when per tensor, else an
/// array with one entry for each index of the axis.
template <typename Int>
// U2
Value CallBuilder::paramContainer(QuantizedType type,
                                  Int quant::QuantParams::*field) {
  if (!type.isPerAxis()) {
    // Little endian: mem.i8 and mem.i16 are the low bytes of the union.
    using Unsigned = std::make_unsigned_t<Int>;
    return container(i32(0),
                     i64(static_cast<Unsigned>(type.getParam(0).*field)));
  }
  SmallVector<Int> values;
  for (size_t i = 0; i < type.getNumParams(); ++i)
    values.push_back(type.getParam(i).*field);
  auto shape = RankedTensorType::get(static_cast<int64_t>(values.size()),
                                     builder.getIntegerType(8 * sizeof(Int)));
  return container(
      i32(static_cast<int64_t>(values.size() * sizeof(Int))),
      global(DenseElementsAttr::get(shape, ArrayRef<Int>(values))));
}

// U3
Value CallBuilder::saParams(QuantizedType type) {
  Value zeroPoint = paramContainer(type, &quant::QuantParams::zeroPoint);
  Value scale = paramContainer(type, &quant::QuantParams::scale);
  Value fracBits = paramContainer(type, &quant::QuantParams::fracBits);
  return structure({i32(MLI_EL_PARAM_SC16_ZP16), i32(0), zeroPoint, scale,
                    i32(type.getAxis()), i32(0), fracBits});
}

/// The `mli_element_params` union; for fx types the frac bits in its first
/// byte, the rest 0.
Value CallBuilder::elementParams(Type element) {
  auto type = dyn_cast<QuantizedType>(element);
  if (type && isa<Sa8Type, Sa32Type>(element))
    return saParams(type);
  int64_t fracBits = type ? static_cast<uint8_t>(type.getParam(0).fracBits) : 0;
  Value zero = i32(0);
  Value empty = container(zero, i64(0));
  return structure({i32(fracBits), zero, empty, empty, zero, zero, empty});
}

Value CallBuilder::tensor(MemRefType memref, Value descriptor, Block block) {
  MemRefDescriptor buffer(descriptor);
  Type i32Type = builder.getI32Type();
  Type element = memref.getElementType();
  unsigned bytes = elementWidth(element) / 8;

  int64_t staticOffset;
  SmallVector<int64_t> staticStrides;
  [[maybe_unused]] LogicalResult isStrided =
      memref.getStridesAndOffset(staticStrides, staticOffset);
  assert(succeeded(isStrided) && "bufferization makes strided layouts only");

  // U4
  // Bytes up to the last element: (1 + sum((size - 1) * stride)) * bytes.
  Value reach = i64(1);
  Value start = ShapedType::isStatic(staticOffset)
                    ? i64(staticOffset)
                    : buffer.offset(builder, loc);
  SmallVector<Value> shape, strides;
  for (int64_t dim = 0; dim < memref.getRank(); ++dim) {
    Value size = memref.isDynamicDim(dim) ? buffer.size(builder, loc, dim)
                                          : i64(memref.getDimSize(dim));
    Value stride = ShapedType::isDynamic(staticStrides[dim])
                       ? buffer.stride(builder, loc, dim)
                       : i64(staticStrides[dim]);
    if (!block.offsets.empty()) {
      Value offset = i64(block.offsets[dim]);
      size = sub(size, offset);
      offset = mul(offset, stride);
      start = add(start, offset);
    }
    if (!block.sizes.empty())
      size = i64(block.sizes[dim]);
    Value steps = sub(size, i64(1));
    Value span = mul(steps, stride);
    reach = add(reach, span);
    shape.push_back(toI32(size));
    strides.push_back(toI32(stride));
  }
  // U5
  if (memref.getRank() == 0) {
    shape.push_back(i32(1));
    strides.push_back(i32(1));
  }
  Value rank = i32(static_cast<int64_t>(shape.size()));
  shape.resize(MLI_MAX_RANK, i32(0));
  strides.resize(MLI_MAX_RANK, i32(0));

  Value capacity = mul(reach, i64(bytes));
  capacity = toI32(capacity);
  Value base = buffer.alignedPtr(builder, loc);
  Value startByte = mul(start, i64(bytes));
  Value first = LLVM::GEPOp::create(builder, loc, base.getType(),
                                    builder.getI8Type(), base, startByte);
  return onStack({container(capacity, first), array(i32Type, strides),
                  array(i32Type, shape), rank, i32(runtimeType(element)),
                  elementParams(element)});
}

//===----------------------------------------------------------------------===//
// Symbols
//===----------------------------------------------------------------------===//

Value CallBuilder::global(ElementsAttr values) {
  return LLVM::AddressOfOp::create(builder, loc,
                                   dataGlobal(builder, loc, module, values));
}

Value CallBuilder::call(StringRef name, ValueRange arguments, Type result) {
  LLVM::LLVMFuncOp function =
      declareFunction(builder, module, name, arguments.getTypes(), result);
  return LLVM::CallOp::create(builder, loc, function, arguments).getResult();
}

void CallBuilder::checkedCall(StringRef name, ValueRange arguments,
                              StringRef what) {
  Value status = call(name, arguments, builder.getI32Type());
  markStatusCheck(builder, loc, module, status, what);
}
