// RUN: mli-opt %s --mli-assign-addresses --split-input-file | FileCheck %s
// RUN: mli-opt %s --mli-assign-addresses=reuse-empty-blocks --split-input-file | FileCheck %s --check-prefix=REUSE

!map = memref<4x4x8x!mli.sa8<1:4:0>, #mli.space<local>>
!odd = memref<3x3x3x!mli.sa8<1:4:0>, #mli.space<local>>
!out = memref<4x4x8x!mli.sa8<1:4:0>>

// One NPU: buffers without a layout are continuous; DMA alignment.
// CHECK-LABEL: func.func @one_npu
// CHECK-SAME: memref<0xi8> {mli.arena}
// CHECK: %[[A:.*]] = mli.alloc {address = 0 : i64}
// Each is allocated where it begins to hold data.
// CHECK-NEXT: mli.mov {{.*}} outs(%[[A]]
// CHECK-NEXT: %[[B:.*]] = mli.alloc {address = 256 : i64}
// CHECK-NEXT: mli.mov {{.*}} outs(%[[B]]
// CHECK-NEXT: %[[C:.*]] = mli.alloc {address = 128 : i64}
// CHECK-NOT: dealloc
module attributes {mli.target = #mli.target<vpx>} {
  func.func @one_npu(%in: !out, %out: !out) {
    %a = memref.alloc() : !map
    %b = memref.alloca() : !odd
    %c = mli.alloc : !map
    mli.mov ins(%in : !out) outs(%a : !map)
    mli.mov ins(%a : !map) outs(%b : !odd) {sizes = array<i64: 3, 3, 3>}
    mli.permute ins(%a : !map) outs(%c : !map) permutation [0, 1, 2]
    mli.mov ins(%b : !odd) outs(%c : !map) {dst_offsets = array<i64: 0, 0, 0>}
    mli.mov ins(%c : !map) outs(%out : !out)
    memref.dealloc %a : !map
    return
  }
}

// -----

#start1 = #mli.layout<aligned, dims = [h, w, c], npus = 4, npu_elements = 16384, start_npu = 1, strides = [128, 64, 4, 1]>
#start0 = #mli.layout<compact, dims = [h, w, c], npus = 4, npu_elements = 16384, strides = [16, 16, 4, 1]>
!aligned = memref<4x4x4x!mli.sa8<1:4:0>, #start1, #mli.space<local>>
!compact = memref<4x4x4x!mli.sa8<1:4:0>, #start0, #mli.space<local>>
!plain = memref<4x4x4x!mli.sa8<1:4:0>>

// The start NPU with the fewest block rows: from NPU 1 on it takes two. The
// aligned layout lies at its unit, the compact one at 4 bytes.
// CHECK-LABEL: func.func @fewest_block_rows
// CHECK: %[[C:.*]] = mli.alloc {address = 0 : i64} : memref<4x4x4x!mli.sa8<1:4:0>, #{{.*}}, #mli.space<local>>
// CHECK: %[[A:.*]] = mli.alloc {address = 64 : i64} : memref<4x4x4x!mli.sa8<1:4:0>, #[[ALIGNED:.*]], #mli.space<local>>
// CHECK: mli.permute ins(%[[C]] {{.*}} outs(%[[A]] : memref<4x4x4x!mli.sa8<1:4:0>, #[[ALIGNED]], #mli.space<local>>)
module attributes {mli.target = #mli.target<custom, npus = 4, npu_bytes = 16384, unit = 64>} {
  func.func @fewest_block_rows(%in: !plain, %out: !plain) {
    %c = mli.alloc {address = 0 : i64} : !compact
    %a = mli.alloc {start_npus = array<i64: 0, 1, 2>} : !aligned
    mli.mov ins(%in : !plain) outs(%c : !compact)
    mli.permute ins(%c : !compact) outs(%a : !aligned) permutation [0, 1, 2]
    mli.mov ins(%a : !aligned) outs(%out : !plain)
    return
  }
}

// -----

#layout = #mli.layout<aligned, dims = [h, w, c], npus = 4, npu_elements = 16384, strides = [64, 64, 4, 1]>
!map = memref<4x4x2x!mli.sa8<1:4:0>, #layout, #mli.space<local>>
!plain = memref<4x4x2x!mli.sa8<1:4:0>>

