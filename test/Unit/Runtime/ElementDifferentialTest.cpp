// SPDX-License-Identifier: Apache-2.0
//
// Element-wise operations, the relu family, functions by tables and conversions
// against the reference, also in place.

#include "Reference/Elementwise.h"
#include "Reference/RandomCase.h"
#include "Reference/Tables.h"

using namespace mli::test;
using mli::ref::Codes;

namespace {

std::vector<int64_t> randomShape(Random &random, int64_t lowestRank = 1) {
  std::vector<int64_t> shape;
  for (int64_t rank = random.in(lowestRank, 4); rank > 0; --rank)
    shape.push_back(random.in(1, rank == 1 ? 9 : 4));
  return shape;
}

/// A kernel with one input and one output that computes as `expected` says,
/// sometimes in place.
template <typename Expected, typename Call>
void runUnary(Random &random, mli_element_type type, const mli::ref::Quant &q,
              const mli::ref::Quant &o, const std::vector<int64_t> &shape,
              Expected expected, Call call) {
  RandomTensor in(random, type, shape);
  RandomTensor out(random, type, shape);
  in.fill(random);
  in.quantise(q);
  out.quantise(o);
  bool isInPlace = random.oneIn(4);
  if (isInPlace) {
    out->data = in->data;
    std::memcpy(out->mem_stride, in->mem_stride, sizeof(in->mem_stride));
  }
  RandomTensor &result = isInPlace ? in : out;
  result.remember();
  Codes codes = expected(*in, *out);
  ASSERT_EQ(call(in, out), MLI_STATUS_OK);
  EXPECT_TRUE(result.holds(codes)) << (isInPlace ? "in place" : "");
}

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
  RandomModes modes(random);
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
TEST(ElementDifferential, eltwise) {
  Random random(4);
  for (const EltwiseKernel &kernel : eltwiseKernels)
    for (int i = 0; i < caseCount(300) && !HasFailure(); ++i) {
      SCOPED_TRACE(std::string(kernel.name) + ", case " + std::to_string(i));
      runEltwise(random, kernel);
    }
}

/// A kernel of some prototype.
template <typename Call>
struct TypedKernel {
  const char *name;
  mli_element_type type;
  Call *call;
};

using ReluCall = mli_status(const mli_tensor *, const mli_relu_cfg *,
                            mli_tensor *);
constexpr TypedKernel<ReluCall> reluKernels[] = {
#define MLI_RELU(name, type) {#name, single::type, name},
#include "mli/Runtime/C/api/mli_kernels.def"
};

// K9
TEST(ElementDifferential, relu) {
  Random random(5);
  for (const auto &kernel : reluKernels)
    for (int i = 0; i < caseCount(200) && !HasFailure(); ++i) {
      SCOPED_TRACE(std::string(kernel.name) + ", case " + std::to_string(i));
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
    }
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
  RandomModes modes(random);
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
TEST(ElementDifferential, leakyRelu) {
  Random random(6);
  for (const auto &kernel : leakyKernels)
    for (int i = 0; i < caseCount(300) && !HasFailure(); ++i) {
      SCOPED_TRACE(std::string(kernel.name) + ", case " + std::to_string(i));
      runPrelu(random, kernel.type, false,
               [&](mli_tensor *in, mli_tensor *slope, mli_prelu_cfg *,
                   mli_tensor *out) { return kernel.call(in, slope, out); });
    }
}

// K40, K41
TEST(ElementDifferential, prelu) {
  Random random(7);
  for (const auto &kernel : preluKernels)
    for (int i = 0; i < caseCount(300) && !HasFailure(); ++i) {
      SCOPED_TRACE(std::string(kernel.name) + ", case " + std::to_string(i));
      runPrelu(random, kernel.type, !random.oneIn(4), kernel.call);
    }
}

/// A table of the library, or one of random entries.
class Table {
public:
  using Create = mli_status(mli_lut *);
  Table(Random &random, Create *create) : values(400) {
    std::memset(&lut, 0, sizeof(lut));
    lut.data.mem.pi16 = values.data();
    lut.data.capacity = static_cast<uint32_t>(2 * values.size());
    EXPECT_EQ(create(&lut), MLI_STATUS_OK);
    if (!random.oneIn(4))
      return;
    for (int16_t &value : values)
      value = static_cast<int16_t>(random.in(-32768, 32767));
    lut.length = static_cast<int32_t>(random.in(2, 400));
    lut.in_frac_bits = static_cast<int32_t>(random.in(0, 8));
    lut.out_frac_bits = static_cast<int32_t>(random.in(8, 17));
    lut.input_offset = static_cast<int32_t>(random.in(-10, 300));
  }
  Table(const Table &) = delete;
  Table &operator=(const Table &) = delete;

  mli_lut lut;

private:
  std::vector<int16_t> values;
};

using ActivationCall = mli_status(const mli_tensor *, const mli_lut *,
                                  mli_tensor *);
struct ActivationKernel {
  const char *name;
  mli::ref::Function function;
  mli_element_type type;
  ActivationCall *call;
};
constexpr ActivationKernel activationKernels[] = {
#define MLI_ACTIVATION(name, function, type)                                   \
  {#name, mli::ref::Function::function, single::type, name},
#include "mli/Runtime/C/api/mli_kernels.def"
};

// K27, K28, K38
TEST(ElementDifferential, activations) {
  Random random(8);
  for (const auto &kernel : activationKernels)
    for (int i = 0; i < caseCount(200) && !HasFailure(); ++i) {
      SCOPED_TRACE(std::string(kernel.name) + ", case " + std::to_string(i));
      RandomModes modes(random);
      Table table(random, kernel.function == mli::ref::Function::sigm
                              ? mli_krn_sigm_create_lut
                              : mli_krn_tanh_create_lut);
      mli::ref::Quant q = randomQuant(random, kernel.type);
      runUnary(
          random, kernel.type, q, q, randomShape(random),
          [&](const mli_tensor &in, const mli_tensor &) {
            return mli::ref::activation(kernel.function, in, table.lut);
          },
          [&](mli_tensor *in, mli_tensor *out) {
            mli_status status = kernel.call(in, &table.lut, out);
            mli::ref::Quant fixed =
                mli::ref::resultOf(kernel.function, kernel.type);
            EXPECT_EQ(mli_hlp_tensor_scale_shift(out, 0), fixed.f);
            EXPECT_EQ(mli_hlp_tensor_zero_offset(out, 0), fixed.z);
            return status;
          });
    }
}

using AxisCall = mli_status(const mli_tensor *, const mli_lut *,
                            const mli_softmax_cfg *, mli_tensor *);

template <typename Slice, typename Call>
void runAlongAxis(Random &random, mli_element_type type, Table::Create *create,
                  Slice slice, Call call) {
  RandomModes modes(random);
  Table table(random, create);
  std::vector<int64_t> shape = randomShape(random);
  mli_softmax_cfg cfg = {
      static_cast<int32_t>(random.in(-1, int64_t(shape.size()) - 1))};
  mli::ref::Quant q = randomQuant(random, type);
  runUnary(
      random, type, q, q, shape,
      [&](const mli_tensor &in, const mli_tensor &) {
        return mli::ref::alongAxis(in, table.lut, cfg.axis, slice);
      },
      [&](mli_tensor *in, mli_tensor *out) {
        return call(in, &table.lut, &cfg, out);
      });
}

constexpr TypedKernel<AxisCall> softmaxKernels[] = {
#define MLI_SOFTMAX(name, type) {#name, single::type, name},
#include "mli/Runtime/C/api/mli_kernels.def"
};

// K29
TEST(ElementDifferential, softmax) {
  Random random(9);
  for (const auto &kernel : softmaxKernels)
    for (int i = 0; i < caseCount(200) && !HasFailure(); ++i) {
      SCOPED_TRACE(std::string(kernel.name) + ", case " + std::to_string(i));
      runAlongAxis(random, kernel.type, mli_krn_softmax_create_lut,
                   mli::ref::softmaxSlice, kernel.call);
    }
}

using NormalizeCall = mli_status(const mli_tensor *, const mli_tensor *,
                                 const mli_lut *, const mli_l2_normalize_cfg *,
                                 mli_tensor *);
constexpr TypedKernel<NormalizeCall> normalizeKernels[] = {
#define MLI_L2_NORMALIZE(name, type) {#name, single::type, name},
#include "mli/Runtime/C/api/mli_kernels.def"
};

// K39
TEST(ElementDifferential, l2Normalize) {
  Random random(10);
  for (const auto &kernel : normalizeKernels)
    for (int i = 0; i < caseCount(200) && !HasFailure(); ++i) {
      SCOPED_TRACE(std::string(kernel.name) + ", case " + std::to_string(i));
      runAlongAxis(random, kernel.type, mli_krn_l2_normalize_create_lut,
                   mli::ref::l2Slice,
                   [&](const mli_tensor *in, const mli_lut *lut,
                       const mli_softmax_cfg *cfg, mli_tensor *out) {
                     return kernel.call(in, nullptr, lut, cfg, out);
                   });
    }
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

// K4, K5, K6, K30
TEST(ElementDifferential, conversions) {
  constexpr mli_element_type types[] = {MLI_EL_FX_8, MLI_EL_FX_16, MLI_EL_SA_8,
                                        MLI_EL_SA_32, MLI_EL_FP_32};
  Random random(11);
  for (mli_element_type from : types)
    for (mli_element_type to : types)
      for (int i = 0; i < caseCount(100) && !HasFailure(); ++i) {
        SCOPED_TRACE(std::to_string(from) + " to " + std::to_string(to) +
                     ", case " + std::to_string(i));
        RandomModes modes(random);
        std::vector<int64_t> shape = randomShape(random);
        RandomTensor src(random, from, shape);
        RandomTensor dst(random, to, shape);
        src.fill(random);
        if (from == MLI_EL_FP_32)
          for (int64_t k = 0; k < mli::ref::countOf(shape); ++k)
            src.set(k, mli::ref::bitsOfFloat(
                           std::ldexp(static_cast<float>(random.in(-999, 999)),
                                      static_cast<int>(random.in(-12, 30)))));
        auto axis = static_cast<int32_t>(
            random.oneIn(2) ? -1 : random.in(0, int64_t(shape.size()) - 1));
        randomlyQuantise(random, src, random.oneIn(3) ? -1 : axis);
        randomlyQuantise(random, dst, random.oneIn(3) ? -1 : axis);
        dst.remember();
        Codes expected = mli::ref::convert(*src, *dst);
        bool hasFloat = from == MLI_EL_FP_32 || to == MLI_EL_FP_32;
        ASSERT_EQ(hasFloat || random.oneIn(2)
                      ? mli_hlp_convert_tensor(src, dst)
                      : mli_hlp_convert_tensor_safx(src, dst),
                  MLI_STATUS_OK);
        EXPECT_TRUE(dst.holds(expected));
      }
}

} // namespace
