// Positions and orders of elements, blocks of them, and questions about them.

// RUN: mli-run %s | FileCheck %s

// The last of equal elements comes first, then the order is the heap's.
// CHECK:      output 0: tensor<1x1x!mli.sa32<1:0:0>>
// CHECK-NEXT:   codes: 3
// CHECK:      output 1:
// CHECK-NEXT:   codes: 1 0 3
// A slice for each column of a block, over its rows; positions count in the
// whole block.
// CHECK:      output 2:
// CHECK-NEXT:   codes: 6 1 5
// Columns 1 and 2 with their parameters, then transposed.
// CHECK:      output 3: tensor<2x3x!mli.sa8<axis = 0, {7:3:0, 9:3:0}>>
// CHECK-NEXT:   codes: 1 5 9 2 6 10
// CHECK-NEXT:   values: 0.875 4.375 7.875 2.25 6.75 11.25
// A row that the program computes: 4 - 3 + 1.
// CHECK:      output 4:
// CHECK-NEXT:   codes: 8 9 10 11

!row = tensor<5x!mli.sa8<1:0:0>>
!matrix = tensor<3x4x!mli.sa8<axis = 1, {5:3:0, 7:3:0, 9:3:0, 2:3:0}>>
!columns = tensor<3x2x!mli.sa8<axis = 1, {7:3:0, 9:3:0}>>
!rows = tensor<2x3x!mli.sa8<axis = 0, {7:3:0, 9:3:0}>>
!map = tensor<3x4x!mli.sa8<1:0:0>>
!block = tensor<3x3x!mli.sa8<1:0:0>>
!line = tensor<4x!mli.sa8<1:0:0>>
!one = tensor<1x1x!mli.sa32<1:0:0>>
!three = tensor<1x3x!mli.sa32<1:0:0>>
!each = tensor<3x1x!mli.sa32<1:0:0>>

func.func @main() -> (!one, !three, !each, !rows, !line) {
  %row = mli.constant dense<[7, 7, 3, 7, 1]> : tensor<5xi8> to !row
  %one = tensor.empty() : !one
  %top1 = mli.argmax ins(%row : !row) outs(%one : !one) -> !one
  %three = tensor.empty() : !three
  %top3 = mli.argmax ins(%row : !row) outs(%three : !three) {topk = 3 : i32}
    -> !three

  // A block with gaps is copied, as positions are offsets in memory.
  %map = mli.constant dense<[[0, 1, 19, 3], [4, 0, 0, 18], [8, 9, 10, 11]]>
    : tensor<3x4xi8> to !map
  %block = mli.subtensor %map[0, 1] [3, 3] : !map to !block
  %each = tensor.empty() : !each
  %tops = mli.argmax ins(%block : !block) outs(%each : !each) {axis = 1 : i32}
    -> !each

  %matrix = mli.constant dense<[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]>
    : tensor<3x4xi8> to !matrix
  %columns = mli.subtensor %matrix[0, 1] [3, 2] : !matrix to !columns
  %rows = tensor.empty() : !rows
  %transposed = mli.permute ins(%columns : !columns) outs(%rows : !rows)
    permutation [1, 0] -> !rows

  %c1 = arith.constant 1 : index
  %length = mli.elem_count %map {dim = 1 : i32} : !map
  %size = mli.element_size %map : !map
  %scale = mli.scale_shift %matrix[%c1] : !matrix
  %shift = arith.index_cast %scale : i32 to index
  %less = arith.subi %length, %shift : index
  %at = arith.addi %less, %size : index
  %line = mli.subtensor %map[%at, 0] [1, 4] : !map to !line
  %init = tensor.empty() : !line
  %result = mli.relu ins(%line : !line) outs(%init : !line)
    {relu = #mli.relu<gen>} -> !line
  return %top1, %top3, %tops, %transposed, %result
    : !one, !three, !each, !rows, !line
}
