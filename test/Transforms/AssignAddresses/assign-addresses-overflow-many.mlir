// More buffers live at peak usage than are named.
// RUN: not mli-opt %s --mli-assign-addresses 2>&1 | FileCheck %s

// A20
// CHECK: error: expected buffers of 'many' to fit in 1280 bytes of local memory, but got 1344, 64 too many (proven)
// CHECK-COUNT-20: live at peak usage
// CHECK-NOT: live at peak usage
// CHECK: note: and 1 more

!map = memref<64x!mli.sa8<1:4:0>, #mli.space<local>>
!plain = memref<64x!mli.sa8<1:4:0>>
module attributes {mli.target = #mli.target<vpx, npu_bytes = 1280>} {
  func.func @many(%in: !plain, %out: !plain) {
    %b0 = mli.alloc : !map
    %b1 = mli.alloc : !map
    %b2 = mli.alloc : !map
    %b3 = mli.alloc : !map
    %b4 = mli.alloc : !map
    %b5 = mli.alloc : !map
    %b6 = mli.alloc : !map
    %b7 = mli.alloc : !map
    %b8 = mli.alloc : !map
    %b9 = mli.alloc : !map
    %b10 = mli.alloc : !map
    %b11 = mli.alloc : !map
    %b12 = mli.alloc : !map
    %b13 = mli.alloc : !map
    %b14 = mli.alloc : !map
    %b15 = mli.alloc : !map
    %b16 = mli.alloc : !map
    %b17 = mli.alloc : !map
    %b18 = mli.alloc : !map
    %b19 = mli.alloc : !map
    %b20 = mli.alloc : !map
    mli.mov ins(%in : !plain) outs(%b0 : !map)
    mli.mov ins(%in : !plain) outs(%b1 : !map)
    mli.mov ins(%in : !plain) outs(%b2 : !map)
    mli.mov ins(%in : !plain) outs(%b3 : !map)
    mli.mov ins(%in : !plain) outs(%b4 : !map)
    mli.mov ins(%in : !plain) outs(%b5 : !map)
    mli.mov ins(%in : !plain) outs(%b6 : !map)
    mli.mov ins(%in : !plain) outs(%b7 : !map)
    mli.mov ins(%in : !plain) outs(%b8 : !map)
    mli.mov ins(%in : !plain) outs(%b9 : !map)
    mli.mov ins(%in : !plain) outs(%b10 : !map)
    mli.mov ins(%in : !plain) outs(%b11 : !map)
    mli.mov ins(%in : !plain) outs(%b12 : !map)
    mli.mov ins(%in : !plain) outs(%b13 : !map)
    mli.mov ins(%in : !plain) outs(%b14 : !map)
    mli.mov ins(%in : !plain) outs(%b15 : !map)
    mli.mov ins(%in : !plain) outs(%b16 : !map)
    mli.mov ins(%in : !plain) outs(%b17 : !map)
    mli.mov ins(%in : !plain) outs(%b18 : !map)
    mli.mov ins(%in : !plain) outs(%b19 : !map)
    mli.mov ins(%in : !plain) outs(%b20 : !map)
    mli.mov ins(%b0 : !map) outs(%out : !plain)
    mli.mov ins(%b1 : !map) outs(%out : !plain)
    mli.mov ins(%b2 : !map) outs(%out : !plain)
    mli.mov ins(%b3 : !map) outs(%out : !plain)
    mli.mov ins(%b4 : !map) outs(%out : !plain)
    mli.mov ins(%b5 : !map) outs(%out : !plain)
    mli.mov ins(%b6 : !map) outs(%out : !plain)
    mli.mov ins(%b7 : !map) outs(%out : !plain)
    mli.mov ins(%b8 : !map) outs(%out : !plain)
    mli.mov ins(%b9 : !map) outs(%out : !plain)
    mli.mov ins(%b10 : !map) outs(%out : !plain)
    mli.mov ins(%b11 : !map) outs(%out : !plain)
    mli.mov ins(%b12 : !map) outs(%out : !plain)
    mli.mov ins(%b13 : !map) outs(%out : !plain)
    mli.mov ins(%b14 : !map) outs(%out : !plain)
    mli.mov ins(%b15 : !map) outs(%out : !plain)
    mli.mov ins(%b16 : !map) outs(%out : !plain)
    mli.mov ins(%b17 : !map) outs(%out : !plain)
    mli.mov ins(%b18 : !map) outs(%out : !plain)
    mli.mov ins(%b19 : !map) outs(%out : !plain)
    mli.mov ins(%b20 : !map) outs(%out : !plain)
    return
  }
}
