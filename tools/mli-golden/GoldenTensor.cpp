// SPDX-License-Identifier: Apache-2.0

#include "GoldenTensor.h"

#include "mli/Runtime/C/api/mli_helpers_api.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <cstring>

using namespace llvm;

namespace mli::golden {

/// In gaps of inputs, and in outputs that name no byte.
static constexpr uint8_t fillByte = 0xC3;
/// Some cases claim capacities that no call may believe.
static constexpr int64_t largestBuffer = 1 << 24;

void Buffer::allocate(size_t size, uint8_t fill) {
  bytes.assign(size + 2 * guard, guardByte);
  std::fill_n(data(), size, fill);
}

bool Buffer::isIntact() const {
  auto isGuard = [](uint8_t byte) { return byte == guardByte; };
  return std::all_of(bytes.begin(), bytes.begin() + guard, isGuard) &&
         std::all_of(bytes.end() - guard, bytes.end(), isGuard);
}

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

static Error invalid(const Twine &message) {
  return createStringError(inconvertibleErrorCode(), message);
}

/// Bytes of one element, also of types that the helper knows no size of.
static size_t elementBytes(const mli_tensor &tensor) {
  return std::max<size_t>(mli_hlp_tensor_element_size(&tensor), 1);
}

static void store(uint8_t *target, mli_element_type type, double value) {
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

static std::string load(const uint8_t *source, mli_element_type type) {
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

/// Calls `visit(index, offset)` for the elements of a view in row-major order.
template <typename Visit>
static void forEachElement(const Integers &shape, const Integers &strides,
                           Visit visit) {
  Integers at(shape.size());
  int64_t count = 1;
  for (int64_t extent : shape)
    count *= extent;
  for (int64_t index = 0; index < count; ++index) {
    int64_t rest = index;
    int64_t offset = 0;
    for (size_t i = shape.size(); i-- > 0;) {
      offset += rest % shape[i] * strides[i];
      rest /= shape[i];
    }
    visit(index, offset);
  }
}

/// The strides of a view, where zero ones are those of a contiguous tensor.
static Integers completeStrides(const Integers &shape, Integers strides) {
  strides.resize(shape.size());
  int64_t dense = 1;
  for (size_t i = shape.size(); i-- > 0;) {
    if (strides[i] == 0)
      strides[i] = dense;
    dense = strides[i] * shape[i];
  }
  return strides;
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

static void compareField(const char *name, int64_t expected, int64_t got,
                         Differences &differences) {
  if (got != expected)
    differences.push_back(
        formatv("{0}: expected {1}, but got {2}", name, expected, got));
}

template <typename Value>
static void compareList(const char *name, const Integers &expected,
                        const Value *values, Differences &differences) {
  for (size_t i = 0; i < expected.size(); ++i)
    compareField(formatv("{0}[{1}]", name, i).str().c_str(), expected[i],
                 +values[i], differences);
}

void GoldenTensor::compareParameters(const TensorSpec &spec,
                                     Differences &differences) {
  if (spec.fracBits)
    compareField("frac_bits", *spec.fracBits, +tensor.el_params.fx.frac_bits,
                 differences);
  if (!spec.scale || !spec.scaleFracBits || !spec.zeroPoint)
    return;
  const auto &sa = tensor.el_params.sa;
  if (spec.dim)
    compareField("dim", *spec.dim, sa.dim, differences);
  bool isArray = spec.dim.value_or(-1) >= 0;
  if (isArray != (sa.dim >= 0))
    return;
  compareList("scale", *spec.scale,
              isArray ? sa.scale.mem.pi16 : &sa.scale.mem.i16, differences);
  compareList("zero_point", *spec.zeroPoint,
              isArray ? sa.zero_point.mem.pi16 : &sa.zero_point.mem.i16,
              differences);
  compareList("scale_frac_bits", *spec.scaleFracBits,
              isArray ? sa.scale_frac_bits.mem.pi8 : &sa.scale_frac_bits.mem.i8,
              differences);
}

void GoldenTensor::compareElements(const Integers &shape,
                                   const Integers &strides,
                                   const std::vector<double> &data,
                                   Differences &differences) {
  size_t size = elementBytes(tensor);
  uint8_t *base = reinterpret_cast<uint8_t *>(tensor.data.mem.pi8);
  auto first = static_cast<size_t>(base - elements().data());
  std::vector<uint8_t> expected = elementsBefore;
  int64_t count = 0;
  forEachElement(shape, strides, [&](int64_t index, int64_t offset) {
    size_t at = first + offset * size;
    if (index >= static_cast<int64_t>(data.size()) ||
        at + size > expected.size())
      return;
    ++count;
    store(&expected[at], tensor.el_type, data[index]);
    uint8_t *actual = elements().data() + at;
    if (std::memcmp(actual, &expected[at], size) != 0 && differences.size() < 4)
      differences.push_back(formatv("element {0}: expected {1}, but got {2}",
                                    index, load(&expected[at], tensor.el_type),
                                    load(actual, tensor.el_type)));
  });
  if (count != static_cast<int64_t>(data.size()))
    differences.emplace_back("the buffer does not hold all elements");
  if (!differences.empty())
    return;
  for (size_t i = 0; i < expected.size(); ++i)
    if (elements().data()[i] != expected[i])
      differences.push_back(
          formatv("byte {0}, which is no element: expected {1}, but got {2}", i,
                  int(expected[i]), int(elements().data()[i])));
}

void GoldenTensor::compare(const TensorSpec &spec, GoldenTensor *original,
                           Differences &differences) {
  if (spec.elType) {
    std::optional<mli_element_type> type = elementTypeOf(*spec.elType);
    compareField("el_type", type.value_or(MLI_EL_LARGE_ENUM), tensor.el_type,
                 differences);
  }
  if (spec.rank)
    compareField("rank", *spec.rank, tensor.rank, differences);
  if (spec.capacity)
    compareField("capacity", *spec.capacity, tensor.data.capacity, differences);
  if (spec.shape)
    compareList("shape", *spec.shape, tensor.shape, differences);
  if (spec.memStride)
    compareList("mem_stride", *spec.memStride, tensor.mem_stride, differences);
  if (spec.offsetBytes && original) {
    shared = &original->own;
    elementsBefore = original->elementsBefore;
    compareField("offset_bytes", *spec.offsetBytes,
                 tensor.data.mem.pi8 - original->tensor.data.mem.pi8,
                 differences);
  }
  if (spec.quantArrayOffset && original)
    compareField("quant_array_offset_elems", *spec.quantArrayOffset,
                 tensor.el_params.sa.scale.mem.pi16 -
                     original->tensor.el_params.sa.scale.mem.pi16,
                 differences);
  compareParameters(spec, differences);
  if (spec.data && spec.shape && spec.memStride && differences.empty())
    compareElements(*spec.shape, completeStrides(*spec.shape, *spec.memStride),
                    *spec.data, differences);
  for (Buffer *buffer : {&elements(), &scales, &zeroPoints, &fracBits})
    if (!buffer->isIntact())
      differences.emplace_back("bytes outside of a buffer were written");
}

void GoldenTensor::compareUntouched(Differences &differences) {
  const auto *bytes = reinterpret_cast<const uint8_t *>(&tensor);
  const auto *before = reinterpret_cast<const uint8_t *>(&tensorBefore);
  if (!std::equal(bytes, bytes + sizeof(tensor), before))
    differences.emplace_back("an input structure was written");
  if (!elementsBefore.empty() &&
      std::memcmp(elements().data(), elementsBefore.data(),
                  elementsBefore.size()) != 0)
    differences.emplace_back("an input buffer was written");
  if (!elements().isIntact())
    differences.emplace_back("bytes outside of an input buffer were written");
}

} // namespace mli::golden
