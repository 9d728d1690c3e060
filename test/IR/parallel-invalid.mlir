// RUN: mli-opt %s --split-input-file --verify-diagnostics

!map = memref<4x4x8x!mli.fx8<5>>

// V14
func.func @allocates() {
  // expected-error@+1 {{'mli.parallel' op expected moves and kernels on buffers inside, but got memref.alloc}}
  mli.parallel {
    %a = memref.alloc() : !map
  }
  return
}

// -----

!tensor = tensor<4x4x8x!mli.fx8<5>>

// V14
func.func @tensors(%a: !tensor, %b: !tensor) {
  // expected-error@+1 {{'mli.parallel' op expected moves and kernels on buffers inside, but got mli.relu}}
  mli.parallel {
    %c = mli.relu ins(%a : !tensor) outs(%b : !tensor) {relu = #mli.relu<gen>} -> !tensor
  }
  return
}

// -----

!map = memref<4x4x8x!mli.fx8<5>>

// V15
func.func @moved_while_it_is_computed(%a: !map, %b: !map, %c: !map) {
  mli.parallel {
    mli.relu ins(%a : !map) outs(%b : !map) {relu = #mli.relu<gen>}
    // expected-error@+1 {{'mli.mov' op expected operand 0 to be a buffer that no kernel of 'mli.parallel' writes, but got one that is written}}
    mli.mov ins(%b : !map) outs(%c : !map)
  }
  return
}

// -----

!map = memref<4x4x8x!mli.fx8<5>>
!rows = memref<2x4x8x!mli.fx8<5>, strided<[32, 8, 1]>>

// Views are of the buffer.
// V15
func.func @computed_from_what_is_moved(%a: !map, %b: !map, %c: !rows) {
  %rows = mli.subtensor %a[0, 0, 0] [2, 4, 8] : !map to !rows
  mli.parallel {
    // expected-error@+1 {{'mli.relu' op expected operand 0 to be a buffer that no move of 'mli.parallel' writes, but got one that is written}}
    mli.relu ins(%a : !map) outs(%b : !map) {relu = #mli.relu<gen>}
    mli.mov ins(%c : !rows) outs(%rows : !rows)
  }
  return
}

// -----

!map = memref<4x4x8x!mli.fx8<5>>
!local = memref<4x4x8x!mli.fx8<5>, #mli.space<local>>

// In conditions as well.
// V15
func.func @moved_in_a_condition(%a: !map, %b: !local, %c: !local, %is: i1) {
  mli.parallel {
    scf.if %is {
      mli.mov ins(%a : !map) outs(%c : !local)
    }
    // expected-error@+1 {{'mli.relu' op expected operand 1 to be a buffer that no move of 'mli.parallel' writes, but got one that is written}}
    mli.relu ins(%b : !local) outs(%c : !local) {relu = #mli.relu<gen>}
  }
  return
}

// -----

!map = memref<4x4x8x!mli.fx8<5>>
!local = memref<4x4x8x!mli.fx8<5>, #mli.space<local>>

// V16
func.func @moved_from_inside(%a: !map) {
  mli.parallel {
    %b = mli.alloc : !local
    // expected-error@+1 {{'mli.mov' op expected operand 1 to be a buffer from outside of 'mli.parallel', but got one from inside}}
    mli.mov ins(%a : !map) outs(%b : !local)
  }
  return
}

// -----

!map = memref<4x4x8x!mli.fx8<5>>

func.func @loop_with_results(%a: index, %b: index, %c: index) {
  // expected-error@+1 {{'mli.parallel' op expected moves and kernels on buffers inside, but got scf.for}}
  mli.parallel {
    %d = scf.for %i = %a to %b step %c iter_args(%e = %a) -> index {
      scf.yield %e : index
    }
  }
  return
}

// -----

func.func @alone() {
  // expected-error@+1 {{'mli.parallel_end' op expects parent op 'mli.parallel'}}
  "mli.parallel_end"() : () -> ()
}
