// Loops of no iterations disappear, with the chains in them.
// RUN: mli-opt %s --mli-bufferize --split-input-file | FileCheck %s
// RUN: mli-opt %s --mli-local-pipeline=target=custom,npus=1,npu-bytes=64,unit=4 --split-input-file -o /dev/null

// Tiles of the kernel are inserted by a chain in the loop.
!map = tensor<8x6x4x!mli.sa8<3:6:-5>>

// CHECK-LABEL: func.func @tiles
// CHECK-NOT: scf.for
// CHECK: mli.mov
// CHECK-NEXT: return
func.func @tiles(%a: !map) -> !map {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %c0 step %c1 iter_args(%x = %a) -> !map {
    %e = tensor.empty() : !map
    %k = mli.avepool ins(%a : !map) outs(%e : !map) kernel [3, 3]
      pad [1, 1, 1, 1] -> !map
    scf.yield %k : !map
  }
  return %r : !map
}

// -----

!map = tensor<8x4x!mli.fx8<5>>
!part = tensor<4x4x!mli.fx8<5>>

// CHECK-LABEL: func.func @none
// CHECK-SAME: (%[[A:[^:]*]]: {{.*}}, %{{[^:]*}}: {{.*}}, %[[OUT:[^:]*]]: memref<8x4x
// CHECK-NOT: scf.for
// CHECK: mli.mov ins(%[[A]] : {{.*}}) outs(%[[OUT]] : {{.*}}<still_needed>
// CHECK-NEXT: return
func.func @none(%a: !map, %p: !part) -> !map {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %c0 step %c1 iter_args(%x = %a) -> !map {
    %e = tensor.empty() : !map
    %0 = tensor.insert_slice %p into %e[0, 0] [4, 4] [1, 1] : !part into !map
    %1 = tensor.insert_slice %p into %0[4, 0] [4, 4] [1, 1] : !part into !map
    scf.yield %1 : !map
  }
  return %r : !map
}

// -----

!map = tensor<8x4x!mli.fx8<5>>
!part = tensor<4x4x!mli.fx8<5>>

// The loop is a link between others.
// CHECK-LABEL: func.func @filled
// CHECK-NOT: scf.for
// CHECK: mli.mov {{.*}}<placed_elsewhere>
// CHECK-NEXT: return
func.func @filled(%p: !part) -> !map {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %e = tensor.empty() : !map
  %r = scf.for %i = %c0 to %c0 step %c4 iter_args(%x = %e) -> !map {
    %0 = tensor.insert_slice %p into %x[%i, 0] [4, 4] [1, 1] : !part into !map
    scf.yield %0 : !map
  }
  %1 = tensor.insert_slice %p into %r[4, 0] [4, 4] [1, 1] : !part into !map
  return %1 : !map
}

// -----

!map = tensor<8x4x!mli.fx8<5>>
!part = tensor<4x4x!mli.fx8<5>>

// A loop of one iteration becomes its body.
// CHECK-LABEL: func.func @one
// CHECK-NOT: scf.for
// CHECK-COUNT-2: mli.mov {{.*}}<placed_elsewhere>
// CHECK-NEXT: return
func.func @one(%a: !map, %p: !part) -> !map {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %c1 step %c1 iter_args(%x = %a) -> !map {
    %e = tensor.empty() : !map
    %0 = tensor.insert_slice %p into %e[0, 0] [4, 4] [1, 1] : !part into !map
    %1 = tensor.insert_slice %p into %0[4, 0] [4, 4] [1, 1] : !part into !map
    scf.yield %1 : !map
  }
  return %r : !map
}

// -----

!map = tensor<8x4x!mli.fx8<5>>
!part = tensor<4x4x!mli.fx8<5>>

// CHECK-LABEL: func.func @nested
// CHECK-NOT: scf.for
// CHECK: mli.mov {{.*}}<still_needed>
// CHECK-NEXT: return
func.func @nested(%a: !map, %p: !part, %n: index) -> !map {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> !map {
    %s = scf.for %j = %c0 to %c0 step %c1 iter_args(%y = %x) -> !map {
      %e = tensor.empty() : !map
      %0 = tensor.insert_slice %p into %e[0, 0] [4, 4] [1, 1] : !part into !map
      %1 = tensor.insert_slice %p into %0[4, 0] [4, 4] [1, 1] : !part into !map
      scf.yield %1 : !map
    }
    scf.yield %s : !map
  }
  return %r : !map
}

// -----

!map = tensor<8x4x!mli.fx8<5>>
!part = tensor<4x4x!mli.fx8<5>>

func.func private @put(%p: !part) -> !map {
  %e = tensor.empty() : !map
  %0 = tensor.insert_slice %p into %e[0, 0] [4, 4] [1, 1] : !part into !map
  %1 = tensor.insert_slice %p into %0[4, 0] [4, 4] [1, 1] : !part into !map
  return %1 : !map
}

// CHECK-LABEL: func.func @choice
// CHECK-NOT: scf.for
// CHECK-NOT: call
// CHECK: scf.if
// CHECK-COUNT-2: mli.mov {{.*}}<still_needed>
// CHECK: mli.mov {{.*}}<placed_elsewhere>
// CHECK-NEXT: return
func.func @choice(%a: !map, %p: !part, %if: i1) -> !map {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.if %if -> !map {
    %s = scf.for %i = %c0 to %c0 step %c1 iter_args(%x = %a) -> !map {
      %e = tensor.empty() : !map
      %0 = tensor.insert_slice %p into %e[0, 0] [4, 4] [1, 1] : !part into !map
      %1 = tensor.insert_slice %p into %0[4, 0] [4, 4] [1, 1] : !part into !map
      scf.yield %1 : !map
    }
    scf.yield %s : !map
  } else {
    %s = scf.for %i = %c0 to %c0 step %c1 iter_args(%x = %a) -> !map {
      %1 = func.call @put(%p) : (!part) -> !map
      scf.yield %1 : !map
    }
    scf.yield %s : !map
  }
  return %r : !map
}
