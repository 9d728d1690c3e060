// What is offered instead of a copy is a view itself.
// RUN: mli-opt %s --mli-explain-slices -o /dev/null 2>&1 | FileCheck %s

#map = #mli.layout<compact, dims = [h, w, c], npus = 4, npu_elements = 1024, strides = [32, 32, 8, 1]>
!map = memref<4x8x3x!mli.fx8<3>, #map, #mli.space<local>>
!odd = memref<4x3x3x!mli.fx8<3>, strided<[8, 2, 1024], offset: 1>, #mli.space<local>>
!even = memref<4x3x3x!mli.fx8<3>, strided<[8, 2, 1024]>, #mli.space<local>>
!block = memref<4x6x3x!mli.fx8<3>, strided<[8, 1, 1024]>, #mli.space<local>>
module attributes {mli.target = #mli.target<custom, npus = 4, npu_bytes = 1024>} {
  func.func @steps(%map: !map) {
    // Block [4, 5, 3] from [0, 1, 0] would start between two words.
    // CHECK: remark: a copy: expected step of dimension 1 to be 1, but got 2; a view of [4, 6, 3] from [0, 0, 0] would copy none{{$}}
    %0 = memref.subview %map[0, 1, 0] [4, 3, 3] [1, 2, 1] : !map to !odd
    // CHECK: remark: a copy: expected step of dimension 1 to be 1, but got 2; a view of [4, 5, 3] from [0, 0, 0] would copy none{{$}}
    %1 = memref.subview %map[0, 0, 0] [4, 3, 3] [1, 2, 1] : !map to !even
    // CHECK: remark: a view: 1 mli.subtensor, no element is copied{{$}}
    %2 = memref.subview %map[0, 0, 0] [4, 6, 3] [1, 1, 1] : !map to !block
    return
  }
}
