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
