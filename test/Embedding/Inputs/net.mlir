// A network for tools that are installed.
!codes = tensor<4x!mli.fx8<4>>
func.func @main(%input: !codes) -> !codes {
  %init = tensor.empty() : !codes
  %output = mli.relu ins(%input : !codes) outs(%init : !codes)
              {relu = #mli.relu<gen>} -> !codes
  return %output : !codes
}
