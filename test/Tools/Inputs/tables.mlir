!in = tensor<8x!mli.fx16<12>>
!out = tensor<8x!mli.fx16<15>>
func.func @main(%input: !in) -> (!out, !out, !out) {
  %a = tensor.empty() : !out
  %first = mli.sigm ins(%input : !in) outs(%a : !out) -> !out
  %b = tensor.empty() : !out
  %second = mli.tanh ins(%input : !in) outs(%b : !out) -> !out
  %c = tensor.empty() : !out
  %third = mli.sigm ins(%second : !out) outs(%c : !out) -> !out
  return %first, %second, %third : !out, !out, !out
}
