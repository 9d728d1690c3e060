func.func @main(%input: tensor<4x!mli.fx8<4>>) -> tensor<5x!mli.fx8<4>> {
  %init = tensor.empty() : tensor<5x!mli.fx8<4>>
  %output = mli.relu ins(%input : tensor<4x!mli.fx8<4>>) outs(%init : tensor<5x!mli.fx8<4>>) {relu = #mli.relu<gen>} -> tensor<5x!mli.fx8<4>>
  return %output : tensor<5x!mli.fx8<4>>
}
