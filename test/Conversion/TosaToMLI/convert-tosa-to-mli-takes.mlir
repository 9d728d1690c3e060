// RUN: mli-opt --convert-tosa-to-mli --split-input-file --verify-diagnostics %s | FileCheck %s

// Each run of neighbours is a move.

// CHECK-LABEL: func.func @gather(
// CHECK: mli.mov {{.*}} {dst_offsets = array<i64: 0, 0, 0>, offsets = array<i64: 0, 2, 0>, sizes = array<i64: 1, 2, 3>}
// CHECK: mli.mov {{.*}} {dst_offsets = array<i64: 0, 2, 0>, offsets = array<i64: 0, 0, 0>, sizes = array<i64: 1, 1, 3>}
// CHECK-NOT: mli.mov
func.func @gather(%arg0: tensor<1x4x3xi8>) -> (tensor<1x3x3xi8>) {
  %places = "tosa.const"() <{values = dense<[[2, 3, 0]]> : tensor<1x3xi32>}> : () -> tensor<1x3xi32>
  %gather = tosa.gather %arg0, %places : (tensor<1x4x3xi8>, tensor<1x3xi32>) -> tensor<1x3x3xi8>
  return %gather : tensor<1x3x3xi8>
}

// -----

// Twice the size: all slices at once, each to both of its places.

