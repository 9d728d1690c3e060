// RUN: mli-opt %s --split-input-file --verify-roundtrip | FileCheck %s

// Any legal layout: kernels get a copy in plain memory.
// CHECK-LABEL: @scattered
#aligned = #mli.layout<aligned, dims = [h, w, c], npus = 4, npu_elements = 8192, start_npu = 2, strides = [128, 64, 5, 1]>
#compact = #mli.layout<compact, dims = [h, w, c], npus = 4, npu_elements = 8192, strides = [20, 20, 5, 1]>
!in = memref<4x5x3x!mli.fx16<12>, #aligned, #mli.space<local>>
!out = memref<4x5x3x!mli.fx16<12>, #compact, #mli.space<local>>
module @scattered attributes {mli.target = #mli.target<custom, npus = 4, npu_bytes = 16384>} {
  func.func @relu(%in: !in, %out: !out) {
    // CHECK: mli.relu ins(%{{.*}} : memref<4x5x3x!mli.fx16<12>, #{{.*}}, #mli.space<local>>)
    mli.relu ins(%in : !in) outs(%out : !out) {relu = #mli.relu<gen>}
    return
  }
}

// -----

// CHECK-LABEL: @no_layout_yet
!map = memref<4x5x3x!mli.fx16<12>, #mli.space<local>>
func.func @no_layout_yet(%map: !map) {
  // CHECK: mli.relu
  mli.relu ins(%map : !map) outs(%map : !map) {relu = #mli.relu<gen>}
  return
}

// -----

// One NPU is plain memory: strides will do, of a layout or not.
// CHECK-LABEL: @one_npu
#rows = #mli.layout<strided, dims = [c, h, w], npus = 1, npu_elements = 262144, strides = [0, 16, 3, 1]>
!in = memref<4x5x3x!mli.fx8<7>, strided<[16, 3, 1]>, #mli.space<local>>
!out = memref<4x5x3x!mli.fx8<7>, #rows, #mli.space<local>>
module @one_npu attributes {mli.target = #mli.target<vpx>} {
  func.func @relu(%in: !in, %out: !out) {
    // CHECK: mli.relu
    mli.relu ins(%in : !in) outs(%out : !out) {relu = #mli.relu<gen>}
    return
  }
}

// -----

// A tensor asks for local memory.
// CHECK-LABEL: @request
!map = tensor<4x5x3x!mli.fx16<12>, #mli.space<local>>
func.func @request(%map: !map) -> !map {
  // CHECK: mli.relu ins(%{{.*}} : tensor<4x5x3x!mli.fx16<12>, #mli.space<local>>)
  %result = mli.relu ins(%map : !map) outs(%map : !map)
    {relu = #mli.relu<gen>} -> !map
  return %result : !map
}

// -----

// The closest module counts.
// CHECK-LABEL: @nested
!map = memref<4x5x3x!mli.fx16<12>, strided<[16, 3, 1]>, #mli.space<local>>
module @nested attributes {mli.target = #mli.target<bm1684>} {
  module attributes {mli.target = #mli.target<vpx>} {
    func.func @relu(%map: !map) {
      // CHECK: mli.relu
      mli.relu ins(%map : !map) outs(%map : !map) {relu = #mli.relu<gen>}
      return
    }
  }
}

// -----

// Where each element stays at its address, also round the NPUs.
// CHECK-LABEL: @views
#map = #mli.layout<compact, dims = [h, w, c], npus = 4, npu_elements = 8192, start_npu = 2, strides = [40, 20, 5, 1]>
#batch = #mli.layout<compact, dims = [n, h, w, c], npus = 4, npu_elements = 8192, start_npu = 2, strides = [40, 20, 5, 1]>
#rows = #mli.layout<compact, dims = [w, c], npus = 4, npu_elements = 8192, start_npu = 2, strides = [40, 20, 20, 1]>
!map = memref<4x5x6x!mli.fx16<12>, #map, #mli.space<local>>
!batch = memref<1x4x5x6x!mli.fx16<12>, #batch, #mli.space<local>>
!rows = memref<20x6x!mli.fx16<12>, #rows, #mli.space<local>>
module @views attributes {mli.target = #mli.target<custom, npus = 4, npu_bytes = 16384>} {
  func.func @reshape(%map: !map) -> (!batch, !rows) {
    // CHECK-COUNT-2: mli.reshape
    %batch = mli.reshape %map : !map to !batch
    %rows = mli.reshape %batch : !batch to !rows
    return %batch, %rows : !batch, !rows
  }
  // Byte 64 of NPU 2.
  func.func @planned() -> !map {
    // CHECK: mli.alloc {address = 32832 : i64}
    %map = mli.alloc {address = 32832 : i64} : !map
    return %map : !map
  }
}

// -----

// CHECK-LABEL: func.func @in_system_memory
func.func @in_system_memory() -> (
    memref<2x!mli.fx8<1>, #mli.space<system>>,
    tensor<2x!mli.fx8<1>, #mli.space<system>>,
    memref<2x!mli.fx8<1>, #mli.space<system>>) {
  // CHECK-NEXT: mli.constant {{.*}} to memref<2x!mli.fx8<1>, #mli.space<system>>
  // CHECK-NEXT: mli.constant {{.*}} to tensor<2x!mli.fx8<1>, #mli.space<system>>
  // CHECK-NEXT: mli.alloc : memref<2x!mli.fx8<1>, #mli.space<system>>
  %0 = mli.constant dense<[1, 2]> : tensor<2xi8>
    to memref<2x!mli.fx8<1>, #mli.space<system>>
  %1 = mli.constant dense<[1, 2]> : tensor<2xi8>
    to tensor<2x!mli.fx8<1>, #mli.space<system>>
  %2 = mli.alloc : memref<2x!mli.fx8<1>, #mli.space<system>>
  return %0, %1, %2 : memref<2x!mli.fx8<1>, #mli.space<system>>,
    tensor<2x!mli.fx8<1>, #mli.space<system>>,
    memref<2x!mli.fx8<1>, #mli.space<system>>
}

// -----

// Views of tensors keep what these ask for.
// CHECK-LABEL: func.func @requests
!map = tensor<4x6x!mli.fx8<1>, #mli.space<local>>
func.func @requests(%map: !map) -> tensor<12x!mli.fx8<1>, #mli.space<local>> {
  // CHECK: mli.subtensor {{.*}} to tensor<2x6x!mli.fx8<1>, #mli.space<local>>
  %0 = mli.subtensor %map[1, 0] [2, 6] : !map
    to tensor<2x6x!mli.fx8<1>, #mli.space<local>>
  // CHECK: mli.reshape
  %1 = mli.reshape %0 : tensor<2x6x!mli.fx8<1>, #mli.space<local>>
    to tensor<12x!mli.fx8<1>, #mli.space<local>>
  return %1 : tensor<12x!mli.fx8<1>, #mli.space<local>>
}
