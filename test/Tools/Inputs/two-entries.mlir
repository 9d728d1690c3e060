!map = tensor<2x8x!mli.sa8<1:4:-128>>
!weights = tensor<8x4x!mli.sa8<1:5:0>>
!bias = tensor<4x!mli.sa32<1:9:0>>
!row = tensor<8x!mli.sa8<1:4:-128>>
!out = tensor<4x!mli.sa8<1:3:-128>>
!top = tensor<1x1x!mli.sa32<1:0:0>>

func.func @first(%input: !map) -> (!out, !out) {
  %weights = mli.constant dense<3> : tensor<8x4xi8> to !weights
  %bias = mli.constant dense<7> : tensor<4xi32> to !bias
  %init = tensor.empty() : !out
  %upper = tensor.extract_slice %input[0, 0] [1, 8] [1, 1] : !map to !row
  %a = mli.fully_connected ins(%upper, %weights, %bias : !row, !weights, !bias)
    outs(%init : !out) -> !out
  %lower = tensor.extract_slice %input[1, 0] [1, 8] [1, 1] : !map to !row
  %b = mli.fully_connected ins(%lower, %weights, %bias : !row, !weights, !bias)
    outs(%init : !out) -> !out
  return %a, %b : !out, !out
}

func.func @second(%input: !map) -> !out {
  %weights = mli.constant dense<3> : tensor<8x4xi8> to !weights
  %bias = mli.constant dense<7> : tensor<4xi32> to !bias
  %init = tensor.empty() : !out
  %upper = tensor.extract_slice %input[0, 0] [1, 8] [1, 1] : !map to !row
  %a = mli.fully_connected ins(%upper, %weights, %bias : !row, !weights, !bias)
    outs(%init : !out) -> !out
  return %a : !out
}
