// Offsets of blocks that are in their buffers whatever the loops and branches
// around do have no check. All others do.
// RUN: mli-opt %s --mli-convert-scf-to-cf --convert-mli-to-llvm | FileCheck %s

!map = memref<16x4x!mli.fx8<3>>
!rows = memref<2x4x!mli.fx8<3>>
!view = memref<2x4x!mli.fx8<3>, strided<[4, 1], offset: ?>>

// CHECK-LABEL: llvm.func @rows_of_loop
// CHECK-NOT: mli_report_mismatch
// CHECK: llvm.return
func.func @rows_of_loop(%map: !map, %to: !rows) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c15 = arith.constant 15 : index
  scf.for %i = %c0 to %c15 step %c2 {
    %rows = mli.subtensor %map[%i, 0] [2, 4] : !map to !view
    mli.mov ins(%rows : !view) outs(%to : !rows)
  }
  return
}

// CHECK-LABEL: llvm.func @one_row_too_many
// CHECK: llvm.call @mli_report_mismatch
func.func @one_row_too_many(%map: !map, %to: !rows) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c16 = arith.constant 16 : index
  scf.for %i = %c0 to %c16 step %c2 {
    %rows = mli.subtensor %map[%i, 0] [2, 4] : !map to !view
    mli.mov ins(%rows : !view) outs(%to : !rows)
  }
  return
}

// CHECK-LABEL: llvm.func @from_below_0
// CHECK: llvm.call @mli_report_mismatch
func.func @from_below_0(%map: !map, %to: !rows) {
  %c-1 = arith.constant -1 : index
  %c2 = arith.constant 2 : index
  %c15 = arith.constant 15 : index
  scf.for %i = %c-1 to %c15 step %c2 {
    %rows = mli.subtensor %map[%i, 0] [2, 4] : !map to !view
    mli.mov ins(%rows : !view) outs(%to : !rows)
  }
  return
}

// CHECK-LABEL: llvm.func @from_anywhere
// CHECK: llvm.call @mli_report_mismatch
func.func @from_anywhere(%map: !map, %to: !rows, %from: index) {
  %c2 = arith.constant 2 : index
  %c15 = arith.constant 15 : index
  scf.for %i = %from to %c15 step %c2 {
    %rows = mli.subtensor %map[%i, 0] [2, 4] : !map to !view
    mli.mov ins(%rows : !view) outs(%to : !rows)
  }
  return
}

// Two rows later than those of the loop, from its fourth iteration on.
// CHECK-LABEL: llvm.func @late_rows
// CHECK-NOT: mli_report_mismatch
// CHECK: llvm.return
func.func @late_rows(%map: !map, %to: !rows) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c11 = arith.constant 11 : index
  %c-6 = arith.constant -6 : index
  scf.for %i = %c0 to %c11 step %c1 {
    %is_late = arith.cmpi sge, %i, %c3 : index
    scf.if %is_late {
      %twice = arith.muli %i, %c2 overflow<nsw> : index
      %at = arith.addi %twice, %c-6 : index
      %rows = mli.subtensor %map[%at, 0] [2, 4] : !map to !view
      mli.mov ins(%rows : !view) outs(%to : !rows)
    }
  }
  return
}

// CHECK-LABEL: llvm.func @other_branch
// CHECK: llvm.call @mli_report_mismatch
func.func @other_branch(%map: !map, %to: !rows) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c11 = arith.constant 11 : index
  %c-6 = arith.constant -6 : index
  scf.for %i = %c0 to %c11 step %c1 {
    %is_late = arith.cmpi sge, %i, %c3 : index
    scf.if %is_late {
    } else {
      %twice = arith.muli %i, %c2 overflow<nsw> : index
      %at = arith.addi %twice, %c-6 : index
      %rows = mli.subtensor %map[%at, 0] [2, 4] : !map to !view
      mli.mov ins(%rows : !view) outs(%to : !rows)
    }
  }
  return
}

// Neither condition alone is enough.
// CHECK-LABEL: llvm.func @both_conditions
// CHECK-NOT: mli_report_mismatch
// CHECK: llvm.return
func.func @both_conditions(%map: !map, %to: !rows) {
  %c-9 = arith.constant -9 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c14 = arith.constant 14 : index
  %c99 = arith.constant 99 : index
  scf.for %i = %c-9 to %c99 step %c1 {
    %starts = arith.cmpi sgt, %i, %c-9 : index
    %begins = arith.cmpi sge, %i, %c0 : index
    %ends = arith.cmpi sle, %i, %c14 : index
    %is_in = arith.andi %begins, %ends : i1
    scf.if %is_in {
      // The block after this condition has two others before it.
      scf.if %starts {
        mli.mov ins(%to : !rows) outs(%to : !rows)
      }
      %rows = mli.subtensor %map[%i, 0] [2, 4] : !map to !view
      mli.mov ins(%rows : !view) outs(%to : !rows)
    }
  }
  return
}

