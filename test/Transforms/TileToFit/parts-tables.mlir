// A table that a kernel computes takes memory beside the rows of a stream.
// RUN: echo '{"streams": [{"kernels": ["f:1", "f:2"]}]}' > %t.json
// RUN: mli-opt %s --mli-tile-to-fit="decide-only report overrides=%t.json" -o /dev/null 2>&1 | FileCheck %s
// RUN: sed 's/npu_bytes = 752/npu_bytes = 736/' %s | not mli-opt --mli-tile-to-fit="overrides=%t.json" 2>&1 | FileCheck %s --check-prefix=LARGE

!q = !mli.sa8<1:7:0>
!map = tensor<4x8x8x!q>
!lut = tensor<344x!mli.fx16<15>>

// A row of 64 bytes, and 688 of the table.
// Z18
// CHECK: remark: f:1 to f:2: stream of 2 kernels, 1 row a step, takes 64 B of 752 B; {{.*}}; all weights stay; finds 688 B in local memory; as the file says
// LARGE: error: 'mli.relu' op expected 'overrides' to have streams that local memory holds, but it takes 752 B of 736 B
module attributes {mli.target = #mli.target<vpx, npu_bytes = 752>} {
  func.func @f(%a: !map) -> (!map, !lut) {
    %l0 = tensor.empty() : !lut
    %lut = mli.lut outs(%l0 : !lut) {function = #mli.lut_function<tanh>} -> !lut
    %e0 = tensor.empty() : !map
    %x = mli.tanh ins(%a : !map) lut(%lut : !lut) outs(%e0 : !map) -> !map
    %e1 = tensor.empty() : !map
    %y = mli.relu ins(%x : !map) outs(%e1 : !map) {relu = #mli.relu<gen>} -> !map
    return %y, %lut : !map, !lut
  }
}
