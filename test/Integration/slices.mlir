// Slices that kernels and moves take as they lie, and those that a program finds
// to be outside when it runs.

// RUN: rm -rf %t && mkdir %t
// RUN: %python %S/Inputs/make-npy.py %t/in.npy i1 4x1x6 1..24

// The only row of a row: the strides of the first two dimensions are never
// taken.
// RUN: mli-run %s --entry unit_dims --input %t/in.npy | FileCheck %s --check-prefix=UNITS
// UNITS: codes: 1
!rows = tensor<4x1x6x!mli.sa8<1:0:0>>
!row = tensor<1x1x2x!mli.sa8<1:0:0>>
!position = tensor<1x1x!mli.sa32<1:0:0>>
func.func @unit_dims(%rows: !rows) -> !position {
  %row = tensor.extract_slice %rows[3, 0, 2] [1, 1, 2] [1, 1, 1] : !rows to !row
  %init = tensor.empty() : !position
  %position = mli.argmax ins(%row : !row) outs(%init : !position)
                {axis = 1 : i32} -> !position
  return %position : !position
}

// RUN: %python %S/Inputs/make-npy.py %t/a.npy i1 2x2 1..4
// RUN: %python %S/Inputs/make-npy.py %t/b.npy i1 2x3 11..16
// RUN: mli-run %s --entry last_column --input %t/a.npy --input %t/b.npy | FileCheck %s --check-prefix=STEPS
// STEPS: codes: 1 12 2 3 15 4
func.func @last_column(%a: tensor<2x2x!mli.fx8<3>>,
                       %b: tensor<2x3x!mli.fx8<3>>)
    -> tensor<2x3x!mli.fx8<3>> {
  %0 = tensor.insert_slice %a into %b[0, 0] [2, 2] [1, 2]
    : tensor<2x2x!mli.fx8<3>> into tensor<2x3x!mli.fx8<3>>
  return %0 : tensor<2x3x!mli.fx8<3>>
}

// RUN: not mli-run %s --entry beyond --input %t/in.npy 2>&1 | FileCheck %s --check-prefix=BEYOND
// BEYOND: error: mli.subtensor at loc("{{.*}}slices.mlir":[[#@LINE+4]]:{{.*}}): MLI_STATUS_BAD_FUNC_CFG: expected size of dimension 0 to be at most 1, but got 2
// BEYOND-NOT: error
func.func private @two_rows(%rows: !rows, %at: index)
    -> tensor<2x1x6x!mli.sa8<1:0:0>> {
  %two = mli.subtensor %rows[%at, 0, 0] [2, 1, 6]
           : !rows to tensor<2x1x6x!mli.sa8<1:0:0>>
  %init = tensor.empty() : tensor<2x1x6x!mli.sa8<1:0:0>>
  %result = mli.relu ins(%two : tensor<2x1x6x!mli.sa8<1:0:0>>)
              outs(%init : tensor<2x1x6x!mli.sa8<1:0:0>>)
              {relu = #mli.relu<gen>} -> tensor<2x1x6x!mli.sa8<1:0:0>>
  return %result : tensor<2x1x6x!mli.sa8<1:0:0>>
}
func.func @beyond(%rows: !rows) -> tensor<2x1x6x!mli.sa8<1:0:0>> {
  %c3 = arith.constant 3 : index
  %result = call @two_rows(%rows, %c3)
    : (!rows, index) -> tensor<2x1x6x!mli.sa8<1:0:0>>
  return %result : tensor<2x1x6x!mli.sa8<1:0:0>>
}

// The offset is beyond already: what is left after it is not told.
// RUN: not mli-run %s --entry far_beyond --input %t/in.npy 2>&1 | FileCheck %s --check-prefix=FAR
// FAR: error: mli.subtensor at loc("{{.*}}slices.mlir":{{.*}}): MLI_STATUS_BAD_FUNC_CFG: expected offset of dimension 0 to be at least 0 and less than 4, but got 9
// FAR-NOT: error
func.func @far_beyond(%rows: !rows) -> tensor<2x1x6x!mli.sa8<1:0:0>> {
  %c9 = arith.constant 9 : index
  %result = call @two_rows(%rows, %c9)
    : (!rows, index) -> tensor<2x1x6x!mli.sa8<1:0:0>>
  return %result : tensor<2x1x6x!mli.sa8<1:0:0>>
}
