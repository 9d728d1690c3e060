// SPDX-License-Identifier: Apache-2.0
//
// The entries to the fast kernels with weights.

#ifndef MLI_LIB_RUNTIME_CONVOLUTION_SIMD_CONVOLUTION_H
#define MLI_LIB_RUNTIME_CONVOLUTION_SIMD_CONVOLUTION_H

#include "Runtime/Convolution/ConvolutionCall.h"
#include "Runtime/Simd/Profile.h"

namespace mli::rt::simd {

struct ChannelBlock;

/// Computes what the scalar code does with rounding up and narrow accumulation,
/// bit by bit, to the last argument. False if that takes the scalar code,
/// whatever is written.
MLI_FAST_KERNEL(bool convolve(const ConvolutionCall &, ConvolutionKind,
                              mli_tensor &))

/// As `convolve`, of depthwise convolutions, in up to `threads` threads. Of sa8
/// there may be `blocks` of all channels.
bool convolveDepthwise(const ConvolutionCall &call, mli_tensor &out,
                       int threads = 1, const ChannelBlock *blocks = nullptr);

/// As `convolve`, of a matrix product: `call` is that of a MatrixCall.
bool multiplyDense(const ConvolutionCall &call, mli_tensor &out);

} // namespace mli::rt::simd

#endif // MLI_LIB_RUNTIME_CONVOLUTION_SIMD_CONVOLUTION_H
