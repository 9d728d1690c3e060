// The arena and its bound wherever streams are reported.
// RUN: mli-opt %s --mli-buffer-pipeline="arena=min explain-streams" -o %t.mlir 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: mli-opt %t.mlir --mli-print-memory-map -o /dev/null | FileCheck %s --check-prefix=TEXT
// RUN: mli-opt %t.mlir --mli-print-memory-map=format=json -o /dev/null | FileCheck %s --check-prefix=JSON
// RUN: mli-opt %t.mlir --mli-print-memory-map=format=svg -o /dev/null | FileCheck %s --check-prefix=SVG
// RUN: %python %S/../../Integration/Inputs/make-npy.py %t.npy i1 6x6x4 0
// RUN: mli-run %s --input %t.npy --arena min --stats | FileCheck %s --check-prefix=TEXT

!q = !mli.sa8<1:4:-128>
!w = !mli.sa8<5:10:0>
!b = !mli.sa32<5:14:0>
!map = tensor<6x6x4x!q>

// 3 rows of 24 bytes, and one in front of the result.
// I6
// REMARK: remark: arena: 104 B, 1.083 of the bound 96 B; whole kernels 288 B
// TEXT: {{^}}arena: 104 B, 1.083 of the bound 96 B; whole kernels 288 B{{$}}
// JSON: "streams":{"arena_bytes":104,"whole_bytes":288,"bound_bytes":96,
// SVG: <text {{.*}}>arena: 104 B, 1.083 of the bound 96 B; whole kernels 288 B</text>
func.func @main(%a: !map) -> !map {
  %w = mli.constant dense<1> : tensor<3x3x1x4xi8> to tensor<3x3x1x4x!w>
  %b = mli.constant dense<2> : tensor<4xi32> to tensor<4x!b>
  %e0 = tensor.empty() : !map
  %x = mli.depthwise_conv2d
    ins(%a, %w, %b : !map, tensor<3x3x1x4x!w>, tensor<4x!b>)
    outs(%e0 : !map) pad [1, 1, 1, 1] -> !map
  %e1 = tensor.empty() : !map
  %y = mli.depthwise_conv2d
    ins(%x, %w, %b : !map, tensor<3x3x1x4x!w>, tensor<4x!b>)
    outs(%e1 : !map) pad [1, 1, 1, 1] -> !map
  %e2 = tensor.empty() : !map
  %z = mli.eltwise_max ins(%x, %y : !map, !map) outs(%e2 : !map) -> !map
  return %z : !map
}
