// RUN: mli-opt %s --convert-mli-to-llvm --canonicalize --split-input-file \
// RUN:   | FileCheck %s
// RUN: mli-opt %s --mli-pack-weights --convert-mli-to-llvm --canonicalize \
// RUN:   --split-input-file | FileCheck %s --check-prefix=PROVEN

!in = memref<4x!mli.sa8<16384:15:0>>
!weights = memref<4x3x!mli.sa8<16384:15:0>>
!bias = memref<3x!mli.sa32<16384:16:0>>
!out = memref<3x!mli.sa8<16384:12:0>>

// The weights themselves are not in the program.
// CHECK-NOT: tensor<12xi8>
// CHECK: llvm.mlir.global internal constant @[[LAYER:.*]](dense<1> : tensor<576xi8>) {{.*}}alignment = 64
// CHECK-NOT: tensor<12xi8>
// CHECK-LABEL: llvm.func @product
// CHECK: %[[THREADS:.*]] = llvm.mlir.constant(2 : i32)
// CHECK: llvm.mlir.addressof @[[LAYER]]
// CHECK: llvm.call @mli_krn_packed(%{{.*}}, %{{.*}}, %[[THREADS]], %{{.*}}) : (!llvm.ptr, !llvm.ptr, i32, !llvm.ptr) -> i32
// CHECK-NOT: mli_krn_fully_connected
// CHECK: llvm.return
func.func @product(%in: !in, %out: !out) {
  %weights = mli.constant dense<3> : tensor<4x3xi8> to !weights
  %bias = mli.constant dense<10> : tensor<3xi32> to !bias
  mli.fully_connected ins(%in, %weights, %bias : !in, !weights, !bias)
    outs(%out : !out)
    {mli.packed = dense<1> : tensor<576xi8>, mli.threads = 2 : i32}
  return
}

// -----

!in = memref<4x!mli.sa8<16384:15:0>>
!weights = memref<4x3x!mli.sa8<16384:15:0>>
!bias = memref<3x!mli.sa32<16384:16:0>>
!out = memref<3x!mli.sa8<16384:12:0>>

// What others read stays.
// CHECK-DAG: llvm.mlir.global internal constant @{{.*}}(dense<3> : tensor<12xi8>) {{.*}}alignment = 16
// CHECK-DAG: llvm.mlir.global internal constant @{{.*}}(dense<1> : tensor<576xi8>) {{.*}}alignment = 64
// CHECK-LABEL: llvm.func @both
// CHECK: llvm.call @mli_krn_packed(
// CHECK: llvm.call @mli_krn_fully_connected_sa8_sa8_sa32(
func.func @both(%in: !in, %out: !out) {
  %weights = mli.constant dense<3> : tensor<4x3xi8> to !weights
  %bias = mli.constant dense<10> : tensor<3xi32> to !bias
  mli.fully_connected ins(%in, %weights, %bias : !in, !weights, !bias)
    outs(%out : !out) {mli.packed = dense<1> : tensor<576xi8>}
  mli.fully_connected ins(%in, %weights, %bias : !in, !weights, !bias)
    outs(%out : !out)
  return
}

// -----

!map = memref<?x4x5x!mli.sa8<16384:15:3>>
!weights = memref<3x3x5x2x!mli.sa8<16384:15:0>>
!bias = memref<2x!mli.sa32<16384:16:0>>
!out = memref<?x4x2x!mli.sa8<16384:9:-5>>

