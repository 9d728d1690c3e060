// RUN: mli-opt %s --split-input-file --verify-diagnostics

func.func @value_of_another_shape() {
  // D1
  // expected-error @below {{expected 'value' to have the shape of 'result' [2, 2], but got [4]}}
  %value = mli.constant dense<0> : tensor<4xi8> to tensor<2x2x!mli.fx8<7>>
  return
}

// -----

func.func @value_of_unknown_shape() {
  // D1
  // expected-error @below {{expected 'value' to have the shape of 'result' [?], but got [4]}}
  %value = mli.constant dense<0> : tensor<4xi8> to tensor<?x!mli.fx8<7>>
  return
}

// -----

func.func @value_of_another_width() {
  // D2
  // expected-error @below {{expected 'value' to have elements of 'i8', but got 'i16'}}
  %value = mli.constant dense<0> : tensor<4xi16> to tensor<4x!mli.sa8<1:2:3>>
  return
}

// -----

func.func @sparse_value() {
  // D3
  // expected-error @below {{expected 'value' to be dense, but got sparse<0, 5> : tensor<4xi8>}}
  %value = mli.constant sparse<[[0]], [5]> : tensor<4xi8>
    to tensor<4x!mli.sa8<1:2:3>>
  return
}

// -----

func.func @resource_of_unknown_size() {
  // D19
  // expected-error @below {{expected 'result' to have a static shape, but got [2, ?]}}
  %data = mli.constant dense_resource<data> : tensor<2x?xi8>
    to tensor<2x?x!mli.fx8<7>>
  return
}

