// Kernels on buffers are in no stream.
// RUN: mli-opt %s --mli-form-streams=report --verify-diagnostics | FileCheck %s

!map = memref<8x4x4x!mli.sa8<1:4:-128>>

// ST2
// CHECK-LABEL: func.func @buffers
// CHECK-NEXT: mli.relu ins(
// CHECK-NEXT: mli.relu ins(
// CHECK-NEXT: return
// expected-remark @+1 {{arena: 0 B}}
func.func @buffers(%a: !map, %x: !map, %y: !map) {
  // expected-remark @+1 {{not streamed: its result is not a tensor}}
  mli.relu ins(%a : !map) outs(%x : !map) {relu = #mli.relu<gen>}
  // expected-remark @+1 {{not streamed: its result is not a tensor}}
  mli.relu ins(%x : !map) outs(%y : !map) {relu = #mli.relu<gen>}
  return
}
