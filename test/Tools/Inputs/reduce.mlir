!map = tensor<8x!mli.sa8<1:4:0>>
!result = tensor<8x!mli.sa8<1:8:-128>>
func.func @network(%map: !map) -> !result {
  %copy_init = tensor.empty() : !map
  %copy = mli.mov ins(%map : !map) outs(%copy_init : !map) -> !map
  %convert_init = tensor.empty() : !map
  %convert = mli.convert ins(%copy : !map) outs(%convert_init : !map) -> !map
  %init = tensor.empty() : !result
  %softmax = mli.softmax ins(%convert : !map) outs(%init : !result) -> !result
  %last_init = tensor.empty() : !result
  %last = mli.mov ins(%softmax : !result) outs(%last_init : !result) -> !result
  return %last : !result
}
