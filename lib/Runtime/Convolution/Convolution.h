// SPDX-License-Identifier: Apache-2.0
//
// The kernels with weights: the rules about their arguments, and the scalar
// code that packed layers fall back to.

#ifndef MLI_LIB_RUNTIME_CONVOLUTION_CONVOLUTION_H
#define MLI_LIB_RUNTIME_CONVOLUTION_CONVOLUTION_H

#include "ConvolutionCall.h"
#include "WeightedChecks.h"

namespace mli::rt {

mli_status checkConvolution(const ConvolutionCall &call, ConvolutionKind kind,
                            const TypeCombination &types);
/// BAD_FUNC_CFG unless a convolution that is not transposed may have these
/// rows.
mli_status checkRows(const SpatialAxis &rows);

mli_status checkFullyConnected(const WeightedArguments &args,
                               const mli_fully_connected_cfg *cfg,
                               const TypeCombination &types);

/// Computes a depthwise convolution that has passed its checks, in the default
/// modes and without vectors.
void computeDepthwise(const ConvolutionCall &call, mli_tensor &out);

} // namespace mli::rt

#endif // MLI_LIB_RUNTIME_CONVOLUTION_CONVOLUTION_H
