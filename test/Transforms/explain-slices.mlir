// RUN: mli-opt %s --mli-explain-slices -o /dev/null 2>&1 | FileCheck %s
// RUN: mli-opt %s --mli-explain-slices 2>/dev/null | FileCheck %s --check-prefix=SAME

!map = tensor<1x6x8x!mli.fx8<3>>
!buffer = memref<4x16x!mli.sa8<1:4:-128>>
!cut = memref<4x8x!mli.sa8<1:4:-128>, strided<[16, 1], offset: 8>>
!per_axis = tensor<4x2x!mli.sa8<axis = 1, {5:3:0, 7:3:0}>>

// SAME-COUNT-3: tensor.extract_slice
// SAME: tensor.insert_slice
func.func @tensors(%map: !map, %weights: !per_axis, %at: index)
    -> (tensor<6x8x!mli.fx8<3>>, tensor<1x6x!mli.fx8<3>>, !map) {
  // CHECK: remark: a view: 1 mli.subtensor, no element is copied
  %0 = tensor.extract_slice %map[0, 0, 0] [1, 6, 8] [1, 1, 1]
    : !map to tensor<6x8x!mli.fx8<3>>
  // CHECK: remark: a copy: expected the first dimensions of size 1 to be dropped, which keeps [1, 2], but got [0, 1]; a view of [1, 6, 1] from [0, 0, 3] without dropping would copy none
  %1 = tensor.extract_slice %map[0, 0, 3] [1, 6, 1] [1, 1, 1]
    : !map to tensor<1x6x!mli.fx8<3>>
  // CHECK: remark: neither view nor copy: expected offset and size of the quantised axis 1 to be attributes, but got a value; a slice for each offset would copy none
  %2 = tensor.extract_slice %weights[0, %at] [4, 2] [1, 1]
    : !per_axis to !per_axis
  // CHECK: remark: a view: 1 mli.subtensor, no element is copied
  %3 = tensor.insert_slice %0 into %map[0, 0, 0] [1, 6, 8] [1, 1, 1]
    : tensor<6x8x!mli.fx8<3>> into !map
  return %0, %1, %3 : tensor<6x8x!mli.fx8<3>>, tensor<1x6x!mli.fx8<3>>, !map
}

// Bufferization copies what a kernel does not take.
// SAME: mli.subtensor
func.func @buffers(%map: !buffer, %out: memref<4x8x!mli.sa8<1:4:-128>>) {
  // CHECK: remark: a view: 1 mli.subtensor, no element is copied
  %0 = mli.subtensor %map[0, 8] [4, 8] : !buffer to !cut
  mli.relu ins(%0 : !cut) outs(%out : memref<4x8x!mli.sa8<1:4:-128>>)
    {relu = #mli.relu<gen>}
  return
}

// What goes by no slice of the dialect.
// SAME: tensor.extract_slice
// SAME: memref.subview
func.func @neither(%weights: tensor<1x4x!mli.sa8<axis = 0, {5:3:0}>>,
                   %map: memref<8x4x!mli.fx8<3>>) {
  // CHECK: remark: neither view nor copy: expected the quantised axis 0 to be kept, but got rank 1, which drops it; a slice that keeps it would copy none{{$}}
  %0 = tensor.extract_slice %weights[0, 0] [1, 4] [1, 1]
    : tensor<1x4x!mli.sa8<axis = 0, {5:3:0}>> to tensor<4x!mli.sa8<axis = 0, {5:3:0}>>
  // CHECK: remark: neither view nor copy: expected step of dimension 0 to be at least 1, but got -1; a slice whose indices go up would copy none{{$}}
  %1 = memref.subview %map[7, 0] [4, 4] [-1, 1]
    : memref<8x4x!mli.fx8<3>> to memref<4x4x!mli.fx8<3>, strided<[-4, 1], offset: 28>>
  return
}
