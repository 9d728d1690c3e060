// RUN: mli-opt %s --convert-mli-to-llvm --split-input-file | FileCheck %s

// The function for each kind of elements.
!sa8 = memref<4x4x2x!mli.sa8<1:4:0>>
!fx16 = memref<4x4x2x!mli.fx16<10>>
!fx8 = memref<4x4x2x!mli.fx8<5>>

// CHECK-LABEL: llvm.func @convolutions
// CHECK: llvm.call @mli_krn_conv2d_hwcn_sa8_sa8_sa32(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> i32
// CHECK: llvm.call @mli_krn_conv2d_hwcn_fx16(
// CHECK: llvm.call @mli_krn_conv2d_hwcn_fx16_fx8_fx8(
func.func @convolutions(
    %sa8: !sa8, %sa8_weights: memref<1x1x2x2x!mli.sa8<1:4:0>>,
    %sa32_bias: memref<2x!mli.sa32<1:8:0>>, %sa8_out: !sa8,
    %fx16: !fx16, %fx16_weights: memref<1x1x2x2x!mli.fx16<10>>,
    %fx16_bias: memref<2x!mli.fx16<10>>, %fx16_out: !fx16,
    %fx8_weights: memref<1x1x2x2x!mli.fx8<5>>, %fx8_bias: memref<2x!mli.fx8<5>>) {
  mli.conv2d ins(%sa8, %sa8_weights, %sa32_bias
                 : !sa8, memref<1x1x2x2x!mli.sa8<1:4:0>>,
                   memref<2x!mli.sa32<1:8:0>>)
    outs(%sa8_out : !sa8) pad [0, 0, 0, 0]
  mli.conv2d ins(%fx16, %fx16_weights, %fx16_bias
                 : !fx16, memref<1x1x2x2x!mli.fx16<10>>,
                   memref<2x!mli.fx16<10>>)
    outs(%fx16_out : !fx16) pad [0, 0, 0, 0]
  mli.conv2d ins(%fx16, %fx8_weights, %fx8_bias
                 : !fx16, memref<1x1x2x2x!mli.fx8<5>>, memref<2x!mli.fx8<5>>)
    outs(%fx16_out : !fx16) pad [0, 0, 0, 0]
  return
}

// CHECK-LABEL: llvm.func @depthwise_and_group
// CHECK: llvm.call @mli_krn_depthwise_conv2d_hwcn_sa8_sa8_sa32(
// CHECK: llvm.call @mli_krn_depthwise_conv2d_hwcn_fx16_fx8_fx8(
// CHECK: llvm.call @mli_krn_group_conv2d_hwcn_sa8_sa8_sa32(
// CHECK: llvm.call @mli_krn_group_conv2d_hwcn_fx16_fx8_fx8(
func.func @depthwise_and_group(
    %sa8: !sa8, %sa8_weights: memref<1x1x1x2x!mli.sa8<1:4:0>>,
    %sa32_bias: memref<2x!mli.sa32<1:8:0>>, %sa8_out: !sa8,
    %fx16: !fx16, %fx8_weights: memref<1x1x1x2x!mli.fx8<5>>,
    %fx8_bias: memref<2x!mli.fx8<5>>, %fx16_out: !fx16) {
  mli.depthwise_conv2d ins(%sa8, %sa8_weights, %sa32_bias
                           : !sa8, memref<1x1x1x2x!mli.sa8<1:4:0>>,
                             memref<2x!mli.sa32<1:8:0>>)
    outs(%sa8_out : !sa8) pad [0, 0, 0, 0]
  mli.depthwise_conv2d ins(%fx16, %fx8_weights, %fx8_bias
                           : !fx16, memref<1x1x1x2x!mli.fx8<5>>,
                             memref<2x!mli.fx8<5>>)
    outs(%fx16_out : !fx16) pad [0, 0, 0, 0]
  mli.group_conv2d ins(%sa8, %sa8_weights, %sa32_bias
                       : !sa8, memref<1x1x1x2x!mli.sa8<1:4:0>>,
                         memref<2x!mli.sa32<1:8:0>>)
    outs(%sa8_out : !sa8) pad [0, 0, 0, 0]
  mli.group_conv2d ins(%fx16, %fx8_weights, %fx8_bias
                       : !fx16, memref<1x1x1x2x!mli.fx8<5>>,
                         memref<2x!mli.fx8<5>>)
    outs(%fx16_out : !fx16) pad [0, 0, 0, 0]
  return
}

