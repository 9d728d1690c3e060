// In a loop that keeps rows from one iteration to the next, transfers and the kernels
// around them that use none of their rings run at the same time, each in its conditions
// and loops.
// ST10
// RUN: mli-opt %s --mli-double-buffer=mode=auto | FileCheck %s
// RUN: mli-opt %s --mli-double-buffer="mode=auto explain" -o /dev/null 2>&1 | FileCheck %s --check-prefix=WHY
// RUN: mli-opt %s --mli-double-buffer=mode=off | FileCheck %s --check-prefix=OFF
// OFF-NOT: mli.parallel

!map = memref<8x4x8x!mli.fx8<5>>
!row = memref<1x4x8x!mli.fx8<5>, strided<[32, 8, 1], offset: ?>>
!ring = memref<1x4x8x!mli.fx8<5>, #mli.space<local>>

module attributes {mli.target = #mli.target<vpx>} {
  // Of 9 iterations the first has no row to compute, and the last none to move in: 7
  // rows of 32 bytes are beside kernels. What moves out waits for the last of them.
  // CHECK-LABEL: func.func @rows(
  // CHECK: scf.for
  // CHECK-NEXT: %[[IS:.*]] = arith.cmpi sge
  // CHECK-NEXT: scf.if %[[IS]] {
  // CHECK-NEXT: mli.relu
  // CHECK: arith.cmpi slt
  // CHECK-NEXT: mli.alloc
  // CHECK-NEXT: mli.parallel {
  // CHECK-NEXT: scf.if
  // CHECK: mli.mov ins(%{{.*}} : {{.*}}strided
  // CHECK: scf.if %[[IS]] {
  // CHECK-NEXT: mli.maxpool
  // CHECK: scf.for
  // CHECK-NEXT: mli.maxpool
  // CHECK: mli.mov {{.*}} outs(%{{.*}} : {{.*}}strided
  // WHY: remark: exposed transfer: 32 bytes, as there is no kernel after it
  // WHY: remark: moves 512 B, cost 512; kernels cost {{[0-9]+}}; 224 at the same time
  func.func @rows(%in: !map, %out: !map) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c8 = arith.constant 8 : index
    %c9 = arith.constant 9 : index
    %a = mli.alloc : !ring
    %b = mli.alloc : !ring
    scf.for %i = %c0 to %c9 step %c1 {
      %computes = arith.cmpi sge, %i, %c1 : index
      scf.if %computes {
        mli.relu ins(%a : !ring) outs(%b : !ring) {relu = #mli.relu<gen>}
      }
      %moves = arith.cmpi slt, %i, %c8 : index
      scf.if %moves {
        %from = mli.subtensor %in[%i, 0, 0] [1, 4, 8] : !map to !row
        mli.mov ins(%from : !row) outs(%a : !ring)
      }
      %c = mli.alloc : !ring
      scf.if %computes {
        mli.maxpool ins(%b : !ring) outs(%c : !ring) kernel [1, 4] pad [0, 0, 0, 3]
        scf.for %j = %c0 to %c2 step %c1 {
          mli.maxpool ins(%c : !ring) outs(%b : !ring) kernel [1, 4] pad [0, 0, 0, 3]
        }
      }
      scf.if %computes {
        %to = mli.subtensor %out[%i, 0, 0] [1, 4, 8] : !map to !row
        mli.mov ins(%b : !ring) outs(%to : !row)
      }
    }
    return
  }

  // What moves and is computed under one condition is beside nothing else.
  // CHECK-LABEL: func.func @mixed(
  // CHECK-NOT: mli.parallel
  // CHECK: return
  func.func @mixed(%in: !map, %out: !map) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %a = mli.alloc : !ring
    %b = mli.alloc : !ring
    scf.for %i = %c0 to %c8 step %c1 {
      %from = mli.subtensor %in[%i, 0, 0] [1, 4, 8] : !map to !row
      %to = mli.subtensor %out[%i, 0, 0] [1, 4, 8] : !map to !row
      %is = arith.cmpi sge, %i, %c1 : index
      scf.if %is {
        mli.mov ins(%from : !row) outs(%a : !ring)
        mli.relu ins(%a : !ring) outs(%b : !ring) {relu = #mli.relu<gen>}
      }
      scf.if %is {
        mli.mov ins(%b : !ring) outs(%to : !row)
      }
    }
    return
  }
}
