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

/// Random modes of arithmetic, of library and reference, while it lives. Most
/// cases run in the default, which is what the fast code is for.
class RandomModes {
public:
  explicit RandomModes(Random &random) {
    if (!random.oneIn(6))
      return;
    set(random.oneIn(2), static_cast<mli_accumulation_mode>(random.in(0, 3)));
  }
  ~RandomModes() { set(false, MLI_ACCUMULATE_NARROW); }
  RandomModes(const RandomModes &) = delete;
  RandomModes &operator=(const RandomModes &) = delete;

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

inline ref::Quant randomQuant(Random &random, mli_element_type type) {
  if (ref::isFx(type))
    return {1, static_cast<int>(random.in(-3, ref::bitsOf(type))), 0};
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

} // namespace mli::test

#endif // MLI_TEST_UNIT_RUNTIME_REFERENCE_RANDOMCASE_H
