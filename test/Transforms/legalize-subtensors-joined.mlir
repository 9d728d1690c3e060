// Slices, concatenations and padding that meet.
// RUN: mli-opt %s --mli-legalize-subtensors | FileCheck %s

!map = tensor<4x8x!mli.fx8<3>>
!half = tensor<4x4x!mli.fx8<3>>

// CHECK-LABEL: func.func @slice_of_concat
// CHECK-SAME: %{{.*}}: tensor<{{.*}}>, %[[B:.*]]: tensor
// CHECK-NEXT: mli.subtensor %[[B]][0, 2] [4, 4] : tensor<4x8x!mli.fx8<3>> to tensor<4x4x!mli.fx8<3>>
// CHECK-NEXT: return
func.func @slice_of_concat(%a: !map, %b: !map) -> !half {
  %0 = tensor.concat dim(1) %a, %b : (!map, !map) -> tensor<4x16x!mli.fx8<3>>
  %1 = tensor.extract_slice %0[0, 10] [4, 4] [1, 1]
    : tensor<4x16x!mli.fx8<3>> to !half
  return %1 : !half
}

// CHECK-LABEL: func.func @slice_of_two_parts
// CHECK-SAME: %[[A:.*]]: tensor<4x8x{{.*}}>, %[[B:.*]]: tensor<4x8x
// CHECK-DAG: mli.subtensor %[[A]][0, 7] [4, 1]
// CHECK-DAG: mli.subtensor %[[B]][0, 0] [4, 3]
// CHECK-NOT: tensor<4x16x
func.func @slice_of_two_parts(%a: !map, %b: !map) -> !half {
  %0 = tensor.concat dim(1) %a, %b : (!map, !map) -> tensor<4x16x!mli.fx8<3>>
  %1 = tensor.extract_slice %0[0, 7] [4, 4] [1, 1]
    : tensor<4x16x!mli.fx8<3>> to !half
  return %1 : !half
}

// CHECK-LABEL: func.func @concat_of_adjoining_slices
// CHECK-NEXT: mli.subtensor %{{.*}}[0, 1] [4, 4] : {{.*}} to tensor<4x4x!mli.fx8<3>>
// CHECK-NEXT: return
func.func @concat_of_adjoining_slices(%a: !map) -> !half {
  %0 = tensor.extract_slice %a[0, 1] [4, 3] [1, 1]
    : !map to tensor<4x3x!mli.fx8<3>>
  %1 = tensor.extract_slice %a[0, 4] [4, 1] [1, 1]
    : !map to tensor<4x1x!mli.fx8<3>>
  %2 = tensor.concat dim(1) %0, %1
    : (tensor<4x3x!mli.fx8<3>>, tensor<4x1x!mli.fx8<3>>) -> !half
  return %2 : !half
}

// CHECK-LABEL: func.func @concat_of_slices_with_a_gap
// CHECK-COUNT-2: mli.mov {{.*}} {reason = #mli.copy_reason<placed_elsewhere>}
func.func @concat_of_slices_with_a_gap(%a: !map) -> !half {
  %0 = tensor.extract_slice %a[0, 1] [4, 3] [1, 1]
    : !map to tensor<4x3x!mli.fx8<3>>
  %1 = tensor.extract_slice %a[0, 5] [4, 1] [1, 1]
    : !map to tensor<4x1x!mli.fx8<3>>
  %2 = tensor.concat dim(1) %0, %1
    : (tensor<4x3x!mli.fx8<3>>, tensor<4x1x!mli.fx8<3>>) -> !half
  return %2 : !half
}

// CHECK-LABEL: func.func @slice_of_pad
// CHECK-NEXT: mli.subtensor %{{.*}}[1, 0] [2, 4] : tensor<4x8x!mli.fx8<3>> to tensor<2x4x!mli.fx8<3>>
// CHECK-NEXT: return
func.func @slice_of_pad(%a: !map) -> tensor<2x4x!mli.fx8<3>> {
  %zero = mli.constant dense<0> : tensor<i8> to tensor<!mli.fx8<3>>
  %code = tensor.extract %zero[] : tensor<!mli.fx8<3>>
  %0 = tensor.pad %a low[1, 2] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %code : !mli.fx8<3>
  } : !map to tensor<6x10x!mli.fx8<3>>
  %1 = tensor.extract_slice %0[2, 2] [2, 4] [1, 1]
    : tensor<6x10x!mli.fx8<3>> to tensor<2x4x!mli.fx8<3>>
  return %1 : tensor<2x4x!mli.fx8<3>>
}

// CHECK-LABEL: func.func @slice_of_padding
// CHECK: mli.mov {{.*}} {pad_high = array<i64: 1, 0>, pad_low = array<i64: 1, 2>, reason = #mli.copy_reason<padding>}
// CHECK: mli.subtensor %{{.*}}[2, 1] [2, 4]
func.func @slice_of_padding(%a: !map) -> tensor<2x4x!mli.fx8<3>> {
  %zero = mli.constant dense<0> : tensor<i8> to tensor<!mli.fx8<3>>
  %code = tensor.extract %zero[] : tensor<!mli.fx8<3>>
  %0 = tensor.pad %a low[1, 2] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %code : !mli.fx8<3>
  } : !map to tensor<6x10x!mli.fx8<3>>
  %1 = tensor.extract_slice %0[2, 1] [2, 4] [1, 1]
    : tensor<6x10x!mli.fx8<3>> to tensor<2x4x!mli.fx8<3>>
  return %1 : tensor<2x4x!mli.fx8<3>>
}

// CHECK-LABEL: func.func @concat_of_concat
// CHECK-COUNT-1: tensor.empty() : tensor<4x24x!mli.fx8<3>>
// CHECK-COUNT-3: mli.mov
// CHECK-NOT: mli.mov
func.func @concat_of_concat(%a: !map, %b: !map) -> tensor<4x24x!mli.fx8<3>> {
  %0 = tensor.concat dim(1) %a, %b : (!map, !map) -> tensor<4x16x!mli.fx8<3>>
  %1 = tensor.concat dim(1) %0, %a
    : (tensor<4x16x!mli.fx8<3>>, !map) -> tensor<4x24x!mli.fx8<3>>
  return %1 : tensor<4x24x!mli.fx8<3>>
}

// Nothing is added.
// CHECK-LABEL: func.func @no_padding
// CHECK-SAME: %[[A:.*]]: tensor
// CHECK-NOT: mli.mov
// CHECK: return %[[A]]
func.func @no_padding(%a: !map) -> !map {
  %zero = mli.constant dense<0> : tensor<i8> to tensor<!mli.fx8<3>>
  %code = tensor.extract %zero[] : tensor<!mli.fx8<3>>
  %0 = tensor.pad %a low[0, 0] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %code : !mli.fx8<3>
  } : !map to !map
  return %0 : !map
}

// CHECK-LABEL: func.func @one_part
// CHECK-SAME: %[[A:.*]]: tensor
// CHECK-NEXT: return %[[A]]
func.func @one_part(%a: !map) -> !map {
  %0 = tensor.concat dim(0) %a : (!map) -> !map
  return %0 : !map
}