// Empty blocks hold nothing else, unless asked: then both lie side by side, if
// they may. A start group keeps them above each other.
// CHECK-LABEL: func.func @side_by_side
// CHECK: mli.alloc {address = 0 : i64}
// CHECK: mli.alloc {address = 64 : i64}
// REUSE-LABEL: func.func @side_by_side
// REUSE: mli.alloc {address = 0 : i64}
// REUSE: mli.alloc {address = 32768 : i64} : memref<4x4x2x!mli.sa8<1:4:0>, #[[MOVED:.*]], #mli.space<local>>
module attributes {mli.target = #mli.target<custom, npus = 4, npu_bytes = 16384, unit = 64>} {
  func.func @side_by_side(%in: !plain, %out: !plain) {
    %a = mli.alloc : !map
    %b = mli.alloc {start_npus = array<i64: 0, 1, 2>} : !map
    mli.mov ins(%in : !plain) outs(%a : !map)
    mli.permute ins(%a : !map) outs(%b : !map) permutation [0, 1, 2]
    mli.mov ins(%b : !map) outs(%out : !plain)
    return
  }
  // CHECK-LABEL: func.func @one_start
  // CHECK: mli.alloc {address = 0 : i64}
  // CHECK: mli.alloc {address = 64 : i64}
  // REUSE-LABEL: func.func @one_start
  // REUSE: mli.alloc {address = [[#FIRST:]] : i64}
  // REUSE: mli.alloc {address = [[#FIRST + 64]] : i64}
  // A10
  func.func @one_start(%in: !plain, %out: !plain) {
    %a = mli.alloc {start_npus = array<i64: 0, 2>, start_group = 5 : i64} : !map
    %b = mli.alloc {start_npus = array<i64: 0, 1, 2>, start_group = 5 : i64} : !map
    mli.mov ins(%in : !plain) outs(%a : !map)
    mli.permute ins(%a : !map) outs(%b : !map) permutation [0, 1, 2]
    mli.mov ins(%b : !map) outs(%out : !plain)
    return
  }
}

// -----

#layout = #mli.layout<aligned, dims = [h, w, c], npus = 4, npu_elements = 16384, start_npu = 1, strides = [64, 64, 4, 1]>
!map = memref<4x4x2x!mli.sa8<1:4:0>, #layout, #mli.space<local>>
!plain = memref<4x4x2x!mli.sa8<1:4:0>>

// What a loop carries starts where it came from.
// REUSE-DAG: #[[MOVED:.*]] = #mli.layout<aligned, dims = [h, w, c], npus = 4, npu_elements = 16384, strides
// REUSE-LABEL: func.func @carried
// REUSE: %[[A:.*]] = mli.alloc {address = 0 : i64} : memref<4x4x2x!mli.sa8<1:4:0>, #[[MOVED]],
// REUSE: %[[B:.*]] = mli.alloc {address = 64 : i64} : memref<4x4x2x!mli.sa8<1:4:0>, #[[MOVED]],
// REUSE: scf.for {{.*}} iter_args({{.*}} = %[[A]], {{.*}} = %[[B]]) -> (memref<4x4x2x!mli.sa8<1:4:0>, #[[MOVED]], #mli.space<local>>, memref
module attributes {mli.target = #mli.target<custom, npus = 4, npu_bytes = 16384, unit = 64>} {
  func.func @carried(%in: !plain, %out: !plain, %n: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %a = mli.alloc {start_npus = array<i64: 0, 1>} : !map
    %b = mli.alloc {start_npus = array<i64: 0, 1, 2>} : !map
    %last:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b) -> (!map, !map) {
      mli.mov ins(%in : !plain) outs(%x : !map)
      scf.yield %y, %x : !map, !map
    }
    mli.mov ins(%last#0 : !map) outs(%out : !plain)
    return
  }
}

// -----

!map = memref<64x!mli.sa8<1:4:0>, #mli.space<local>>
!plain = memref<64x!mli.sa8<1:4:0>>

// Banks: the first has none of its bytes in bank 0, which ends at 512.
// CHECK-LABEL: func.func @banks
// CHECK: mli.alloc {address = 512 : i64}
// CHECK: mli.alloc {address = 0 : i64}
module attributes {mli.target = #mli.target<vpx, npu_bytes = 1024, banks = 2>} {
  func.func @banks(%in: !plain, %out: !plain) {
    %a = mli.alloc {avoid_banks = array<i64: 0>} : !map
    %b = mli.alloc : !map
    mli.mov ins(%in : !plain) outs(%a : !map)
    mli.permute ins(%a : !map) outs(%b : !map) permutation [0]
    mli.mov ins(%b : !map) outs(%out : !plain)
    return
  }
}

