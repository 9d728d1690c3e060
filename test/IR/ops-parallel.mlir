// RUN: mli-opt %s --verify-roundtrip | FileCheck %s

!map = memref<4x4x8x!mli.fx8<5>>
!rows = memref<2x4x8x!mli.fx8<5>, strided<[32, 8, 1]>>

// CHECK-LABEL: func @both_engines(
// CHECK-NEXT: mli.parallel {
// CHECK-NEXT: mli.mov ins(%arg3 : {{.*}}) outs(%arg4 : {{.*}})
// CHECK-NEXT: mli.relu ins(%arg0 : {{.*}}) outs(%arg1 : {{.*}})
// CHECK-NEXT: mli.mov ins(%arg0 : {{.*}}) outs(%arg2 : {{.*}})
// CHECK-NEXT: } {label}
// CHECK-NEXT: return
func.func @both_engines(%a: !map, %b: !map, %c: !map, %d: !map, %e: !map) {
  mli.parallel {
    mli.mov ins(%d : !map) outs(%e : !map)
    mli.relu ins(%a : !map) outs(%b : !map) {relu = #mli.relu<gen>}
    mli.mov ins(%a : !map) outs(%c : !map)
  } {label}
  return
}

// One engine runs one operation after the other.
// V15
// CHECK-LABEL: func @in_order(
// CHECK: mli.parallel
func.func @in_order(%a: !map, %b: !map, %c: !map) {
  mli.parallel {
    mli.relu ins(%a : !map) outs(%b : !map) {relu = #mli.relu<gen>}
    mli.relu ins(%b : !map) outs(%c : !map) {relu = #mli.relu<gen>}
  }
  return
}

!local = memref<4x4x8x!mli.fx8<5>, #mli.space<local>>

// Loops and conditions are of both engines, memory from inside is of kernels.
// V14
// CHECK-LABEL: func @in_conditions(
// CHECK: mli.parallel {
// CHECK-NEXT: scf.if
// CHECK-NEXT: mli.mov
// CHECK: scf.for
// CHECK: mli.alloc
// CHECK-NEXT: mli.relu
func.func @in_conditions(%a: !map, %b: !local, %c: !local, %d: !local,
                         %is: i1, %n: index, %one: index) {
  mli.parallel {
    scf.if %is {
      mli.mov ins(%a : !map) outs(%b : !local)
    }
    scf.for %i = %one to %n step %one {
      %e = mli.alloc : !local
      mli.relu ins(%c : !local) outs(%e : !local) {relu = #mli.relu<gen>}
      mli.relu ins(%e : !local) outs(%d : !local) {relu = #mli.relu<gen>}
    }
  }
  return
}

// CHECK-LABEL: func @nothing(
// CHECK-NEXT: mli.parallel {
// CHECK-NEXT: }
func.func @nothing() {
  mli.parallel {
    mli.parallel_end
  }
  return
}
