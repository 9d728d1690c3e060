// RUN: mli-opt %s --mli-insert-moves --split-input-file --verify-diagnostics

!map = tensor<8x8x4x!mli.fx8<5>>

// expected-error @below {{'func.func' op expected 'mli.target' to be on a module around, but got none}}
func.func @no_target(%in: !map, %init: !map) -> !map {
  %a = mli.relu ins(%in : !map) outs(%init : !map) {relu = #mli.relu<gen>} -> !map
  return %a : !map
}

// -----

!map = tensor<8x8x4x!mli.fx8<5>>

module attributes {mli.target = #mli.target<vpx, npu_bytes = 496>} {
  func.func @too_large(%in: !map, %init: !map) -> !map {
    // expected-error @below {{'mli.relu' op expected operands and results to take at most 496 bytes of the local memory of each NPU together, but got 512: mli-tile-to-fit cuts what does not fit}}
    %a = mli.relu ins(%in : !map) outs(%init : !map) {relu = #mli.relu<gen>} -> !map
    return %a : !map
  }
}

// -----

!map = tensor<?x8x4x!mli.fx8<5>>

module attributes {mli.target = #mli.target<vpx>} {
  func.func @dynamic(%in: !map, %init: !map) -> !map {
    // expected-error @below {{'mli.relu' op expected operand 0 to have a static shape of up to four dimensions, as buffers in local memory have, but got 'tensor<?x8x4x!mli.fx8<5>>'}}
    %a = mli.relu ins(%in : !map) outs(%init : !map) {relu = #mli.relu<gen>} -> !map
    return %a : !map
  }
}
