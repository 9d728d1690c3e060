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

// The whole is needed: it is computed in its place, and the slice a view of it.
// CHECK-LABEL: func.func @slice_of_concat_that_is_needed
// CHECK-NOT: mli.mov
// CHECK: %[[WHOLE:.*]] = tensor.insert_slice {{.*}}[4, 0] [4, 8] [1, 1]
// CHECK: mli.subtensor %[[WHOLE]][2, 0] [4, 8]
// CHECK-NOT: mli.mov
// CHECK: return
func.func @slice_of_concat_that_is_needed(%a: !map, %b: !map)
    -> (tensor<8x8x!mli.fx8<3>>, !map) {
  %empty = tensor.empty() : !map
  %0 = mli.relu ins(%a : !map) outs(%empty : !map) {relu = #mli.relu<gen>}
    -> !map
  %1 = mli.relu ins(%b : !map) outs(%empty : !map) {relu = #mli.relu<gen>}
    -> !map
  %2 = tensor.concat dim(0) %0, %1 : (!map, !map) -> tensor<8x8x!mli.fx8<3>>
  %empty2 = tensor.empty() : tensor<8x8x!mli.fx8<3>>
  %3 = mli.relu ins(%2 : tensor<8x8x!mli.fx8<3>>)
    outs(%empty2 : tensor<8x8x!mli.fx8<3>>) {relu = #mli.relu<relu6>}
    -> tensor<8x8x!mli.fx8<3>>
  %4 = tensor.extract_slice %2[2, 0] [4, 8] [1, 1]
    : tensor<8x8x!mli.fx8<3>> to !map
  %5 = mli.relu ins(%4 : !map) outs(%empty : !map) {relu = #mli.relu<relu1>}
    -> !map
  return %3, %5 : tensor<8x8x!mli.fx8<3>>, !map
}

// Nothing else needs it, but the parts are in their place for nothing.
// CHECK-LABEL: func.func @slice_of_computed_parts
// CHECK-NOT: mli.mov
// CHECK: mli.subtensor %{{.*}}[2, 0] [4, 8]
// CHECK-NOT: mli.mov
// CHECK: return
func.func @slice_of_computed_parts(%a: !map, %b: !map) -> !map {
  %empty = tensor.empty() : !map
  %0 = mli.relu ins(%a : !map) outs(%empty : !map) {relu = #mli.relu<gen>}
    -> !map
  %1 = mli.relu ins(%b : !map) outs(%empty : !map) {relu = #mli.relu<gen>}
    -> !map
  %2 = tensor.concat dim(0) %0, %1 : (!map, !map) -> tensor<8x8x!mli.fx8<3>>
  %3 = tensor.extract_slice %2[2, 0] [4, 8] [1, 1]
    : tensor<8x8x!mli.fx8<3>> to !map
  return %3 : !map
}

// Slices that are each of one part need no whole.
// CHECK-LABEL: func.func @slices_of_concat
// CHECK-SAME: %[[A:.*]]: tensor<4x8x{{.*}}>, %[[B:.*]]: tensor<4x8x
// CHECK-NOT: tensor<8x8x
// CHECK-DAG: mli.subtensor %[[A]][1, 0] [2, 8]
// CHECK-DAG: mli.subtensor %[[B]][2, 0] [2, 8]
// CHECK: return
func.func @slices_of_concat(%a: !map, %b: !map)
    -> (tensor<2x8x!mli.fx8<3>>, tensor<2x8x!mli.fx8<3>>) {
  %0 = tensor.concat dim(0) %a, %b : (!map, !map) -> tensor<8x8x!mli.fx8<3>>
  %1 = tensor.extract_slice %0[1, 0] [2, 8] [1, 1]
    : tensor<8x8x!mli.fx8<3>> to tensor<2x8x!mli.fx8<3>>
  %2 = tensor.extract_slice %0[6, 0] [2, 8] [1, 1]
    : tensor<8x8x!mli.fx8<3>> to tensor<2x8x!mli.fx8<3>>
  return %1, %2 : tensor<2x8x!mli.fx8<3>>, tensor<2x8x!mli.fx8<3>>
}

// Together they would copy more than there is.
// CHECK-LABEL: func.func @overlapping_slices_of_concat
// CHECK-COUNT-2: mli.mov
// CHECK-NOT: mli.mov
// CHECK: return
func.func @overlapping_slices_of_concat(%a: !map, %b: !map)
    -> (tensor<5x8x!mli.fx8<3>>, tensor<5x8x!mli.fx8<3>>) {
  %0 = tensor.concat dim(0) %a, %b : (!map, !map) -> tensor<8x8x!mli.fx8<3>>
  %1 = tensor.extract_slice %0[1, 0] [5, 8] [1, 1]
    : tensor<8x8x!mli.fx8<3>> to tensor<5x8x!mli.fx8<3>>
  %2 = tensor.extract_slice %0[2, 0] [5, 8] [1, 1]
    : tensor<8x8x!mli.fx8<3>> to tensor<5x8x!mli.fx8<3>>
  return %1, %2 : tensor<5x8x!mli.fx8<3>>, tensor<5x8x!mli.fx8<3>>
}

// A part without elements is none.
// CHECK-LABEL: func.func @empty_part
// CHECK-SAME: %[[A:.*]]: tensor<4x8x
// CHECK-NEXT: return %[[A]]
func.func @empty_part(%a: !map, %b: tensor<0x8x!mli.fx8<3>>) -> !map {
  %0 = tensor.concat dim(0) %a, %b : (!map, tensor<0x8x!mli.fx8<3>>) -> !map
  return %0 : !map
}

// Padding by less than nothing is a slice.
// CHECK-LABEL: func.func @negative_padding
// CHECK-SAME: %[[A:.*]]: tensor<4x8x
// CHECK-NEXT: %[[BLOCK:.*]] = mli.subtensor %[[A]][1, 2] [3, 5]
// CHECK-NEXT: return %[[BLOCK]]
func.func @negative_padding(%a: !map) -> tensor<3x5x!mli.fx8<3>> {
  %zero = mli.constant dense<0> : tensor<i8> to tensor<!mli.fx8<3>>
  %code = tensor.extract %zero[] : tensor<!mli.fx8<3>>
  %0 = tensor.pad %a low[-1, -2] high[0, -1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %code : !mli.fx8<3>
  } : !map to tensor<3x5x!mli.fx8<3>>
  return %0 : tensor<3x5x!mli.fx8<3>>
}
