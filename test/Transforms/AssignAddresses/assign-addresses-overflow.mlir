// What is said when buffers do not fit, whole.
// RUN: not mli-opt %s --mli-assign-addresses --split-input-file 2>&1 | FileCheck %s --match-full-lines
// RUN: not mli-opt %s --mli-assign-addresses=reuse-empty-blocks --split-input-file 2>&1 | FileCheck %s --check-prefix=REUSE

!map = memref<64x!mli.sa8<1:4:0>, #mli.space<local>>
!plain = memref<64x!mli.sa8<1:4:0>>
module attributes {mli.target = #mli.target<vpx, npu_bytes = 128>} {
  // A20, A21, A22
  // CHECK: {{.*}}overflow.mlir:[[#@LINE+9]]:3: error: expected buffers of 'three_of_two' to fit in 128 bytes of local memory, but got 192, 64 too many (proven)
  // CHECK: <unknown>:0: note: loc("first"): live at peak usage, time 5: 'first', 64 bytes at 0 to 63, from 3 to 7
  // CHECK: {{.*}}overflow.mlir:[[#@LINE+9]]:10: note: live at peak usage, time 5: 'second', 64 bytes at 64 to 127, from 4 to 7
  // CHECK: {{.*}}overflow.mlir:[[#@LINE+9]]:10: note: live at peak usage, time 5: 'result of eltwise_add 0', 64 bytes at 128 to 191, from 5 to 8
  // CHECK: {{.*}}: note: 'first', 'second', 'result of eltwise_add 0' can not be together; without any one of them the others fit
  // CHECK: {{.*}}: note: would fit with 192 bytes of memory: the peak is then 192
  // CHECK: {{.*}}: note: would fit with 'first' elsewhere: the peak is then 128
  // CHECK: {{.*}}: note: would fit with 'second' elsewhere: the peak is then 128
  // CHECK: {{.*}}: note: would fit with 'result of eltwise_add 0' elsewhere: the peak is then 128
  func.func @three_of_two(%in: !plain, %out: !plain) {
    %a = mli.alloc : !map loc("first")
    %b = mli.alloc : !map
    %c = mli.alloc : !map
    mli.mov ins(%in : !plain) outs(%a : !map)
    mli.mov ins(%in : !plain) outs(%b : !map) loc("second")
    mli.eltwise_add ins(%a, %b : !map, !map) outs(%c : !map)
    mli.eltwise_add ins(%a, %b : !map, !map) outs(%c : !map)
    mli.mov ins(%c : !map) outs(%out : !plain)
    return
  }
}

// -----

#layout = #mli.layout<aligned, dims = [h, w, c], npus = 4, npu_elements = 128, strides = [64, 64, 4, 1]>
!map = memref<4x4x2x!mli.sa8<1:4:0>, #layout, #mli.space<local>>
!plain = memref<4x4x2x!mli.sa8<1:4:0>>
module attributes {mli.target = #mli.target<custom, npus = 4, npu_bytes = 128, unit = 64>} {
  // CHECK: {{.*}}: error: expected buffers of 'constraints' to fit in 128 bytes of local memory, but got no plan at any size (proven)
  // CHECK: {{.*}}: note: live at peak usage, time 3: 'input copy of permute 0', 64 bytes from NPU 0 on, from 2 to 4
  // CHECK: {{.*}}: note: live at peak usage, time 3: 'result of permute 0', 64 bytes from NPU 0 on, from 3 to 5
  // CHECK: {{.*}}: note: 'input copy of permute 0' can not be placed
  // CHECK: {{.*}}: note: 'address' of 'input copy of permute 0' is part of it
  // CHECK: {{.*}}: note: 'alignment' of 'input copy of permute 0' is part of it
  // CHECK: {{.*}}: note: would fit with 'input copy of permute 0' without 'address': the peak is then 128
  func.func @constraints(%in: !plain, %out: !plain) {
    %a = mli.alloc {address = 32 : i64} : !map
    %b = mli.alloc : !map
    mli.mov ins(%in : !plain) outs(%a : !map)
    mli.permute ins(%a : !map) outs(%b : !map) permutation [0, 1, 2]
    mli.mov ins(%b : !map) outs(%out : !plain)
    return
  }
}

// -----

// An address on NPU 1 that is given is no longer there on larger NPUs.
// CHECK: {{.*}}: error: expected buffers of 'pinned' to fit in 128 bytes of local memory, but got 192, 64 too many (proven)
// CHECK-NOT: {{.*}} bytes of memory
// CHECK: {{.*}}: note: would fit with 'buffer 1' elsewhere: the peak is then 128
!local = memref<4x4x2x!mli.sa8<1:4:0>, #mli.layout<aligned, dims = [h, w, c], npus = 4, npu_elements = 128, start_npu = 1, strides = [64, 64, 4, 1]>, #mli.space<local>>
!map = memref<4x4x2x!mli.sa8<1:4:0>>
module attributes {mli.target = #mli.target<custom, npus = 4, npu_bytes = 128, unit = 64>} {
  func.func @pinned(%in: !map, %out: !map) {
    %a = mli.alloc {address = 128 : i64} : !local
    %b = mli.alloc : !local
    %c = mli.alloc : !local
    mli.mov ins(%in : !map) outs(%a : !local)
    mli.mov ins(%in : !map) outs(%b : !local)
    mli.mov ins(%in : !map) outs(%c : !local)
    mli.mov ins(%a : !local) outs(%out : !map)
    mli.mov ins(%b : !local) outs(%out : !map)
    mli.mov ins(%c : !local) outs(%out : !map)
    return
  }
}

// -----

#layout = #mli.layout<aligned, dims = [h, w, c], npus = 128, npu_elements = 16384, strides = [64, 64, 4, 1]>
!map = memref<4x4x2x!mli.sa8<1:4:0>, #layout, #mli.space<local>>
!plain = memref<4x4x2x!mli.sa8<1:4:0>>
module attributes {mli.target = #mli.target<custom, npus = 128, npu_bytes = 16384, unit = 64>} {
  // A31
  // REUSE: error: 'mli.alloc' op expected 'mli.target' to have at most 64 NPUs to reuse empty blocks, but got 128
  // CHECK: func.func @many_npus{{.*}}
  func.func @many_npus(%in: !plain) {
    %a = mli.alloc : !map
    mli.mov ins(%in : !plain) outs(%a : !map)
    return
  }
}
