// SPDX-License-Identifier: Apache-2.0
//
// Random tensors with gaps between their rows, and comparison with expected
// codes, the bytes around them included.

#ifndef MLI_TEST_UNIT_RUNTIME_REFERENCE_RANDOMTENSOR_H
#define MLI_TEST_UNIT_RUNTIME_REFERENCE_RANDOMTENSOR_H

#include "Tensors.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <memory>
#include <string>

namespace mli::test {

/// The same numbers on every machine.
class Random {
public:
  explicit Random(uint64_t seed) : state(seed) {}
  /// From `low` to `high`, both included.
  int64_t in(int64_t low, int64_t high) {
    state += 0x9e3779b97f4a7c15;
    uint64_t z = state;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    z ^= z >> 31;
    return low +
           static_cast<int64_t>(z % static_cast<uint64_t>(high - low + 1));
  }
  bool oneIn(int64_t n) { return in(1, n) == 1; }

private:
  uint64_t state;
};

/// Cases for each kernel: seconds in all, or minutes if MLI_TEST_FULL is set.
inline int caseCount(int few) {
  return few * (std::getenv("MLI_TEST_FULL") ? 200 : 4);
}

class RandomTensor {
public:
  RandomTensor(Random &random, mli_element_type type,
               const std::vector<int64_t> &shape, bool hasGaps = true) {
    std::memset(&tensor, 0x5a, sizeof(tensor)); // Beyond the rank, too.
    std::memset(&tensor.el_params, 0, sizeof(tensor.el_params));
    tensor.el_type = type;
    tensor.rank = static_cast<uint32_t>(shape.size());
    int64_t count = 1;
    for (size_t i = shape.size(); i-- > 0;) {
      tensor.shape[i] = static_cast<uint32_t>(shape[i]);
      tensor.mem_stride[i] = static_cast<int32_t>(count);
      count *= shape[i];
      if (hasGaps && random.oneIn(3))
        count += random.in(0, 3);
    }
    size_t elementBytes = ref::bitsOf(type) / 8;
    bytes.resize((count + 2 * guard) * elementBytes);
    for (int8_t &byte : bytes)
      byte = static_cast<int8_t>(random.in(-128, 127));
    tensor.data.capacity = static_cast<uint32_t>(count * elementBytes);
    tensor.data.mem.pi8 = bytes.data() + guard * elementBytes;
    if (!ref::isFx(type))
      quantise({1, 0, 0});
  }
  RandomTensor(const RandomTensor &) = delete;
  RandomTensor &operator=(const RandomTensor &) = delete;

  /// Codes of all sizes: small ones, and the limits.
  void fill(Random &random) {
    int bits = ref::bitsOf(tensor.el_type);
    std::vector<int64_t> shape = ref::shapeOf(tensor);
    int64_t magnitude = random.in(2, bits);
    for (int64_t i = 0; i < ref::countOf(shape); ++i) {
      int64_t limit = int64_t{1} << (magnitude - 1);
      int64_t code = random.in(-limit, limit - 1);
      if (random.oneIn(16))
        code = random.oneIn(2) ? -limit : limit - 1;
      set(i, code);
    }
  }

  /// Element `index` in row-major order.
  void set(int64_t index, int64_t code) {
    int64_t offset =
        ref::offsetOf(tensor, ref::coordsOf(ref::shapeOf(tensor), index));
    int bytesEach = ref::bitsOf(tensor.el_type) / 8;
    std::memcpy(tensor.data.mem.pi8 + offset * bytesEach, &code, bytesEach);
  }

  void quantise(const ref::Quant &q) {
    if (ref::isFx(tensor.el_type)) {
      tensor.el_params.fx.frac_bits = static_cast<int8_t>(q.f);
      return;
    }
    auto &sa = tensor.el_params.sa;
    sa = {};
    sa.dim = -1;
    sa.scale.mem.i16 = static_cast<int16_t>(q.s);
    sa.scale_frac_bits.mem.i8 = static_cast<int8_t>(q.f);
    sa.zero_point.mem.i16 = static_cast<int16_t>(q.z);
  }

  /// Along `dim`, with one entry for each of its indices.
  void quantise(int32_t dim, const std::vector<ref::Quant> &entries) {
    scales.clear();
    fracBits.clear();
    zeroPoints.clear();
    for (const ref::Quant &q : entries) {
      scales.push_back(static_cast<int16_t>(q.s));
      fracBits.push_back(static_cast<int8_t>(q.f));
      zeroPoints.push_back(static_cast<int16_t>(q.z));
    }
    auto count = static_cast<uint32_t>(entries.size());
    auto &sa = tensor.el_params.sa;
    sa = {};
    sa.dim = dim;
    sa.scale.capacity = sa.zero_point.capacity = 2 * count;
    sa.scale_frac_bits.capacity = count;
    sa.scale.mem.pi16 = scales.data();
    sa.zero_point.mem.pi16 = zeroPoints.data();
    sa.scale_frac_bits.mem.pi8 = fracBits.data();
  }

  /// Keeps all bytes, to compare with after a call.
  void remember() { before = bytes; }

  /// Makes all bytes what they were then.
  void restore() { std::copy(before.begin(), before.end(), bytes.begin()); }

  /// The elements are `codes`, and no other byte has changed.
  testing::AssertionResult holds(const ref::Codes &codes) {
    for (size_t i = 0; i < codes.size(); ++i) {
      int64_t got = ref::codeAt(
          tensor, ref::coordsOf(ref::shapeOf(tensor), static_cast<int64_t>(i)));
      if (got != codes[i])
        return testing::AssertionFailure()
               << "element " << i << " is " << got << ", expected " << codes[i];
    }
    std::vector<bool> isElement(bytes.size());
    std::vector<int64_t> shape = ref::shapeOf(tensor);
    int bytesEach = ref::bitsOf(tensor.el_type) / 8;
    int64_t first = tensor.data.mem.pi8 - bytes.data();
    for (int64_t i = 0; i < ref::countOf(shape); ++i)
      for (int64_t byte = 0; byte < bytesEach; ++byte)
        isElement[first + byte +
                  bytesEach * ref::offsetOf(tensor, ref::coordsOf(shape, i))] =
            true;
    for (size_t i = 0; i < bytes.size(); ++i)
      if (!isElement[i] && bytes[i] != before[i])
        return testing::AssertionFailure()
               << "byte " << i << " of the buffer changed";
    return testing::AssertionSuccess();
  }

  /// The buffer with what lies around the elements.
  const std::vector<int8_t> &allBytes() const { return bytes; }

  operator mli_tensor *() { return &tensor; }
  mli_tensor *operator->() { return &tensor; }
  const mli_tensor &operator*() const { return tensor; }

  mli_tensor tensor;

private:
  static constexpr int64_t guard = 8;
  std::vector<int8_t> bytes;
  std::vector<int8_t> before;
  std::vector<int16_t> scales;
  std::vector<int8_t> fracBits;
  std::vector<int16_t> zeroPoints;
};

} // namespace mli::test

#endif // MLI_TEST_UNIT_RUNTIME_REFERENCE_RANDOMTENSOR_H
