// The configurations of the kernels and of moves, in the order of mli_types.h:
// what is known of them is read-only memory.
// RUN: mli-opt %s --convert-mli-to-llvm --canonicalize --split-input-file | mlir-translate --mlir-to-llvmir --split-input-file | FileCheck %s

!map = memref<8x8x4x!mli.fx16<10>>
!weights = memref<3x3x4x4x!mli.fx16<10>>
!bias = memref<4x!mli.fx16<10>>
!out = memref<3x2x4x!mli.fx16<10>>

// CHECK-DAG: @[[NO_AXIS:mli_record_[0-9]+_[0-9a-f]+]] = internal constant { i32 } { i32 -1 }
// CHECK-DAG: @[[TABLE:mli_record_[0-9]+_[0-9a-f]+]] = internal constant {{.*}} { { i32, i32, ptr } { i32 716, i32 0, ptr null }, i32 {{[0-9]+}}, i32 358, i32 5, i32 15, i32 356, i32 0 }
// CHECK-DAG: @[[ONE:mli_record_[0-9]+_[0-9a-f]+]] = internal constant { i32 } { i32 1 }
// CHECK-DAG: @[[TWO:mli_record_[0-9]+_[0-9a-f]+]] = internal constant { i32 } { i32 2 }
// CHECK-DAG: @[[POOL:mli_record_[0-9]+_[0-9a-f]+]] = internal constant { i8, i8, i8, i8, i8, i8, i8, i8 } { i8 5, i8 3, i8 -1, i8 2, i8 4, i8 3, i8 2, i8 1 }
// CHECK-DAG: @[[TILE:mli_record_[0-9]+_[0-9a-f]+]] = internal constant { i32, i8, i8, i8, i8, i8, i8, i8, i8 } { i32 0, i8 1, i8 1, i8 2, i8 0, i8 0, i8 1, i8 1, i8 1 }
// CHECK-DAG: @[[CONV:mli_record_[0-9]+_[0-9a-f]+]] = internal constant { i32, i8, i8, i8, i8, i8, i8, i8, i8 } { i32 3, i8 7, i8 2, i8 2, i8 1, i8 3, i8 4, i8 1, i8 3 }

