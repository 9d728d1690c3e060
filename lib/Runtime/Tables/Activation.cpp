// SPDX-License-Identifier: Apache-2.0
//
// Functions of single elements by their tables.

#include "Activation.h"

#include "Runtime/Core/Checks.h"
#include "Runtime/Core/Slices.h"
#include "mli/Runtime/C/api/mli_kernels_api.h"

namespace mli::rt {
namespace {

/// Whether there are kernels of `family` for all types that functions of single
/// elements have.
constexpr bool hasAllTypes(Family family) {
  for (contract::Kind kind :
       {contract::Kind::fx8, contract::Kind::fx16, contract::Kind::sa8})
    if (!contract::findKernel(family, {kind, kind, kind}))
      return false;
  return true;
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
mli_status activate(const Argument &in, const mli_lut *lut, mli_tensor *out) {
  if (checksEnabled())
    MLI_CHECK(checkActivation(in, lut, getOutput(in, out), Type::type));
  using Code = typename Type::Code;
  Family family = in.contract->family;
  Activation<Type> activation(family, *lut, getParams(*in));
  forEachSlice<Code>(
      *in, *out, /*axis=*/-1,
      [&](const Slice<const Code> &source, const Slice<Code> &target) {
        target.forEachRowFrom(source, activation);
      });
  if (Type::isAsymmetric)
    setPerTensorParams(*out, activationParams<Type>(family));
  else
    out->el_params.fx.frac_bits = activationParams<Type>(family).fracBits;
  return MLI_STATUS_OK;
}

} // namespace
} // namespace mli::rt

#define MLI_ACTIVATION(name, function, type)                                   \
  mli_status name(MLI_##function##_SIGNATURE(MLI_PARAMETER)) {                 \
    using namespace mli::rt;                                                   \
    constexpr Family family = mli::contract::getFamily(#function);             \
    static_assert(mli::contract::hasTableFormat(family));                      \
    static_assert(hasAllTypes(family));                                        \
    return runEntry<types::type>(#name, [&](auto computed) {                   \
      return activate<decltype(computed)>(                                     \
          getArgument(family, OperandKind::Input, in), lut, out);              \
    });                                                                        \
  }
#include "mli/Runtime/C/api/mli_kernels.def"
