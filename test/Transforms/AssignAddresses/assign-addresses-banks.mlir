// RUN: mli-opt %s --split-input-file --mli-assign-addresses=explain --verify-diagnostics | FileCheck %s
// RUN: mli-opt %s --split-input-file --mli-assign-addresses --mli-print-memory-map=space=local -o /dev/null | FileCheck %s --check-prefix=MAP
// RUN: mli-opt %s --split-input-file --mli-assign-addresses=minimise --mli-print-memory-map=space=local -o /dev/null | FileCheck %s --check-prefix=LOWEST
// RUN: mli-opt %s --split-input-file --mli-assign-addresses=banks=false --mli-print-memory-map="space=local format=json" -o /dev/null | FileCheck %s --check-prefix=JSON

!map = memref<4x4x8x!mli.fx8<5>>
!local = memref<4x4x8x!mli.fx8<5>, #mli.space<local>>

// What each kernel uses lies in banks of its own, as there is room.
// MAP: local memory of 'apart': 3 buffers, peak 640 bytes, lower bound 256 (aligned 640), ratio 2.5000, of 1024 bytes on 1 NPU, bank conflicts 0
// LOWEST: local memory of 'apart': 3 buffers, peak 256 bytes, {{.*}}, bank conflicts 2
// JSON: "peak":256,"lower_bound":256,"bank_conflicts":2,"buffers":
// A32, A33
module attributes {mli.target = #mli.target<vpx, npu_bytes = 1024, banks = 4>} {
  // CHECK-LABEL: func.func @apart(
  // CHECK: mli.alloc {address = 256 : i64}
  // CHECK: mli.alloc {address = 512 : i64}
  // CHECK: mli.alloc {address = 0 : i64}
  // expected-remark @below {{bank conflicts of 'apart' in one run: 0, before buffers moved apart: 2}}
  func.func @apart(%in: !map, %out: !map) {
    %a = mli.alloc : !local
    mli.mov ins(%in : !map) outs(%a : !local)
    %b = mli.alloc : !local
    mli.maxpool ins(%a : !local) outs(%b : !local) kernel [1, 1] pad [0, 0, 0, 0]
    %c = mli.alloc : !local
    mli.maxpool ins(%b : !local) outs(%c : !local) kernel [1, 1] pad [0, 0, 0, 0]
    mli.mov ins(%c : !local) outs(%out : !map)
    return
  }
}

// -----

!map = memref<4x4x8x!mli.fx8<5>>
!local = memref<4x4x8x!mli.fx8<5>, #mli.space<local>>

// Beside a kernel a move has a bank of its own, where there is one. What does not
// go apart is said, once for each kernel; a loop counts for all its rounds.
// MAP: local memory of 'beside': 3 buffers, {{.*}}, bank conflicts 3
module attributes {mli.target = #mli.target<vpx, npu_bytes = 512, banks = 2>} {
  // expected-remark @below {{bank conflicts of 'beside' in one run: 3, before buffers moved apart: 3}}
  func.func @beside(%in: !map, %next: !map, %out: !map) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %a = mli.alloc : !local
    mli.mov ins(%in : !map) outs(%a : !local)
    %b = mli.alloc : !local loc("sum")
    %c = mli.alloc : !local loc("next")
    scf.for %i = %c0 to %c3 step %c1 {
      mli.parallel {
        // expected-remark @below {{'mli.maxpool' shares 1 bank, 3 times in one run: 'input copy of maxpool 0' in bank 0, 'sum' in bank 0, 'next' in bank 1}}
        mli.maxpool ins(%a : !local) outs(%b : !local) kernel [1, 1] pad [0, 0, 0, 0]
        mli.mov ins(%next : !map) outs(%c : !local)
      }
      mli.maxpool ins(%b : !local) outs(%c : !local) kernel [1, 1] pad [0, 0, 0, 0]
    }
    mli.mov ins(%c : !local) outs(%out : !map)
    return
  }
}

// -----

!map = memref<4x4x8x!mli.fx8<5>>
!local = memref<4x4x8x!mli.fx8<5>, #mli.space<local>>

// A function that is called takes no more for it than before, so that its callers
// have the rest. What works in place shares no bank with itself; an address stays.
// MAP: local memory of 'callee': 2 buffers, peak 256 bytes, {{.*}}, bank conflicts 1
// MAP: local memory of 'caller': 4 buffers, peak 896 bytes, {{.*}}, bank conflicts 0
module attributes {mli.target = #mli.target<vpx, npu_bytes = 1024, banks = 4>} {
  // expected-remark @below {{bank conflicts of 'callee' in one run: 1, before buffers moved apart: 1}}
  func.func private @callee(%in: !map, %out: !map) {
    %a = mli.alloc : !local
    mli.mov ins(%in : !map) outs(%a : !local)
    %b = mli.alloc : !local
    // expected-remark @below {{'mli.maxpool' shares 1 bank, 1 time in one run: 'input copy of maxpool 0' in bank 0, 'result of maxpool 0' in bank 0}}
    mli.maxpool ins(%a : !local) outs(%b : !local) kernel [1, 1] pad [0, 0, 0, 0]
    mli.mov ins(%b : !local) outs(%out : !map)
    return
  }
  // CHECK-LABEL: func.func @caller(
  // CHECK: mli.alloc {address = 768 : i64}
  // CHECK: mli.alloc {address = 768 : i64, mli.shared}
  // CHECK: mli.alloc {address = 0 : i64}
  // expected-remark @below {{bank conflicts of 'caller' in one run: 0, before buffers moved apart: 0}}
  func.func @caller(%in: !map, %out: !map) {
    %a = mli.alloc {address = 768 : i64} : !local
    mli.mov ins(%in : !map) outs(%a : !local)
    call @callee(%in, %out) : (!map, !map) -> ()
    %b = mli.alloc {address = 768 : i64} : !local
    mli.relu ins(%a : !local) outs(%b : !local) {relu = #mli.relu<gen>}
    %c = mli.alloc : !local
    mli.maxpool ins(%b : !local) outs(%c : !local) kernel [1, 1] pad [0, 0, 0, 0]
    mli.mov ins(%c : !local) outs(%out : !map)
    return
  }
}

// -----

!map = memref<4x4x24x!mli.fx8<5>>
!local = memref<4x4x24x!mli.fx8<5>, #mli.space<local>>

// As long as two banks: one begins at the next, what has an address stays.
module attributes {mli.target = #mli.target<vpx, npu_bytes = 1344, banks = 7>} {
  // expected-remark @below {{bank conflicts of 'ranges' in one run: 1, before buffers moved apart: 2}}
  func.func @ranges(%in: !map, %out: !map) {
    %a = mli.alloc {address = 16 : i64} : !local
    mli.mov ins(%in : !map) outs(%a : !local)
    %b = mli.alloc : !local
    %c = mli.alloc {address = 480 : i64} : !local loc("behind")
    // expected-remark @below {{'mli.eltwise_add' shares 1 bank, 1 time in one run: 'lhs copy of eltwise_add 0' in banks 0 to 2, 'behind' in banks 2 to 4, 'result of eltwise_add 0' in banks 5 to 6}}
    mli.eltwise_add ins(%a, %c : !local, !local) outs(%b : !local)
    mli.mov ins(%b : !local) outs(%out : !map)
    mli.mov ins(%a : !local) outs(%out : !map)
    mli.mov ins(%c : !local) outs(%out : !map)
    return
  }
}