// relu, stride width and height, padding left, right, top and bottom, dilation
// width and height.
// CHECK-LABEL: define i32 @convolution
// CHECK: call i32 @mli_krn_conv2d_hwcn_fx16(ptr %{{[0-9]+}}, ptr %{{[0-9]+}}, ptr %{{[0-9]+}}, ptr @[[CONV]], ptr %{{[0-9]+}})
func.func @convolution(%in: !map, %weights: !weights, %bias: !bias, %out: !out) {
  mli.conv2d ins(%in, %weights, %bias : !map, !weights, !bias) outs(%out : !out)
    pad [3, 4, 2, 1] {strides = array<i64: 2, 7>, dilations = array<i64: 3, 1>,
                      relu = #mli.relu<relu6>}
  return
}

// Padding that is a value: beyond uint8 it is beyond every window.
// CHECK-LABEL: define i32 @padding_of_a_tile
// CHECK-SAME: i64 %[[TOP:[0-9]+]], i64 %[[RIGHT:[0-9]+]])
// CHECK: %[[TOP_LIMITED:.*]] = call i64 @llvm.umin.i64(i64 %[[TOP]], i64 255)
// CHECK: %[[TOP_BYTE:.*]] = trunc i64 %[[TOP_LIMITED]] to i8
// CHECK: %[[RIGHT_LIMITED:.*]] = call i64 @llvm.umin.i64(i64 %[[RIGHT]], i64 255)
// CHECK: %[[RIGHT_BYTE:.*]] = trunc i64 %[[RIGHT_LIMITED]] to i8
// CHECK: call void @llvm.memcpy.p0.p0.i64(ptr %[[CFG:[0-9]+]], ptr @[[TILE]], i64 12, i1 false)
// CHECK: %[[RIGHT_PLACE:.*]] = getelementptr {{.*}}, ptr %[[CFG]], i32 0, i32 4
// CHECK: store i8 %[[RIGHT_BYTE]], ptr %[[RIGHT_PLACE]]
// CHECK: %[[TOP_PLACE:.*]] = getelementptr {{.*}}, ptr %[[CFG]], i32 0, i32 5
// CHECK: store i8 %[[TOP_BYTE]], ptr %[[TOP_PLACE]]
func.func @padding_of_a_tile(%in: !map, %weights: !weights, %bias: !bias,
                             %out: !map, %top: index, %right: index) {
  mli.conv2d ins(%in, %weights, %bias : !map, !weights, !bias) outs(%out : !map)
    pad [%top, 1, 2, %right]
  return
}

// Kernel width and height, stride width and height, padding as above. All
// bytes: 255 is -1.
// CHECK-LABEL: define i32 @pool
// CHECK: call i32 @mli_krn_maxpool_hwc_fx16(ptr %{{[0-9]+}}, ptr @[[POOL]], ptr %{{[0-9]+}})
func.func @pool(%in: !map, %out: memref<4x1x4x!mli.fx16<10>>) {
  mli.maxpool ins(%in : !map) outs(%out : memref<4x1x4x!mli.fx16<10>>)
    kernel [3, 5] pad [2, 1, 4, 3] {strides = array<i64: 2, 255>}
  return
}

// CHECK-LABEL: define i32 @clipping
// CHECK: call i32 @mli_krn_relu_fx16(ptr %{{[0-9]+}}, ptr @[[TWO]], ptr %{{[0-9]+}})
// CHECK: call i32 @mli_krn_fully_connected_fx16(ptr %{{[0-9]+}}, ptr %{{[0-9]+}}, ptr %{{[0-9]+}}, ptr @[[ONE]], ptr %{{[0-9]+}})
func.func @clipping(%row: !bias, %weights: memref<4x4x!mli.fx16<10>>,
                    %out: !bias) {
  mli.relu ins(%row : !bias) outs(%row : !bias) {relu = #mli.relu<relu1>}
  mli.fully_connected
    ins(%row, %weights, %row : !bias, memref<4x4x!mli.fx16<10>>, !bias)
    outs(%out : !bias) {relu = #mli.relu<gen>}
  return
}

// CHECK-LABEL: define i32 @softmax_axis
// CHECK: call void @llvm.memcpy.p0.p0.i64(ptr %[[LUT:[0-9]+]], ptr @[[TABLE]], i64 40, i1 false)
// CHECK: call i32 @mli_krn_softmax_fx16(ptr %{{[0-9]+}}, ptr %[[LUT]], ptr @[[ONE]], ptr %{{[0-9]+}})
// CHECK: call i32 @mli_krn_softmax_fx16(ptr %{{[0-9]+}}, ptr %{{[0-9]+}}, ptr @[[NO_AXIS]], ptr %{{[0-9]+}})
func.func @softmax_axis(%in: memref<2x4x!mli.fx16<10>>,
                        %out: memref<2x4x!mli.fx16<15>>) {
  mli.softmax ins(%in : memref<2x4x!mli.fx16<10>>)
    outs(%out : memref<2x4x!mli.fx16<15>>) {axis = 1 : i32}
  mli.softmax ins(%in : memref<2x4x!mli.fx16<10>>)
    outs(%out : memref<2x4x!mli.fx16<15>>)
  return
}

// -----

!map = memref<8x8x4x!mli.fx8<5>>

// Offset, size, step, offset and strides of the destination, permutation,
// padding before and behind.
// CHECK-DAG: @[[PADDED:mli_record_[0-9]+_[0-9a-f]+]] = internal constant {{.*}} { [4 x i32] [i32 1, i32 0, i32 0, i32 0], [4 x i32] [i32 8, i32 6, i32 4, i32 0], [4 x i32] [i32 1, i32 2, i32 1, i32 1], [4 x i32] zeroinitializer, [4 x i32] zeroinitializer, [4 x i8] c"\01\02\00\03", [4 x i8] c"\01\00\00\00", [4 x i8] c"\00\FF\00\00" }
// CHECK-DAG: @[[BLOCK:mli_record_[0-9]+_[0-9a-f]+]] = internal constant {{.*}} { { i32, i32, ptr } { i32 508, i32 0, ptr null }, [4 x i32] [i32 64, i32 8, i32 1, i32 0], [4 x i32] [i32 8, i32 8, i32 4, i32 0],
// CHECK-DAG: @[[SLICE:mli_record_[0-9]+_[0-9a-f]+]] = internal constant {{.*}} { { i32, i32, ptr } { i32 94, i32 0, ptr null }, [4 x i32] [i32 32, i32 4, i32 1, i32 0], [4 x i32] [i32 3, i32 8, i32 2, i32 0],
// CHECK-DAG: @[[PLAIN:mli_record_[0-9]+_[0-9a-f]+]] = internal constant {{.*}} { [4 x i32] zeroinitializer, [4 x i32] zeroinitializer, [4 x i32] {{.*}}1, i32 1, i32 1, i32 1], [4 x i32] zeroinitializer, [4 x i32] zeroinitializer, [4 x i8] c"\00\01\02\03", [4 x i8] zeroinitializer, [4 x i8] zeroinitializer }
// CHECK-DAG: @[[WHOLE:mli_record_[0-9]+_[0-9a-f]+]] = internal constant {{.*}} { { i32, i32, ptr } { i32 256, i32 0, ptr null }, [4 x i32] [i32 32, i32 4, i32 1, i32 0], [4 x i32] [i32 8, i32 8, i32 4, i32 0],
// CHECK-LABEL: define i32 @copy
// CHECK: call i32 @mli_mov_tensor_sync(ptr %{{[0-9]+}}, ptr @[[PLAIN]], ptr %{{[0-9]+}})
func.func @copy(%in: !map, %out: !map) {
  mli.mov ins(%in : !map) outs(%out : !map)
  return
}

// A slice is a tensor that starts inside the buffer, 1 * 32 + 2 elements in:
// 3 rows that reach 2 * 32 + 7 * 4 + 1 + 1 bytes. The configuration has no
// offset, which the function may ignore.
// CHECK-LABEL: define i32 @slice
// CHECK: %[[START:.*]] = getelementptr i8, ptr %{{[0-9]+}}, i{{32|64}} 34
// CHECK: call void @llvm.memcpy.p0.p0.i64(ptr %[[IN:[0-9]+]], ptr @[[SLICE]], i64 120, i1 false)
// CHECK: %[[MEMORY:.*]] = getelementptr {{.*}}, ptr %[[IN]], i32 0, i32 0, i32 2
// CHECK: store ptr %[[START]], ptr %[[MEMORY]]
// CHECK: call i32 @mli_mov_tensor_sync(ptr %[[IN]], ptr @[[PLAIN]], ptr %{{[0-9]+}})
func.func @slice(%in: !map, %out: memref<3x8x2x!mli.fx8<5>>) {
  mli.mov ins(%in : !map) outs(%out : memref<3x8x2x!mli.fx8<5>>)
    {offsets = array<i64: 1, 0, 2>, sizes = array<i64: 3, 8, 2>}
  return
}

// So is the block that is written.
// CHECK-LABEL: define i32 @block_of_the_destination
// CHECK: getelementptr i8, ptr %{{[0-9]+}}, i{{32|64}} 4
// CHECK: call void @llvm.memcpy.p0.p0.i64(ptr %[[OUT:[0-9]+]], ptr @[[BLOCK]], i64 120, i1 false)
// CHECK: call i32 @mli_mov_tensor_sync(ptr %{{[0-9]+}}, ptr @[[PLAIN]], ptr %[[OUT]])
func.func @block_of_the_destination(%in: !map, %out: memref<8x8x8x!mli.fx8<5>>) {
  mli.mov ins(%in : !map) outs(%out : memref<8x8x8x!mli.fx8<5>>)
    {dst_offsets = array<i64: 0, 0, 4>}
  return
}

// Padding is relative to the whole source, which is passed then.
// CHECK-LABEL: define i32 @padded_slice
// CHECK: call void @llvm.memcpy.p0.p0.i64(ptr %[[IN:[0-9]+]], ptr @[[WHOLE]], i64 120, i1 false)
// CHECK: call i32 @mli_mov_tensor_sync(ptr %[[IN]], ptr @[[PADDED]], ptr %{{[0-9]+}})
func.func @padded_slice(%in: !map, %out: memref<3x4x8x!mli.fx8<5>>) {
  mli.mov ins(%in : !map) outs(%out : memref<3x4x8x!mli.fx8<5>>)
    {offsets = array<i64: 1, 0, 0>, sizes = array<i64: 8, 6, 4>,
     steps = array<i64: 1, 2, 1>, permutation = array<i64: 1, 2, 0>,
     pad_low = array<i64: 1, 0, 0>, pad_high = array<i64: 0, 255, 0>}
  return
}

// -----

// What the verifier cannot know is checked where it runs: the slice ends in the
// source, and the block fills the destination.
// CHECK-LABEL: define i32 @slice_of_unknown_size
// CHECK-SAME: i64 %[[ROWS:[0-9]+]], i64 %{{[0-9]+}}, i64 %{{[0-9]+}}, i64 %{{[0-9]+}}, ptr
// CHECK: %[[LEFT:.*]] = add i64 %[[ROWS]], -2
// CHECK: %[[HOLDS:.*]] = icmp sge i64 %[[LEFT]], 6
// CHECK: %[[FAILURE:.*]] = select i1 %[[HOLDS]], i32 0, i32 2
// CHECK: %[[EXPECTED:.*]] = select i1 %[[HOLDS]], i64 3, i64 6
// CHECK: %[[FOUND:.*]] = select i1 %[[HOLDS]], i64 3, i64 %[[LEFT]]
// CHECK: %[[STATUS:.*]] = call i32 @mli_report_mismatch(i32 %[[FAILURE]], ptr %{{.*}}, i64 %[[EXPECTED]], i64 %[[FOUND]])
// CHECK: %[[OK:.*]] = icmp eq i32 %[[STATUS]], 0
// CHECK: br i1 %[[OK]]
// CHECK: call i32 @mli_mov_tensor_sync
// CHECK: phi i32 [ %{{.*}}, %{{.*}} ], [ %[[STATUS]], %{{.*}} ]
// CHECK: call void @mli_report_failure
func.func @slice_of_unknown_size(%in: memref<?x4xf32>, %out: memref<3x4xf32>) {
  mli.mov ins(%in : memref<?x4xf32>) outs(%out : memref<3x4xf32>)
    {offsets = array<i64: 2, 0>, sizes = array<i64: 6, 4>,
     steps = array<i64: 2, 1>}
  return
}

// CHECK-LABEL: define i32 @copy_of_unknown_size
// CHECK-SAME: i64 %[[ROWS:[0-9]+]], i64 %{{[0-9]+}}, i64 %{{[0-9]+}}, i64 %{{[0-9]+}}, ptr %{{[0-9]+}}, ptr %{{[0-9]+}}, i64 %{{[0-9]+}}, i64 %[[ROOM:[0-9]+]],
// CHECK: %[[LEFT:.*]] = add i64 %[[ROWS]], 0
// CHECK: icmp sge i64 %[[LEFT]], 1
// CHECK: %[[EXPECTED:.*]] = sub i64 %[[ROOM]], 0
// CHECK: icmp eq i64 %[[EXPECTED]], %{{.*}}
func.func @copy_of_unknown_size(%in: memref<?x4xf32>, %out: memref<?x4xf32>) {
  mli.mov ins(%in : memref<?x4xf32>) outs(%out : memref<?x4xf32>)
  return
}

// CHECK-LABEL: define i32 @block_in_unknown_size
// CHECK: %[[ROOM:.*]] = sub i64 %{{[0-9]+}}, 3
// CHECK: icmp sge i64 %[[ROOM]], 4
func.func @block_in_unknown_size(%in: memref<4x4xf32>, %out: memref<?x4xf32>) {
  mli.mov ins(%in : memref<4x4xf32>) outs(%out : memref<?x4xf32>)
    {dst_offsets = array<i64: 3, 0>}
  return
}

// -----

!axis = memref<4x3x!mli.sa8<axis = 0, {1:0:0, 3:1:0, 5:2:1, 7:3:0}>>
!rows = memref<2x3x!mli.sa8<axis = 0, {3:1:0, 5:2:1}>>

// Only codes move: neither side has parameters along its axis, so the function
// writes no arrays.
// D15, K32
// CHECK-LABEL: define i32 @axis
// CHECK-NOT: constant {{.*}} x i16]
// CHECK-NOT: alloca [4 x i8]
// CHECK: call i32 @mli_mov_tensor_sync(ptr %{{[0-9]+}}, ptr @{{[a-z_0-9]+}}, ptr %{{[0-9]+}})
func.func @axis(%in: !axis, %out: !rows) {
  mli.mov ins(%in : !axis) outs(%out : !rows)
    {offsets = array<i64: 1, 0>, sizes = array<i64: 2, 3>}
  return
}
