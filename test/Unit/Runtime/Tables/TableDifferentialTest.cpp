// SPDX-License-Identifier: Apache-2.0
//
// Functions by tables against the reference, also in place.

#include "../Reference/RandomTable.h"
#include "../Reference/Tables.h"
#include "../Reference/UnaryCase.h"

using namespace mli::test;

namespace {

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
TEST(TableDifferential, Activations) {
  Random random(8);
  forEachCaseInModes(random, activationKernels, 800, [&](const auto &kernel) {
    RandomTable table(random, kernel.function == mli::ref::Function::sigm
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
              mli::ref::getResult(kernel.function, kernel.type);
          EXPECT_EQ(mli_hlp_tensor_scale_shift(out, 0), fixed.f);
          EXPECT_EQ(mli_hlp_tensor_zero_offset(out, 0), fixed.z);
          return status;
        });
  });
}

using AxisCall = mli_status(const mli_tensor *, const mli_lut *,
                            const mli_softmax_cfg *, mli_tensor *);

template <typename Slice, typename Call>
void runAlongAxis(Random &random, mli_element_type type,
                  RandomTable::Create *create, Slice slice, Call call) {
  RandomTable table(random, create);
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
TEST(TableDifferential, Softmax) {
  Random random(9);
  forEachCaseInModes(random, softmaxKernels, 800, [&](const auto &kernel) {
    runAlongAxis(random, kernel.type, mli_krn_softmax_create_lut,
                 mli::ref::softmaxSlice, kernel.call);
  });
}

using NormalizeCall = mli_status(const mli_tensor *, const mli_tensor *,
                                 const mli_lut *, const mli_l2_normalize_cfg *,
                                 mli_tensor *);
constexpr TypedKernel<NormalizeCall> normalizeKernels[] = {
#define MLI_L2_NORMALIZE(name, type) {#name, single::type, name},
#include "mli/Runtime/C/api/mli_kernels.def"
};

// K39
TEST(TableDifferential, L2Normalize) {
  Random random(10);
  forEachCaseInModes(random, normalizeKernels, 800, [&](const auto &kernel) {
    runAlongAxis(random, kernel.type, mli_krn_l2_normalize_create_lut,
                 mli::ref::l2Slice,
                 [&](const mli_tensor *in, const mli_lut *lut,
                     const mli_softmax_cfg *cfg, mli_tensor *out) {
                   return kernel.call(in, nullptr, lut, cfg, out);
                 });
  });
}

} // namespace