!row8 = memref<2x!mli.fx8<5>>
!row16 = memref<2x!mli.fx16<5>>
!rowsa = memref<2x!mli.sa8<1:4:0>>

// CHECK-LABEL: llvm.func @fully_connected
// CHECK: llvm.call @mli_krn_fully_connected_sa8_sa8_sa32(
// CHECK: llvm.call @mli_krn_fully_connected_fx16(
// CHECK: llvm.call @mli_krn_fully_connected_fx16_fx8_fx8(
// CHECK: llvm.call @mli_krn_fully_connected_fx8(
func.func @fully_connected(
    %sa: !rowsa, %sa_weights: memref<2x2x!mli.sa8<1:4:0>>,
    %sa_bias: memref<2x!mli.sa32<1:8:0>>, %sa_out: !rowsa,
    %fx16: !row16, %fx16_weights: memref<2x2x!mli.fx16<5>>, %fx16_out: !row16,
    %fx8: !row8, %fx8_weights: memref<2x2x!mli.fx8<5>>, %fx8_out: !row8) {
  mli.fully_connected
    ins(%sa, %sa_weights, %sa_bias
        : !rowsa, memref<2x2x!mli.sa8<1:4:0>>, memref<2x!mli.sa32<1:8:0>>)
    outs(%sa_out : !rowsa)
  mli.fully_connected
    ins(%fx16, %fx16_weights, %fx16
        : !row16, memref<2x2x!mli.fx16<5>>, !row16) outs(%fx16_out : !row16)
  mli.fully_connected
    ins(%fx16, %fx8_weights, %fx8 : !row16, memref<2x2x!mli.fx8<5>>, !row8)
    outs(%fx16_out : !row16)
  mli.fully_connected
    ins(%fx8, %fx8_weights, %fx8 : !row8, memref<2x2x!mli.fx8<5>>, !row8)
    outs(%fx8_out : !row8)
  return
}

// CHECK-LABEL: llvm.func @pools
// CHECK: llvm.call @mli_krn_avepool_hwc_sa8(%{{.*}}, %{{.*}}, %{{.*}}) : (!llvm.ptr, !llvm.ptr, !llvm.ptr) -> i32
// CHECK: llvm.call @mli_krn_avepool_hwc_fx16(
// CHECK: llvm.call @mli_krn_avepool_hwc_fx8(
// CHECK: llvm.call @mli_krn_maxpool_hwc_sa8(
// CHECK: llvm.call @mli_krn_maxpool_hwc_fx16(
// CHECK: llvm.call @mli_krn_maxpool_hwc_fx8(
func.func @pools(%sa8: !sa8, %fx16: !fx16, %fx8: !fx8,
                 %sa8_out: !sa8, %fx16_out: !fx16, %fx8_out: !fx8) {
  mli.avepool ins(%sa8 : !sa8) outs(%sa8_out : !sa8)
    kernel [1, 1] pad [0, 0, 0, 0]
  mli.avepool ins(%fx16 : !fx16) outs(%fx16_out : !fx16)
    kernel [1, 1] pad [0, 0, 0, 0]
  mli.avepool ins(%fx8 : !fx8) outs(%fx8_out : !fx8)
    kernel [1, 1] pad [0, 0, 0, 0]
  mli.maxpool ins(%sa8 : !sa8) outs(%sa8_out : !sa8)
    kernel [1, 1] pad [0, 0, 0, 0]
  mli.maxpool ins(%fx16 : !fx16) outs(%fx16_out : !fx16)
    kernel [1, 1] pad [0, 0, 0, 0]
  mli.maxpool ins(%fx8 : !fx8) outs(%fx8_out : !fx8)
    kernel [1, 1] pad [0, 0, 0, 0]
  return
}

