// SPDX-License-Identifier: Apache-2.0

#ifndef MLI_CONVERSION_TOSATOMLI_TD
#define MLI_CONVERSION_TOSATOMLI_TD

include "mlir/Pass/PassBase.td"

def ConvertTosaToMLI : Pass<"convert-tosa-to-mli", "::mlir::ModuleOp"> {
  let summary = "raise quantised TOSA to kernels";
  let description = [{
    Clusters of operations that one kernel computes become that kernel:

    | TOSA | mli |
    |---|---|
    | `conv2d`, `rescale` | `conv2d`; `fully_connected` for rows, 1 x 1 between reshapes |
    | `depthwise_conv2d`, `rescale` | `depthwise_conv2d`, `conv2d` for one input channel, or `group_conv2d` |
    | `transpose_conv2d`, `rescale` | `transpose_conv2d` |
    | `matmul` with a constant matrix, `rescale` | `fully_connected` of each row |
    | `pad` with the zero point, before a convolution | its padding |
    | `rescale` of both operands, `add`, `sub`, `mul`, `maximum` or `minimum`, `rescale` | `eltwise_*` |
    | `rescale`, `reduce_sum` along dimensions, `rescale` | `avepool`, or `depthwise_conv2d` with ones |
    | `avg_pool2d`; `max_pool2d`, `reduce_max` | the same; `maxpool` |
    | the integer softmax with its tables of `exp` | `softmax` |
    | `select` by sign between two `rescale`s | `leaky_relu` |
    | `table` of the logistic function or the hyperbolic tangent | `sigm`, `tanh` |
    | `clamp` | `relu`, or that of the convolution before it, or `eltwise_max` and `eltwise_min` |
    | `rescale` from i8 to i8; by 0 | `convert`; a constant |
    | `reshape`, `slice` | `reshape`, `tensor.extract_slice` |
    | `transpose`; `pad`, `concat` | `permute`; `mov` |
    | `argmax` | `argmax` |

    Several rescales in a row are one. Batches over 1 are computed image by image,
    in a loop.

    TOSA keeps zero points and ratios of scales. Scales that the ratios, the
    tables, the types of the quant dialect and casts from and to those of this
    one leave open are 1; the weights' scales then make up for what input and
    output scales do not give, each to the nearest that the kernel's arithmetic
    tells apart. A batch of 1 is dropped. Weights are put into the order of the
    kernels.

    An argument or result of a function becomes quantised if only raised
    operations and calls use it, and if all its callers are calls in the module
    that agree on the scales; elsewhere `builtin.unrealized_conversion_cast`
    connects the two. An unsigned value `v` outside is `v ^ 0x80` inside; such
    arguments and results get the attribute `mli.unsigned`.

    Each remaining operation of TOSA is reported with the reason. A rescale with
    two roundings is computed with one, which is remarked.

    Example: test/Conversion/TosaToMLI/convert-tosa-to-mli.mlir
  }];
  let options = [
    Option<"full", "full", "bool", "false",
           "Fail where an operation of TOSA or a cast is left">,
    Option<"sums", "sums", "::mli::SumForm", "::mli::SumForm::Near",
           "How sums and differences are computed", "::mli::sumForms()">,
    Option<"averages", "average", "::mli::AverageForm",
           "::mli::AverageForm::Near", "How averages are computed",
           "::mli::averageForms()">,
  ];
  let statistics = [
    Statistic<"numRaised", "raised", "Clusters of operations that were raised">,
    Statistic<"numLeft", "left", "Operations of TOSA that were left">,
  ];
  let dependentDialects = [
    "::mli::MLIDialect", "::mlir::arith::ArithDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect",
  ];
}

#endif // MLI_CONVERSION_TOSATOMLI_TD
