// What is no memory that strides describe is no argument.

// RUN: mli-opt %s --mli-local-to-argument --split-input-file --verify-diagnostics

#map = #mli.layout<aligned, dims = [c, h, w], npus = 4, npu_elements = 4096, strides = [32, 32, 8, 1]>
module attributes {mli.target = #mli.target<custom, npus = 4, npu_bytes = 4096, unit = 16, banks = 1, dma_align = 16>} {
  func.func @several() {
    // S16
    // expected-error@+1 {{'mli.alloc' op expected local memory of one NPU, which an argument can be, but got 4 NPUs}}
    %0 = mli.alloc {address = 0 : i64} : memref<4x4x8x!mli.fx8<5>, #map, #mli.space<local>>
    return
  }
}

// -----

module {
  func.func @without_target() {
    // expected-error@+1 {{'mli.alloc' op expected 'mli.target' to be on a module around, but got none}}
    %0 = mli.alloc {address = 0 : i64} : memref<4x4x8x!mli.fx8<5>, #mli.space<local>>
    return
  }
}

// -----

module attributes {mli.target = #mli.target<custom, npus = 1, npu_bytes = 4096, unit = 16, banks = 1, dma_align = 16>} {
  func.func @sizes(%size: index) {
    // S16
    // expected-error@+1 {{'memref.alloc' op expected a buffer in local memory to have static sizes and strides, but got 'memref<?x!mli.fx8<5>, #mli.space<local>>'}}
    %0 = memref.alloc(%size) : memref<?x!mli.fx8<5>, #mli.space<local>>
    return
  }
}

// -----

!local = memref<4x6x!mli.fx8<5>, strided<[8, 1]>, #mli.space<local>>
!other = memref<6x4x!mli.fx8<5>, strided<[8, 1]>, #mli.space<local>>
module attributes {mli.target = #mli.target<custom, npus = 1, npu_bytes = 4096, unit = 16, banks = 1, dma_align = 16>} {
  func.func @gaps(%from: !local, %to: !other) {
    // S16
    // expected-error@+1 {{'mli.mov' op expected one side without gaps, which a move to another shape needs in plain memory, but got 'memref<4x6x!mli.fx8<5>, strided<[8, 1]>, #mli.space<local>>' and 'memref<6x4x!mli.fx8<5>, strided<[8, 1]>, #mli.space<local>>'}}
    mli.mov ins(%from : !local) outs(%to : !other)
    return
  }
}
