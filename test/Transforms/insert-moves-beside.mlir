// A reshape between two kernels is a move within local memory where it fits beside the
// tensors that are there.
// RUN: mli-opt %s --mli-insert-moves | FileCheck %s
// RUN: sed 's/npu_bytes = 1808/npu_bytes = 2048/' %s | mli-opt --mli-insert-moves | FileCheck %s --check-prefix=ROOM

!q = !mli.fx8<0>
!map = tensor<7x7x31x!q>
!local = tensor<7x7x31x!q, #mli.space<local>>
!half = tensor<6x4x31x!q>
!flat = tensor<124x6x!q>

module attributes {mli.target = #mli.target<custom, npus = 2, npu_bytes = 1808, unit = 16>} {
  // Z19
  // CHECK-LABEL: func.func @reshape
  // CHECK: mli.reshape %{{.*}} : tensor<6x4x31x
  // ROOM-LABEL: func.func @reshape
  // ROOM-NOT: mli.reshape
  // ROOM: mli.mov ins(%{{.*}} : tensor<6x4x31x{{.*}}, #mli.space<local>>) outs(%{{.*}} : tensor<124x6x{{.*}}, #mli.space<local>>)
  func.func @reshape(%a: !map) -> (!flat, !half) {
    %e0 = tensor.empty() : !local
    %l = mli.mov ins(%a : !map) outs(%e0 : !local) -> !local
    %e1 = tensor.empty() : !half
    %x = mli.maxpool ins(%l : !local) outs(%e1 : !half) kernel [4, 1] pad [1, 1, 0, 0]
      {strides = array<i64: 1, 2>} -> !half
    %v = mli.reshape %x : !half to !flat
    %e2 = tensor.empty() : !flat
    %y = mli.relu ins(%v : !flat) outs(%e2 : !flat) {relu = #mli.relu<none>} -> !flat
    %e3 = tensor.empty() : !half
    %z = mli.avepool ins(%l : !local) outs(%e3 : !half) kernel [4, 1] pad [1, 1, 0, 0]
      {strides = array<i64: 1, 2>} -> !half
    return %y, %z : !flat, !half
  }
}
