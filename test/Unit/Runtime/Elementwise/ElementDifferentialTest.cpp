// SPDX-License-Identifier: Apache-2.0
//
// Element-wise operations, the relu family and conversions against the
// reference, also in place.

#include "../Reference/Elementwise.h"
#include "../Reference/UnaryCase.h"

using namespace mli::test;
using mli::ref::Codes;

namespace {

struct EltwiseKernel {
  const char *name;
  mli::ref::Op op;
  mli_element_type type;
  mli_status (*call)(const mli_tensor *, const mli_tensor *, mli_tensor *);
};

constexpr EltwiseKernel eltwiseKernels[] = {
#define MLI_ELTWISE(name, op, type)                                            \
  {#name, mli::ref::Op::op, single::type, name},
#include "mli/Runtime/C/api/mli_kernels.def"
};

void runEltwise(Random &random, const EltwiseKernel &kernel) {
  using mli::ref::Op;
  std::vector<int64_t> shape = randomShape(random);
  mli::ref::Quant q2 = randomQuant(random, kernel.type);
  mli::ref::Quant q1 = randomQuant(random, kernel.type);
  if (kernel.op == Op::Min || kernel.op == Op::Max)
    q1 = q2;
  mli::ref::Quant o = randomQuant(random, kernel.type);
  bool isMul = kernel.op == Op::Mul;
  o.f = matchingBits(static_cast<double>(q1.s) * (isMul ? double(q2.s) : 1.0),
                     q1.f + (isMul ? q2.f : 0), o.s, random.in(-9, 3));
  // A first operand of one element takes its shape from the second.
  bool isScalar = random.oneIn(3) && mli::ref::countOf(shape) > 1;
  RandomTensor in2(random, kernel.type,
                   isScalar ? std::vector<int64_t>{1} : shape);
  in2.fill(random);
  in2.quantise(q2);
  runUnary(
      random, kernel.type, q1, o, shape,
      [&](const mli_tensor &in, const mli_tensor &out) {
        return mli::ref::eltwise(kernel.op, in, *in2, out);
      },
      [&](mli_tensor *in, mli_tensor *out) {
        return kernel.call(in, in2, out);
      });
}

// K25, K26
TEST(ElementDifferential, Eltwise) {
  Random random(4);
  forEachCaseInModes(random, eltwiseKernels, 1200,
                     [&](const auto &kernel) { runEltwise(random, kernel); });
}

using ReluCall = mli_status(const mli_tensor *, const mli_relu_cfg *,
                            mli_tensor *);
constexpr TypedKernel<ReluCall> reluKernels[] = {
#define MLI_RELU(name, type) {#name, single::type, name},
#include "mli/Runtime/C/api/mli_kernels.def"
};

// K9
TEST(ElementDifferential, Relu) {
  Random random(5);
  forEachCaseInModes(random, reluKernels, 800, [&](const auto &kernel) {
    mli_relu_cfg cfg = {static_cast<mli_relu_type>(random.in(0, 3))};
    mli::ref::Quant q = randomQuant(random, kernel.type);
    runUnary(
        random, kernel.type, q, q, randomShape(random),
        [&](const mli_tensor &in, const mli_tensor &) {
          return mli::ref::relu(in, cfg);
        },
        [&](mli_tensor *in, mli_tensor *out) {
          return kernel.call(in, &cfg, out);
        });
  });
}

using LeakyCall = mli_status(const mli_tensor *, const mli_tensor *,
                             mli_tensor *);
using PreluCall = mli_status(const mli_tensor *, const mli_tensor *,
                             const mli_prelu_cfg *, mli_tensor *);
constexpr TypedKernel<LeakyCall> leakyKernels[] = {
#define MLI_LEAKY_RELU(name, type) {#name, single::type, name},
#include "mli/Runtime/C/api/mli_kernels.def"
};
constexpr TypedKernel<PreluCall> preluKernels[] = {
#define MLI_PRELU(name, type) {#name, single::type, name},
#include "mli/Runtime/C/api/mli_kernels.def"
};

/// `call(in, slope, cfg, out)` for a slope of its own.
template <typename Call>
void runPrelu(Random &random, mli_element_type type, bool hasAxis, Call call) {
  std::vector<int64_t> shape = randomShape(random);
  mli_prelu_cfg cfg = {-1};
  std::vector<int64_t> slopeShape = {1};
  if (hasAxis) {
    cfg.axis = static_cast<int32_t>(random.in(0, int64_t(shape.size()) - 1));
    slopeShape.assign(shape.size(), 1);
    slopeShape[cfg.axis] = shape[cfg.axis];
  }
  RandomTensor slope(random, type, slopeShape, /*hasGaps=*/false);
  slope.fill(random);
  mli::ref::Quant q = randomQuant(random, type);
  mli::ref::Quant o = randomQuant(random, type);
  o.f = mli::ref::isFx(type)
            ? q.f
            : matchingBits(double(q.s), q.f, o.s, random.in(-3, 3));
  slope.quantise(randomQuant(random, type));
  runUnary(
      random, type, q, o, shape,
      [&](const mli_tensor &in, const mli_tensor &out) {
        return mli::ref::prelu(in, *slope, cfg.axis, out);
      },
      [&](mli_tensor *in, mli_tensor *out) {
        return call(in, slope, &cfg, out);
      });
}

// K40, K41
TEST(ElementDifferential, LeakyRelu) {
  Random random(6);
  forEachCaseInModes(random, leakyKernels, 1200, [&](const auto &kernel) {
    runPrelu(random, kernel.type, false,
             [&](mli_tensor *in, mli_tensor *slope, mli_prelu_cfg *,
                 mli_tensor *out) { return kernel.call(in, slope, out); });
  });
}

// K40, K41
TEST(ElementDifferential, Prelu) {
  Random random(7);
  forEachCaseInModes(random, preluKernels, 1200, [&](const auto &kernel) {
    runPrelu(random, kernel.type, !random.oneIn(4), kernel.call);
  });
}

/// Slopes at the limits with every shift: those of lanes end in between.
// K40, K41
TEST(ElementDifferential, LeakyReluLimits) {
  Random random(12);
  forEachCaseInModes(random, leakyKernels, 200, [&](const auto &kernel) {
    RandomTensor in(random, kernel.type, {random.in(1, 70)});
    RandomTensor slope(random, kernel.type, {1});
    RandomTensor out(random, kernel.type, {in->shape[0]});
    in.fillWithLimits(random);
    slope.fillWithLimits(random);
    mli::ref::Quant q = randomQuant(random, kernel.type);
    mli::ref::Quant slopeQuant = randomQuant(random, kernel.type);
    slopeQuant.f = static_cast<int>(random.in(-8, 40));
    in.quantise(q);
    slope.quantise(slopeQuant);
    out.quantise(q);
    Codes expected = mli::ref::prelu(*in, *slope, -1, *out);
    expectOnTargets({{out, expected}, in, slope},
                    [&] { return kernel.call(in, slope, out); });
  });
}

void randomlyQuantise(Random &random, RandomTensor &tensor, int32_t axis) {
  if (axis < 0 || mli::ref::isFx(tensor->el_type)) {
    tensor.quantise(randomQuant(random, tensor->el_type));
    return;
  }
  std::vector<mli::ref::Quant> entries;
  entries.reserve(tensor->shape[axis]);
  for (uint32_t i = 0; i < tensor->shape[axis]; ++i)
    entries.push_back(randomQuant(random, tensor->el_type));
  tensor.quantise(axis, entries);
}

struct Conversion {
  std::string name;
  mli_element_type from;
  mli_element_type to;
};

/// From each type to each.
std::vector<Conversion> conversions() {
  constexpr std::pair<const char *, mli_element_type> types[] = {
      {"fx8", MLI_EL_FX_8},
      {"fx16", MLI_EL_FX_16},
      {"sa8", MLI_EL_SA_8},
      {"sa32", MLI_EL_SA_32},
      {"fp32", MLI_EL_FP_32}};
  std::vector<Conversion> all;
  for (auto [fromName, from] : types)
    for (auto [toName, to] : types)
      all.push_back(
          {std::string("convert ") + fromName + " to " + toName, from, to});
  return all;
}

void runConversion(Random &random, mli_element_type from, mli_element_type to) {
  std::vector<int64_t> shape = randomShape(random);
  RandomTensor src(random, from, shape);
  RandomTensor dst(random, to, shape);
  src.fill(random);
  if (from == MLI_EL_FP_32)
    for (int64_t k = 0; k < mli::ref::countOf(shape); ++k)
      src.set(k, mli::ref::bitsOfFloat(
                     std::ldexp(static_cast<float>(random.in(-999, 999)),
                                static_cast<int>(random.in(-12, 30)))));
  // What fits no code, or just so.
  constexpr float special[] = {NAN,     INFINITY, -INFINITY,     -0.0F,
                               0x1p31F, -0x1p31F, 0x1.fffffep30F};
  if (from == MLI_EL_FP_32 && random.oneIn(2))
    src.set(random.in(0, mli::ref::countOf(shape) - 1),
            mli::ref::bitsOfFloat(special[random.in(0, 6)]));
  auto axis = static_cast<int32_t>(
      random.oneIn(2) ? -1 : random.in(0, int64_t(shape.size()) - 1));
  randomlyQuantise(random, src, random.oneIn(3) ? -1 : axis);
  randomlyQuantise(random, dst, random.oneIn(3) ? -1 : axis);
  Codes expected = mli::ref::convert(*src, *dst);
  bool hasFloat = from == MLI_EL_FP_32 || to == MLI_EL_FP_32;
  auto *call = hasFloat || random.oneIn(2) ? mli_hlp_convert_tensor
                                           : mli_hlp_convert_tensor_safx;
  expectOnTargets({{dst, expected}, src}, [&] { return call(src, dst); });
}

// K4, K5, K6, K30
TEST(ElementDifferential, Conversions) {
  Random random(11);
  forEachCaseInModes(random, conversions(), 400, [&](const auto &kernel) {
    runConversion(random, kernel.from, kernel.to);
  });
}

/// Every shift of integers: those of lanes end in between.
// K4, K5
TEST(ElementDifferential, ConversionShifts) {
  Random random(19);
  forEachCaseInModes(random, conversions(), 200, [&](const auto &kernel) {
    if (kernel.from == MLI_EL_FP_32 || kernel.to == MLI_EL_FP_32)
      return;
    std::vector<int64_t> shape = {random.in(2, 40)};
    RandomTensor src(random, kernel.from, shape);
    RandomTensor dst(random, kernel.to, shape);
    src.fill(random);
    for (RandomTensor *tensor : {&src, &dst}) {
      mli::ref::Quant q = randomQuant(random, (*tensor)->el_type);
      q.f = static_cast<int>(random.in(-10, 40));
      tensor->quantise(q);
    }
    Codes expected = mli::ref::convert(*src, *dst);
    expectOnTargets({{dst, expected}, src},
                    [&] { return mli_hlp_convert_tensor(src, dst); });
  });
}

} // namespace
