// SPDX-License-Identifier: Apache-2.0
//
// sigm and tanh.

#include "Activation.h"

#include "Runtime/Core/Checks.h"
#include "Runtime/Core/Slices.h"
#include "mli/Runtime/C/api/mli_kernels_api.h"

namespace mli::rt {
namespace {

constexpr Family familyOf(ActivationFunction function) {
  return function == ActivationFunction::sigm ? Family::Sigm : Family::Tanh;
}

mli_status checkActivation(const Argument &in, const mli_lut *lut,
                           const Argument &out, mli_element_type type) {
  MLI_CHECK(checkUnary(in, out));
  MLI_CHECK(checkType(in, type));
  MLI_CHECK(checkQuantization(in));
  MLI_CHECK(checkPerTensor(in));
  return checkTable(lut, "lut", out);
}

template <typename Type>
mli_status activate(ActivationFunction function, const Argument &in,
                    const mli_lut *lut, mli_tensor *out) {
  if (checksEnabled())
    MLI_CHECK(checkActivation(in, lut, outputOf(in, out), Type::type));
  using Code = typename Type::Code;
  Activation<Type> activation(function, *lut, paramsOf(*in));
  forEachSlice<Code>(
      *in, *out, /*axis=*/-1,
      [&](const Slice<const Code> &source, const Slice<Code> &target) {
        target.forEachRowFrom(source, activation);
      });
  if (Type::isAsymmetric)
    setPerTensorParams(*out, activationParams<Type>(function));
  else
    out->el_params.fx.frac_bits = activationParams<Type>(function).fracBits;
  return MLI_STATUS_OK;
}

} // namespace
} // namespace mli::rt

#define MLI_ACTIVATION(name, function, type)                                   \
  mli_status name(const mli_tensor *in, const mli_lut *lut, mli_tensor *out) { \
    using namespace mli::rt;                                                   \
    Entry entry(#name);                                                        \
    return withRounding<types::type>([&](auto computed) {                      \
      return activate<decltype(computed)>(                                     \
          ActivationFunction::function,                                        \
          argumentOf(familyOf(ActivationFunction::function), Role::Input, in), \
          lut, out);                                                           \
    });                                                                        \
  }
#include "mli/Runtime/C/api/mli_kernels.def"
