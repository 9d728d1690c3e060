// RUN: mli-reduce %s --split-input-file --mli-reduce-by-patterns='test=%S/Inputs/has test-arg=func enable-patterns=PushSlice' | FileCheck %s
// RUN: mli-reduce %s --split-input-file --mli-reduce-by-patterns='test=%S/Inputs/has test-arg=func enable-patterns=ReturnPart' | FileCheck %s --check-prefix=REGIONS

!map = tensor<8x4x!mli.sa8<1:4:0>>
!slice = tensor<2x4x!mli.sa8<1:4:0>>
!small = tensor<1x4x!mli.sa8<1:4:0>>
// Of an argument, of a slice of it.
// CHECK-LABEL: func.func @argument(
// CHECK-SAME: %[[PART:.*]]: tensor<1x4x{{.*}} {mli.unsigned})
// CHECK-NEXT: return %[[PART]]
func.func @argument(%map: !map {mli.unsigned}) -> !small {
  %0 = tensor.extract_slice %map[3, 0] [2, 4] [1, 1] : !map to !slice
  %1 = tensor.extract_slice %0[1, 0] [1, 4] [1, 1] : !slice to !small
  return %1 : !small
}

// -----

// The least block that has both slices is left of an argument and of a layer.
// CHECK-LABEL: func.func @bounds(
// CHECK-SAME: %[[PART:.*]]: tensor<3x4x{{.*}})
// CHECK-DAG: %[[INIT:.*]] = tensor.empty() : tensor<3x4x
// CHECK-DAG: %[[RELU:.*]] = mli.relu ins(%[[PART]] {{.*}} outs(%[[INIT]]
// CHECK-DAG: tensor.extract_slice %[[RELU]][0, 0] [2, 4]
// CHECK-DAG: tensor.extract_slice %[[RELU]][1, 0] [2, 4]
!map = tensor<8x4x!mli.sa8<1:4:0>>
!slice = tensor<2x4x!mli.sa8<1:4:0>>
func.func @bounds(%map: !map) -> (!slice, !slice) {
  %0 = tensor.empty() : !map
  %1 = mli.relu ins(%map : !map) outs(%0 : !map) {relu = #mli.relu<gen>} -> !map
  %2 = tensor.extract_slice %1[3, 0] [2, 4] [1, 1] : !map to !slice
  %3 = tensor.extract_slice %1[4, 0] [2, 4] [1, 1] : !map to !slice
  return %2, %3 : !slice, !slice
}

// -----

// Constants and views of them are cut, with the parameters of their indices.
// CHECK: !sa32_axis0 = !mli.sa32<axis = 0, {5:8:0}>
// CHECK-LABEL: func.func @constant
// CHECK: %[[PART:.*]] = mli.constant dense<2> : tensor<1xi32> to tensor<1x!sa32_axis0>
// CHECK-NEXT: return %[[PART]]
!bias = tensor<2x!mli.sa32<axis = 0, {3:8:0, 5:8:0}>>
!last = tensor<1x!mli.sa32<axis = 0, {5:8:0}>>
func.func @constant() -> !last {
  %0 = mli.constant dense<[1, 2]> : tensor<2xi32> to !bias
  %1 = mli.subtensor %0[1] [1] : !bias to !last
  return %1 : !last
}

// -----

// Slices are taken before dimensions of size 1 come, not before others are joined.
// CHECK-LABEL: func.func @reshapes(%{{.*}}: tensor<2x4x!mli.sa8<1:4:0>>, %{{.*}}: tensor<4x4x!mli.sa8<1:4:0>>)
// CHECK-DAG: mli.reshape {{.*}} to tensor<1x2x4x
// CHECK-DAG: mli.reshape {{.*}} to tensor<16x
// CHECK-DAG: tensor.extract_slice {{.*}} : tensor<16x
!map = tensor<4x4x!mli.sa8<1:4:0>>
!batch = tensor<1x4x4x!mli.sa8<1:4:0>>
!half = tensor<1x2x4x!mli.sa8<1:4:0>>
!flat = tensor<16x!mli.sa8<1:4:0>>
!two = tensor<2x!mli.sa8<1:4:0>>
func.func @reshapes(%map: !map, %other: !map) -> (!half, !two) {
  %0 = mli.reshape %map : !map to !batch
  %1 = tensor.extract_slice %0[0, 2, 0] [1, 2, 4] [1, 1, 1] : !batch to !half
  %2 = mli.reshape %other : !map to !flat
  %3 = tensor.extract_slice %2[2] [2] [1] : !flat to !two
  return %1, %3 : !half, !two
}

// -----

// What is read as a whole stays so, and slices with steps, of values, or that drop
// dimensions do.
// CHECK-LABEL: func.func @others(
// CHECK-COUNT-4: tensor.extract_slice
!map = tensor<8x4x!mli.sa8<1:4:0>>
!slice = tensor<2x4x!mli.sa8<1:4:0>>
!row = tensor<4x!mli.sa8<1:4:0>>
func.func @others(%a: !map, %b: !map, %c: !map, %d: !map, %i: index)
    -> (!map, !slice, !slice, !slice, !row) {
  %0 = tensor.extract_slice %a[0, 0] [2, 4] [1, 1] : !map to !slice
  %1 = tensor.extract_slice %b[0, 0] [2, 4] [2, 1] : !map to !slice
  %2 = tensor.extract_slice %c[%i, 0] [2, 4] [1, 1] : !map to !slice
  %3 = tensor.extract_slice %d[0, 0] [1, 4] [1, 1] : !map to !row
  return %a, %0, %1, %2, %3 : !map, !slice, !slice, !slice, !row
}

// -----

// A part goes through loops and branches.
// REGIONS-LABEL: func.func @regions(
// REGIONS-SAME: tensor<1x1x!mli.sa8<1:4:0>>, %{{.*}}: tensor<1x1x!mli.sa8<1:4:0>>
// REGIONS: scf.for {{.*}} -> (tensor<1x1x
// REGIONS: mli.relu {{.*}} -> tensor<1x1x
// REGIONS: scf.if {{.*}} -> (tensor<1x1x
!map = tensor<8x4x!mli.sa8<1:4:0>>
func.func @regions(%map: !map, %other: !map, %n: index, %condition: i1) -> !map {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = tensor.empty() : !map
  %1 = scf.for %i = %c0 to %n step %c1 iter_args(%init = %0) -> !map {
    %2 = mli.relu ins(%map : !map) outs(%init : !map) {relu = #mli.relu<gen>} -> !map
    scf.yield %2 : !map
  }
  %3 = scf.if %condition -> !map {
    scf.yield %1 : !map
  } else {
    scf.yield %other : !map
  }
  return %3 : !map
}