// -----

!map = memref<64x!mli.sa8<1:4:0>, #mli.space<local>>
!plain = memref<64x!mli.sa8<1:4:0>>

// The local memory of a callee is not its caller's meanwhile.
// CHECK-LABEL: func.func private @callee
// CHECK: mli.alloc {address = 0 : i64}
// CHECK-LABEL: func.func @caller
// CHECK: mli.alloc {address = 64 : i64}
module attributes {mli.target = #mli.target<vpx>} {
  func.func private @callee(%in: !plain, %out: !plain) {
    %a = mli.alloc : !map
    mli.mov ins(%in : !plain) outs(%a : !map)
    mli.mov ins(%a : !map) outs(%out : !plain)
    return
  }
  func.func @caller(%in: !plain, %out: !plain) {
    %a = mli.alloc : !map
    mli.mov ins(%in : !plain) outs(%a : !map)
    call @callee(%in, %out) : (!plain, !plain) -> ()
    mli.mov ins(%a : !map) outs(%out : !plain)
    return
  }
}

// -----

!map = memref<4x4x8x!mli.sa8<1:4:0>, #mli.space<local>>
!plain = memref<4x4x8x!mli.sa8<1:4:0>>

// A result that a kernel computes in place of its input is no fresh memory; nor
// is what one branch begins with, while the other still needs its memory.
module attributes {mli.target = #mli.target<vpx>} {
  // CHECK-LABEL: func.func @shared
  // CHECK: mli.alloc {address = 0 : i64} : memref
  // CHECK: mli.mov
  // CHECK-NEXT: mli.alloc {address = 0 : i64, mli.shared} : memref
  // CHECK-NEXT: mli.relu
  func.func @shared(%in: !plain, %out: !plain) {
    %a = memref.alloc() : !map
    %b = memref.alloc() : !map
    mli.mov ins(%in : !plain) outs(%a : !map)
    mli.relu ins(%a : !map) outs(%b : !map) {relu = #mli.relu<gen>}
    mli.mov ins(%b : !map) outs(%out : !plain)
    return
  }

  // CHECK-LABEL: func.func @branch
  // CHECK: mli.alloc {address = 0 : i64} : memref
  // CHECK: mli.alloc {address = 0 : i64, mli.shared} : memref
  // CHECK-NEXT: scf.if
  func.func @branch(%in: !plain, %out: !plain, %which: i1) {
    %a = memref.alloc() : !map
    %b = memref.alloc() : !map
    mli.mov ins(%in : !plain) outs(%a : !map)
    scf.if %which {
      mli.mov ins(%a : !map) outs(%out : !plain)
    } else {
      mli.mov ins(%in : !plain) outs(%b : !map)
      mli.mov ins(%b : !map) outs(%out : !plain)
    }
    return
  }

  // Views come along.
  // CHECK-LABEL: func.func @views
  // CHECK: %[[A:.*]] = mli.alloc {address = 0 : i64} : memref
  // CHECK: mli.mov ins(%[[A]]
  // CHECK: %[[B:.*]] = mli.alloc {address = 0 : i64} : memref
  // CHECK-NEXT: %[[ROW:.*]] = mli.subtensor %[[B]]
  // CHECK-NEXT: mli.mov {{.*}} outs(%[[B]]
  // CHECK-NEXT: mli.mov ins(%[[ROW]]
  func.func @views(%in: !plain, %out: !plain,
                   %row: memref<1x4x8x!mli.sa8<1:4:0>>) {
    %a = memref.alloc() : !map
    %b = memref.alloc() : !map
    %first = mli.subtensor %b[0, 0, 0] [1, 4, 8]
      : !map to memref<1x4x8x!mli.sa8<1:4:0>, strided<[32, 8, 1]>, #mli.space<local>>
    mli.mov ins(%in : !plain) outs(%a : !map)
    mli.mov ins(%a : !map) outs(%out : !plain)
    mli.mov ins(%in : !plain) outs(%b : !map)
    mli.mov ins(%first : memref<1x4x8x!mli.sa8<1:4:0>, strided<[32, 8, 1]>, #mli.space<local>>)
      outs(%row : memref<1x4x8x!mli.sa8<1:4:0>>)
    return
  }
}
