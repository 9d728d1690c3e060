// What is inserted with a step is computed elsewhere because of the step.
// RUN: mli-opt %s --mli-legalize-subtensors --mli-bufferize=explain 2>&1 | FileCheck %s

!row = tensor<6x!mli.fx8<3>>
!half = tensor<3x!mli.fx8<3>>

// CHECK: remark: expected step of dimension 0 to be 1, but got 2; this copies 3 bytes, a view of [5] from [1] would copy none
// CHECK: mli.mov {{.*}} {reason = #mli.copy_reason<strided_step>}
func.func @step(%half: !half, %row: !row) -> !row {
  %empty = tensor.empty() : !row
  %0 = mli.relu ins(%row : !row) outs(%empty : !row) {relu = #mli.relu<gen>}
    -> !row
  %empty_half = tensor.empty() : !half
  %1 = mli.relu ins(%half : !half) outs(%empty_half : !half)
    {relu = #mli.relu<gen>} -> !half
  %2 = tensor.insert_slice %1 into %0[1] [3] [2] : !half into !row
  return %2 : !row
}

// Rows that are written with a step end with their last element: nothing is
// behind it.
// CHECK-LABEL: func.func @last_column
// CHECK: %[[VIEW:.*]] = memref.subview %{{.*}}[0, 0] [2, 2] [1, 2] : memref<2x3x!mli.fx8<3>> to memref<2x2x!mli.fx8<3>, strided<[3, 2]>>
// CHECK: mli.mov ins(%{{.*}} : memref<2x2x!mli.fx8<3>>) outs(%[[VIEW]] : memref<2x2x!mli.fx8<3>, strided<[3, 2]>>) {reason = #mli.copy_reason<strided_step>}
func.func @last_column(%a: tensor<2x2x!mli.fx8<3>>,
                       %b: tensor<2x3x!mli.fx8<3>>)
    -> tensor<2x3x!mli.fx8<3>> {
  %0 = tensor.insert_slice %a into %b[0, 0] [2, 2] [1, 2]
    : tensor<2x2x!mli.fx8<3>> into tensor<2x3x!mli.fx8<3>>
  return %0 : tensor<2x3x!mli.fx8<3>>
}

// A step over one index is never taken.
// CHECK-LABEL: func.func @step_over_one
// CHECK: %[[PLACE:.*]] = memref.subview %{{.*}}[2, 2] [1, 1] [1, 1] : memref<5x4x!mli.fx8<3>> to memref<1x!mli.fx8<3>, strided<[4], offset: 10>>
// CHECK: mli.mov ins(%{{.*}}) outs(%[[PLACE]] : {{.*}}) {reason = #mli.copy_reason<placed_elsewhere>}
func.func @step_over_one(%a: tensor<1x!mli.fx8<3>>, %b: tensor<5x4x!mli.fx8<3>>)
    -> tensor<5x4x!mli.fx8<3>> {
  %0 = tensor.insert_slice %a into %b[2, 2] [1, 1] [3, 2]
    : tensor<1x!mli.fx8<3>> into tensor<5x4x!mli.fx8<3>>
  return %0 : tensor<5x4x!mli.fx8<3>>
}
