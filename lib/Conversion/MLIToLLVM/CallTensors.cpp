// SPDX-License-Identifier: Apache-2.0
//
// convert-mli-to-llvm describes tensors here: the `mli_tensor` that a call
// takes, where its elements are, and its scalars.

#include "CallBuilder.h"

#include "mli/Calls/LocalPlace.h"
#include "mli/IR/LocalMemory.h"
#include "mli/IR/RuntimeTensor.h"

#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"

using namespace mlir;
using namespace mli;

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

Field CallBuilder::offset(MemRefType memref, Value descriptor) {
  int64_t known = getStridesAndOffset(memref).second;
  if (ShapedType::isStatic(known))
    return quad(known);
  return MemRefDescriptor(descriptor).offset(builder, loc);
}

Field CallBuilder::stride(MemRefType memref, Value descriptor, int64_t dim) {
  int64_t known = calls::getStrides(memref)[dim];
  if (ShapedType::isStatic(known))
    return quad(known);
  return MemRefDescriptor(descriptor).stride(builder, loc, dim);
}

Value CallBuilder::firstElement(MemRefType memref, Value descriptor,
                                const calls::Part &block) {
  Field start = offset(memref, descriptor);
  for (auto [dim, first] : llvm::enumerate(block.offsets))
    start = add(start, mul(quad(first), stride(memref, descriptor, dim)));
  return advance(MemRefDescriptor(descriptor).alignedPtr(builder, loc),
                 mul(start, quad(elementWidth(memref.getElementType()) / 8)));
}

Value CallBuilder::getMemory(Value tensor) {
  Value place = advance(tensor, quad(offsetof(mli_tensor, data) +
                                     offsetof(mli_data_container, mem)));
  return LLVM::LoadOp::create(builder, loc, tensor.getType(), place);
}

/// Where the elements of `block` of `memref` are.
CallBuilder::Elements CallBuilder::locate(MemRefType memref, Value descriptor,
                                          const calls::Part &block) {
  // U4
  // Bytes up to the last element: (1 + sum((size - 1) * stride)) * bytes.
  Field reach = quad(1);
  SmallVector<Field> shape, strides;
  for (int64_t dim = 0; dim < memref.getRank(); ++dim) {
    Field size =
        memref.isDynamicDim(dim)
            ? Field(MemRefDescriptor(descriptor).size(builder, loc, dim))
            : quad(memref.getDimSize(dim));
    Field step = stride(memref, descriptor, dim);
    if (!block.sizes.empty())
      size = quad(block.sizes[dim]);
    else if (!block.offsets.empty())
      size = sub(size, quad(block.offsets[dim]));
    reach = add(reach, mul(sub(size, quad(1)), step));
    shape.push_back(toI32(size));
    strides.push_back(toI32(step));
  }
  Field capacity =
      toI32(mul(reach, quad(elementWidth(memref.getElementType()) / 8)));
  return {shape, strides, capacity, firstElement(memref, descriptor, block)};
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
  SmallVector<int64_t> strides = calls::getStrides(memref);
  // Many blocks are like another one, elsewhere.
  if (memref.hasStaticShape() && llvm::none_of(strides, ShapedType::isDynamic))
    return {getShape(memref.getElementType(),
                     calls::getBlockShape(memref, block), strides,
                     Params::None),
            firstElement(memref, descriptor, block)};
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
    sizes.push_back(toI32(quad(size)));
    steps.push_back(toI32(quad(stride)));
    reach += (size - 1) * stride;
  }
  return describe(
      element,
      container(toI32(quad(reach * (elementWidth(element) / 8))), memory),
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
  SmallVector<int64_t, 16> numbers = {static_cast<int64_t>(shape.size())};
  llvm::append_range(numbers, shape);
  llvm::append_range(numbers, strides);
  appendKey(element, params, numbers);
  return readOnly(Cached::Shape, numbers, [&] {
    return fieldsAt(element, shape, strides, quad(0), params);
  });
}
