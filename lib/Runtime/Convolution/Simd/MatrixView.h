// SPDX-License-Identifier: Apache-2.0
//
// Products of vectors and matrices as convolutions of one pixel.

#ifndef MLI_LIB_RUNTIME_CONVOLUTION_SIMD_MATRIXVIEW_H
#define MLI_LIB_RUNTIME_CONVOLUTION_SIMD_MATRIXVIEW_H

#include "Runtime/Convolution/ConvolutionCall.h"
#include "Runtime/Core/Tensor.h"

namespace mli::rt::simd {

/// The elements of a contiguous tensor as channels of one pixel.
inline mli_tensor vectorView(const mli_tensor &tensor) {
  mli_tensor view = tensor;
  uint32_t count = countElements(tensor);
  view.rank = 3;
  view.shape[0] = view.shape[1] = 1;
  view.shape[2] = count;
  view.mem_stride[0] = view.mem_stride[1] = static_cast<int32_t>(count);
  view.mem_stride[2] = 1;
  return view;
}

/// A matrix product as a call of a convolution.
class MatrixCall {
public:
  MatrixCall(const WeightedArguments &args, const mli_fully_connected_cfg &cfg)
      : args(args), in(vectorView(*args.in)), weights(*args.weights),
        output(vectorView(*args.out)) {
    weights.rank = 4;
    weights.shape[3] = args.weights->shape[1];
    weights.shape[2] = args.weights->shape[0];
    weights.shape[0] = weights.shape[1] = 1;
    weights.mem_stride[3] = 1;
    weights.mem_stride[2] = args.weights->mem_stride[0];
    weights.mem_stride[0] = weights.mem_stride[1] = 0;
    config.relu = cfg.relu;
    config.stride_width = config.stride_height = 1;
    config.dilation_width = config.dilation_height = 1;
  }
  MatrixCall(const MatrixCall &) = delete;
  MatrixCall &operator=(const MatrixCall &) = delete;

  /// The caller has put the zero point of the input into the bias.
  void dropInputZero() { in.el_params.sa.zero_point.mem.i16 = 0; }

  ConvolutionCall call() const {
    return {{{&in, "in"}, {&weights, "weights"}, args.bias, {&output, "out"}},
            &config,
            0};
  }
  mli_tensor &out() { return output; }

private:
  WeightedArguments args;
  mli_tensor in;
  mli_tensor weights;
  mli_tensor output;
  mli_conv2d_cfg config = {};
};

} // namespace mli::rt::simd

#endif // MLI_LIB_RUNTIME_CONVOLUTION_SIMD_MATRIXVIEW_H
