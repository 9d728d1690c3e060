// SPDX-License-Identifier: Apache-2.0

#include "mli/Execution/HostTensor.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstring>

using namespace mli;

size_t mli::getElementBytes(HostElement element) {
  static constexpr size_t bytes[] = {1, 1, 2, 4, 4};
  return bytes[static_cast<size_t>(element)];
}

const char *mli::getElementName(HostElement element) {
  static constexpr const char *names[] = {"int8", "uint8", "int16", "int32",
                                          "float32"};
  return names[static_cast<size_t>(element)];
}

template <typename T>
static double load(const HostTensor &tensor, size_t index) {
  T value;
  assert(index < tensor.getNumElements() && "no such element");
  std::memcpy(&value, tensor.data.data() + index * sizeof(T), sizeof(T));
  return static_cast<double>(value);
}

double HostTensor::get(size_t index) const {
  switch (element) {
  case HostElement::I8:
    return load<int8_t>(*this, index);
  case HostElement::U8:
    return load<uint8_t>(*this, index);
  case HostElement::I16:
    return load<int16_t>(*this, index);
  case HostElement::I32:
    return load<int32_t>(*this, index);
  case HostElement::F32:
    break;
  }
  return load<float>(*this, index);
}

std::string mli::formatShape(const std::vector<int64_t> &shape) {
  constexpr size_t limit = 8;
  std::string text = "[";
  for (size_t i = 0; i < std::min(limit, shape.size()); ++i)
    text += (i ? ", " : "") + std::to_string(shape[i]);
  if (shape.size() > limit)
    text += ", ... " + std::to_string(shape.size()) + " dimensions";
  return text + "]";
}

Difference mli::compare(const HostTensor &tensor, const HostTensor &reference) {
  assert(tensor.element == reference.element &&
         tensor.data.size() == reference.data.size() && "of other types");
  Difference difference;
  size_t bytes = getElementBytes(tensor.element);
  for (size_t i = 0; i < tensor.getNumElements(); ++i) {
    if (std::memcmp(&tensor.data[i * bytes], &reference.data[i * bytes],
                    bytes) == 0)
      continue;
    if (difference.elements++ == 0)
      difference.first = i;
    double distance = std::abs(tensor.get(i) - reference.get(i));
    if (difference.greatest < distance || std::isnan(distance))
      difference.greatest = distance;
  }
  return difference;
}
