// RUN: mli-opt %s --mli-assign-addresses --split-input-file --verify-diagnostics
// RUN: not mli-opt %S/assign-addresses.mlir --mli-assign-addresses=system-alignment=0 --split-input-file 2>&1 | FileCheck %s --check-prefix=ALIGNMENT
// RUN: not mli-opt %S/assign-addresses.mlir --mli-assign-addresses=system-alignment=6 --split-input-file 2>&1 | FileCheck %s --check-prefix=POWER
// RUN: not mli-opt %S/assign-addresses.mlir --mli-assign-addresses=arena-bytes=-4 --split-input-file 2>&1 | FileCheck %s --check-prefix=ARENA
// RUN: not mli-opt %S/assign-addresses.mlir --mli-assign-addresses=budget=-1 --split-input-file 2>&1 | FileCheck %s --check-prefix=BUDGET

// ALIGNMENT: for the --system-alignment option: expected a number in [1, inf), but got 0
// POWER: error: expected 'system-alignment' to be a power of 2, but got 6
// ARENA: for the --arena-bytes option: expected a number in [0, 1152921504606846976], but got -4
// BUDGET: for the --budget option: expected a number in [0, inf), but got -1

// expected-error @below {{expected 'even' to have one frame at a time, but got a call of itself}}
func.func @even() {
  func.call @odd() : () -> ()
  return
}
func.func @odd() {
  func.call @even() : () -> ()
  return
}

// -----

func.func private @callee() {
  return
}
func.func @caller() {
  // expected-error @below {{expected 'callee' to be called by its name, but got 'func.constant'}}
  %callee = func.constant @callee : () -> ()
  func.call_indirect %callee() : () -> ()
  return
}

// -----

!map = memref<64x!mli.sa8<1:4:0>, #mli.space<local>>
func.func @no_target(%in: !map) {
  // expected-error @below {{'mli.alloc' op expected 'mli.target' to be on a module around, but got none}}
  %a = mli.alloc : !map
  mli.mov ins(%in : !map) outs(%a : !map)
  return
}

// -----

!map = memref<64x!mli.sa8<1:4:0>, #mli.space<local>>
module attributes {mli.target = #mli.target<bm1684>} {
  func.func @no_layout(%in: !map) {
    // A30
    // expected-error @below {{'memref.alloc' op expected a buffer in local memory of 64 NPUs to have an mli layout, but got 'memref<64x!mli.sa8<1:4:0>, #mli.space<local>>'}}
    %a = memref.alloc() : !map
    mli.mov ins(%in : !map) outs(%a : !map)
    return
  }
}

// -----

!map = memref<64x!mli.sa8<1:4:0>, #mli.space<local>>
module attributes {mli.target = #mli.target<vpx>} {
  func.func @result() -> !map {
    // A30
    // expected-error @below {{'memref.alloc' op expected a buffer in local memory to stay in its function, but got a result}}
    %a = memref.alloc() : !map
    return %a : !map
  }
}

// -----

#layout = #mli.layout<aligned, dims = [h, w, c], npus = 4, npu_elements = 16384, strides = [64, 64, 4, 1]>
#layout1 = #mli.layout<aligned, dims = [h, w, c], npus = 4, npu_elements = 16384, start_npu = 1, strides = [64, 64, 4, 1]>
!map = memref<4x4x2x!mli.sa8<1:4:0>, #layout, #mli.space<local>>
!map1 = memref<4x4x2x!mli.sa8<1:4:0>, #layout1, #mli.space<local>>
module attributes {mli.target = #mli.target<custom, npus = 4, npu_bytes = 16384, unit = 64>} {
  func.func @group() {
    // A10
    // expected-error @below {{'mli.alloc' op expected buffers of one start group to have a start NPU in common, but got none}}
    %a = mli.alloc {start_group = 1 : i64} : !map
    %b = mli.alloc {start_group = 1 : i64} : !map1
    return
  }
}

// -----

#words = #mli.layout<aligned, dims = [c], npus = 4, npu_elements = 16384, strides = [256, 128, 1, 1]>
!map = memref<8xcomplex<f32>, #words, #mli.space<local>>
module attributes {mli.target = #mli.target<custom, npus = 4, npu_bytes = 16384>} {
  func.func @elements_of_no_size() {
    // A30
    // expected-error @below {{'memref.alloc' op expected a buffer in local memory to have a layout that is legal there, but got 'memref<8xcomplex<f32>, #mli.layout<aligned, dims = [c], npus = 4, npu_elements = 16384, strides = [256, 128, 1, 1]>, #mli.space<local>>'}}
    %a = memref.alloc() : !map
    return
  }
}

// -----

!map = memref<64x!mli.sa8<1:4:0>, strided<[?]>, #mli.space<local>>
module attributes {mli.target = #mli.target<vpx>} {
  func.func @unknown_strides(%n: index) {
    // A30
    // expected-error @below {{'memref.alloc' op expected a buffer in local memory to have a layout that is legal there, but got 'memref<64x!mli.sa8<1:4:0>, strided<[?]>, #mli.space<local>>'}}
    %a = memref.alloc()[%n] : !map
    return
  }
}

// -----

!map = memref<64x!mli.sa8<1:4:0>>
func.func @pinned_together(%in: !map, %out: !map) {
  %c = memref.alloc() : !map
  // expected-error @below {{expected memory that can be planned, but got: expected 'fixed' to be in [0, 1152921504606846976], but got 1152921504606846977}}
  %a = mli.alloc {address = 1152921504606846977 : i64} : !map
  mli.mov ins(%in : !map) outs(%a : !map)
  mli.mov ins(%a : !map) outs(%c : !map)
  mli.mov ins(%c : !map) outs(%out : !map)
  return
}

// -----

// expected-error @below {{expected 'twice' to have no arena yet, but got argument 1}}
func.func @twice(%in: memref<4xi8>, %arena: memref<16xi8> {mli.arena}) {
  return
}
