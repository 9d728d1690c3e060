// SPDX-License-Identifier: Apache-2.0
//
// Element-wise operations, pools and functions by tables on every instruction
// set.

#include "TargetsTest.h"
#include "mli/Runtime/C/mli_api.h"

using namespace mli::test;

namespace {

/// Rows that leave vectors full, partial and empty; some exceed a table.
std::vector<int64_t> randomShape(Random &random) {
  std::vector<int64_t> shape;
  for (int64_t rank = random.in(1, 4); rank > 1; --rank)
    shape.push_back(random.in(1, 3));
  shape.push_back(random.oneIn(4) ? random.in(1, 600) : random.in(1, 70));
  return shape;
}

struct EltwiseKernel {
  const char *name;
  mli_element_type type;
  bool isComparison;
  mli_status (*call)(const mli_tensor *, const mli_tensor *, mli_tensor *);
};

// NOLINTBEGIN(readability-identifier-naming): the names in the list of kernels.
constexpr bool Add = false;
constexpr bool Sub = false;
constexpr bool Mul = false;
constexpr bool Min = true;
constexpr bool Max = true;
// NOLINTEND(readability-identifier-naming)
constexpr EltwiseKernel eltwises[] = {
#define MLI_ELTWISE(name, op, type) {#name, single::type, op, name},
#include "mli/Runtime/C/api/mli_kernels.def"
};

TEST(ElementTargets, eltwise) {
  Random random(21);
  for (const EltwiseKernel &kernel : eltwises)
    for (int i = 0; i < targetCases() && !HasFailure(); ++i) {
      SCOPED_TRACE(std::string(kernel.name) + ", case " + std::to_string(i));
      std::vector<int64_t> shape = randomShape(random);
      // Two operands of one element have to be of one rank.
      bool isScalar = random.oneIn(6) && mli::ref::countOf(shape) > 1;
      RandomTensor in1(random, kernel.type, shape);
      RandomTensor in2(random, kernel.type,
                       isScalar ? std::vector<int64_t>{1} : shape);
      RandomTensor out(random, kernel.type, shape);
      in1.fill(random);
      in2.fill(random);
      mli::ref::Quant q = randomQuant(random, kernel.type);
      mli::ref::Quant r =
          kernel.isComparison ? q : randomQuant(random, kernel.type);
      mli::ref::Quant o = randomQuant(random, kernel.type);
      if (!mli::ref::isFx(kernel.type))
        o.f =
            matchingBits(static_cast<double>(q.s), q.f, o.s, random.in(-4, 4));
      in1.quantise(q);
      in2.quantise(r);
      out.quantise(o);
      expectSameOnTargets(out, [&] { return kernel.call(in1, in2, out); });
    }
}

struct ActivationKernel {
  const char *name;
  mli_element_type type;
  mli_status (*createLut)(mli_lut *);
  mli_status (*call)(const mli_tensor *, const mli_lut *, mli_tensor *);
};

constexpr ActivationKernel activations[] = {
#define MLI_ACTIVATION(name, function, type)                                   \
  {#name, single::type, mli_krn_##function##_create_lut, name},
#include "mli/Runtime/C/api/mli_kernels.def"
};

/// Many codes, which go through a table of all codes, become what each of them
/// becomes alone.
TEST(ElementTargets, tablesOfCodes) {
  Random random(23);
  for (const ActivationKernel &kernel : activations)
    for (int i = 0; i < targetCases() / 16 && !HasFailure(); ++i) {
      SCOPED_TRACE(std::string(kernel.name) + ", case " + std::to_string(i));
      int16_t entries[400];
      mli_lut lut;
      std::memset(&lut, 0, sizeof(lut));
      lut.data.mem.pi16 = entries;
      lut.data.capacity = sizeof(entries);
      ASSERT_EQ(kernel.createLut(&lut), MLI_STATUS_OK);
      int64_t count = random.in(384, 700);
      RandomTensor in(random, kernel.type, {count}, /*hasGaps=*/false);
      RandomTensor out(random, kernel.type, {count}, /*hasGaps=*/false);
      in.fill(random);
      in.quantise(randomQuant(random, kernel.type));
      RandomTensor one(random, kernel.type, {1}, /*hasGaps=*/false);
      RandomTensor result(random, kernel.type, {1}, /*hasGaps=*/false);
      ASSERT_EQ(kernel.call(in, &lut, out), MLI_STATUS_OK);
      one->el_params = in->el_params;
      for (int64_t k = 0; k < count && !HasFailure(); ++k) {
        one.set(0, mli::ref::codeAt(*in, {k}));
        ASSERT_EQ(kernel.call(one, &lut, result), MLI_STATUS_OK);
        EXPECT_EQ(mli::ref::codeAt(*out, {k}), mli::ref::codeAt(*result, {0}));
      }
    }
}

struct PoolKernel {
  const char *name;
  mli_element_type type;
  int size;
  mli_status (*call)(const mli_tensor *, const mli_pool_cfg *, mli_tensor *);
};

constexpr PoolKernel pools[] = {
#define MLI_POOLING(name, op, type, size) {#name, single::type, size, name},
#include "mli/Runtime/C/api/mli_kernels.def"
};

TEST(ElementTargets, pools) {
  Random random(22);
  auto byte = [&](int64_t low, int64_t high) {
    return static_cast<uint8_t>(random.in(low, high));
  };
  for (const PoolKernel &kernel : pools)
    for (int i = 0; i < targetCases() && !HasFailure(); ++i) {
      SCOPED_TRACE(std::string(kernel.name) + ", case " + std::to_string(i));
      int64_t size = kernel.size ? kernel.size : random.in(1, 5);
      mli_pool_cfg cfg = {static_cast<uint8_t>(size),
                          static_cast<uint8_t>(size),
                          byte(1, 3),
                          byte(1, 3),
                          byte(0, size - 1),
                          byte(0, size - 1),
                          byte(0, size - 1),
                          byte(0, size - 1)};
      int64_t height = random.in(size, size + 4);
      int64_t width = random.in(size, size + 4);
      int64_t channels = random.in(1, random.oneIn(3) ? 140 : 20);
      RandomTensor in(random, kernel.type, {height, width, channels});
      RandomTensor out(random, kernel.type,
                       {(height + cfg.padding_top + cfg.padding_bottom - size) /
                                cfg.stride_height +
                            1,
                        (width + cfg.padding_left + cfg.padding_right - size) /
                                cfg.stride_width +
                            1,
                        channels});
      in.fill(random);
      mli::ref::Quant q = randomQuant(random, kernel.type);
      mli::ref::Quant o = randomQuant(random, kernel.type);
      o.f = matchingBits(static_cast<double>(q.s), q.f, o.s, random.in(-4, 2));
      in.quantise(q);
      out.quantise(o);
      expectSameOnTargets(out, [&] { return kernel.call(in, &cfg, out); });
    }
}

} // namespace
