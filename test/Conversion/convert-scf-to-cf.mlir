// Loops and conditions become branches, the last of them first.
// RUN: mli-opt %s --mli-convert-scf-to-cf > %t.ours
// RUN: FileCheck %s < %t.ours
// RUN: mli-opt %s --convert-scf-to-cf > %t.upstream
// RUN: cmp %t.ours %t.upstream

// A loop in a loop, and one behind them.
// CHECK-LABEL: func @loops
// CHECK-NOT: scf
// CHECK-COUNT-3: cf.cond_br
// CHECK-NOT: cf.cond_br
// CHECK: return
func.func @loops(%n: index, %m: memref<?xindex>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.for %i = %zero to %n step %one {
    scf.for %j = %zero to %i step %one {
      memref.store %j, %m[%i] : memref<?xindex>
    }
  }
  scf.for %i = %zero to %n step %one {
    memref.store %zero, %m[%i] : memref<?xindex>
  }
  return
}

// Some become loops first.
// CHECK-LABEL: func @all_kinds
// CHECK-NOT: scf
func.func @all_kinds(%c: i1, %n: index, %m: memref<?xindex>) -> index {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r = scf.if %c -> index {
    scf.yield %n : index
  } else {
    scf.yield %zero : index
  }
  scf.parallel (%i, %j) = (%zero, %zero) to (%n, %n) step (%one, %one) {
    memref.store %j, %m[%i] : memref<?xindex>
    scf.reduce
  }
  scf.forall (%i) in (%n) {
    memref.store %zero, %m[%i] : memref<?xindex>
  }
  %w = scf.while (%x = %r) : (index) -> index {
    %go = arith.cmpi ult, %x, %n : index
    scf.condition(%go) %x : index
  } do {
  ^bb0(%x: index):
    %y = arith.addi %x, %one : index
    scf.yield %y : index
  }
  %s = scf.index_switch %w -> index
  case 2 {
    scf.yield %one : index
  }
  default {
    scf.yield %w : index
  }
  %e = scf.execute_region -> index {
    cf.cond_br %c, ^bb1, ^bb2
  ^bb1:
    scf.yield %s : index
  ^bb2:
    scf.yield %w : index
  }
  return %e : index
}

// A condition of `scf.while` may hold others, and another loop.
// CHECK-LABEL: func @while_with_regions
// CHECK-NOT: scf.
// CHECK: return
func.func @while_with_regions(%c: i1, %n: index, %m: memref<?xindex>) -> index {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %w = scf.while (%x = %zero) : (index) -> index {
    scf.if %c {
      memref.store %x, %m[%x] : memref<?xindex>
    }
    %v = scf.while (%y = %x) : (index) -> index {
      %last = scf.for %i = %zero to %n step %one iter_args(%z = %y) -> index {
        %next = arith.addi %z, %i : index
        scf.yield %next : index
      }
      %less = arith.cmpi ult, %last, %n : index
      scf.condition(%less) %last : index
    } do {
    ^bb0(%y: index):
      scf.if %c {
        memref.store %y, %m[%x] : memref<?xindex>
      }
      scf.yield %y : index
    }
    %go = arith.cmpi ult, %v, %n : index
    scf.condition(%go) %v : index
  } do {
  ^bb0(%x: index):
    %y = arith.addi %x, %one : index
    scf.yield %y : index
  }
  return %w : index
}

// Nothing is to be done.
// CHECK-LABEL: func @none
// CHECK-NEXT: return
func.func @none() {
  return
}
