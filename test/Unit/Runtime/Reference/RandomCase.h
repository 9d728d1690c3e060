// SPDX-License-Identifier: Apache-2.0
//
// What random cases of all families share: the arithmetic that they run in, and
// quantisations that let results fall inside their containers.

#ifndef MLI_TEST_UNIT_RUNTIME_REFERENCE_RANDOMCASE_H
#define MLI_TEST_UNIT_RUNTIME_REFERENCE_RANDOMCASE_H

#include "Targets.h"
#include "mli/Runtime/C/mli_runtime.h"

#include <cstdio>
#include <ctime>

namespace mli::test {

/// Random modes of arithmetic other than the default, of library and reference,
/// while it lives.
class OtherModes {
public:
  explicit OtherModes(Random &random) {
    int64_t modes = random.in(1, 7);
    set((modes & 4) != 0, static_cast<mli_accumulation_mode>(modes & 3));
  }
  ~OtherModes() { set(false, MLI_ACCUMULATE_NARROW); }
  OtherModes(const OtherModes &) = delete;
  OtherModes &operator=(const OtherModes &) = delete;

private:
  static void set(bool isConvergent, mli_accumulation_mode accumulation) {
    mli_set_rounding_mode(isConvergent ? MLI_ROUND_CONVERGENT : MLI_ROUND_UP);
    mli_set_accumulation_mode(accumulation);
    ref::options = {isConvergent,
                    (accumulation & MLI_ACCUMULATE_FULL_PRODUCTS) != 0,
                    (accumulation & MLI_ACCUMULATE_FULL_AVERAGES) != 0};
  }
};

/// Element types of input, weights and bias.
struct Combination {
  mli_element_type in;
  mli_element_type weights;
  mli_element_type bias;
};

// NOLINTBEGIN(readability-identifier-naming): the names in the list of kernels.
namespace combined {
constexpr Combination fx8 = {MLI_EL_FX_8, MLI_EL_FX_8, MLI_EL_FX_8};
constexpr Combination fx16 = {MLI_EL_FX_16, MLI_EL_FX_16, MLI_EL_FX_16};
constexpr Combination fx16_fx8_fx8 = {MLI_EL_FX_16, MLI_EL_FX_8, MLI_EL_FX_8};
constexpr Combination sa8_sa8_sa32 = {MLI_EL_SA_8, MLI_EL_SA_8, MLI_EL_SA_32};
} // namespace combined

namespace single {
constexpr mli_element_type fx8 = MLI_EL_FX_8;
constexpr mli_element_type fx16 = MLI_EL_FX_16;
constexpr mli_element_type sa8 = MLI_EL_SA_8;
} // namespace single
// NOLINTEND(readability-identifier-naming)

/// A kernel of one element type and some prototype.
template <typename Call>
struct TypedKernel {
  const char *name;
  mli_element_type type;
  Call *call;
};

/// Calls `run(kernel)` for so many cases of each kernel, until one fails, and
/// tells what full counts take. MLI_TEST_KERNEL leaves only kernels whose names
/// contain it.
template <typename Kernels, typename Run>
void forEachCase(const Kernels &kernels, int few, Run run) {
  const char *wanted = std::getenv("MLI_TEST_KERNEL");
  for (const auto &kernel : kernels) {
    std::string name = kernel.name;
    if (wanted && name.find(wanted) == std::string::npos)
      continue;
    std::clock_t start = std::clock();
    int count = caseCount(few);
    for (int i = 0; i < count && !testing::Test::HasFailure(); ++i) {
      SCOPED_TRACE(name + ", case " + std::to_string(i));
      run(kernel);
    }
    if (count > few && !testing::Test::HasFailure())
      std::printf("%-50s %d cases %6.1f s\n", name.c_str(), count,
                  double(std::clock() - start) / CLOCKS_PER_SEC);
  }
}

/// The same in the default modes, which the fast code is for, and then as often
/// in others.
template <typename Kernels, typename Run>
void forEachCaseInModes(Random &random, const Kernels &kernels, int few,
                        Run run) {
  forEachCase(kernels, few, run);
  forEachCase(kernels, few, [&](const auto &kernel) {
    OtherModes modes(random);
    run(kernel);
  });
}

inline ref::Quant randomQuant(Random &random, mli_element_type type) {
  if (ref::isFx(type))
    return {1, static_cast<int>(random.in(-3, ref::getBits(type))), 0};
  int64_t bits = random.in(1, 15);
  int64_t high = (int64_t{1} << bits) - 1;
  return {random.in((high + 1) / 2, high), static_cast<int>(random.in(0, 16)),
          random.oneIn(3) ? 0 : random.in(-128, 127)};
}

/// The fraction bits with which `product` real units of `2^-fracBits` come to
/// about 2^logarithm output units.
inline int matchingBits(double product, int fracBits, ref::Wide outScale,
                        int64_t logarithm) {
  double bits = static_cast<double>(fracBits) + static_cast<double>(logarithm) -
                std::log2(product / static_cast<double>(outScale));
  return static_cast<int>(std::clamp(bits, -128.0, 127.0));
}

/// Scales whose product comes so close to a power of two that its 16 high bits
/// may round up to one.
inline void nearPowerOfTwo(Random &random, ref::Quant &in, ref::Quant &weights,
                           ref::Quant &out) {
  in.s = random.in(16384, 32767);
  weights.s = std::min(ref::tdiv(ref::power(29), in.s), ref::Wide{32767});
  out.s = 16384;
}

/// Quantises the operands of a product so that its sums are meaningful codes of
/// the output, and the bias as kernels demand. `axis` is that of weights with
/// parameters per channel, or -1.
inline void quantiseProduct(Random &random, RandomTensor &in,
                            RandomTensor &weights, RandomTensor &bias,
                            RandomTensor &out, int32_t axis) {
  if (ref::isFx(in->el_type)) {
    int bits = static_cast<int>(random.in(0, 15));
    int weightBits = static_cast<int>(random.in(-2, 15));
    in.quantise({1, bits, 0});
    weights.quantise({1, weightBits, 0});
    bias.quantise(
        {1, bits + weightBits - static_cast<int>(random.in(0, 20)), 0});
    out.quantise(
        {1, bits + weightBits - static_cast<int>(random.in(0, 26)), 0});
    return;
  }
  ref::Quant q = randomQuant(random, MLI_EL_SA_8);
  ref::Quant o = randomQuant(random, MLI_EL_SA_8);
  int base = static_cast<int>(random.in(0, 16));
  std::vector<ref::Quant> weightQuants;
  std::vector<ref::Quant> biasQuants;
  uint32_t channels = axis < 0 ? 1 : weights->shape[axis];
  for (uint32_t c = 0; c < channels; ++c) {
    ref::Quant w = {randomQuant(random, MLI_EL_SA_8).s,
                    base + static_cast<int>(random.in(-2, 2)), 0};
    if (c == 0 && random.oneIn(8))
      nearPowerOfTwo(random, q, w, o);
    int drop = std::max(16 - ref::norm(32, q.s * w.s), 0);
    ref::Wide scale = ref::rsh(32, q.s * w.s, drop);
    if (scale > 32767)
      scale = ref::rsh(32, q.s * w.s, ++drop);
    weightQuants.push_back(w);
    biasQuants.push_back({scale, q.f + w.f - drop, 0});
  }
  o.f = matchingBits(static_cast<double>(q.s * weightQuants[0].s), q.f + base,
                     o.s, -random.in(0, 20));
  in.quantise(q);
  out.quantise(o);
  if (axis < 0) {
    weights.quantise(weightQuants[0]);
    bias.quantise(biasQuants[0]);
  } else {
    weights.quantise(axis, weightQuants);
    bias.quantise(0, biasQuants);
  }
}

/// Makes biases lie half way between two codes of `out`, or beside that: where
/// there are no products, the last of their bits decide. `length` biases belong
/// to each entry of the parameters of `weights`.
inline void placeBetweenCodes(Random &random, const RandomTensor &in,
                              const RandomTensor &weights, RandomTensor &bias,
                              const ref::Quant &out, int64_t length) {
  ref::Quant q = ref::quantOf(*in);
  int64_t count = ref::countOf(ref::getShape(*bias));
  for (int64_t i = 0; i < count; ++i) {
    ref::Quant w = ref::quantOf(*weights, static_cast<uint32_t>(i / length));
    double codes =
        std::ldexp(static_cast<double>(q.s * w.s) / static_cast<double>(out.s),
                   out.f - q.f - w.f);
    double half = static_cast<double>(random.in(-100, 100)) + 0.5;
    double code = std::clamp(std::round(half / codes), -2e9, 2e9);
    bias.set(i, static_cast<int64_t>(code) + random.in(-1, 1));
  }
}

} // namespace mli::test

#endif // MLI_TEST_UNIT_RUNTIME_REFERENCE_RANDOMCASE_H
