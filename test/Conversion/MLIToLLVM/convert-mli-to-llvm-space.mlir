// RUN: mli-opt %s --convert-mli-to-llvm --split-input-file --verify-diagnostics | FileCheck %s

// S6
// CHECK-LABEL: llvm.func @system_memory
// CHECK-NOT: addrspace
!map = memref<8x!mli.fx8<5>, #mli.space<system>>
func.func @system_memory(%map: !map) {
  %copy = memref.alloc() : !map
  mli.relu ins(%map : !map) outs(%copy : !map) {relu = #mli.relu<gen>}
  memref.dealloc %copy : !map
  return
}

// -----

!map = memref<8x!mli.fx8<5>, #mli.space<local>>
func.func @kernel() {
  // S11
  // expected-error @below {{'memref.alloc' op expected operands and results to be in system memory, but got 'memref<8x!mli.fx8<5>, #mli.space<local>>'}}
  %map = memref.alloc() : !map
  mli.relu ins(%map : !map) outs(%map : !map) {relu = #mli.relu<gen>}
  return
}

// -----

// S11
// expected-error @below {{'func.func' op expected operands and results to be in system memory, but got 'memref<8x!mli.fx8<5>, #mli.space<local>>'}}
func.func private @argument(memref<8x!mli.fx8<5>, #mli.space<local>>)

// -----

#aligned = #mli.layout<aligned, dims = [c], npus = 4, npu_elements = 16384, strides = [256, 128, 1, 1]>
module attributes {mli.target = #mli.target<custom, npus = 4, npu_bytes = 16384>} {
  func.func @laid_out() {
    // S11
    // expected-error @below {{'memref.alloc' op expected operands and results to be in system memory, but got 'memref<8x!mli.fx8<5>, #mli.layout<aligned, dims = [c], npus = 4, npu_elements = 16384, strides = [256, 128, 1, 1]>, #mli.space<local>>'}}
    %map = memref.alloc() : memref<8x!mli.fx8<5>, #aligned, #mli.space<local>>
    return
  }
}

// -----

module attributes {mli.target = #mli.target<vpx>} {
  func.func @no_address() {
    // S12
    // expected-error @below {{'mli.alloc' op expected 'address' in local memory, which mli-assign-addresses gives, but got none}}
    %map = mli.alloc : memref<8x!mli.fx8<5>, #mli.space<local>>
    return
  }
}

// -----

module attributes {mli.target = #mli.target<bm1684>} {
  func.func @no_layout() {
    // S11
    // expected-error @below {{'mli.alloc' op expected a buffer in local memory of 64 NPUs to have an mli layout, but got 'memref<8x!mli.fx8<5>, #mli.space<local>>'}}
    %map = mli.alloc {address = 0 : i64} : memref<8x!mli.fx8<5>, #mli.space<local>>
    return
  }
}

// -----

!any = memref<8x!mli.fx8<5>, strided<[?]>, #mli.space<local>>
module attributes {mli.target = #mli.target<vpx>} {
  func.func @dynamic_strides() {
    // S11
    // expected-error @below {{'mli.alloc' op expected a buffer in local memory to have static sizes and strides, but got 'memref<8x!mli.fx8<5>, strided<[?]>, #mli.space<local>>'}}
    %map = mli.alloc {address = 0 : i64} : !any
    return
  }
}

// -----

func.func @no_target() {
  // expected-error @below {{'mli.alloc' op expected 'mli.target' to be on a module around, but got none}}
  %map = mli.alloc {address = 0 : i64} : memref<8x!mli.fx8<5>, #mli.space<local>>
  return
}
