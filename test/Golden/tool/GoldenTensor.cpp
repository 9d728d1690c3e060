// SPDX-License-Identifier: Apache-2.0

#include "GoldenTensor.h"

#include "Elements.h"

#include <algorithm>
#include <cstring>

using namespace llvm;

namespace mli::golden {

/// In gaps of inputs, and in outputs that name no byte.
static constexpr uint8_t fillByte = 0xC3;
GoldenTensor::GoldenTensor() {
  std::memset(&tensor, 0, sizeof(tensor));
  std::memset(&tensorBefore, 0, sizeof(tensorBefore));
}

void GoldenTensor::build(const std::optional<TensorSpec> &optionalSpec) {
  isNull = !optionalSpec;
  if (isNull)
    return;
  const TensorSpec &spec = *optionalSpec;
  if (spec.elType)
    tensor.el_type = *spec.elType;
  Integers shape = spec.shape.value_or(Integers());
  Integers strides = spec.memStride.value_or(Integers());
  std::copy(shape.begin(), shape.end(), tensor.shape);
  std::copy(strides.begin(), strides.end(), tensor.mem_stride);
  tensor.rank = static_cast<uint32_t>(spec.rank.value_or(shape.size()));
  buildParameters(spec);
  buildElements(spec);
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

void GoldenTensor::buildElements(const TensorSpec &spec) {
  if (spec.scalar) {
    if (spec.data && !spec.data->empty())
      store(reinterpret_cast<uint8_t *>(&tensor.data.mem), tensor.el_type,
            spec.data->front());
    return;
  }
  Integers shape = spec.shape.value_or(Integers());
  Integers strides =
      completeStrides(shape, spec.memStride.value_or(Integers()));
  auto size = static_cast<int64_t>(elementBytes(tensor));
  int64_t capacity =
      spec.capacity ? *spec.capacity : getSpan(shape, strides) * size;
  tensor.data.capacity = static_cast<uint32_t>(capacity);
  if (spec.nullData)
    return;
  own.allocate(std::clamp<int64_t>(capacity, 0, largestBuffer),
               static_cast<uint8_t>(spec.prefillByte.value_or(fillByte)));
  tensor.data.mem.pi8 = reinterpret_cast<int8_t *>(own.data());
  if (spec.data && !spec.data->empty())
    forEachElement(shape, strides, [&](int64_t index, int64_t offset) {
      store(own.data() + offset * size, tensor.el_type, (*spec.data)[index]);
    });
}

void GoldenTensor::share(GoldenTensor &other, bool keepCapacity) {
  shared = &other.elements();
  uint32_t capacity = tensor.data.capacity;
  tensor.data = other.tensor.data;
  if (keepCapacity)
    tensor.data.capacity = capacity;
}

void GoldenTensor::describe(const std::string &name, CallWriter &writer) {
  writer.addTensor(name, tensor);
  for (auto [suffix, buffer] :
       {std::pair("_data", &own), std::pair("_scale", &scales),
        std::pair("_zero_point", &zeroPoints),
        std::pair("_scale_frac_bits", &fracBits)})
    writer.addMemory(name + suffix, buffer->data(), buffer->size());
}

void GoldenTensor::snapshot() {
  std::memcpy(&tensorBefore, &tensor, sizeof(tensor));
  elementsBefore.assign(elements().data(),
                        elements().data() + elements().size());
}

} // namespace mli::golden
