!a = tensor<8x8x64x!mli.sa8<1:4:-128>>
!w = tensor<2x2x64x64x!mli.sa8<5:10:0>>
!b = tensor<64x!mli.sa32<5:14:0>>
!r = tensor<7x7x64x!mli.sa8<1:4:-128>>

func.func @main(%a: !a) -> !r {
  %w = mli.constant dense<1> : tensor<2x2x64x64xi8> to !w
  %b = mli.constant dense<2> : tensor<64xi32> to !b
  %init = tensor.empty() : !r
  %r = mli.conv2d ins(%a, %w, %b : !a, !w, !b) outs(%init : !r) pad [0, 0, 0, 0] -> !r
    loc(fused<"operator 5 (CONV_2D)">["edges"])
  return %r : !r
}
