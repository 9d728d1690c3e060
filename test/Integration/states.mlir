// State that goes from one run to the next, and codes that callers hold as
// unsigned: a running sum.

// RUN: rm -rf %t && mkdir %t
// RUN: %python %S/Inputs/make-npy.py %t/in.npy u1 3x2 129 128 130 127 131 128
// RUN: %python %S/Inputs/make-npy.py %t/sums.npy u1 3x2 129 128 131 127 134 127
// RUN: mli-run %s --entry=sum --input %t/in.npy --compare %t/sums.npy \
// RUN:   | FileCheck %s --check-prefix=SUMS
// SUMS: output 0: 0 of 6 elements differ from '{{.*}}sums.npy', max |d| 0

// What is printed is the last step, in the function's own codes.
// RUN: mli-run %s --entry=sum --input %t/in.npy | FileCheck %s --check-prefix=LAST
// LAST:      output 0: tensor<2x!mli.sa8<1:0:0>>
// LAST-NEXT:   codes: 6 -1

// One run, each time from zeros.
// RUN: %python %S/Inputs/make-npy.py %t/one.npy u1 2 130 120
// RUN: mli-run %s --entry=sum --input %t/one.npy --repeat 3 --output-dir %t/out
// RUN: cmp %t/one.npy %t/out/output_0.npy

// Times are those of the first step: one sum, of which a state is moved.
// RUN: mli-run %s --entry=sum --input %t/in.npy --compare %t/sums.npy --benchmark 1 --per-layer=%t/layers.csv --profile %t/trace.json
// RUN: %python %S/Inputs/read-layers.py %t/layers.csv | FileCheck %s --check-prefix=LAYERS
// LAYERS: {{^}}states.mlir:{{[0-9:]+}} | eltwise_add | mli_krn_eltwise_add_sa8 | 2 | 1 | 2 | 6{{$}}
// RUN: %python %S/Inputs/read-trace.py %t/trace.json | FileCheck %s --check-prefix=TRACE
// TRACE: 1 x kernel mli_krn_eltwise_add_sa8

// Errors.
// RUN: %python %S/Inputs/make-npy.py %t/signed.npy i1 2 1 2
// RUN: not mli-run %s --entry=sum --input %t/signed.npy 2>&1 \
// RUN:   | FileCheck %s --check-prefix=SIGNED
// SIGNED: error: expected input 0 to have elements of type uint8, but got int8 in '{{.*}}signed.npy'
// RUN: %python %S/Inputs/make-npy.py %t/wide.npy u1 3x3 0
// RUN: not mli-run %s --entry=sum --input %t/wide.npy 2>&1 \
// RUN:   | FileCheck %s --check-prefix=WIDE
// WIDE: error: expected input 0 to have shape [3, 2], but got [3, 3] in '{{.*}}wide.npy'
// RUN: not mli-run %s --entry=sum 2>&1 | FileCheck %s --check-prefix=ABSENT
// ABSENT: error: expected '--input' for input 0 'in' of shape [2] and type uint8, but got none
// RUN: %python %S/Inputs/make-npy.py %t/two.npy i1 2x2 1
// RUN: %python %S/Inputs/make-npy.py %t/three.npy i1 3x2 1
// RUN: not mli-run %s --entry=sum_of_two --input %t/two.npy --input %t/three.npy 2>&1 \
// RUN:   | FileCheck %s --check-prefix=STEPS
// STEPS: error: expected input 1 to have 2 steps, as those before it, but got 3
// RUN: not mli-run %s --entry=sum_of_two --input %t/two.npy --input %t/signed.npy 2>&1 \
// RUN:   | FileCheck %s --check-prefix=SINGLE
// SINGLE: error: expected all inputs to have steps, but got one without
// RUN: not mli-run %s --entry=in_front --input %t/signed.npy 2>&1 \
// RUN:   | FileCheck %s --check-prefix=FRONT
// FRONT: error: expected the last arguments of 'in_front' to be its state, but got argument 1 after it
// RUN: not mli-run %s --entry=not_given --input %t/signed.npy 2>&1 \
// RUN:   | FileCheck %s --check-prefix=GIVEN
// GIVEN: error: expected at least 2 results of 'not_given', one for each of its states, but got 1
// RUN: not mli-run %s --entry=other --input %t/signed.npy 2>&1 \
// RUN:   | FileCheck %s --check-prefix=OTHER
// OTHER: error: expected result 0 of 'other' to be 'tensor<2x!mli.sa8<1:0:0>>', as the state is, but got 'tensor<1x2x!mli.sa8<1:0:0>>'

!row = tensor<2x!mli.sa8<1:0:0>>
!rows = tensor<1x2x!mli.sa8<1:0:0>>

func.func @sum(%in: !row {mli.unsigned}, %old: !row {mli.state})
    -> (!row {mli.unsigned}, !row) {
  %init = tensor.empty() : !row
  %new = mli.eltwise_add ins(%in, %old : !row, !row) outs(%init : !row) -> !row
  return %new, %new : !row, !row
}

func.func @sum_of_two(%a: !row, %b: !row, %old: !row {mli.state})
    -> (!row, !row) {
  %init = tensor.empty() : !row
  %sum = mli.eltwise_add ins(%a, %b : !row, !row) outs(%init : !row) -> !row
  %other = tensor.empty() : !row
  %new = mli.eltwise_add ins(%sum, %old : !row, !row) outs(%other : !row) -> !row
  return %new, %new : !row, !row
}

func.func @in_front(%old: !row {mli.state}, %in: !row) -> (!row, !row) {
  return %in, %old : !row, !row
}

func.func @not_given(%a: !row {mli.state}, %b: !row {mli.state}) -> !row {
  return %a : !row
}

func.func @other(%old: !row {mli.state}) -> !rows {
  %new = mli.reshape %old : !row to !rows
  return %new : !rows
}
