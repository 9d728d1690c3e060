// SPDX-License-Identifier: Apache-2.0

#include "GoldenTensor.h"

#include "Elements.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cstring>

using namespace llvm;

namespace mli::golden {

/// In gaps of inputs, and in outputs that name no byte.
static constexpr uint8_t fillByte = 0xC3;
/// Some cases claim capacities that no call may believe.
static constexpr int64_t largestBuffer = 1 << 24;

static Error invalid(const Twine &message) {
  return createStringError(inconvertibleErrorCode(), message);
}

/// The lists of parameters must be there together, with equal lengths.
static Error checkParameters(const TensorSpec &spec) {
  size_t entries = spec.scale ? spec.scale->size() : 0;
  if ((spec.scale && entries == 0) ||
      (spec.zeroPoint ? spec.zeroPoint->size() : 0) != entries ||
      (spec.scaleFracBits ? spec.scaleFracBits->size() : 0) != entries)
    return invalid("expected 'scale', 'scale_frac_bits' and 'zero_point' with "
                   "the same number of entries");
  return Error::success();
}

GoldenTensor::GoldenTensor() {
  std::memset(&tensor, 0, sizeof(tensor));
  std::memset(&tensorBefore, 0, sizeof(tensorBefore));
}

Error GoldenTensor::build(const std::optional<TensorSpec> &optionalSpec) {
  isNull = !optionalSpec;
  if (isNull)
    return Error::success();
  const TensorSpec &spec = *optionalSpec;
  if (spec.elType) {
    std::optional<mli_element_type> type = elementTypeOf(*spec.elType);
    if (!type)
      return invalid("unknown el_type '" + *spec.elType + "'");
    tensor.el_type = *type;
  }
  Integers shape = spec.shape.value_or(Integers());
  Integers strides = spec.memStride.value_or(Integers());
  if (shape.size() > MLI_MAX_RANK || strides.size() > MLI_MAX_RANK)
    return invalid("expected at most 4 entries in 'shape' and 'mem_stride'");
  if (!llvm::all_of(shape, [](int64_t extent) {
        return extent >= 0 && extent <= UINT32_MAX;
      }))
    return invalid("expected 'shape' to hold unsigned 32-bit numbers");
  if (Error error = checkParameters(spec))
    return error;
  std::copy(shape.begin(), shape.end(), tensor.shape);
  std::copy(strides.begin(), strides.end(), tensor.mem_stride);
  tensor.rank = static_cast<uint32_t>(spec.rank.value_or(shape.size()));
  buildParameters(spec);
  return buildElements(spec);
}

void GoldenTensor::buildParameters(const TensorSpec &spec) {
  auto &sa = tensor.el_params.sa;
  if (spec.fracBits)
    tensor.el_params.fx.frac_bits = static_cast<int8_t>(*spec.fracBits);
  // With `quantOut` the parameters are the contents of arrays to bring.
  if (!spec.scale || !spec.scaleFracBits || !spec.zeroPoint || spec.quantOut)
    return;
  sa.dim = static_cast<int32_t>(spec.dim.value_or(-1));
  if (sa.dim < 0) {
    sa.scale.mem.i16 = static_cast<int16_t>(spec.scale->front());
    sa.scale_frac_bits.mem.i8 =
        static_cast<int8_t>(spec.scaleFracBits->front());
    sa.zero_point.mem.i16 = static_cast<int16_t>(spec.zeroPoint->front());
  } else {
    bringParameterArrays(spec);
  }
  if (spec.quantCapacity)
    sa.scale.capacity = static_cast<uint32_t>(*spec.quantCapacity);
}

void GoldenTensor::bringParameterArrays(const TensorSpec &spec) {
  if (!spec.scale || !spec.scaleFracBits || !spec.zeroPoint)
    return;
  bringParameterArrays(spec.scale->size());
  auto &sa = tensor.el_params.sa;
  std::copy(spec.scale->begin(), spec.scale->end(), sa.scale.mem.pi16);
  std::copy(spec.zeroPoint->begin(), spec.zeroPoint->end(),
            sa.zero_point.mem.pi16);
  std::copy(spec.scaleFracBits->begin(), spec.scaleFracBits->end(),
            sa.scale_frac_bits.mem.pi8);
}

void GoldenTensor::bringParameterArrays(size_t entries) {
  scales.allocate(2 * entries, 0);
  zeroPoints.allocate(2 * entries, 0);
  fracBits.allocate(entries, 0);
  auto &sa = tensor.el_params.sa;
  auto attach = [](mli_data_container &container, Buffer &buffer) {
    container.mem.pi8 = reinterpret_cast<int8_t *>(buffer.data());
    container.capacity = static_cast<uint32_t>(buffer.size());
  };
  attach(sa.scale, scales);
  attach(sa.zero_point, zeroPoints);
  attach(sa.scale_frac_bits, fracBits);
}

Error GoldenTensor::buildElements(const TensorSpec &spec) {
  if (spec.scalar) {
    if (spec.data && !spec.data->empty())
      store(reinterpret_cast<uint8_t *>(&tensor.data.mem), tensor.el_type,
            spec.data->front());
    return Error::success();
  }
  Integers shape = spec.shape.value_or(Integers());
  Integers strides =
      completeStrides(shape, spec.memStride.value_or(Integers()));
  int64_t last = 0;
  for (size_t i = 0; i < shape.size(); ++i)
    last += (shape[i] - 1) * strides[i];
  auto size = static_cast<int64_t>(elementBytes(tensor));
  int64_t capacity = spec.capacity.value_or((last + 1) * size);
  tensor.data.capacity = static_cast<uint32_t>(capacity);
  if (spec.nullData)
    return Error::success();
  own.allocate(std::clamp<int64_t>(capacity, 0, largestBuffer),
               static_cast<uint8_t>(spec.prefillByte.value_or(fillByte)));
  tensor.data.mem.pi8 = reinterpret_cast<int8_t *>(own.data());
  if (!spec.data || spec.data->empty())
    return Error::success();
  bool fits = true;
  forEachElement(shape, strides, [&](int64_t index, int64_t offset) {
    fits &= index < static_cast<int64_t>(spec.data->size()) && offset >= 0 &&
            (offset + 1) * size <= static_cast<int64_t>(own.size());
    if (fits)
      store(own.data() + offset * size, tensor.el_type, (*spec.data)[index]);
  });
  return fits ? Error::success()
              : invalid("'data' does not fill 'shape' or exceeds 'capacity'");
}

void GoldenTensor::share(GoldenTensor &other, bool keepCapacity) {
  shared = &other.elements();
  uint32_t capacity = tensor.data.capacity;
  tensor.data = other.tensor.data;
  if (keepCapacity)
    tensor.data.capacity = capacity;
}

void GoldenTensor::snapshot() {
  std::memcpy(&tensorBefore, &tensor, sizeof(tensor));
  elementsBefore.assign(elements().data(),
                        elements().data() + elements().size());
}

} // namespace mli::golden
