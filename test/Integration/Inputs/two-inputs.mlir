// Inputs of two types, constants and two results.
!a = tensor<4x!mli.sa8<1:0:0>>
!weights = tensor<4x2x!mli.sa8<1:0:0>>
!bias = tensor<2x!mli.sa32<1:0:0>>
!out = tensor<2x!mli.sa8<1:0:0>>
!b = tensor<1x3x!mli.fx16<8>>

func.func @main(%a: !a, %b: !b) -> (!out, !b) {
  %weights = mli.constant dense<[[1, 2], [3, 4], [5, 6], [7, 8]]>
    : tensor<4x2xi8> to !weights
  %bias = mli.constant dense<[10, 20]> : tensor<2xi32> to !bias
  %init = tensor.empty() : !out
  %product = mli.fully_connected ins(%a, %weights, %bias : !a, !weights, !bias)
    outs(%init : !out) -> !out
  %other = tensor.empty() : !b
  %sum = mli.eltwise_add ins(%b, %b : !b, !b) outs(%other : !b) -> !b
  return %product, %sum : !out, !b
}
