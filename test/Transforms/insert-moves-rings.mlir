// A ring stays in the memory that it is in: no kernel computes its rows.
// RUN: mli-opt %s --mli-insert-moves | FileCheck %s

!ring = tensor<3x8x4x!mli.fx8<5>>
!local = tensor<3x8x4x!mli.fx8<5>, #mli.space<local>>

module attributes {mli.target = #mli.target<vpx>} {
  // CHECK-LABEL: func.func @in_system_memory
  // CHECK-NEXT: %[[ADVANCED:.*]] = mli.advance outs(%arg0 : tensor<3x8x4x!mli.fx8<5>>) {rows = 1 : i64} -> tensor<3x8x4x!mli.fx8<5>>
  // CHECK: mli.mov ins(%[[ADVANCED]] : {{.*}}) outs(%{{.*}} : tensor<3x8x4x!mli.fx8<5>, #mli.space<local>>)
  // CHECK: mli.relu ins({{.*}}#mli.space<local>>) outs(
  // CHECK: mli.mov
  // CHECK: %[[AGAIN:.*]] = mli.advance outs(%{{.*}} : tensor<3x8x4x!mli.fx8<5>>) {rows = 2 : i64} -> tensor<3x8x4x!mli.fx8<5>>
  // CHECK-NEXT: return %[[AGAIN]]
  func.func @in_system_memory(%ring: !ring) -> !ring {
    %advanced = mli.advance outs(%ring : !ring) {rows = 1} -> !ring
    %init = tensor.empty() : !ring
    %relu = mli.relu ins(%advanced : !ring) outs(%init : !ring)
      {relu = #mli.relu<gen>} -> !ring
    %again = mli.advance outs(%relu : !ring) {rows = 2} -> !ring
    return %again : !ring
  }

  // CHECK-LABEL: func.func @in_local_memory
  // CHECK-NEXT: %[[ADVANCED:.*]] = mli.advance outs(%arg0 : {{.*}}#mli.space<local>>) {rows = 1 : i64}
  // CHECK-NEXT: return %[[ADVANCED]]
  func.func @in_local_memory(%ring: !local) -> !local {
    %advanced = mli.advance outs(%ring : !local) {rows = 1} -> !local
    return %advanced : !local
  }
}
