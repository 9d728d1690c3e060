// Kernels whose operands do not fit local memory at once become kernels on tiles
// that do. All tiles have static sizes. How much code that is counts for nothing
// here: these maps are small.
// RUN: mli-opt %s --mli-tile-to-fit="overrides=%S/../Inputs/tile-costs.json max-stream=1" | FileCheck %s

!q = !mli.sa8<1:4:-128>
!axis = !mli.sa8<axis = 3, {5:10:0, 7:10:0, 9:10:0, 3:10:0}>
!bias = !mli.sa32<axis = 0, {5:14:0, 7:14:0, 9:14:0, 3:14:0}>
!w = !mli.sa8<5:10:0>
!b = !mli.sa32<5:14:0>
!p = !mli.sa8<1:8:-128>

module attributes {mli.target = #mli.target<vpx, npu_bytes = 1024>} {

// Three maps of 5 rows are 960 bytes, of 6 rows they would be 1152.
// Z1
// Z5
// CHECK-LABEL: func.func @rows
// CHECK: %[[WHOLE:.+]] = tensor.empty()
// CHECK: %[[LHS:.+]] = tensor.extract_slice %arg0[0, 0, 0] [5, 8, 8]
// CHECK: %[[RHS:.+]] = tensor.extract_slice %arg1[0, 0, 0] [5, 8, 8]
// CHECK: %[[INIT:.+]] = tensor.extract_slice %[[WHOLE]][0, 0, 0] [5, 8, 8]
// CHECK: %[[TILE:.+]] = mli.eltwise_add ins(%[[LHS]], %[[RHS]] : {{.*}} outs(%[[INIT]] :
// CHECK: tensor.insert_slice %[[TILE]] into %[[WHOLE]][0, 0, 0] [5, 8, 8]
// CHECK-COUNT-3: mli.eltwise_add
// CHECK-NOT: mli.eltwise_add
func.func @rows(%a: tensor<20x8x8x!q>, %b: tensor<20x8x8x!q>) -> tensor<20x8x8x!q> {
  %init = tensor.empty() : tensor<20x8x8x!q>
  %r = mli.eltwise_add ins(%a, %b : tensor<20x8x8x!q>, tensor<20x8x8x!q>)
    outs(%init : tensor<20x8x8x!q>) -> tensor<20x8x8x!q>
  return %r : tensor<20x8x8x!q>
}

// A row is too large: columns are cut as well, here into halves.
// CHECK-LABEL: func.func @columns
// CHECK: tensor.extract_slice %arg0[0, 0, 0] [1, 25, 16]
// CHECK: tensor.extract_slice %arg0[0, 25, 0] [1, 25, 16]
// CHECK: tensor.extract_slice %arg0[1, 0, 0] [1, 25, 16]
// CHECK: tensor.extract_slice %arg0[1, 25, 0] [1, 25, 16]
func.func @columns(%a: tensor<2x50x16x!q>) -> tensor<2x50x16x!q> {
  %init = tensor.empty() : tensor<2x50x16x!q>
  %r = mli.relu ins(%a : tensor<2x50x16x!q>)
    outs(%init : tensor<2x50x16x!q>) {relu = #mli.relu<gen>} -> tensor<2x50x16x!q>
  return %r : tensor<2x50x16x!q>
}

// Halos of rows would be moved twice, channels have none.
// CHECK-LABEL: func.func @halo
// CHECK: %[[IN:.+]] = tensor.extract_slice %arg0[0, 0, 0] [16, 8, 4]
// CHECK: mli.maxpool ins(%[[IN]] : {{.*}} pad [1, 1, 1, 1]
// CHECK: tensor.extract_slice %arg0[0, 0, 4] [16, 8, 4]
func.func @halo(%a: tensor<16x8x8x!q>) -> tensor<16x8x8x!q> {
  %init = tensor.empty() : tensor<16x8x8x!q>
  %r = mli.maxpool ins(%a : tensor<16x8x8x!q>)
    outs(%init : tensor<16x8x8x!q>) kernel [3, 3] pad [1, 1, 1, 1] -> tensor<16x8x8x!q>
  return %r : tensor<16x8x8x!q>
}

// Pictures of a batch.
// CHECK-LABEL: func.func @batches
// CHECK: tensor.extract_slice %arg0[0, 0, 0, 0] [3, 4, 4, 8]
// CHECK: tensor.extract_slice %arg0[3, 0, 0, 0] [3, 4, 4, 8]
func.func @batches(%a: tensor<6x4x4x8x!q>) -> tensor<6x4x4x8x!q> {
  %init = tensor.empty() : tensor<6x4x4x8x!q>
  %r = mli.relu ins(%a : tensor<6x4x4x8x!q>)
    outs(%init : tensor<6x4x4x8x!q>) {relu = #mli.relu<gen>} -> tensor<6x4x4x8x!q>
  return %r : tensor<6x4x4x8x!q>
}

// What fits stays.
// CHECK-LABEL: func.func @whole
// CHECK: mli.relu ins(%arg0 : tensor<8x8x8x
func.func @whole(%a: tensor<8x8x8x!q>) -> tensor<8x8x8x!q> {
  %init = tensor.empty() : tensor<8x8x8x!q>
  %r = mli.relu ins(%a : tensor<8x8x8x!q>)
    outs(%init : tensor<8x8x8x!q>) {relu = #mli.relu<gen>} -> tensor<8x8x8x!q>
  return %r : tensor<8x8x8x!q>
}

// Slices that softmax sums over stay whole, its table has room besides: 16 tiles
// would be a lot to write out.
// CHECK-LABEL: func.func @softmax
// CHECK-DAG: %[[FROM:.+]] = arith.constant 0 : index
// CHECK-DAG: %[[TO:.+]] = arith.constant 32 : index
// CHECK-DAG: %[[STEP:.+]] = arith.constant 2 : index
// CHECK: scf.for %[[ROW:.+]] = %[[FROM]] to %[[TO]] step %[[STEP]] iter_args(%[[WHOLE:.+]] =
// CHECK: %[[IN:.+]] = tensor.extract_slice %arg0[%[[ROW]], 0] [2, 64]
// CHECK: %[[INIT:.+]] = tensor.extract_slice %[[WHOLE]][%[[ROW]], 0] [2, 64]
// CHECK: mli.softmax ins(%[[IN]] : {{.*}} outs(%[[INIT]] :
func.func @softmax(%a: tensor<32x64x!q>) -> tensor<32x64x!p> {
  %init = tensor.empty() : tensor<32x64x!p>
  %r = mli.softmax ins(%a : tensor<32x64x!q>)
    outs(%init : tensor<32x64x!p>) {axis = 1 : i32} -> tensor<32x64x!p>
  return %r : tensor<32x64x!p>
}

// Tiles that an attribute asks for. Those at the edges have padding, and the last
// one is smaller; what is between them is alike, and without padding.
// Z4
// Z6
// CHECK-LABEL: func.func @edges
// CHECK: tensor.extract_slice %arg0[0, 0, 0] [6, 8, 8]
// CHECK: mli.maxpool {{.*}} pad [1, 0, 1, 1] -> tensor<5x8x8x
// CHECK: %[[FROM:.+]] = arith.constant 5 : index
// CHECK: %[[TO:.+]] = arith.constant 20 : index
// CHECK: scf.for %[[ROW:.+]] = %[[FROM]] to %[[TO]]
// CHECK: %[[FIRST:.+]] = affine.apply {{.*}}(%[[ROW]])
// CHECK: tensor.extract_slice %arg0[%[[FIRST]], 0, 0] [7, 8, 8]
// CHECK: mli.maxpool {{.*}} pad [0, 0, 1, 1] -> tensor<5x8x8x
// CHECK: tensor.extract_slice %arg0[19, 0, 0] [5, 8, 8]
// CHECK: mli.maxpool {{.*}} pad [0, 1, 1, 1] -> tensor<4x8x8x
func.func @edges(%a: tensor<24x8x8x!q>) -> tensor<24x8x8x!q> {
  %init = tensor.empty() : tensor<24x8x8x!q>
  %r = mli.maxpool ins(%a : tensor<24x8x8x!q>)
    outs(%init : tensor<24x8x8x!q>) kernel [3, 3] pad [1, 1, 1, 1] {mli.tile = {sizes = array<i64: 5, 8, 8>, order = array<i64: 0>}} -> tensor<24x8x8x!q>
  return %r : tensor<24x8x8x!q>
}

// Weights are cut with their parameters, which differ: no loop computes that.
// CHECK-LABEL: func.func @weights
// CHECK: mli.subtensor %arg1[0, 0, 0, 0] [1, 1, 96, 3]
// CHECK: mli.subtensor %arg2[0] [3]
// CHECK: mli.conv2d ins(%arg0,
// CHECK: mli.subtensor %arg1[0, 0, 0, 3] [1, 1, 96, 1]
// CHECK: mli.subtensor %arg2[3] [1]
// CHECK: mli.conv2d ins(%arg0,
func.func @weights(%a: tensor<2x2x96x!q>, %w: tensor<1x1x96x4x!axis>, %b: tensor<4x!bias>) -> tensor<2x2x4x!q> {
  %init = tensor.empty() : tensor<2x2x4x!q>
  %r = mli.conv2d ins(%a, %w, %b : tensor<2x2x96x!q>, tensor<1x1x96x4x!axis>, tensor<4x!bias>)
    outs(%init : tensor<2x2x4x!q>) pad [0, 0, 0, 0] {mli.tile = {sizes = array<i64: 2, 2, 3>, order = array<i64: 2>}} -> tensor<2x2x4x!q>
  return %r : tensor<2x2x4x!q>
}

// Weights of a product pass by, its input stays.
// CHECK-LABEL: func.func @product
// CHECK: %[[W:.+]] = tensor.extract_slice %arg1[0, 0] [64, 10]
// CHECK: %[[B:.+]] = tensor.extract_slice %arg2[0] [10]
// CHECK: mli.fully_connected ins(%arg0, %[[W]], %[[B]]
// CHECK: tensor.extract_slice %arg1[0, 30] [64, 10]
func.func @product(%a: tensor<64x!q>, %w: tensor<64x40x!w>, %b: tensor<40x!b>) -> tensor<40x!q> {
  %init = tensor.empty() : tensor<40x!q>
  %r = mli.fully_connected ins(%a, %w, %b : tensor<64x!q>, tensor<64x40x!w>, tensor<40x!b>)
    outs(%init : tensor<40x!q>) -> tensor<40x!q>
  return %r : tensor<40x!q>
}

// Filters of a transposed convolution.
// CHECK-LABEL: func.func @transposed
// CHECK: tensor.extract_slice %arg1[0, 0, 0, 0] [3, 3, 4, 2]
// CHECK: mli.transpose_conv2d ins(%arg0,
// CHECK: tensor.extract_slice %arg1[0, 0, 0, 2] [3, 3, 4, 2]
func.func @transposed(%a: tensor<8x8x4x!q>, %w: tensor<3x3x4x4x!w>, %b: tensor<4x!b>) -> tensor<16x16x4x!q> {
  %init = tensor.empty() : tensor<16x16x4x!q>
  %r = mli.transpose_conv2d ins(%a, %w, %b : tensor<8x8x4x!q>, tensor<3x3x4x4x!w>, tensor<4x!b>)
    outs(%init : tensor<16x16x4x!q>) pad [0, 1, 0, 1] {strides = array<i64: 2, 2>} -> tensor<16x16x4x!q>
  return %r : tensor<16x16x4x!q>
}

// What is between the kernels of a chain never leaves local memory: the first one
// computes the rows that the window of the second reads.
// Z9
// CHECK-LABEL: func.func @chain
// CHECK: %[[IN:.+]] = tensor.extract_slice %arg0[0, 0, 0] [5, 8, 8]
// CHECK: %[[E1:.+]] = tensor.empty() : tensor<4x8x8x
// CHECK: %[[T1:.+]] = mli.depthwise_conv2d ins(%[[IN]], {{.*}} outs(%[[E1]] : {{.*}} pad [1, 0, 1, 1]
// CHECK: %[[E2:.+]] = tensor.empty() : tensor<4x8x8x
// CHECK: %[[T2:.+]] = mli.conv2d ins(%[[T1]], {{.*}} outs(%[[E2]] :
// CHECK: %[[OTHER:.+]] = tensor.extract_slice %arg5[0, 0, 0] [4, 8, 8]
// CHECK: mli.eltwise_add ins(%[[T2]], %[[OTHER]] :
// CHECK: tensor.extract_slice %arg0[3, 0, 0] [6, 8, 8]
// CHECK: mli.depthwise_conv2d {{.*}} pad [0, 0, 1, 1]
// CHECK: tensor.extract_slice %arg0[7, 0, 0] [5, 8, 8]
// CHECK: mli.depthwise_conv2d {{.*}} pad [0, 1, 1, 1]
// CHECK-NOT: mli.depthwise_conv2d
func.func @chain(%a: tensor<12x8x8x!q>, %w1: tensor<3x3x1x8x!w>, %b1: tensor<8x!b>, %w2: tensor<1x1x8x8x!w>, %b2: tensor<8x!b>, %other: tensor<12x8x8x!q>) -> tensor<12x8x8x!q> {
  %e1 = tensor.empty() : tensor<12x8x8x!q>
  %m = mli.depthwise_conv2d ins(%a, %w1, %b1 : tensor<12x8x8x!q>, tensor<3x3x1x8x!w>, tensor<8x!b>)
    outs(%e1 : tensor<12x8x8x!q>) pad [1, 1, 1, 1] -> tensor<12x8x8x!q>
  %e2 = tensor.empty() : tensor<12x8x8x!q>
  %p = mli.conv2d ins(%m, %w2, %b2 : tensor<12x8x8x!q>, tensor<1x1x8x8x!w>, tensor<8x!b>)
    outs(%e2 : tensor<12x8x8x!q>) pad [0, 0, 0, 0] -> tensor<12x8x8x!q>
  %e3 = tensor.empty() : tensor<12x8x8x!q>
  %r = mli.eltwise_add ins(%p, %other : tensor<12x8x8x!q>, tensor<12x8x8x!q>)
    outs(%e3 : tensor<12x8x8x!q>) -> tensor<12x8x8x!q>
  return %r : tensor<12x8x8x!q>
}

// Inside a loop over a batch.
// CHECK-LABEL: func.func @batch_loop
// CHECK: scf.for
// CHECK: %[[PICTURE:.+]] = tensor.extract_slice %arg0
// CHECK: tensor.extract_slice %[[PICTURE]][0, 0, 0] [12, 8, 4]
// CHECK: tensor.extract_slice %[[PICTURE]][0, 0, 4] [12, 8, 4]
func.func @batch_loop(%a: tensor<4x12x8x8x!q>) -> tensor<4x12x8x8x!q> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %init = tensor.empty() : tensor<4x12x8x8x!q>
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%x = %init) -> (tensor<4x12x8x8x!q>) {
    %s = tensor.extract_slice %a[%i, 0, 0, 0] [1, 12, 8, 8] [1, 1, 1, 1] : tensor<4x12x8x8x!q> to tensor<12x8x8x!q>
    %e = tensor.empty() : tensor<12x8x8x!q>
    %p = mli.avepool ins(%s : tensor<12x8x8x!q>)
    outs(%e : tensor<12x8x8x!q>) kernel [3, 3] pad [1, 1, 1, 1] -> tensor<12x8x8x!q>
    %n = tensor.insert_slice %p into %x[%i, 0, 0, 0] [1, 12, 8, 8] [1, 1, 1, 1] : tensor<12x8x8x!q> into tensor<4x12x8x8x!q>
    scf.yield %n : tensor<4x12x8x8x!q>
  }
  return %r : tensor<4x12x8x8x!q>
}

// A batch of one is no dimension: pool and sum have tiles in common.
// Z10
// CHECK-LABEL: func.func @unit_batch
// CHECK: mli.reshape %arg0 : {{.*}} to tensor<20x8x8x
// CHECK: %[[POOL:.+]] = mli.avepool {{.*}} -> tensor<5x8x8x
// CHECK: mli.eltwise_add ins(%[[POOL]],
// CHECK: mli.reshape %{{.+}} : tensor<20x8x8x{{.*}} to tensor<1x20x8x8x
func.func @unit_batch(%a: tensor<1x20x8x8x!q>) -> tensor<1x20x8x8x!q> {
  %m = mli.reshape %a : tensor<1x20x8x8x!q> to tensor<20x8x8x!q>
  %e = tensor.empty() : tensor<20x8x8x!q>
  %p = mli.avepool ins(%m : tensor<20x8x8x!q>)
    outs(%e : tensor<20x8x8x!q>) kernel [1, 1] pad [0, 0, 0, 0] -> tensor<20x8x8x!q>
  %q = mli.reshape %p : tensor<20x8x8x!q> to tensor<1x20x8x8x!q>
  %init = tensor.empty() : tensor<1x20x8x8x!q>
  %r = mli.eltwise_add ins(%q, %a : tensor<1x20x8x8x!q>, tensor<1x20x8x8x!q>)
    outs(%init : tensor<1x20x8x8x!q>) -> tensor<1x20x8x8x!q>
  return %r : tensor<1x20x8x8x!q>
}

// Nor of a kernel that is given a table, which its tiles have all of.
// CHECK-LABEL: func.func @unit_batch_and_table
// CHECK-SAME: %[[TABLE:[^:]+]]: tensor<320x
// CHECK: mli.reshape %{{.+}} to tensor<12x8x8x
// CHECK: mli.sigm ins(%{{.+}} : tensor<3x8x8x{{.*}}>) lut(%[[TABLE]] : tensor<320x!mli.fx16<15>>) outs(
func.func @unit_batch_and_table(%table: tensor<320x!mli.fx16<15>>,
                                %a: tensor<1x12x8x8x!q>)
    -> tensor<1x12x8x8x!mli.sa8<1:8:-128>> {
  %init = tensor.empty() : tensor<1x12x8x8x!mli.sa8<1:8:-128>>
  %r = mli.sigm ins(%a : tensor<1x12x8x8x!q>)
    lut(%table : tensor<320x!mli.fx16<15>>)
    outs(%init : tensor<1x12x8x8x!mli.sa8<1:8:-128>>)
    -> tensor<1x12x8x8x!mli.sa8<1:8:-128>>
  return %r : tensor<1x12x8x8x!mli.sa8<1:8:-128>>
}

// Moves take system memory where they have to.
// CHECK-LABEL: func.func @moves
// CHECK: mli.mov ins(%arg0 : tensor<20x8x8x
func.func @moves(%a: tensor<20x8x8x!q>) -> tensor<22x8x8x!q> {
  %init = tensor.empty() : tensor<22x8x8x!q>
  %r = mli.mov ins(%a : tensor<20x8x8x!q>)
    outs(%init : tensor<22x8x8x!q>) {pad_low = array<i64: 1, 0, 0>, pad_high = array<i64: 1, 0, 0>} -> tensor<22x8x8x!q>
  return %r : tensor<22x8x8x!q>
}

// A scalar has nothing to cut.
// CHECK-LABEL: func.func @scalar
// CHECK: mli.relu ins(%arg0 : tensor<!mli.sa8<1:4:-128>>)
func.func @scalar(%a: tensor<!q>) -> tensor<!q> {
  %init = tensor.empty() : tensor<!q>
  %r = mli.relu ins(%a : tensor<!q>) outs(%init : tensor<!q>)
    {relu = #mli.relu<gen>} -> tensor<!q>
  return %r : tensor<!q>
}

}
