!map = tensor<1536x2048x!mli.fx8<3>>
func.func @main(%input: !map) -> !map {
  %one = mli.constant dense<1> : tensor<1536x2048xi8> to !map
  %two = mli.constant dense<2> : tensor<1536x2048xi8> to !map
  %e = tensor.empty() : !map
  %sum = mli.eltwise_add ins(%input, %one : !map, !map) outs(%e : !map) -> !map
  %f = tensor.empty() : !map
  %all = mli.eltwise_add ins(%sum, %two : !map, !map) outs(%f : !map) -> !map
  return %all : !map
}
