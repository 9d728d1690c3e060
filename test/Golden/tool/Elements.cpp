// SPDX-License-Identifier: Apache-2.0

#include "Elements.h"

#include "mli/Runtime/C/api/mli_helpers_api.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cstring>

using namespace llvm;

namespace mli::golden {

std::optional<mli_element_type> elementTypeOf(StringRef name) {
  return StringSwitch<std::optional<mli_element_type>>(name)
      .Case("fx4", MLI_EL_FX_4)
      .Case("fx8", MLI_EL_FX_8)
      .Case("fx16", MLI_EL_FX_16)
      .Case("sa8", MLI_EL_SA_8)
      .Case("sa32", MLI_EL_SA_32)
      .Case("fp16", MLI_EL_FP_16)
      .Case("fp32", MLI_EL_FP_32)
      .Default(std::nullopt);
}

size_t elementBytes(const mli_tensor &tensor) {
  return std::max<size_t>(mli_hlp_tensor_element_size(&tensor), 1);
}

void store(uint8_t *target, mli_element_type type, double value) {
  if (type == MLI_EL_FP_32) {
    auto real = static_cast<float>(value);
    std::memcpy(target, &real, sizeof(real));
    return;
  }
  auto code = static_cast<int64_t>(value);
  switch (type) {
  case MLI_EL_FX_16:
    std::memcpy(target, &code, 2);
    return;
  case MLI_EL_SA_32:
    std::memcpy(target, &code, 4);
    return;
  default:
    std::memcpy(target, &code, 1);
    return;
  }
}

template <typename Int>
static Int loadAs(const uint8_t *source) {
  Int value;
  std::memcpy(&value, source, sizeof(value));
  return value;
}

std::string load(const uint8_t *source, mli_element_type type) {
  switch (type) {
  case MLI_EL_FP_32:
    return formatv("{0} (0x{1:x8})", loadAs<float>(source),
                   loadAs<uint32_t>(source));
  case MLI_EL_FX_16:
    return std::to_string(loadAs<int16_t>(source));
  case MLI_EL_SA_32:
    return std::to_string(loadAs<int32_t>(source));
  default:
    return std::to_string(loadAs<int8_t>(source));
  }
}

Integers completeStrides(const Integers &shape, Integers strides) {
  strides.resize(shape.size());
  int64_t dense = 1;
  for (size_t i = shape.size(); i-- > 0;) {
    if (strides[i] == 0)
      strides[i] = dense;
    dense = static_cast<int64_t>(std::min<uint64_t>(
        SaturatingMultiply<uint64_t>(std::abs(strides[i]), shape[i]),
        std::numeric_limits<int64_t>::max()));
  }
  return strides;
}

uint64_t countOf(const Integers &shape) {
  uint64_t count = 1;
  for (int64_t extent : shape)
    count = SaturatingMultiply<uint64_t>(count, extent);
  return count;
}

uint64_t getSpan(const Integers &shape, const Integers &strides) {
  if (countOf(shape) == 0)
    return 0;
  uint64_t last = 0;
  for (auto [extent, stride] : zip_equal(shape, strides))
    last = SaturatingMultiplyAdd<uint64_t>(extent - 1, std::abs(stride), last);
  return SaturatingAdd<uint64_t>(last, 1);
}

} // namespace mli::golden