// CHECK-LABEL: func.func @resize(
// CHECK-COUNT-2: mli.mov ins({{.*}} : tensor<3x1x20x!mli.sa8<1:0:0>>) outs({{.*}} : tensor<3x2x20x!mli.sa8<1:0:0>>)
// CHECK-COUNT-2: mli.mov ins({{.*}} : tensor<24x1x5x!mli.sa8<1:0:0>>) outs({{.*}} : tensor<24x2x5x!mli.sa8<1:0:0>>)
// CHECK-NOT: mli.mov
func.func @resize(%arg0: tensor<1x3x4x5xi8>) -> (tensor<1x6x8x5xi8>) {
  %scale = tosa.const_shape {values = dense<[4, 2, 4, 2]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %offset = tosa.const_shape {values = dense<-1> : tensor<2xindex>} : () -> !tosa.shape<2>
  %border = tosa.const_shape {values = dense<1> : tensor<2xindex>} : () -> !tosa.shape<2>
  %resize = tosa.resize %arg0, %scale, %offset, %border {mode = NEAREST_NEIGHBOR} : (tensor<1x3x4x5xi8>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x6x8x5xi8>
  return %resize : tensor<1x6x8x5xi8>
}

// -----

// CHECK-LABEL: func.func @identity(
// CHECK-SAME: %[[ARG:[^:]*]]: tensor<4x!mli.sa8<1:0:0>>
// CHECK-NEXT: return %[[ARG]]
func.func @identity(%arg0: tensor<4xi8>) -> (tensor<4xi8>) {
  %identity = tosa.identity %arg0 : (tensor<4xi8>) -> tensor<4xi8>
  return %identity : tensor<4xi8>
}

// -----

// CHECK-LABEL: func.func @tile(
// CHECK-COUNT-2: mli.mov
func.func @tile(%arg0: tensor<2x3xi8>) -> (tensor<2x6xi8>) {
  %times = tosa.const_shape {values = dense<[1, 2]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %tile = tosa.tile %arg0, %times : (tensor<2x3xi8>, !tosa.shape<2>) -> tensor<2x6xi8>
  return %tile : tensor<2x6xi8>
}

// -----

// CHECK-LABEL: func.func @reverse(
// CHECK-COUNT-3: mli.mov
func.func @reverse(%arg0: tensor<2x3xi8>) -> (tensor<2x3xi8>) {
  %reverse = tosa.reverse %arg0 {axis = 1 : i32} : (tensor<2x3xi8>) -> tensor<2x3xi8>
  return %reverse : tensor<2x3xi8>
}

// -----

func.func @many(%arg0: tensor<1x1100xi8>) -> (tensor<1x1100xi8>) {
  // expected-remark @below {{'tosa.reverse' op not raised: expected at most 1024 moves for dimension 1, but got 1100}}
  %reverse = tosa.reverse %arg0 {axis = 1 : i32} : (tensor<1x1100xi8>) -> tensor<1x1100xi8>
  return %reverse : tensor<1x1100xi8>
}

// -----

func.func @indices(%arg0: tensor<1x4x3xi8>, %places: tensor<1x3xi32>) -> (tensor<1x3x3xi8>) {
  // expected-remark @below {{'tosa.gather' op not raised: expected constant indices, but got tensor<1x3xi32>}}
  %gather = tosa.gather %arg0, %places : (tensor<1x4x3xi8>, tensor<1x3xi32>) -> tensor<1x3x3xi8>
  return %gather : tensor<1x3x3xi8>
}

// -----

func.func @index(%arg0: tensor<1x4x3xi8>) -> (tensor<1x3x3xi8>) {
  %places = "tosa.const"() <{values = dense<[[2, 4, 0]]> : tensor<1x3xi32>}> : () -> tensor<1x3xi32>
  // expected-remark @below {{'tosa.gather' op not raised: expected indices from 0 to 3, but got 4}}
  %gather = tosa.gather %arg0, %places : (tensor<1x4x3xi8>, tensor<1x3xi32>) -> tensor<1x3x3xi8>
  return %gather : tensor<1x3x3xi8>
}

// -----

func.func @bilinear(%arg0: tensor<1x3x4x5xi8>) -> (tensor<1x6x8x5xi32>) {
  %scale = tosa.const_shape {values = dense<[4, 2, 4, 2]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %offset = tosa.const_shape {values = dense<-1> : tensor<2xindex>} : () -> !tosa.shape<2>
  %border = tosa.const_shape {values = dense<1> : tensor<2xindex>} : () -> !tosa.shape<2>
  // expected-remark @below {{'tosa.resize' op not raised: expected nearest neighbours, but got BILINEAR}}
  %resize = tosa.resize %arg0, %scale, %offset, %border {mode = BILINEAR} : (tensor<1x3x4x5xi8>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x6x8x5xi32>
  return %resize : tensor<1x6x8x5xi32>
}

// -----

// The rows of all batches are one dimension.

// CHECK-LABEL: func.func @gather_of_a_batch(
// CHECK: mli.mov ins({{.*}} : tensor<1x8x3x!mli.fx16<0>>) outs({{.*}} : tensor<1x4x3x!mli.fx16<0>>) {dst_offsets = array<i64: 0, 0, 0>, offsets = array<i64: 0, 0, 0>, sizes = array<i64: 1, 1, 3>}
// CHECK: mli.mov {{.*}} {dst_offsets = array<i64: 0, 1, 0>, offsets = array<i64: 0, 3, 0>, sizes = array<i64: 1, 2, 3>}
// CHECK: mli.mov {{.*}} {dst_offsets = array<i64: 0, 3, 0>, offsets = array<i64: 0, 6, 0>, sizes = array<i64: 1, 1, 3>}
// CHECK-NOT: mli.mov
func.func @gather_of_a_batch(%arg0: tensor<2x4x3xi16>) -> (tensor<2x2x3xi16>) {
  %places = "tosa.const"() <{values = dense<[[0, 3], [0, 2]]> : tensor<2x2xi32>}> : () -> tensor<2x2xi32>
  %gather = tosa.gather %arg0, %places : (tensor<2x4x3xi16>, tensor<2x2xi32>) -> tensor<2x2x3xi16>
  return %gather : tensor<2x2x3xi16>
}

// -----

// Rows beside each other are put by one move.

// CHECK-LABEL: func.func @scatter(
// CHECK-SAME: %[[INTO:[^:]*]]: tensor<1x6x3x!mli.sa8<1:0:0>>, %[[ROWS:[^:]*]]: tensor<1x3x3x!mli.sa8<1:0:0>>
// CHECK: %[[FIRST:.*]] = mli.mov ins(%[[ROWS]] : {{.*}}) outs(%[[INTO]] : {{.*}}) {dst_offsets = array<i64: 0, 4, 0>, offsets = array<i64: 0, 0, 0>, sizes = array<i64: 1, 2, 3>}
// CHECK: mli.mov ins(%[[ROWS]] : {{.*}}) outs(%[[FIRST]] : {{.*}}) {dst_offsets = array<i64: 0, 1, 0>, offsets = array<i64: 0, 2, 0>, sizes = array<i64: 1, 1, 3>}
// CHECK-NOT: mli.mov
func.func @scatter(%arg0: tensor<1x6x3xi8>, %arg1: tensor<1x3x3xi8>) -> (tensor<1x6x3xi8>) {
  %places = arith.constant dense<[[4, 5, 1]]> : tensor<1x3xi32>
  %scatter = tosa.scatter %arg0, %places, %arg1 : (tensor<1x6x3xi8>, tensor<1x3xi32>, tensor<1x3x3xi8>) -> tensor<1x6x3xi8>
  return %scatter : tensor<1x6x3xi8>
}

// -----

func.func @scatter_anywhere(%arg0: tensor<1x6x3xi8>, %arg1: tensor<1x3x3xi8>, %places: tensor<1x3xi32>) -> (tensor<1x6x3xi8>) {
  // expected-remark @below {{'tosa.scatter' op not raised: expected constant indices, but got tensor<1x3xi32>}}
  %scatter = tosa.scatter %arg0, %places, %arg1 : (tensor<1x6x3xi8>, tensor<1x3xi32>, tensor<1x3x3xi8>) -> tensor<1x6x3xi8>
  return %scatter : tensor<1x6x3xi8>
}

// -----

// TOSA leaves open which of two rows stays.

func.func @scatter_twice(%arg0: tensor<1x6x3xi8>, %arg1: tensor<1x3x3xi8>) -> (tensor<1x6x3xi8>) {
  %places = "tosa.const"() <{values = dense<[[4, 1, 4]]> : tensor<1x3xi32>}> : () -> tensor<1x3xi32>
  // expected-remark @below {{'tosa.scatter' op not raised: expected 3 indices that differ, but got 2}}
  %scatter = tosa.scatter %arg0, %places, %arg1 : (tensor<1x6x3xi8>, tensor<1x3xi32>, tensor<1x3x3xi8>) -> tensor<1x6x3xi8>
  return %scatter : tensor<1x6x3xi8>
}

// -----

func.func @scatter_behind(%arg0: tensor<1x6x3xi8>, %arg1: tensor<1x1x3xi8>) -> (tensor<1x6x3xi8>) {
  %places = "tosa.const"() <{values = dense<6> : tensor<1x1xi32>}> : () -> tensor<1x1xi32>
  // expected-remark @below {{'tosa.scatter' op not raised: expected indices from 0 to 5, but got 6}}
  %scatter = tosa.scatter %arg0, %places, %arg1 : (tensor<1x6x3xi8>, tensor<1x1xi32>, tensor<1x1x3xi8>) -> tensor<1x6x3xi8>
  return %scatter : tensor<1x6x3xi8>
}

// -----

func.func @scatter_much(%arg0: tensor<1026x2x3xi8>, %arg1: tensor<1026x1x3xi8>) -> (tensor<1026x2x3xi8>) {
  %places = "tosa.const"() <{values = dense<1> : tensor<1026x1xi32>}> : () -> tensor<1026x1xi32>
  // expected-remark @below {{'tosa.scatter' op not raised: expected at most 1024 moves of rows, but got 1026}}
  %scatter = tosa.scatter %arg0, %places, %arg1 : (tensor<1026x2x3xi8>, tensor<1026x1xi32>, tensor<1026x1x3xi8>) -> tensor<1026x2x3xi8>
  return %scatter : tensor<1026x2x3xi8>
}

// -----

func.func @tile_with_a_rest(%arg0: tensor<2x3xi8>) -> (tensor<5x6xi8>) {
  %times = tosa.const_shape {values = dense<2> : tensor<2xindex>} : () -> !tosa.shape<2>
  // expected-remark @below {{'tosa.tile' op not raised: expected an output of a multiple of 2 elements in dimension 0, but got 5}}
  %tile = tosa.tile %arg0, %times : (tensor<2x3xi8>, !tosa.shape<2>) -> tensor<5x6xi8>
  return %tile : tensor<5x6xi8>
}

// -----

func.func @reverse_of_others(%arg0: tensor<4x4xi8>) -> (tensor<3x4xi8>) {
  // expected-remark @below {{'tosa.reverse' op not raised: expected output of 16 elements, but got 12}}
  %reverse = tosa.reverse %arg0 {axis = 1 : i32} : (tensor<4x4xi8>) -> tensor<3x4xi8>
  return %reverse : tensor<3x4xi8>
}

// -----

func.func @identity_of_others(%arg0: tensor<4xi8>) -> (tensor<5xi8>) {
  // expected-remark @below {{'tosa.identity' op not raised: expected output of 4 elements, but got 5}}
  %identity = tosa.identity %arg0 : (tensor<4xi8>) -> tensor<5xi8>
  return %identity : tensor<5xi8>
}

// -----

// Dimensions of which all is taken have no lists, whatever their size.

// CHECK-LABEL: func.func @large(
// CHECK-COUNT-4: mli.mov
func.func @large(%arg0: tensor<2x500000000xi8>) -> (tensor<4x500000000xi8>) {
  %reverse = tosa.reverse %arg0 {axis = 0 : i32} : (tensor<2x500000000xi8>) -> tensor<2x500000000xi8>
  %times = tosa.const_shape {values = dense<[2, 1]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %tile = tosa.tile %reverse, %times : (tensor<2x500000000xi8>, !tosa.shape<2>) -> tensor<4x500000000xi8>
  return %tile : tensor<4x500000000xi8>
}

// -----

func.func @long(%arg0: tensor<1xi8>) -> (tensor<2000000000xi8>) {
  %times = tosa.const_shape {values = dense<2000000000> : tensor<1xindex>} : () -> !tosa.shape<1>
  // expected-remark @below {{'tosa.tile' op not raised: expected at most 1024 moves for dimension 0, but got 2000000000}}
  %tile = tosa.tile %arg0, %times : (tensor<1xi8>, !tosa.shape<1>) -> tensor<2000000000xi8>
  return %tile : tensor<2000000000xi8>
}