{-#
  dialect_resources: {
    builtin: {
      data: "0x0100000001020304"
    }
  }
#-}

// -----

func.func @resource_of_another_size() {
  // D4
  // expected-error @below {{expected 'value' to hold 8 bytes, but got 4}}
  %value = mli.constant dense_resource<data> : tensor<4xi16>
    to tensor<4x!mli.fx16<12>>
  return
}

{-#
  dialect_resources: {
    builtin: {
      data: "0x0100000001020304"
    }
  }
#-}

// -----

func.func @resource_without_data() {
  // D4
  // expected-error @below {{expected 'value' to hold 4 bytes, but got 0}}
  %value = mli.constant dense_resource<missing> : tensor<4xi8>
    to tensor<4x!mli.fx8<7>>
  return
}

// -----

!rows = memref<2x2x!mli.fx8<7>, strided<[4, 1]>>
func.func @constant_with_gaps() {
  // D5
  // expected-error @below {{expected 'result' to be contiguous in system memory, but got 'memref<2x2x!mli.fx8<7>, strided<[4, 1]>>'}}
  %value = mli.constant dense<0> : tensor<2x2xi8> to !rows
  return
}

// -----

func.func @constant_in_another_space() {
  // D5
  // expected-error @below {{expected 'result' to be contiguous in system memory, but got 'memref<4x!mli.fx8<7>, 1>'}}
  %value = mli.constant dense<0> : tensor<4xi8> to memref<4x!mli.fx8<7>, 1>
  return
}

// -----

func.func @constant_in_local_memory() {
  // D5
  // expected-error @below {{expected 'result' to be contiguous in system memory, but got 'tensor<4x!mli.fx8<7>, #mli.space<local>>'}}
  %value = mli.constant dense<0> : tensor<4xi8>
    to tensor<4x!mli.fx8<7>, #mli.space<local>>
  return
}

// -----

func.func @reshape_to_a_buffer(%source: tensor<4xf32>) {
  // D6
  // expected-error @below {{expected 'result' to be a tensor as 'source', but got 'memref<2x2xf32>'}}
  %result = mli.reshape %source : tensor<4xf32> to memref<2x2xf32>
  return
}

// -----

func.func @reshape_to_a_tensor(%source: memref<4xf32>) {
  // D6
  // expected-error @below {{expected 'result' to be a memref as 'source', but got 'tensor<2x2xf32>'}}
  %result = mli.reshape %source : memref<4xf32> to tensor<2x2xf32>
  return
}

// -----

func.func @reshape_of_unknown_size(%source: tensor<?x4xf32>) {
  // D7
  // expected-error @below {{expected static shapes, but got 'tensor<?x4xf32>' and 'tensor<8xf32>'}}
  %result = mli.reshape %source : tensor<?x4xf32> to tensor<8xf32>
  return
}

// -----

func.func @reshape_to_fewer_elements(%source: tensor<2x4xf32>) {
  // D8
  // expected-error @below {{expected 'result' to have the 8 elements of 'source', but got 7}}
  %result = mli.reshape %source : tensor<2x4xf32> to tensor<7xf32>
  return
}

// -----

func.func @reshape_of_rows_with_gaps(%source: memref<2x4xf32, strided<[8, 1]>>) {
  // D9
  // expected-error @below {{expected 'source' to be contiguous, but got 'memref<2x4xf32, strided<[8, 1]>>'}}
  %result = mli.reshape %source
    : memref<2x4xf32, strided<[8, 1]>> to memref<8xf32>
  return
}

// -----

func.func @reshape_into_gaps(%source: memref<8xf32>) {
  // D9
  // expected-error @below {{expected 'result' to be contiguous, but got 'memref<2x4xf32, strided<[8, 1]>>'}}
  %result = mli.reshape %source
    : memref<8xf32> to memref<2x4xf32, strided<[8, 1]>>
  return
}

// -----

func.func @reshape_to_another_start(
    %source: memref<8xf32, strided<[1], offset: 8>>) {
  // D20
  // expected-error @below {{expected 'result' to start where 'source' does, 'memref<8xf32, strided<[1], offset: 8>>', but got 'memref<2x4xf32>'}}
  %result = mli.reshape %source
    : memref<8xf32, strided<[1], offset: 8>> to memref<2x4xf32>
  return
}

// -----

func.func @reshape_of_unknown_strides(
    %source: memref<2x4xf32, strided<[?, 1], offset: ?>>) {
  // D9
  // expected-error @below {{expected 'source' to be contiguous, but got 'memref<2x4xf32, strided<[?, 1], offset: ?>>'}}
  %result = mli.reshape %source : memref<2x4xf32, strided<[?, 1], offset: ?>>
    to memref<8xf32, strided<[1], offset: ?>>
  return
}

// -----

func.func @reshape_into_another_space(%source: memref<8xf32>) {
  // D10
  // expected-error @below {{expected 'result' to be in the memory space of 'memref<8xf32>', but got 'memref<2x4xf32, 1>'}}
  %result = mli.reshape %source : memref<8xf32> to memref<2x4xf32, 1>
  return
}

// -----

!local = tensor<8xf32, #mli.space<local>>
func.func @reshape_moves(%source: !local) {
  // D10
  // expected-error @below {{expected 'result' to be in the memory space of 'tensor<8xf32, #mli.space<local>>', but got 'tensor<2x4xf32>'}}
  %result = mli.reshape %source : !local to tensor<2x4xf32>
  return
}

// -----

!axis = tensor<3x2x!mli.sa8<axis = 1, {5:3:0, 7:3:0}>>
func.func @reshape_merges_axis(%source: !axis) {
  // D11
  // expected-error @below {{expected quantised axis 1 of 'source' to stay a dimension of its own, but got shape [6]}}
  %result = mli.reshape %source : !axis to tensor<6x!mli.sa8<5:3:0>>
  return
}

// -----

!axis = tensor<2x3x!mli.sa8<axis = 0, {5:3:0, 7:3:0}>>
func.func @reshape_moves_axis(%source: !axis) {
  // D11
  // expected-error @below {{expected quantised axis 0 of 'source' to stay a dimension of its own, but got shape [3, 2]}}
  %result = mli.reshape %source
    : !axis to tensor<3x2x!mli.sa8<axis = 1, {5:3:0, 7:3:0}>>
  return
}

// -----

!axis = tensor<2x3x!mli.sa8<axis = 0, {5:3:0, 7:3:0}>>
func.func @reshape_forgets_axis(%source: !axis) {
  // D12
  // expected-error @below {{expected 'result' to have elements of '!mli.sa8<axis = 1, {5:3:0, 7:3:0}>', but got '!mli.sa8<5:3:0>'}}
  %result = mli.reshape %source : !axis to tensor<1x2x3x!mli.sa8<5:3:0>>
  return
}

// -----

!gate = tensor<1x4x!mli.sa8<axis = 0, {5:3:0}>>
func.func @reshape_of_one_index_to_other_parameters(%source: !gate) {
  // D12
  // expected-error @below {{expected 'result' to have elements of '!mli.sa8<5:3:0>', but got '!mli.sa8<7:3:0>'}}
  %result = mli.reshape %source : !gate to tensor<4x!mli.sa8<7:3:0>>
  return
}

// -----

func.func @reshape_to_other_parameters(%source: tensor<4x!mli.fx8<7>>) {
  // D12
  // expected-error @below {{expected 'result' to have elements of '!mli.fx8<7>', but got '!mli.fx8<6>'}}
  %result = mli.reshape %source
    : tensor<4x!mli.fx8<7>> to tensor<2x2x!mli.fx8<6>>
  return
}
