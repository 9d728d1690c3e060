// SPDX-License-Identifier: Apache-2.0

#ifndef MLI_CONVERSION_TOSATOMLI_TD
#define MLI_CONVERSION_TOSATOMLI_TD

include "mlir/Pass/PassBase.td"

def ConvertTosaToMLI : Pass<"convert-tosa-to-mli", "::mlir::ModuleOp"> {
  let summary = "raise quantised TOSA to kernels";
  let description = [{
    Groups of operations that one kernel computes become that operation:

    | TOSA | mli |
    |---|---|
    | `conv2d`, `rescale` | `conv2d`; `fully_connected` for 1 x 1 between reshapes |
    | `depthwise_conv2d`, `rescale` | `depthwise_conv2d`, `conv2d` for one input channel, or `group_conv2d` |
    | `pad` with the zero point, in front of a convolution | its padding |
    | `rescale` of both operands, `add`, `rescale` | `eltwise_add` |
    | `avg_pool2d`, `max_pool2d` | `avepool`, `maxpool` |
    | the integer softmax with its tables of `exp` | `softmax` |
    | `clamp` to a range of ReLU | `relu`, or `relu` of the convolution before it |
    | `rescale` from i8 to i8 | `convert` |
    | `reshape`, `slice` | `reshape`, `tensor.extract_slice` |

    TOSA keeps zero points and ratios of scales. Scales that the ratios and the
    tables of a softmax leave open are 1; the weights' scales then make up for
    what input and output scales do not give, each to the nearest that the
    kernel's arithmetic tells apart. A batch of 1 is dropped. Weights are put
    into the order of the kernels.

    An i8 argument or result of a function becomes quantised if nothing but
    raised operations use it and nobody calls the function; elsewhere
    `builtin.unrealized_conversion_cast` stands between the two.

    Whatever is left of TOSA is reported, each operation with the reason. A
    rescale with two roundings is computed with one, which is remarked.

    Example: test/Conversion/convert-tosa-to-mli.mlir
  }];
  let options = [
    Option<"full", "full", "bool", "false",
           "Fail where an operation of TOSA or a cast is left">,
  ];
  let statistics = [
    Statistic<"numRaised", "raised", "Groups of operations that were raised">,
    Statistic<"numLeft", "left", "Operations of TOSA that were left">,
  ];
  let dependentDialects = [
    "::mli::MLIDialect", "::mlir::tensor::TensorDialect",
  ];
}

#endif // MLI_CONVERSION_TOSATOMLI_TD
