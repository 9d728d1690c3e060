// SPDX-License-Identifier: Apache-2.0
//
// Rules about input, weights, bias and output that convolutions, matrix
// products and recurrent cells share.

#ifndef MLI_LIB_RUNTIME_CONVOLUTION_WEIGHTEDCHECKS_H
#define MLI_LIB_RUNTIME_CONVOLUTION_WEIGHTEDCHECKS_H

#include "Runtime/Core/Checks.h"

namespace mli::rt {

/// The operands of a kernel of `family`, with their contracts.
inline WeightedArguments getWeightedArguments(Family family,
                                              const mli_tensor *in,
                                              const mli_tensor *weights,
                                              const mli_tensor *bias,
                                              const mli_tensor *out) {
  return {getArgument(family, OperandKind::Input, in),
          getArgument(family, OperandKind::Weights, weights),
          getArgument(family, OperandKind::Bias, bias),
          getArgument(family, OperandKind::Init, out)};
}

/// INCOMPATEBLE if an fx `tensor` has more fraction bits than the product of
/// `in` and `weights`.
mli_status checkFractionBits(const Argument &tensor, const Argument &in,
                             const Argument &weights);

/// The first checks of fx kernels: types, then the fraction bits of bias and
/// out.
mli_status checkFixedPointFormats(const WeightedArguments &args,
                                  const TypeCombination &types);

/// The last checks of sa kernels: types, parameters, that weights and bias are
/// quantised alike (per tensor, or along the axis of their contracts), that in
/// and out are per tensor, and the scale of the bias.
mli_status checkAsymmetricFormats(const WeightedArguments &args,
                                  const TypeCombination &types);

/// INCOMPATEBLE if a bias scale is not that of the products.
mli_status checkBiasScale(const Argument &in, const Argument &weights,
                          const Argument &bias);

} // namespace mli::rt

#endif // MLI_LIB_RUNTIME_CONVOLUTION_WEIGHTEDCHECKS_H