// Rows come with the call.
// CHECK-DAG: llvm.mlir.global internal constant @[[ROWS:.*]]([1 : i8, 2 : i8])
// CHECK-LABEL: llvm.func @rows
// CHECK: %[[KNOWN:.*]] = llvm.mlir.addressof @[[ROWS]]
// CHECK: llvm.call @mli_krn_packed_rows(%{{.*}}, %{{.*}}, %[[KNOWN]], %{{.*}}, %{{.*}}) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, i32, !llvm.ptr) -> i32
// CHECK: %[[TOP:.*]] = llvm.trunc %{{.*}} : i64 to i8
// CHECK: %[[PLACE:.*]] = llvm.getelementptr %[[GIVEN:.*]][0, 0]
// CHECK: llvm.store %[[TOP]], %[[PLACE]]
// CHECK: llvm.call @mli_krn_packed_rows(%{{.*}}, %{{.*}}, %[[GIVEN]], %{{.*}}, %{{.*}})
func.func @rows(%in: !map, %out: !out, %top: index) {
  %weights = mli.constant dense<3> : tensor<3x3x5x2xi8> to !weights
  %bias = mli.constant dense<10> : tensor<2xi32> to !bias
  mli.conv2d ins(%in, %weights, %bias : !map, !weights, !bias)
    outs(%out : !out) pad [1, 2, 1, 1] {mli.packed = dense<1> : tensor<576xi8>}
  mli.conv2d ins(%in, %weights, %bias : !map, !weights, !bias)
    outs(%out : !out) pad [%top, 0, 1, 1] {mli.packed = dense<1> : tensor<576xi8>}
  return
}

// -----

!rows = memref<3x4x5x!mli.sa8<16384:15:3>, strided<[20, 5, 1], offset: ?>>
!strides = memref<3x4x5x!mli.sa8<16384:15:3>, strided<[?, 5, 1], offset: ?>>
!weights = memref<3x3x5x2x!mli.sa8<16384:15:0>>
!bias = memref<2x!mli.sa32<16384:16:0>>
!out = memref<1x4x2x!mli.sa8<16384:9:-5>>

// What is known here is checked here.
// PROVEN-LABEL: llvm.func @known_strides
// PROVEN: llvm.call @mli_krn_packed_rows_unchecked(
// PROVEN-LABEL: llvm.func @unknown_strides
// PROVEN: llvm.call @mli_krn_packed_rows(
// PROVEN-LABEL: llvm.func @no_layer
// PROVEN: llvm.call @mli_krn_packed_rows(
// PROVEN-LABEL: llvm.func @short_layer
// PROVEN: llvm.call @mli_krn_packed_rows(
func.func @known_strides(%in: !rows, %out: !out) {
  %weights = mli.constant dense<3> : tensor<3x3x5x2xi8> to !weights
  %bias = mli.constant dense<10> : tensor<2xi32> to !bias
  mli.conv2d ins(%in, %weights, %bias : !rows, !weights, !bias)
    outs(%out : !out) pad [0, 0, 1, 1]
  return
}
func.func @unknown_strides(%in: !strides, %out: !out) {
  %weights = mli.constant dense<3> : tensor<3x3x5x2xi8> to !weights
  %bias = mli.constant dense<10> : tensor<2xi32> to !bias
  mli.conv2d ins(%in, %weights, %bias : !strides, !weights, !bias)
    outs(%out : !out) pad [0, 0, 1, 1]
  return
}
func.func @no_layer(%in: !rows, %out: !out) {
  %weights = mli.constant dense<3> : tensor<3x3x5x2xi8> to !weights
  %bias = mli.constant dense<10> : tensor<2xi32> to !bias
  mli.conv2d ins(%in, %weights, %bias : !rows, !weights, !bias)
    outs(%out : !out) pad [0, 0, 1, 1] {mli.packed = dense<1> : tensor<576xi8>}
  return
}
func.func @short_layer(%in: !rows, %out: !out) {
  %weights = mli.constant dense<3> : tensor<3x3x5x2xi8> to !weights
  %bias = mli.constant dense<10> : tensor<2xi32> to !bias
  mli.conv2d ins(%in, %weights, %bias : !rows, !weights, !bias)
    outs(%out : !out) pad [0, 0, 1, 1]
    {mli.packed = dense<[1, 2]> : tensor<2xi8>}
  return
}
