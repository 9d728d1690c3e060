// SPDX-License-Identifier: Apache-2.0
//
// The rules about the arguments of matrix products.

#ifndef MLI_LIB_RUNTIME_CONVOLUTION_FULLYCONNECTED_H
#define MLI_LIB_RUNTIME_CONVOLUTION_FULLYCONNECTED_H

#include "WeightedChecks.h"

namespace mli::rt {

mli_status checkFullyConnected(const WeightedArguments &args,
                               const mli_fully_connected_cfg *cfg,
                               const TypeCombination &types);

} // namespace mli::rt

#endif // MLI_LIB_RUNTIME_CONVOLUTION_FULLYCONNECTED_H
