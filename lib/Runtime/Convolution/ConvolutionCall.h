// SPDX-License-Identifier: Apache-2.0
//
// Calls of convolutions, as the scalar and the vector code compute them.

#ifndef MLI_LIB_RUNTIME_CONVOLUTION_CONVOLUTIONCALL_H
#define MLI_LIB_RUNTIME_CONVOLUTION_CONVOLUTIONCALL_H

#include "Runtime/Core/Argument.h"
#include "Runtime/Core/SpatialAxis.h"

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

/// Height of a call that writes `out`. A 1x1 kernel has nothing to pad for,
/// whatever the configuration.
inline SpatialAxis getRows(const ConvolutionCall &call, const mli_tensor &out) {
  const mli_conv2d_cfg &cfg = *call.cfg;
  bool isPadded = call.size != 1;
  return {{call.size ? call.size : int64_t{call.args.weights->shape[0]},
           cfg.stride_height, cfg.dilation_height,
           isPadded ? cfg.padding_top : 0, isPadded ? cfg.padding_bottom : 0},
          call.args.in->shape[0],
          out.shape[0]};
}

/// Width of such a call.
inline SpatialAxis getColumns(const ConvolutionCall &call,
                              const mli_tensor &out) {
  const mli_conv2d_cfg &cfg = *call.cfg;
  bool isPadded = call.size != 1;
  return {{call.size ? call.size : int64_t{call.args.weights->shape[1]},
           cfg.stride_width, cfg.dilation_width,
           isPadded ? cfg.padding_left : 0, isPadded ? cfg.padding_right : 0},
          call.args.in->shape[1],
          out.shape[1]};
}

} // namespace mli::rt

#endif // MLI_LIB_RUNTIME_CONVOLUTION_CONVOLUTIONCALL_H
