// RUN: mli-opt %s --mli-legalize-conversions --split-input-file --verify-diagnostics

// Scales so far apart that 32 bits do not hold both.
!rows = tensor<2x3x!mli.sa8<axis = 0, {32767:0:0, 32749:40:0}>>
!columns = tensor<2x3x!mli.sa8<axis = 1, {5:3:0, 7:3:0, 1:1:2}>>
func.func @no_type_holds_all(%x: !rows, %init: !columns) -> !columns {
  // expected-error @below {{expected quantised axis of 'init' to be that of 'input', 0, or a type that holds every code of 'input', but got 1 and none}}
  %0 = mli.convert ins(%x : !rows) outs(%init : !columns) -> !columns
  return %0 : !columns
}

// -----

// 32-bit codes: too many to prove it.
!rows = tensor<2x3x!mli.sa32<axis = 0, {1:0:0, 2:0:0}>>
!columns = tensor<2x3x!mli.sa8<axis = 1, {5:3:0, 7:3:0, 1:1:2}>>
func.func @too_many_codes(%x: !rows, %init: !columns) -> !columns {
  // expected-error @below {{expected quantised axis of 'init' to be that of 'input', 0, or a type that holds every code of 'input', but got 1 and none}}
  %0 = mli.convert ins(%x : !rows) outs(%init : !columns) -> !columns
  return %0 : !columns
}
