// SPDX-License-Identifier: Apache-2.0
//
// What the kinds of convolution are, and the rules about their arguments.

#ifndef MLI_LIB_RUNTIME_CONVOLUTION_CONVOLUTION_H
#define MLI_LIB_RUNTIME_CONVOLUTION_CONVOLUTION_H

#include "WeightedChecks.h"

namespace mli::rt {

enum class ConvolutionKind {
  Conv2d,
  /// Channel o of the output sees channel o of the input.
  DepthwiseConv2d,
  /// Weights [kh, kw, d, n]: the channels of the input fall into groups of d.
  GroupConv2d,
  /// Every input is spread over a kernel of outputs.
  TransposeConv2d,
};

/// One call: `size` is the kernel size of a specialised entry point, or 0.
struct ConvolutionCall {
  WeightedArguments args;
  const mli_conv2d_cfg *cfg;
  int size;
};

mli_status checkConvolution(const ConvolutionCall &call, ConvolutionKind kind,
                            const TypeCombination &types);

/// Computes a depthwise convolution that has passed its checks, in the default
/// modes and without vectors.
void computeDepthwise(const ConvolutionCall &call, mli_tensor &out);

/// Height or width: which input an output sees through a tap of the kernel.
struct ConvolutionAxis {
  int64_t in;
  int64_t out;
  int64_t taps;
  int64_t stride;
  int64_t padding;
  int64_t dilation;

  /// The input index, or -1 if the tap lies in the padding.
  // K20
  int64_t source(int64_t output, int64_t tap) const {
    int64_t index = output * stride - padding + tap * dilation;
    return index < in ? (index < 0 ? -1 : index) : -1;
  }

  /// The same of a transposed convolution: the input that the tap spreads to
  /// the output.
  // K36
  int64_t spreadSource(int64_t output, int64_t tap) const {
    int64_t distance = output + padding - tap;
    if (distance < 0 || distance % stride != 0)
      return -1;
    int64_t index = distance / stride;
    return index < in ? index : -1;
  }
};

} // namespace mli::rt

#endif // MLI_LIB_RUNTIME_CONVOLUTION_CONVOLUTION_H
