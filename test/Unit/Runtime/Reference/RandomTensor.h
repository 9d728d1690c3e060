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
    return low +
           static_cast<int64_t>(next() % static_cast<uint64_t>(high - low + 1));
  }
  bool oneIn(int64_t n) { return in(1, n) == 1; }
  /// Any 64 bits.
  uint64_t next() {
    state += 0x9e3779b97f4a7c15;
    uint64_t z = state;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

private:
  uint64_t state;
};

/// Cases for each kernel: 100,000 if MLI_TEST_FULL is set, else `few`.
inline int caseCount(int few) {
  static const bool isFull = std::getenv("MLI_TEST_FULL") != nullptr;
  return isFull ? 100000 : few;
}

/// A tensor at any address that its type allows, between guards of random
/// bytes: what is read of them, or of gaps, makes results random, and what is
/// written there is found.
class RandomTensor {
public:
  RandomTensor(Random &random, mli_element_type type,
               const std::vector<int64_t> &shape, bool hasGaps = true) {
    std::memset(&tensor, 0x5a, sizeof(tensor)); // Beyond the rank, too.
    std::memset(&tensor.el_params, 0, sizeof(tensor.el_params));
    tensor.el_type = type;
    tensor.rank = static_cast<uint32_t>(shape.size());
    // In front of strides that are taken are some that never are.
    size_t units = 0;
    while (units + 1 < shape.size() && shape[units] == 1)
      ++units;
    bool hasUnitGaps = random.oneIn(4);
    int64_t count = 1;
    int64_t least = 1;
    for (size_t i = shape.size(); i-- > 0;) {
      tensor.shape[i] = static_cast<uint32_t>(shape[i]);
      if (i < units && hasUnitGaps)
        least += random.in(0, 9);
      else if (hasGaps && i + 1 < shape.size() && random.oneIn(3))
        least += random.in(0, 3);
      tensor.mem_stride[i] = static_cast<int32_t>(least);
      // Behind the last element of a row may be none of its gap.
      count += (shape[i] - 1) * least;
      least = std::max(least, random.oneIn(2) ? count : shape[i] * least);
    }
    int64_t elementBytes = ref::getBits(type) / 8;
    int64_t first = guard + random.in(0, guard / elementBytes) * elementBytes;
    bytes.resize(first + count * elementBytes + guard);
    for (size_t i = 0; i < bytes.size(); i += 8) {
      uint64_t word = random.next();
      std::memcpy(&bytes[i], &word, std::min<size_t>(8, bytes.size() - i));
    }
    tensor.data.capacity = static_cast<uint32_t>(count * elementBytes);
    tensor.data.mem.pi8 = bytes.data() + first;
    if (!ref::isFx(type))
      quantise({1, 0, 0});
  }
  RandomTensor(const RandomTensor &) = delete;
  RandomTensor &operator=(const RandomTensor &) = delete;

  /// Codes of all sizes: small ones, and the limits.
  void fill(Random &random) {
    int64_t magnitude = random.in(2, ref::getBits(tensor.el_type));
    int64_t limit = int64_t{1} << (magnitude - 1);
    ref::forEachOffset(tensor, [&](int64_t offset) {
      uint64_t word = random.next();
      int64_t code = static_cast<int64_t>(word) >> (64 - magnitude);
      if (word % 16 == 0)
        code = word % 32 == 0 ? -limit : limit - 1;
      setAt(offset, code);
    });
  }

  /// Codes at the limits of the type only, to reach saturation.
  void fillWithLimits(Random &random) {
    int64_t limit = int64_t{1} << (ref::getBits(tensor.el_type) - 1);
    ref::forEachOffset(tensor, [&](int64_t offset) {
      setAt(offset, random.next() % 2 == 0 ? -limit : limit - 1);
    });
  }

  void fillWithZeros() {
    ref::forEachOffset(tensor, [&](int64_t offset) { setAt(offset, 0); });
  }

  /// Element `index` in row-major order.
  void set(int64_t index, int64_t code) {
    setAt(ref::getOffset(tensor, ref::coordsOf(ref::getShape(tensor), index)),
          code);
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

  /// Keeps bytes and description as they are before a call, and expects of the
  /// call that elements become `codes` and that no other byte changes.
  void expect(const ref::Codes &codes) {
    expectNoChange();
    ASSERT_EQ(static_cast<int64_t>(codes.size()),
              ref::countOf(ref::getShape(tensor)));
    int8_t *first = expected.data() + firstByte();
    int bytesEach = ref::getBits(tensor.el_type) / 8;
    const int64_t *code = codes.data();
    ref::forEachOffset(tensor, [&](int64_t offset) {
      std::memcpy(first + offset * bytesEach, code++, bytesEach);
    });
  }
  void expectNoChange() {
    before = expected = bytes;
    described = tensor;
    isScratch = false;
  }
  /// Expects that no byte around the container changes.
  void expectAnything() {
    expectNoChange();
    isScratch = true;
  }

  /// Makes all what it was before the call.
  void restore() {
    std::copy(before.begin(), before.end(), bytes.begin());
    tensor = described;
  }

  /// As if the call had done what is expected.
  void becomeExpected() {
    std::copy(expected.begin(), expected.end(), bytes.begin());
  }

  testing::AssertionResult isAsExpected() {
    if (isScratch)
      std::copy_n(bytes.begin() + firstByte(), described.data.capacity,
                  expected.begin() + firstByte());
    if (bytes == expected)
      return testing::AssertionSuccess();
    auto at = static_cast<size_t>(
        std::mismatch(bytes.begin(), bytes.end(), expected.begin()).first -
        bytes.begin());
    return testing::AssertionFailure()
           << "byte " << static_cast<int64_t>(at) - firstByte() << " is "
           << int{bytes[at]} << ", expected " << int{expected[at]};
  }

  /// The buffer with what lies around the elements.
  const std::vector<int8_t> &allBytes() const { return bytes; }

  operator mli_tensor *() { return &tensor; }
  mli_tensor *operator->() { return &tensor; }
  const mli_tensor &operator*() const { return tensor; }

  mli_tensor tensor;

private:
  /// As many bytes as the widest vectors have.
  static constexpr int64_t guard = 64;

  int64_t firstByte() const { return described.data.mem.pi8 - bytes.data(); }

  void setAt(int64_t offset, int64_t code) {
    int bytesEach = ref::getBits(tensor.el_type) / 8;
    std::memcpy(tensor.data.mem.pi8 + offset * bytesEach, &code, bytesEach);
  }

  std::vector<int8_t> bytes;
  std::vector<int8_t> before;
  std::vector<int8_t> expected;
  mli_tensor described;
  bool isScratch = false;
  std::vector<int16_t> scales;
  std::vector<int8_t> fracBits;
  std::vector<int16_t> zeroPoints;
};

} // namespace mli::test

#endif // MLI_TEST_UNIT_RUNTIME_REFERENCE_RANDOMTENSOR_H
