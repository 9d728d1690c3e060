!in = tensor<64x!mli.sa8<1:4:-128>>
!out = tensor<64x!mli.sa8<1:8:-128>>

func.func @main(%input: !in) -> !out {
  %init = tensor.empty() : !out
  %result = mli.softmax ins(%input : !in) outs(%init : !out) -> !out
    loc(fused<"operator 3 (SOFTMAX)">["scores"])
  return %result : !out
}
