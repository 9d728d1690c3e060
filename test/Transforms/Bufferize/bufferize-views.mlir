// Slices, reshapes and regions.
// RUN: mli-opt %s --mli-bufferize --split-input-file | FileCheck %s

!map = tensor<8x8x4x!mli.sa8<1:4:0>>
!slice = tensor<8x4x4x!mli.sa8<1:4:0>>

// CHECK-LABEL: func.func @slice_is_a_view
// CHECK-SAME: %[[INPUT:[^:]*]]: memref<{{[^,]*}}>, %[[OUT:[^:]*]]: memref
// CHECK-NEXT: %[[SLICE:.*]] = memref.subview %[[INPUT]][0, 2, 0] [8, 4, 4] [1, 1, 1] : {{.*}} to memref<8x4x4x!mli.sa8<1:4:0>, strided<[32, 4, 1], offset: 8>>
// CHECK-NEXT: mli.relu ins(%[[SLICE]] : {{.*}}) outs(%[[OUT]] : {{.*}})
func.func @slice_is_a_view(%input: !map) -> !slice {
  %slice = tensor.extract_slice %input[0, 2, 0] [8, 4, 4] [1, 1, 1]
    : !map to !slice
  %empty = tensor.empty() : !slice
  %result = mli.relu ins(%slice : !slice) outs(%empty : !slice)
    {relu = #mli.relu<gen>} -> !slice
  return %result : !slice
}

!flat = tensor<256x!mli.sa8<1:4:0>>

// CHECK-LABEL: func.func @reshape_is_a_view
// CHECK-SAME: %[[INPUT:[^:]*]]: memref<{{[^,]*}}>, %[[OUT:[^:]*]]: memref
// CHECK-NEXT: %[[FLAT:.*]] = mli.reshape %[[INPUT]] : memref<8x8x4x!mli.sa8<1:4:0>> to memref<256x!mli.sa8<1:4:0>>
// CHECK-NEXT: mli.relu ins(%[[FLAT]] : {{.*}}) outs(%[[OUT]] : {{.*}})
func.func @reshape_is_a_view(%input: !map) -> !flat {
  %flat = mli.reshape %input : !map to !flat
  %empty = tensor.empty() : !flat
  %result = mli.relu ins(%flat : !flat) outs(%empty : !flat)
    {relu = #mli.relu<gen>} -> !flat
  return %result : !flat
}

!row = tensor<128x!mli.sa8<1:4:0>>

// CHECK-LABEL: func.func @reshape_of_a_strided_buffer
// CHECK-SAME: %[[INPUT:[^:]*]]: memref<{{[^,]*}}>, %[[OUT:[^:]*]]: memref
// CHECK-NEXT: %[[SLICE:.*]] = memref.subview
// CHECK-NEXT: %[[DENSE:.*]] = memref.alloc() : memref<8x4x4x!mli.sa8<1:4:0>>
// CHECK-NEXT: mli.mov ins(%[[SLICE]] : {{.*}}) outs(%[[DENSE]] : {{.*}})
// CHECK-NEXT: %[[ROW:.*]] = mli.reshape %[[DENSE]]
// CHECK-NEXT: mli.relu ins(%[[ROW]] : {{.*}}) outs(%[[OUT]] : {{.*}})
func.func @reshape_of_a_strided_buffer(%input: !map) -> !row {
  %slice = tensor.extract_slice %input[0, 2, 0] [8, 4, 4] [1, 1, 1]
    : !map to !slice
  %row = mli.reshape %slice : !slice to !row
  %empty = tensor.empty() : !row
  %result = mli.relu ins(%row : !row) outs(%empty : !row)
    {relu = #mli.relu<gen>} -> !row
  return %result : !row
}

// What is written through a view is not what others still read.
// CHECK-LABEL: func.func @source_of_reshape_is_read_later
// CHECK: mli.relu ins(%[[INPUT:[^ ]*]] : {{.*}}) outs(%[[FIRST:[^ ]*]] : {{.*}})
// CHECK: %[[COPY:.*]] = memref.alloc() : memref<256x
// CHECK: mli.relu ins(%{{.*}} : {{.*}}) outs(%[[COPY]] : {{.*}})
// CHECK: mli.reshape %[[COPY]]
// CHECK: mli.eltwise_add ins(%[[FIRST]], %{{.*}} : {{.*}})
func.func @source_of_reshape_is_read_later(%input: !map, %other: !flat) -> !map {
  %empty = tensor.empty() : !map
  %first = mli.relu ins(%input : !map) outs(%empty : !map)
    {relu = #mli.relu<gen>} -> !map
  %flat = mli.reshape %first : !map to !flat
  %second = mli.relu ins(%other : !flat) outs(%flat : !flat)
    {relu = #mli.relu<gen>} -> !flat
  %back = mli.reshape %second : !flat to !map
  %another = tensor.empty() : !map
  %sum = mli.eltwise_add ins(%first, %back : !map, !map) outs(%another : !map)
    -> !map
  return %sum : !map
}

// -----

!map = tensor<8x4x8x!mli.sa8<1:4:0>>
!channel = tensor<8x4x!mli.sa8<1:4:0>>

// Kernels take an inner stride of 1 for granted.
// CHECK-LABEL: func.func @input_with_inner_stride
// CHECK-SAME: %[[INPUT:[^:]*]]: memref<{{[^,]*}}>, %[[OUT:[^:]*]]: memref
// CHECK: %[[VIEW:.*]] = memref.subview {{.*}} strided<[32, 8], offset: 3>>
// CHECK: %[[DENSE:.*]] = memref.alloc() : memref<8x4x!mli.sa8<1:4:0>>
// CHECK: mli.mov ins(%[[VIEW]] : {{.*}}) outs(%[[DENSE]] : {{.*}})
// CHECK: mli.relu ins(%[[DENSE]] : {{.*}}) outs(%[[OUT]] : {{.*}})
func.func @input_with_inner_stride(%input: !map) -> !channel {
  %channel = tensor.extract_slice %input[0, 0, 3] [8, 4, 1] [1, 1, 1]
    : !map to !channel
  %empty = tensor.empty() : !channel
  %result = mli.relu ins(%channel : !channel) outs(%empty : !channel)
    {relu = #mli.relu<gen>} -> !channel
  return %result : !channel
}

// CHECK-LABEL: func.func @result_with_inner_stride
// CHECK-SAME: %[[INPUT:[^:]*]]: memref<{{[^,]*}}>, %[[OUT:[^:]*]]: memref
// CHECK: %[[VIEW:.*]] = memref.subview %[[OUT]]
// CHECK: %[[DENSE:.*]] = memref.alloc() : memref<8x4x!mli.sa8<1:4:0>>
// CHECK: mli.relu ins(%[[INPUT]] : {{.*}}) outs(%[[DENSE]] : {{.*}})
// CHECK: mli.mov ins(%[[DENSE]] : {{.*}}) outs(%[[VIEW]] : {{.*}})
func.func @result_with_inner_stride(%input: !channel) -> !map {
  %empty = tensor.empty() : !map
  %channel = tensor.extract_slice %empty[0, 0, 3] [8, 4, 1] [1, 1, 1]
    : !map to !channel
  %relu = mli.relu ins(%input : !channel) outs(%channel : !channel)
    {relu = #mli.relu<gen>} -> !channel
  %result = tensor.insert_slice %relu into %empty[0, 0, 3] [8, 4, 1] [1, 1, 1]
    : !channel into !map
  return %result : !map
}

// Moves take any strides.
// CHECK-LABEL: func.func @move_with_inner_stride
// CHECK-SAME: %[[INPUT:[^:]*]]: memref<{{[^,]*}}>, %[[OUT:[^:]*]]: memref
// CHECK-NEXT: %[[VIEW:.*]] = memref.subview
// CHECK-NEXT: mli.mov ins(%[[VIEW]] : {{.*}}) outs(%[[OUT]] : {{.*}})
// CHECK-NEXT: return
func.func @move_with_inner_stride(%input: !map) -> !channel {
  %channel = tensor.extract_slice %input[0, 0, 3] [8, 4, 1] [1, 1, 1]
    : !map to !channel
  %empty = tensor.empty() : !channel
  %result = mli.mov ins(%channel : !channel) outs(%empty : !channel) -> !channel
  return %result : !channel
}

!block = tensor<?x2x8x!mli.sa8<1:4:0>>
!weights = tensor<?x2x!mli.sa8<5:10:0>>
!bias = tensor<2x!mli.sa32<5:14:0>>
!out = tensor<2x!mli.sa8<1:4:0>>

// A matrix product walks its input as one row.
// CHECK-LABEL: func.func @product_of_a_slice
// CHECK: %[[VIEW:.*]] = memref.subview {{.*}} to memref<?x2x8x!mli.sa8<1:4:0>, strided<[32, 8, 1]>>
// CHECK: %[[SIZE:.*]] = memref.dim %[[VIEW]]
// CHECK: %[[DENSE:.*]] = memref.alloc(%[[SIZE]]) : memref<?x2x8x!mli.sa8<1:4:0>>
// CHECK: mli.mov ins(%[[VIEW]] : {{.*}}) outs(%[[DENSE]] : {{.*}})
// CHECK: mli.fully_connected ins(%[[DENSE]], {{.*}})
func.func @product_of_a_slice(%input: !map, %size: index, %weights: !weights,
                              %bias: !bias) -> !out {
  %block = tensor.extract_slice %input[0, 0, 0] [%size, 2, 8] [1, 1, 1]
    : !map to !block
  %empty = tensor.empty() : !out
  %result = mli.fully_connected
    ins(%block, %weights, %bias : !block, !weights, !bias) outs(%empty : !out)
    -> !out
  return %result : !out
}

// A slice of whole rows has no gaps.
// CHECK-LABEL: func.func @product_of_whole_rows
// CHECK: %[[VIEW:.*]] = memref.subview {{.*}} strided<[32, 8, 1], offset: 64>>
// CHECK-NOT: mli.mov
// CHECK: mli.fully_connected ins(%[[VIEW]], {{.*}})
func.func @product_of_whole_rows(%input: !map, %weights: !weights, %bias: !bias)
    -> !out {
  %rows = tensor.extract_slice %input[2, 0, 0] [4, 4, 8] [1, 1, 1]
    : !map to tensor<4x4x8x!mli.sa8<1:4:0>>
  %empty = tensor.empty() : !out
  %result = mli.fully_connected
    ins(%rows, %weights, %bias
        : tensor<4x4x8x!mli.sa8<1:4:0>>, !weights, !bias)
    outs(%empty : !out) -> !out
  return %result : !out
}

// -----

!map = tensor<8x4x8x!mli.sa8<1:4:0>>
!tile = tensor<1x4x8x!mli.sa8<1:4:0>>

// CHECK-LABEL: func.func @tiles_in_place
// CHECK: scf.for
// CHECK-NOT: memref.alloc
// CHECK: %[[IN:.*]] = memref.subview
// CHECK: %[[OUT:.*]] = memref.subview
// CHECK: mli.relu ins(%[[IN]] : {{.*}}) outs(%[[OUT]] : {{.*}})
func.func @tiles_in_place(%input: !map) -> !map {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %empty = tensor.empty() : !map
  %result = scf.for %i = %c0 to %c8 step %c1 iter_args(%map = %empty) -> !map {
    %in = tensor.extract_slice %input[%i, 0, 0] [1, 4, 8] [1, 1, 1]
      : !map to !tile
    %out = tensor.extract_slice %map[%i, 0, 0] [1, 4, 8] [1, 1, 1]
      : !map to !tile
    %relu = mli.relu ins(%in : !tile) outs(%out : !tile)
      {relu = #mli.relu<gen>} -> !tile
    %next = tensor.insert_slice %relu into %map[%i, 0, 0] [1, 4, 8] [1, 1, 1]
      : !tile into !map
    scf.yield %next : !map
  }
  return %result : !map
}

// A loop may hand on another buffer than it got.
// CHECK-LABEL: func.func @loop_of_kernels
// CHECK-SAME: %[[INPUT:[^:]*]]: memref
// CHECK: mli.mov ins(%[[INPUT]] : {{.*}}) outs(%[[START:[^ ]*]] : {{.*}})
// CHECK: scf.for {{.*}} iter_args(%[[MAP:.*]] = %[[START]])
// CHECK: %[[NEXT:.*]] = memref.alloc()
// CHECK: mli.eltwise_add ins(%[[MAP]], %[[INPUT]] : {{.*}}) outs(%[[NEXT]] : {{.*}})
// CHECK: scf.yield %[[NEXT]]
func.func @loop_of_kernels(%input: !map, %count: index) -> !map {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %result = scf.for %i = %c0 to %count step %c1 iter_args(%map = %input)
      -> !map {
    %empty = tensor.empty() : !map
    %sum = mli.eltwise_add ins(%map, %input : !map, !map) outs(%empty : !map)
      -> !map
    scf.yield %sum : !map
  }
  return %result : !map
}

// CHECK-LABEL: func.func @branch
// CHECK-SAME: %[[INPUT:[^:]*]]: memref<{{[^,]*}}>, %{{.*}}: i1, %[[OUT:[^:]*]]: memref
// CHECK: %[[RESULT:.*]] = scf.if
// CHECK: mli.relu ins(%[[INPUT]] : {{.*}}) outs(%[[RELU:[^ ]*]] : {{.*}})
// CHECK: scf.yield %[[RELU]]
// CHECK: scf.yield %[[INPUT]]
// CHECK: mli.mov ins(%[[RESULT]] : {{.*}}) outs(%[[OUT]] : {{.*}})
func.func @branch(%input: !map, %clip: i1) -> !map {
  %result = scf.if %clip -> !map {
    %empty = tensor.empty() : !map
    %relu = mli.relu ins(%input : !map) outs(%empty : !map)
      {relu = #mli.relu<gen>} -> !map
    scf.yield %relu : !map
  } else {
    scf.yield %input : !map
  }
  return %result : !map
}
