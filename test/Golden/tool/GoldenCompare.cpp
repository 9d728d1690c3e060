// SPDX-License-Identifier: Apache-2.0
//
// Comparison of a tensor with what a vector says of it after the call.

#include "Elements.h"
#include "GoldenTensor.h"

#include "llvm/Support/FormatVariadic.h"

#include <cstring>

using namespace llvm;

namespace mli::golden {

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
  size_t entries = isArray ? sa.scale.capacity / sizeof(int16_t) : 1;
  if (spec.scale->size() > entries) {
    differences.push_back(formatv("scale: expected {0} entries, but got {1}",
                                  spec.scale->size(), entries));
    return;
  }
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
  if (spec.elType)
    compareField("el_type", *spec.elType, tensor.el_type, differences);
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
