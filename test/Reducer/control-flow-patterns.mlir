// RUN: mli-reduce %s --mli-reduce-by-patterns='test=%S/Inputs/has test-arg=mli.relu enable-patterns=RunLoopOnce,TakeBranch,RunInOrder' | FileCheck %s --check-prefix=BODY
// RUN: mli-reduce %s --mli-reduce-by-patterns='test=%S/Inputs/has test-arg=func enable-patterns=SkipLoop' | FileCheck %s --check-prefix=SKIP
// RUN: mli-reduce %s --mli-reduce-by-patterns='test=%S/Inputs/has test-arg=scf.for,relu6,mli.parallel enable-patterns=RunLoopOnce,SkipLoop,TakeBranch,RunInOrder' | FileCheck %s --check-prefix=KEPT

!map = tensor<4x4x8x!mli.sa8<1:4:0>>
!buffer = memref<4x4x8x!mli.sa8<1:4:0>>
// BODY-LABEL: func.func @loop
// BODY-NOT: scf.for
// BODY: %[[INIT:.*]] = tensor.empty
// BODY: mli.relu {{.*}} outs(%[[INIT]] {{.*}} {relu = #mli.relu<gen>}
// SKIP-LABEL: func.func @loop
// SKIP-NEXT: %[[INIT:.*]] = tensor.empty
// SKIP-NEXT: return %[[INIT]]
// KEPT-LABEL: func.func @loop
// KEPT: scf.for
func.func @loop(%map: !map, %n: index) -> !map {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = tensor.empty() : !map
  %1 = scf.for %i = %c0 to %n step %c1 iter_args(%init = %0) -> !map {
    %2 = mli.relu ins(%map : !map) outs(%init : !map) {relu = #mli.relu<gen>} -> !map
    scf.yield %2 : !map
  }
  return %1 : !map
}

// The side that the script asks for is taken, of one that has no results as well.
// BODY-LABEL: func.func @branch
// BODY-NOT: scf.if
// KEPT-LABEL: func.func @branch
// KEPT-NOT: scf.if
// KEPT: mli.relu {{.*}} {relu = #mli.relu<relu6>}
func.func @branch(%map: !map, %init: !map, %condition: i1) -> !map {
  %0 = scf.if %condition -> !map {
    %1 = mli.relu ins(%map : !map) outs(%init : !map) {relu = #mli.relu<gen>} -> !map
    scf.yield %1 : !map
  } else {
    %1 = mli.relu ins(%map : !map) outs(%init : !map) {relu = #mli.relu<relu6>} -> !map
    scf.yield %1 : !map
  }
  scf.if %condition {
  }
  return %0 : !map
}

// BODY-LABEL: func.func @engines
// BODY-NEXT: mli.relu
// BODY-NEXT: mli.mov
// BODY-NEXT: return
// KEPT-LABEL: func.func @engines
// KEPT: mli.parallel
func.func @engines(%a: !buffer, %b: !buffer, %c: !buffer, %d: !buffer) {
  mli.parallel {
    mli.relu ins(%a : !buffer) outs(%b : !buffer) {relu = #mli.relu<gen>}
    mli.mov ins(%c : !buffer) outs(%d : !buffer)
  }
  return
}
