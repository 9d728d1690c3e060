// Rows that move beside kernels. In front of strides kernels run in inner loops, and all
// rows of a step move in at once behind these; the row of the step before moves out in
// front. So both find kernels that use others beside them.
// ST10
// RUN: mli-opt %s --mli-form-streams | FileCheck %s
// RUN: mli-opt %s --mli-attach-target=target=vpx --mli-form-streams --mli-insert-moves --mli-bufferize --mli-assign-layouts --canonicalize --mli-double-buffer=mode=on | FileCheck %s --check-prefix=BESIDE
// RUN: sed 's/beside, //' %s | mli-opt --mli-form-streams | FileCheck %s --check-prefix=APART

!q = !mli.sa8<1:4:-128>
!map = tensor<16x8x4x!q>
!local = tensor<16x8x4x!q, #mli.space<local>>
!half = tensor<8x4x4x!q, #mli.space<local>>
!small = tensor<4x2x4x!q, #mli.space<local>>
!out = tensor<4x2x4x!q>

// CHECK-LABEL: func.func @strided
// CHECK: scf.for
// CHECK: mli.mov ins(%{{.*}} : tensor<1x2x4x!mli.sa8<1:4:-128>, #mli.space<local>>)
// CHECK: scf.for
// CHECK: scf.for
// CHECK: mli.relu
// CHECK: mli.maxpool
// CHECK: tensor.extract_slice %arg0[%{{.*}}, 0, 0] [4, 8, 4]
// CHECK: mli.mov ins(%{{.*}}) outs(%{{.*}} : tensor<4x8x4x!mli.sa8<1:4:-128>, #mli.space<local>>)
// CHECK: mli.maxpool
//
// BESIDE-LABEL: func.func @strided
// BESIDE: %[[IN:.*]] = mli.alloc : memref<4x8x4x
// BESIDE: %[[LAST:.*]] = mli.alloc : memref<1x2x4x
// BESIDE: scf.for
// BESIDE: mli.parallel {
// BESIDE: mli.mov ins(%[[LAST]] :
// BESIDE: scf.for
// BESIDE: scf.for
// BESIDE: mli.relu
// BESIDE: mli.maxpool
// BESIDE: mli.parallel {
// BESIDE: mli.mov {{.*}} outs(%[[IN]] :
// BESIDE: mli.maxpool {{.*}} outs(%[[LAST]] :
//
// APART-LABEL: func.func @strided
// APART: mli.mov ins(%{{.*}}) outs(%{{.*}} : tensor<1x8x4x!mli.sa8<1:4:-128>, #mli.space<local>>)
// APART: mli.relu
// APART: mli.maxpool
// APART: mli.mov ins(%{{.*}}) outs(%{{.*}} : tensor<1x2x4x!mli.sa8<1:4:-128>>)
func.func @strided(%a: !map) -> !out {
  %e0 = tensor.empty() : !local
  %in = mli.mov ins(%a : !map) outs(%e0 : !local) -> !local
  %e1 = tensor.empty() : !local
  %x = mli.relu ins(%in : !local) outs(%e1 : !local) {relu = #mli.relu<gen>} -> !local
  %e2 = tensor.empty() : !half
  %y = mli.maxpool ins(%x : !local) outs(%e2 : !half)
    kernel [2, 2] pad [0, 0, 0, 0] {strides = array<i64: 2, 2>} -> !half
  %e3 = tensor.empty() : !small
  %z = mli.maxpool ins(%y : !half) outs(%e3 : !small)
    kernel [2, 2] pad [0, 0, 0, 0] {strides = array<i64: 2, 2>} -> !small
  %e4 = tensor.empty() : !out
  %out = mli.mov ins(%z : !small) outs(%e4 : !out) {mli.stream = {beside, kernels = 5 : i64, room = 1 : i64, rows = 1 : i64, stripes = 1 : i64}} -> !out
  return %out : !out
}
