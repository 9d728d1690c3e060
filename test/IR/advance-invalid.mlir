// RUN: mli-opt %s --split-input-file --verify-diagnostics

func.func @open_size(%ring: tensor<3x?x!mli.fx8<7>>) {
  // D22
  // expected-error @below {{expected 'init' to have a static shape, but got [3, ?]}}
  %result = mli.advance outs(%ring : tensor<3x?x!mli.fx8<7>>) {rows = 1}
    -> tensor<3x?x!mli.fx8<7>>
  return
}

// -----

func.func @no_dimension(%ring: memref<3x4x!mli.fx8<7>>) {
  // D23
  // expected-error @below {{expected 'dim' to be a dimension of 'init' [3, 4], but got 2}}
  mli.advance outs(%ring : memref<3x4x!mli.fx8<7>>) {rows = 1, dim = 2}
  return
}

// -----

func.func @negative_dimension(%ring: memref<3x4x!mli.fx8<7>>) {
  // D23
  // expected-error @below {{expected 'dim' to be a dimension of 'init' [3, 4], but got -1}}
  mli.advance outs(%ring : memref<3x4x!mli.fx8<7>>) {rows = 1, dim = -1}
  return
}

// -----

func.func @scalar(%ring: memref<!mli.fx8<7>>) {
  // D23
  // expected-error @below {{expected 'dim' to be a dimension of 'init' [], but got 0}}
  mli.advance outs(%ring : memref<!mli.fx8<7>>) {rows = 1}
  return
}

// -----

func.func @no_rows(%ring: memref<3x4x!mli.fx8<7>>) {
  // D24
  // expected-error @below {{expected 'rows' to be at least 1 and less than the 3 of dimension 0 of 'init', but got 0}}
  mli.advance outs(%ring : memref<3x4x!mli.fx8<7>>) {rows = 0}
  return
}

// -----

func.func @all_rows(%ring: memref<3x4x!mli.fx8<7>>) {
  // D24
  // expected-error @below {{expected 'rows' to be at least 1 and less than the 4 of dimension 1 of 'init', but got 4}}
  mli.advance outs(%ring : memref<3x4x!mli.fx8<7>>) {rows = 4, dim = 1}
  return
}

// -----

!axis = tensor<3x2x!mli.sa8<axis = 0, {5:3:0, 7:3:0, 9:3:0}>>
func.func @rows_of_their_own(%ring: !axis) {
  // D25
  // expected-error @below {{expected rows with the same parameters, but got quantised axis 0 of 'init'}}
  %result = mli.advance outs(%ring : !axis) {rows = 1} -> !axis
  return
}
