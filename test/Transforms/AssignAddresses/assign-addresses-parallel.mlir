// RUN: mli-opt %s --split-input-file --mli-assign-addresses | FileCheck %s

!map = memref<4x4x8x!mli.fx8<5>>
!local = memref<4x4x8x!mli.fx8<5>, #mli.space<local>>

// What is used in mli.parallel has its memory all through it: %b, which nobody
// needs behind the first move, does not make room for %c and %d.
// V16
module attributes {mli.target = #mli.target<vpx, npu_bytes = 512>} {
  // CHECK-LABEL: func.func @all_through(
  // CHECK: mli.alloc {address = [[A:[0-9]+]] : i64}
  // CHECK: mli.alloc {address = [[B:[0-9]+]] : i64}
  // CHECK-NOT: address = [[B]]
  // CHECK: mli.parallel
  func.func @all_through(%in: !map, %next: !map, %out: !map, %last: !map) {
    %a = mli.alloc : !local
    mli.mov ins(%in : !map) outs(%a : !local)
    %b = mli.alloc : !local
    mli.maxpool ins(%a : !local) outs(%b : !local) kernel [1, 1] pad [0, 0, 0, 0]
    %c = mli.alloc : !local
    %d = mli.alloc : !local
    mli.parallel {
      mli.mov ins(%b : !local) outs(%out : !map)
      mli.maxpool ins(%a : !local) outs(%c : !local) kernel [1, 1] pad [0, 0, 0, 0]
      mli.mov ins(%next : !map) outs(%d : !local)
    }
    mli.mov ins(%c : !local) outs(%last : !map)
    mli.mov ins(%d : !local) outs(%last : !map)
    return
  }
}

// -----

!map = memref<4x4x8x!mli.fx8<5>>
!local = memref<4x4x8x!mli.fx8<5>, #mli.space<local>>

// A kernel computes in place beside a move, but not of what is moved.
module attributes {mli.target = #mli.target<vpx, npu_bytes = 512>} {
  // CHECK-LABEL: func.func @in_place(
  // CHECK: mli.alloc {address = [[A:[0-9]+]] : i64}
  // CHECK: mli.alloc {address = [[A]] : i64, mli.shared}
  // CHECK: mli.parallel
  func.func @in_place(%in: !map, %next: !map, %out: !map, %last: !map) {
    %a = mli.alloc : !local
    mli.mov ins(%in : !map) outs(%a : !local)
    %b = mli.alloc : !local
    %d = mli.alloc : !local
    mli.parallel {
      mli.relu ins(%a : !local) outs(%b : !local) {relu = #mli.relu<gen>}
      mli.mov ins(%next : !map) outs(%d : !local)
    }
    mli.mov ins(%b : !local) outs(%out : !map)
    mli.mov ins(%d : !local) outs(%last : !map)
    return
  }

  // CHECK-LABEL: func.func @moved_meanwhile(
  // CHECK: mli.alloc {address = [[A:[0-9]+]] : i64}
  // CHECK-NOT: mli.shared
  // CHECK: mli.parallel
  func.func @moved_meanwhile(%in: !map, %out: !map, %last: !map) {
    %a = mli.alloc : !local
    mli.mov ins(%in : !map) outs(%a : !local)
    %b = mli.alloc : !local
    mli.parallel {
      mli.mov ins(%a : !local) outs(%last : !map)
      mli.relu ins(%a : !local) outs(%b : !local) {relu = #mli.relu<gen>}
    }
    mli.mov ins(%b : !local) outs(%out : !map)
    return
  }
}

// -----

!map = memref<4x4x8x!mli.fx8<5>>
!local = memref<4x4x8x!mli.fx8<5>, #mli.space<local>>

// What only kernels in conditions use has its memory for as long as they do: the first
// result and the last one are at one address, beside what moves.
// V16
module attributes {mli.target = #mli.target<vpx, npu_bytes = 512>} {
  // CHECK-LABEL: func.func @in_conditions(
  // CHECK: mli.mov
  // CHECK-NEXT: mli.alloc {address = [[ONE:[0-9]+]] : i64
  // CHECK-NOT: address = [[ONE]]
  // CHECK: mli.alloc
  // CHECK-NEXT: mli.alloc
  // CHECK-NEXT: mli.alloc {address = [[ONE]] : i64
  func.func @in_conditions(%in: !map, %next: !map, %out: !map, %is: i1) {
    %a = mli.alloc : !local
    mli.mov ins(%in : !map) outs(%a : !local)
    %b = mli.alloc : !local
    %c = mli.alloc : !local
    %d = mli.alloc : !local
    %e = mli.alloc : !local
    mli.parallel {
      scf.if %is {
        mli.mov ins(%next : !map) outs(%c : !local)
      }
      scf.if %is {
        mli.maxpool ins(%a : !local) outs(%b : !local) kernel [1, 1] pad [0, 0, 0, 0]
        mli.maxpool ins(%b : !local) outs(%d : !local) kernel [1, 1] pad [0, 0, 0, 0]
        mli.maxpool ins(%d : !local) outs(%e : !local) kernel [1, 1] pad [0, 0, 0, 0]
      }
    }
    mli.mov ins(%a : !local) outs(%out : !map)
    mli.mov ins(%c : !local) outs(%out : !map)
    mli.mov ins(%e : !local) outs(%out : !map)
    return
  }
}