// CHECK-LABEL: llvm.func @neither_condition
// CHECK-NOT: mli_report_mismatch
// CHECK: llvm.return
func.func @neither_condition(%map: !map, %to: !rows) {
  %c-9 = arith.constant -9 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c14 = arith.constant 14 : index
  %c99 = arith.constant 99 : index
  scf.for %i = %c-9 to %c99 step %c1 {
    %begins = arith.cmpi slt, %i, %c0 : index
    %ends = arith.cmpi sgt, %i, %c14 : index
    %is_out = arith.ori %begins, %ends : i1
    scf.if %is_out {
    } else {
      %rows = mli.subtensor %map[%i, 0] [2, 4] : !map to !view
      mli.mov ins(%rows : !view) outs(%to : !rows)
    }
  }
  return
}

// Either of the conditions may hold.
// CHECK-LABEL: llvm.func @one_condition
// CHECK: llvm.call @mli_report_mismatch
func.func @one_condition(%map: !map, %to: !rows) {
  %c-9 = arith.constant -9 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c14 = arith.constant 14 : index
  %c99 = arith.constant 99 : index
  scf.for %i = %c-9 to %c99 step %c1 {
    %begins = arith.cmpi sge, %i, %c0 : index
    %ends = arith.cmpi sle, %i, %c14 : index
    %is_in = arith.ori %begins, %ends : i1
    scf.if %is_in {
      %rows = mli.subtensor %map[%i, 0] [2, 4] : !map to !view
      mli.mov ins(%rows : !view) outs(%to : !rows)
    }
  }
  return
}

// After a condition nothing is left of it.
// CHECK-LABEL: llvm.func @after_condition
// CHECK: llvm.call @mli_report_mismatch
func.func @after_condition(%map: !map, %to: !rows) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c14 = arith.constant 14 : index
  %c99 = arith.constant 99 : index
  scf.for %i = %c0 to %c99 step %c1 {
    %is_in = arith.cmpi sle, %i, %c14 : index
    scf.if %is_in {
      mli.mov ins(%to : !rows) outs(%to : !rows)
    }
    %rows = mli.subtensor %map[%i, 0] [2, 4] : !map to !view
    mli.mov ins(%rows : !view) outs(%to : !rows)
  }
  return
}

// Without an end, the sum overflows at some time.
// CHECK-LABEL: llvm.func @without_end
// CHECK: llvm.call @mli_report_mismatch
func.func @without_end(%map: !map, %to: !rows) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c14 = arith.constant 14 : index
  cf.br ^next(%c0 : index)
^next(%i: index):
  %is_in = arith.cmpi sle, %i, %c14 : index
  cf.cond_br %is_in, ^rows, ^step
^rows:
  %rows = mli.subtensor %map[%i, 0] [2, 4] : !map to !view
  mli.mov ins(%rows : !view) outs(%to : !rows)
  cf.br ^step
^step:
  %sum = arith.addi %i, %c1 : index
  cf.br ^next(%sum : index)
}

// CHECK-LABEL: llvm.func @downwards
// CHECK: llvm.call @mli_report_mismatch
func.func @downwards(%map: !map, %to: !rows) {
  %c-1 = arith.constant -1 : index
  %c14 = arith.constant 14 : index
  cf.br ^next(%c14 : index)
^next(%i: index):
  %is_in = arith.cmpi sle, %i, %c14 : index
  cf.cond_br %is_in, ^rows, ^end
^rows:
  %rows = mli.subtensor %map[%i, 0] [2, 4] : !map to !view
  mli.mov ins(%rows : !view) outs(%to : !rows)
  %sum = arith.addi %i, %c-1 : index
  cf.br ^next(%sum : index)
^end:
  return
}

// A branch whose blocks are one says nothing of its condition.
// CHECK-LABEL: llvm.func @same_blocks
// CHECK: llvm.call @mli_report_mismatch
func.func @same_blocks(%map: !map, %to: !rows) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c14 = arith.constant 14 : index
  %c99 = arith.constant 99 : index
  scf.for %i = %c0 to %c99 step %c1 {
    scf.execute_region {
      %is_in = arith.cmpi sle, %i, %c14 : index
      cf.cond_br %is_in, ^rows, ^rows
    ^rows:
      %rows = mli.subtensor %map[%i, 0] [2, 4] : !map to !view
      mli.mov ins(%rows : !view) outs(%to : !rows)
      scf.yield
    }
  }
  return
}
