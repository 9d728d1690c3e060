// RUN: mli-fuzz %s --configuration legalized

// A kernel writes a slice of the tensor of a loop, and another one its result:
// the slice is dead then, and what it is a slice of has no definition.
!map = tensor<3x1x1x!mli.sa8<1:4:-28>>
!maps = tensor<3x3x1x1x!mli.sa8<1:4:-28>>
func.func @main(%maps: !maps) -> !maps {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %init = tensor.empty() : !maps
  %result = scf.for %i = %c0 to %c3 step %c1 iter_args(%whole = %init) -> !maps {
    %source = tensor.extract_slice %maps[%i, 0, 0, 0] [1, 3, 1, 1] [1, 1, 1, 1] : !maps to !map
    %part = tensor.extract_slice %whole[%i, 0, 0, 0] [1, 3, 1, 1] [1, 1, 1, 1] : !maps to !map
    %pool = mli.avepool ins(%source : !map) outs(%part : !map) kernel [3, 1] pad [1, 1, 0, 0] -> !map
    %new = tensor.empty() : !map
    %relu = mli.relu ins(%pool : !map) outs(%new : !map) {relu = #mli.relu<gen>} -> !map
    %next = tensor.insert_slice %relu into %whole[%i, 0, 0, 0] [1, 3, 1, 1] [1, 1, 1, 1] : !map into !maps
    scf.yield %next : !maps
  }
  return %result : !maps
}