// CHECK-LABEL: llvm.func @elementwise
// CHECK: llvm.call @mli_krn_eltwise_add_sa8(%{{.*}}, %{{.*}}, %{{.*}}) : (!llvm.ptr, !llvm.ptr, !llvm.ptr) -> i32
// CHECK: llvm.call @mli_krn_eltwise_add_fx16(
// CHECK: llvm.call @mli_krn_eltwise_add_fx8(
// CHECK: llvm.call @mli_krn_relu_sa8(%{{.*}}, %{{.*}}, %{{.*}})
// CHECK: llvm.call @mli_krn_relu_fx16(
// CHECK: llvm.call @mli_krn_relu_fx8(
func.func @elementwise(%sa8: !sa8, %fx16: !fx16, %fx8: !fx8) {
  mli.eltwise_add ins(%sa8, %sa8 : !sa8, !sa8) outs(%sa8 : !sa8)
  mli.eltwise_add ins(%fx16, %fx16 : !fx16, !fx16) outs(%fx16 : !fx16)
  mli.eltwise_add ins(%fx8, %fx8 : !fx8, !fx8) outs(%fx8 : !fx8)
  mli.relu ins(%sa8 : !sa8) outs(%sa8 : !sa8) {relu = #mli.relu<gen>}
  mli.relu ins(%fx16 : !fx16) outs(%fx16 : !fx16) {relu = #mli.relu<gen>}
  mli.relu ins(%fx8 : !fx8) outs(%fx8 : !fx8) {relu = #mli.relu<gen>}
  return
}

// The table is made first, and only then used.
// CHECK-LABEL: llvm.func @softmax_sa8
// CHECK: %[[LUT:.*]] = llvm.alloca %{{.*}} x !llvm.array<40 x i8>
// CHECK: %[[TABLE:.*]] = llvm.alloca %{{.*}} x !llvm.array<716 x i8>
// CHECK: llvm.store %[[TABLE]], %
// CHECK: llvm.call @mli_krn_softmax_create_lut(%[[LUT]])
// CHECK: llvm.call @mli_krn_softmax_sa8(%{{.*}}, %[[LUT]], %{{.*}}, %{{.*}}) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> i32
func.func @softmax_sa8(%sa8: !sa8, %sa8_out: memref<4x4x2x!mli.sa8<1:8:-128>>) {
  mli.softmax ins(%sa8 : !sa8) outs(%sa8_out : memref<4x4x2x!mli.sa8<1:8:-128>>)
  return
}

// CHECK-LABEL: llvm.func @softmax_fx
// CHECK: llvm.call @mli_krn_softmax_fx16(
// CHECK: llvm.call @mli_krn_softmax_fx8(
func.func @softmax_fx(%fx16: !fx16, %fx16_out: memref<4x4x2x!mli.fx16<15>>,
                      %fx8: !fx8, %fx8_out: memref<4x4x2x!mli.fx8<7>>) {
  mli.softmax ins(%fx16 : !fx16) outs(%fx16_out : memref<4x4x2x!mli.fx16<15>>)
  mli.softmax ins(%fx8 : !fx8) outs(%fx8_out : memref<4x4x2x!mli.fx8<7>>)
  return
}

// CHECK-LABEL: llvm.func @conversions
// E9
// CHECK: llvm.call @mli_hlp_convert_tensor_safx(%{{.*}}, %{{.*}}) : (!llvm.ptr, !llvm.ptr) -> i32
// CHECK: llvm.call @mli_hlp_convert_tensor(%{{.*}}, %{{.*}}) : (!llvm.ptr, !llvm.ptr) -> i32
// CHECK: llvm.call @mli_hlp_convert_tensor(
// CHECK: llvm.call @mli_mov_tensor_sync(%{{.*}}, %{{.*}}, %{{.*}}) : (!llvm.ptr, !llvm.ptr, !llvm.ptr) -> i32
func.func @conversions(%sa8: !sa8, %fx16: !fx16, %real: memref<4x4x2xf32>,
                       %other: memref<4x4x2xf32>) {
  mli.convert ins(%sa8 : !sa8) outs(%fx16 : !fx16)
  mli.convert ins(%sa8 : !sa8) outs(%real : memref<4x4x2xf32>)
  mli.convert ins(%real : memref<4x4x2xf32>) outs(%sa8 : !sa8)
  mli.mov ins(%real : memref<4x4x2xf32>) outs(%other : memref<4x4x2xf32>)
  return
}

// -----

// Shapes that may be equal are no change of shape.
// CHECK-LABEL: llvm.func @of_a_size_not_known
// CHECK: llvm.call @mli_mov_tensor_sync
func.func @of_a_size_not_known(%from: memref<?x4x!mli.sa8<1:4:0>>,
                               %to: memref<3x4x!mli.sa8<1:4:0>>) {
  mli.mov ins(%from : memref<?x4x!mli.sa8<1:4:0>>)
    outs(%to : memref<3x4x!mli.sa8<1:4:0>>)
  return
}
