// RUN: mli-opt %s --split-input-file --mli-double-buffer=mode=on | FileCheck %s
// RUN: mli-opt %s --split-input-file --mli-double-buffer="mode=on explain" -o /dev/null 2>&1 | FileCheck %s --check-prefix=WHY
// RUN: mli-opt %s --split-input-file --mli-double-buffer=explain -o /dev/null 2>&1 | FileCheck %s --check-prefix=AUTO

!map = memref<4x4x8x!mli.fx8<5>>
!local = memref<4x4x8x!mli.fx8<5>, #mli.space<local>>

module attributes {mli.target = #mli.target<vpx>} {
  // What the second kernel reads is moved in while the first computes, and its
  // result moved out while the second does.
  // CHECK-LABEL: func.func @ahead(
  // CHECK: mli.mov ins(%arg0
  // CHECK: %[[B:.*]] = mli.alloc
  // CHECK-NEXT: %[[C:.*]] = mli.alloc
  // CHECK-NEXT: mli.parallel {
  // CHECK-NEXT: mli.relu {{.*}} outs(%[[B]]
  // CHECK-NEXT: mli.mov ins(%arg1 : {{.*}}) outs(%[[C]]
  // CHECK-NEXT: {{^ *}$}}
  // CHECK-NEXT: %[[D:.*]] = mli.alloc
  // CHECK-NEXT: mli.parallel {
  // CHECK-NEXT: mli.mov ins(%[[B]] : {{.*}}) outs(%arg2
  // CHECK-NEXT: mli.relu ins(%[[C]] : {{.*}}) outs(%[[D]]
  // CHECK-NEXT: {{^ *}$}}
  // CHECK-NEXT: mli.mov ins(%[[D]] : {{.*}}) outs(%arg3
  // WHY: remark: exposed transfer: 128 bytes, as there is no kernel after it
  // WHY: remark: exposed transfer: 128 bytes, as there is no kernel before it
  // WHY: remark: moves 512 B, cost 512; kernels cost 32; 32 at the same time: 512 instead of 544, estimated for the target in bytes moved
  func.func @ahead(%in: !map, %next: !map, %out: !map, %last: !map) {
    %a = mli.alloc : !local
    mli.mov ins(%in : !map) outs(%a : !local)
    %b = mli.alloc : !local
    mli.relu ins(%a : !local) outs(%b : !local) {relu = #mli.relu<gen>}
    mli.mov ins(%b : !local) outs(%out : !map)
    %c = mli.alloc : !local
    mli.mov ins(%next : !map) outs(%c : !local)
    %d = mli.alloc : !local
    mli.relu ins(%c : !local) outs(%d : !local) {relu = #mli.relu<gen>}
    mli.mov ins(%d : !local) outs(%last : !map)
    return
  }

  // What is read is what the first kernel made: nothing runs at the same time.
  // Z12
  // CHECK-LABEL: func.func @one_after_the_other(
  // CHECK-NOT: mli.parallel
  // WHY: remark: exposed transfer: 128 bytes, as 'mli.mov' uses its buffers
  func.func @one_after_the_other(%in: !map, %between: !map, %out: !map) {
    %a = mli.alloc : !local
    mli.mov ins(%in : !map) outs(%a : !local)
    %b = mli.alloc : !local
    mli.relu ins(%a : !local) outs(%b : !local) {relu = #mli.relu<gen>}
    mli.mov ins(%b : !local) outs(%between : !map)
    %c = mli.alloc : !local
    mli.mov ins(%between : !map) outs(%c : !local)
    %d = mli.alloc : !local
    mli.relu ins(%c : !local) outs(%d : !local) {relu = #mli.relu<gen>}
    mli.mov ins(%d : !local) outs(%out : !map)
    return
  }

  // What an operation of another dialect reads or writes is not known.
  // CHECK-LABEL: func.func @in_between(
  // CHECK-NOT: mli.parallel
  // WHY: remark: exposed transfer: 128 bytes, as 'memref.load' is in between
  func.func @in_between(%in: !map, %next: memref<8x4x8x!mli.fx8<5>>, %rows: memref<index>, %out: !map) {
    %a = mli.alloc : !local
    mli.mov ins(%in : !map) outs(%a : !local)
    %b = mli.alloc : !local
    mli.relu ins(%a : !local) outs(%b : !local) {relu = #mli.relu<gen>}
    %row = memref.load %rows[] : memref<index>
    %block = mli.subtensor %next[%row, 0, 0] [4, 4, 8]
      : memref<8x4x8x!mli.fx8<5>> to memref<4x4x8x!mli.fx8<5>, strided<[32, 8, 1], offset: ?>>
    %c = mli.alloc : !local
    mli.mov ins(%block : memref<4x4x8x!mli.fx8<5>, strided<[32, 8, 1], offset: ?>>) outs(%c : !local)
    %d = mli.alloc : !local
    mli.eltwise_add ins(%b, %c : !local, !local) outs(%d : !local)
    mli.mov ins(%d : !local) outs(%out : !map)
    return
  }

  // A kernel has time for one move; where one in front of it has more, a move
  // goes there. In mode on they all run along.
  // CHECK-LABEL: func.func @busy(
  // CHECK: mli.parallel {
  // CHECK-NEXT: mli.maxpool
  // CHECK-NEXT: mli.mov ins(%arg1
  // CHECK-NEXT: mli.mov ins(%arg3
  // CHECK-NEXT: {{^ *}$}}
  // CHECK: mli.parallel {
  // CHECK-NEXT: mli.relu
  // CHECK-NEXT: mli.mov ins(%arg2
  // CHECK-NEXT: mli.mov ins(%arg4
  // CHECK-NEXT: {{^ *}$}}
  // AUTO: remark: exposed transfer: 128 bytes, as the kernels around it are busy with other moves
  // AUTO: remark: moves 1,280 B, cost 1,280; kernels cost 176; 160 at the same time: 1,296 instead of 1,456
  func.func @busy(%in: !map, %m0: !map, %m1: !map, %m2: !map, %m3: !map, %out: !map) {
    %a = mli.alloc : !local
    mli.mov ins(%in : !map) outs(%a : !local)
    %b = mli.alloc : !local
    mli.maxpool ins(%a : !local) outs(%b : !local) kernel [3, 3] pad [1, 1, 1, 1]
    %c = mli.alloc : !local
    mli.relu ins(%b : !local) outs(%c : !local) {relu = #mli.relu<gen>}
    %d = mli.alloc : !local
    mli.mov ins(%m0 : !map) outs(%d : !local)
    %e = mli.alloc : !local
    mli.mov ins(%m1 : !map) outs(%e : !local)
    %f = mli.alloc : !local
    mli.mov ins(%m2 : !map) outs(%f : !local)
    %h = mli.alloc : !local
    mli.mov ins(%m3 : !map) outs(%h : !local)
    %g = mli.alloc : !local
    mli.relu ins(%c : !local) outs(%g : !local) {relu = #mli.relu<gen>}
    mli.mov ins(%g : !local) outs(%out : !map)
    mli.mov ins(%d : !local) outs(%out : !map)
    mli.mov ins(%e : !local) outs(%out : !map)
    mli.mov ins(%f : !local) outs(%out : !map)
    mli.mov ins(%h : !local) outs(%out : !map)
    return
  }
}

// -----

!rows = memref<96x4x8x!mli.fx8<5>>
!tile = memref<8x4x8x!mli.fx8<5>, strided<[32, 8, 1], offset: ?>>
!local = memref<8x4x8x!mli.fx8<5>, #mli.space<local>>

module attributes {mli.target = #mli.target<vpx>} {
  // Twelve rounds: the first, five times two, the last. Each of the two buffers
  // of what is moved is used by every second round.
  // Z13
  // CHECK-LABEL: func.func @rounds(
  // CHECK: %[[IN0:.*]] = mli.alloc
  // CHECK: %[[IN1:.*]] = mli.alloc
  // CHECK: %[[OUT0:.*]] = mli.alloc
  // CHECK: %[[OUT1:.*]] = mli.alloc
  // CHECK: mli.mov {{.*}} outs(%[[IN0]]
  // CHECK: mli.parallel {
  // CHECK-NEXT: mli.maxpool ins(%[[IN0]] : {{.*}}) outs(%[[OUT0]]
  // CHECK-NEXT: mli.mov {{.*}} outs(%[[IN1]]
  // CHECK: scf.for %[[I:.*]] = %c8{{.*}} to %c88{{.*}} step %c16
  // CHECK: arith.addi %[[I]], %c-8
  // CHECK: mli.parallel {
  // CHECK-NEXT: mli.mov ins(%[[OUT0]]
  // CHECK-NEXT: mli.maxpool ins(%[[IN1]] : {{.*}}) outs(%[[OUT1]]
  // CHECK-NEXT: mli.mov {{.*}} outs(%[[IN0]]
  // CHECK-NEXT: {{^ *}$}}
  // CHECK: mli.parallel {
  // CHECK-NEXT: mli.mov ins(%[[OUT1]]
  // CHECK-NEXT: mli.maxpool ins(%[[IN0]] : {{.*}}) outs(%[[OUT0]]
  // CHECK-NEXT: mli.mov {{.*}} outs(%[[IN1]]
  // CHECK-NEXT: {{^ *}$}}
  // CHECK: mli.parallel {
  // CHECK-NEXT: mli.mov ins(%[[OUT0]]
  // CHECK-NEXT: mli.maxpool ins(%[[IN1]] : {{.*}}) outs(%[[OUT1]]
  // CHECK-NEXT: {{^ *}$}}
  // CHECK: mli.mov ins(%[[OUT1]]
  // CHECK-NEXT: return
  // WHY: remark: moves 6,144 B, cost 6,144; kernels cost 3,456; 3,392 at the same time: 6,208 instead of 9,600
  func.func @rounds(%in: !rows, %out: !rows) {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c96 = arith.constant 96 : index
    scf.for %i = %c0 to %c96 step %c8 {
      %from = mli.subtensor %in[%i, 0, 0] [8, 4, 8] : !rows to !tile
      %a = mli.alloc : !local
      mli.mov ins(%from : !tile) outs(%a : !local)
      %b = mli.alloc : !local
      mli.maxpool ins(%a : !local) outs(%b : !local) kernel [3, 3] pad [1, 1, 1, 1]
      %to = mli.subtensor %out[%i, 0, 0] [8, 4, 8] : !rows to !tile
      mli.mov ins(%b : !local) outs(%to : !tile)
    }
    return
  }

  // Three rounds, without a loop; an eighth of what each does is not worth the
  // code.
  // CHECK-LABEL: func.func @few(
  // CHECK-COUNT-3: mli.maxpool
  // CHECK-NOT: mli.maxpool
  // AUTO: remark: no software pipeline: it would hide 576, less than the 2048 that more code costs
  func.func @few(%in: !rows, %out: !rows) {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c24 = arith.constant 24 : index
    scf.for %i = %c0 to %c24 step %c8 {
      %from = mli.subtensor %in[%i, 0, 0] [8, 4, 8] : !rows to !tile
      %a = mli.alloc : !local
      mli.mov ins(%from : !tile) outs(%a : !local)
      %b = mli.alloc : !local
      mli.maxpool ins(%a : !local) outs(%b : !local) kernel [3, 3] pad [1, 1, 1, 1]
      %to = mli.subtensor %out[%i, 0, 0] [8, 4, 8] : !rows to !tile
      mli.mov ins(%b : !local) outs(%to : !tile)
    }
    return
  }

  // Seven rounds: the first, twice two, one more and the last.
  // CHECK-LABEL: func.func @odd(
  // CHECK: scf.for {{.*}} = %c8{{.*}} to %c40{{.*}} step %c16
  // CHECK-COUNT-4: mli.parallel
  // CHECK-NOT: mli.parallel
  func.func @odd(%in: !rows, %out: !rows) {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c56 = arith.constant 56 : index
    scf.for %i = %c0 to %c56 step %c8 {
      %from = mli.subtensor %in[%i, 0, 0] [8, 4, 8] : !rows to !tile
      %a = mli.alloc : !local
      mli.mov ins(%from : !tile) outs(%a : !local)
      %b = mli.alloc : !local
      mli.maxpool ins(%a : !local) outs(%b : !local) kernel [3, 3] pad [1, 1, 1, 1]
      %to = mli.subtensor %out[%i, 0, 0] [8, 4, 8] : !rows to !tile
      mli.mov ins(%b : !local) outs(%to : !tile)
    }
    return
  }
}

// -----

!rows = memref<96x4x8x!mli.fx8<5>>
!tile = memref<8x4x8x!mli.fx8<5>, strided<[32, 8, 1], offset: ?>>
!local = memref<8x4x8x!mli.fx8<5>, #mli.space<local>>

// Two of each buffer do not fit.
// Z13
module attributes {mli.target = #mli.target<vpx, npu_bytes = 1008>} {
  // CHECK-LABEL: func.func @no_room(
  // CHECK-NOT: mli.parallel
  // WHY: remark: no software pipeline: two of each buffer would take 1024 bytes of each NPU, of 1008
  func.func @no_room(%in: !rows, %out: !rows) {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c96 = arith.constant 96 : index
    scf.for %i = %c0 to %c96 step %c8 {
      %from = mli.subtensor %in[%i, 0, 0] [8, 4, 8] : !rows to !tile
      %a = mli.alloc : !local
      mli.mov ins(%from : !tile) outs(%a : !local)
      %b = mli.alloc : !local
      mli.maxpool ins(%a : !local) outs(%b : !local) kernel [3, 3] pad [1, 1, 1, 1]
      %to = mli.subtensor %out[%i, 0, 0] [8, 4, 8] : !rows to !tile
      mli.mov ins(%b : !local) outs(%to : !tile)
    }
    return
  }
}

// -----

!rows = memref<96x4x8x!mli.fx8<5>>
!tile = memref<8x4x8x!mli.fx8<5>, strided<[32, 8, 1], offset: ?>>
!local = memref<8x4x8x!mli.fx8<5>, #mli.space<local>>

// Each reason for a loop to stay one.
// Z13
module attributes {mli.target = #mli.target<vpx>} {
  // CHECK-LABEL: func.func @reads_what_it_writes(
  // CHECK-NOT: mli.parallel
  // WHY: remark: no software pipeline: it reads what it writes
  func.func @reads_what_it_writes(%out: !rows) {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c96 = arith.constant 96 : index
    scf.for %i = %c0 to %c96 step %c8 {
      %from = mli.subtensor %out[%i, 0, 0] [8, 4, 8] : !rows to !tile
      %a = mli.alloc : !local
      mli.mov ins(%from : !tile) outs(%a : !local)
      %b = mli.alloc : !local
      mli.maxpool ins(%a : !local) outs(%b : !local) kernel [3, 3] pad [1, 1, 1, 1]
      %to = mli.subtensor %out[%i, 0, 0] [8, 4, 8] : !rows to !tile
      mli.mov ins(%b : !local) outs(%to : !tile)
    }
    return
  }

  // CHECK-LABEL: func.func @unknown_bounds(
  // CHECK-NOT: mli.parallel
  // WHY: remark: no software pipeline: its bounds are not known
  func.func @unknown_bounds(%in: !rows, %out: !rows, %end: memref<index>) {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c96 = memref.load %end[] : memref<index>
    scf.for %i = %c0 to %c96 step %c8 {
      %from = mli.subtensor %in[%i, 0, 0] [8, 4, 8] : !rows to !tile
      %a = mli.alloc : !local
      mli.mov ins(%from : !tile) outs(%a : !local)
      %b = mli.alloc : !local
      mli.maxpool ins(%a : !local) outs(%b : !local) kernel [3, 3] pad [1, 1, 1, 1]
      %to = mli.subtensor %out[%i, 0, 0] [8, 4, 8] : !rows to !tile
      mli.mov ins(%b : !local) outs(%to : !tile)
    }
    return
  }

  // CHECK-LABEL: func.func @once(
  // CHECK-NOT: mli.parallel
  // WHY: remark: no software pipeline: it runs once
  func.func @once(%in: !rows, %out: !rows) {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    scf.for %i = %c0 to %c8 step %c8 {
      %from = mli.subtensor %in[%i, 0, 0] [8, 4, 8] : !rows to !tile
      %a = mli.alloc : !local
      mli.mov ins(%from : !tile) outs(%a : !local)
      %b = mli.alloc : !local
      mli.maxpool ins(%a : !local) outs(%b : !local) kernel [3, 3] pad [1, 1, 1, 1]
      %to = mli.subtensor %out[%i, 0, 0] [8, 4, 8] : !rows to !tile
      mli.mov ins(%b : !local) outs(%to : !tile)
    }
    return
  }

  // CHECK-LABEL: func.func @hands_on(
  // CHECK-NOT: mli.parallel
  // WHY: remark: no software pipeline: it carries 1 values
  func.func @hands_on(%in: !rows, %out: !rows) {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c96 = arith.constant 96 : index
    %last = scf.for %i = %c0 to %c96 step %c8 iter_args(%before = %c0) -> index {
      %from = mli.subtensor %in[%i, 0, 0] [8, 4, 8] : !rows to !tile
      %a = mli.alloc : !local
      mli.mov ins(%from : !tile) outs(%a : !local)
      %b = mli.alloc : !local
      mli.maxpool ins(%a : !local) outs(%b : !local) kernel [3, 3] pad [1, 1, 1, 1]
      %to = mli.subtensor %out[%i, 0, 0] [8, 4, 8] : !rows to !tile
      mli.mov ins(%b : !local) outs(%to : !tile)
      scf.yield %i : index
    }
    return
  }

  // CHECK-LABEL: func.func @something_else(
  // CHECK-NOT: mli.parallel
  // WHY: remark: no software pipeline: 'memref.copy' is neither a kernel nor a move
  func.func @something_else(%in: !rows, %out: !rows, %x: memref<4xi8>, %y: memref<4xi8>) {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c96 = arith.constant 96 : index
    scf.for %i = %c0 to %c96 step %c8 {
      %from = mli.subtensor %in[%i, 0, 0] [8, 4, 8] : !rows to !tile
      %a = mli.alloc : !local
      mli.mov ins(%from : !tile) outs(%a : !local)
      %b = mli.alloc : !local
      mli.maxpool ins(%a : !local) outs(%b : !local) kernel [3, 3] pad [1, 1, 1, 1]
      %to = mli.subtensor %out[%i, 0, 0] [8, 4, 8] : !rows to !tile
      mli.mov ins(%b : !local) outs(%to : !tile)
      memref.copy %x, %y : memref<4xi8> to memref<4xi8>
    }
    return
  }

  // CHECK-LABEL: func.func @moves_nothing(
  // CHECK-NOT: mli.parallel
  // WHY: remark: no software pipeline: it moves nothing
  func.func @moves_nothing() {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c96 = arith.constant 96 : index
    %a = mli.alloc : !local
    %b = mli.alloc : !local
    scf.for %i = %c0 to %c96 step %c8 {
      mli.maxpool ins(%a : !local) outs(%b : !local) kernel [3, 3] pad [1, 1, 1, 1]
    }
    return
  }

  // CHECK-LABEL: func.func @stays(
  // CHECK-NOT: mli.parallel
  // WHY: remark: no software pipeline: it moves a buffer that lives across iterations
  func.func @stays(%in: !rows, %out: !rows) {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c96 = arith.constant 96 : index
    %b = mli.alloc : !local
    scf.for %i = %c0 to %c96 step %c8 {
      %from = mli.subtensor %in[%i, 0, 0] [8, 4, 8] : !rows to !tile
      %a = mli.alloc : !local
      mli.mov ins(%from : !tile) outs(%a : !local)
      mli.maxpool ins(%a : !local) outs(%b : !local) kernel [3, 3] pad [1, 1, 1, 1]
      %to = mli.subtensor %out[%i, 0, 0] [8, 4, 8] : !rows to !tile
      mli.mov ins(%b : !local) outs(%to : !tile)
    }
    return
  }

  // CHECK-LABEL: func.func @in_place(
  // CHECK-NOT: mli.parallel
  // WHY: remark: no software pipeline: it writes what it moves in
  func.func @in_place(%in: !rows, %out: !rows) {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c96 = arith.constant 96 : index
    scf.for %i = %c0 to %c96 step %c8 {
      %from = mli.subtensor %in[%i, 0, 0] [8, 4, 8] : !rows to !tile
      %a = mli.alloc : !local
      mli.mov ins(%from : !tile) outs(%a : !local)
      mli.relu ins(%a : !local) outs(%a : !local) {relu = #mli.relu<gen>}
      %to = mli.subtensor %out[%i, 0, 0] [8, 4, 8] : !rows to !tile
      mli.mov ins(%a : !local) outs(%to : !tile)
    }
    return
  }
}

// -----

!map = memref<4x4x8x!mli.fx8<5>>
!local = memref<4x4x8x!mli.fx8<5>, #mli.space<local>>

// Who is called has local memory to itself.
module attributes {mli.target = #mli.target<vpx>} {
  func.func private @other()

  // CHECK-LABEL: func.func @calls(
  // CHECK-NOT: mli.parallel
  // WHY: remark: transfers do not overlap, as it calls functions, which plan local memory for themselves
  func.func @calls(%in: !map, %next: !map, %out: !map) {
    %a = mli.alloc : !local
    mli.mov ins(%in : !map) outs(%a : !local)
    %b = mli.alloc : !local
    mli.relu ins(%a : !local) outs(%b : !local) {relu = #mli.relu<gen>}
    %c = mli.alloc : !local
    mli.mov ins(%next : !map) outs(%c : !local)
    %d = mli.alloc : !local
    mli.eltwise_add ins(%b, %c : !local, !local) outs(%d : !local)
    mli.mov ins(%d : !local) outs(%out : !map)
    func.call @other() : () -> ()
    return
  }
}

// -----

!map = memref<4x4x8x!mli.fx8<5>>
!local = memref<4x4x8x!mli.fx8<5>, #mli.space<local>>

// Two of these fit, and no third one.
// Z14
module attributes {mli.target = #mli.target<vpx, npu_bytes = 256>} {
  // CHECK-LABEL: func.func @full(
  // CHECK-NOT: mli.parallel
  // WHY: remark: exposed transfer: 128 bytes, as its overlap would take 384 bytes of each NPU, of 256
  func.func @full(%in: !map, %next: !map, %out: !map) {
    %a = mli.alloc : !local
    mli.mov ins(%in : !map) outs(%a : !local)
    %b = mli.alloc : !local
    mli.maxpool ins(%a : !local) outs(%b : !local) kernel [3, 3] pad [1, 1, 1, 1]
    %c = mli.alloc : !local
    mli.mov ins(%next : !map) outs(%c : !local)
    %d = mli.alloc : !local
    mli.eltwise_add ins(%b, %c : !local, !local) outs(%d : !local)
    mli.mov ins(%d : !local) outs(%out : !map)
    return
  }
}
