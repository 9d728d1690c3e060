// SPDX-License-Identifier: Apache-2.0

#ifndef MLI_CONVERSION_QUANTTOMLI_TD
#define MLI_CONVERSION_QUANTTOMLI_TD

include "mlir/Pass/PassBase.td"

def ConvertQuantToMLI : Pass<"convert-quant-to-mli", "::mlir::ModuleOp"> {
  let summary = "turn uniformly quantised types into those of mli";
  let description = [{
    | quant | mli |
    |---|---|
    | `!quant.uniform<i8:f32, scale:zero>` | `!mli.sa8`, the nearest scale with 15 bits |
    | `!quant.uniform<i32:f32, scale:zero>` | `!mli.sa32` |
    | `!quant.uniform<i16:f32, 2^-n>` | `!mli.fx16<n>`: zero point 0, a power of two |
    | the same along an axis, `i8` or `i32` | `axis = ` with a set for each index |
    | `quant.qcast`, `quant.dcast` | `mli.convert` from and to f32 |
    | `quant.scast` of a constant | `mli.constant` |
    | another `quant.scast` | `builtin.unrealized_conversion_cast` |

    Functions, calls, loops and operations of `tensor` follow with their types.
    Scales that were not of 15 bits differ by half a unit of the last; quantised
    values do not change. Types that the kernels lack (unsigned storage, 16-bit
    storage that is no fixed point, other expressed types, a narrowed storage range
    that something is quantised to) stay, and their users are reported; so do
    `quant.qcast` and `quant.dcast` of more than 4 dimensions.

    All pipelines run it first, with `full`, where they have the option `quant`.

    Example: test/Conversion/convert-quant-to-mli.mlir
  }];
  let options = [
    Option<"full", "full", "bool", "false",
           "Fail where an operation with a quant type is left">,
  ];
  let dependentDialects = [
    "::mli::MLIDialect", "::mlir::tensor::TensorDialect",
  ];
}

#endif // MLI_CONVERSION_QUANTTOMLI_TD
