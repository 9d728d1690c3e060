// C calls a layer by its short name and operator, as all tools do.
// RUN: mli-opt %s --mli-c-pipeline --mlir-print-debuginfo | mli-translate --mli-to-c | FileCheck %s

// CHECK: X(0, relu, "net/conv2d/Relu, operator 7 (RELU)",
// CHECK: /* relu, net/conv2d/Relu, operator 7 (RELU) */
func.func @main(%in: tensor<8x!mli.sa8<1:4:0>>) -> tensor<8x!mli.sa8<1:4:0>> {
  %init = tensor.empty() : tensor<8x!mli.sa8<1:4:0>>
  %out = mli.relu ins(%in : tensor<8x!mli.sa8<1:4:0>>)
           outs(%init : tensor<8x!mli.sa8<1:4:0>>) {relu = #mli.relu<gen>}
           -> tensor<8x!mli.sa8<1:4:0>>
    loc(fused<"operator 7 (RELU)">["net/norm/FusedBatchNormV3;net/conv2d/Relu"])
  return %out : tensor<8x!mli.sa8<1:4:0>>
}
