// The structs that the calls get, read in LLVM IR: what is known of them is
// read-only memory, and null or 0 there what is not. An mli_tensor is {{capacity, padding, memory}, mem_stride, shape, rank, el_type,
// el_params}; sa parameters are {type, padding, zero point, scale, dim,
// padding, frac bits}, each of the three a container as the data is.
// RUN: mli-opt %s --convert-mli-to-llvm --canonicalize --split-input-file | mlir-translate --mlir-to-llvmir --split-input-file | FileCheck %s

!real = memref<2x3x4xf32>

// Codes and strides in elements, the capacity in bytes; zero point -128 and frac
// bits -3 as the members of the union that they are, in any byte order.
// U1, U2, U3, U4
// CHECK-DAG: @[[KNOWN:mli_record_[0-9]+_[0-9a-f]+]] = internal constant {{.*}} { { i32, i32, ptr } { i32 24, i32 0, ptr null }, [4 x i32] [i32 12, i32 4, i32 1, i32 0], [4 x i32] [i32 2, i32 3, i32 4, i32 0], i32 3, i32 264, {{.*}} { i32 0, i32 0, { i32, i32, i16, [6 x i8] } { i32 0, i32 0, i16 -128, [6 x i8] zeroinitializer }, { i32, i32, i16, [6 x i8] } { i32 0, i32 0, i16 5, [6 x i8] zeroinitializer }, i32 -1, i32 0, { i32, i32, i8, [7 x i8] } { i32 0, i32 0, i8 -3, [7 x i8] zeroinitializer } } }
// CHECK-DAG: @[[DATA:mli_data_24_[0-9a-f]*]] = internal constant [24 x i8] {{.*}}, align 16
// CHECK-LABEL: define i32 @sa_per_tensor
// CHECK: call void @llvm.memcpy.p0.p0.i64(ptr %[[IN:[0-9]+]], ptr @[[KNOWN]], i64 120, i1 false)
// CHECK: %[[MEMORY:.*]] = getelementptr {{.*}}, ptr %[[IN]], i32 0, i32 0, i32 2
// CHECK: store ptr @[[DATA]], ptr %[[MEMORY]]
// CHECK: call i32 @mli_hlp_convert_tensor(ptr %[[IN]], ptr %{{[0-9]+}})
func.func @sa_per_tensor(%out: !real) {
  %data = mli.constant dense<1> : tensor<2x3x4xi8>
    to memref<2x3x4x!mli.sa8<5:-3:-128>>
  mli.convert ins(%data : memref<2x3x4x!mli.sa8<5:-3:-128>>) outs(%out : !real)
  return
}

// -----

!axis = memref<2x3x!mli.sa32<axis = 1, {5:10:0, 7:-1:-4, 32767:0:300}>>

// CHECK-DAG: @[[DATA:mli_data_6_[0-9a-f]*]] = internal constant [6 x i32] [i32 1, i32 -2, i32 3, i32 4, i32 5, i32 6]
// CHECK-DAG: @[[FRAC_BITS:mli_data_3_[0-9a-f]*]] = internal constant [3 x i8] c"\0A\FF\00"
// CHECK-DAG: @[[SCALES:mli_data_3_[0-9a-f]*]] = internal constant [3 x i16] [i16 5, i16 7, i16 32767]
// CHECK-DAG: @[[ZERO_POINTS:mli_data_3_[0-9a-f]*]] = internal constant [3 x i16] [i16 0, i16 -4, i16 300]
// U2, U3
// CHECK-DAG: @[[KNOWN:mli_record_[0-9]+_[0-9a-f]+]] = internal constant {{.*}} { { i32, i32, ptr } { i32 24, i32 0, ptr null }, [4 x i32] [i32 3, i32 1, i32 0, i32 0], [4 x i32] [i32 2, i32 3, i32 0, i32 0], i32 2, i32 288, {{.*}} { i32 0, i32 0, { i32, i32, ptr } { i32 6, i32 0, ptr null }, { i32, i32, ptr } { i32 6, i32 0, ptr null }, i32 1, i32 0, { i32, i32, ptr } { i32 3, i32 0, ptr null } } }
// CHECK-LABEL: define i32 @sa_per_axis
// CHECK: call void @llvm.memcpy.p0.p0.i64(ptr %[[IN:[0-9]+]], ptr @[[KNOWN]], i64 120, i1 false)
// CHECK: getelementptr {{.*}}, ptr %[[IN]], i32 0, i32 0, i32 2
// CHECK: store ptr @[[DATA]],
// CHECK: getelementptr {{.*}}, ptr %[[IN]], i32 0, i32 5, i32 2, i32 2
// CHECK: store ptr @[[ZERO_POINTS]],
// CHECK: getelementptr {{.*}}, ptr %[[IN]], i32 0, i32 5, i32 3, i32 2
// CHECK: store ptr @[[SCALES]],
// CHECK: getelementptr {{.*}}, ptr %[[IN]], i32 0, i32 5, i32 6, i32 2
// CHECK: store ptr @[[FRAC_BITS]],
func.func @sa_per_axis(%out: memref<2x3xf32>) {
  %data = mli.constant dense<[[1, -2, 3], [4, 5, 6]]> : tensor<2x3xi32> to !axis
  mli.convert ins(%data : !axis) outs(%out : memref<2x3xf32>)
  return
}

// -----

// Equal data is one global, whatever its shape.
// fx types have the frac bits, and no more.
// CHECK: @[[ROW:mli_record_[0-9]+_[0-9a-f]+]] = internal constant {{.*}} { i32 8, {{.*}}, [4 x i32] [i32 1, i32 0, i32 0, i32 0], [4 x i32] [i32 4, i32 0, i32 0, i32 0], i32 1, i32 16, {{.*}} { i8 -3, [63 x i8] zeroinitializer } }
// CHECK: @[[SQUARE:mli_record_[0-9]+_[0-9a-f]+]] = internal constant {{.*}} { i32 8, {{.*}}, [4 x i32] [i32 2, i32 1, i32 0, i32 0], [4 x i32] [i32 2, i32 2, i32 0, i32 0], i32 2, i32 16, {{.*}} { i8 12, [63 x i8] zeroinitializer } }
// CHECK-COUNT-1: internal constant [4 x i16]
// CHECK-NOT: internal constant [4 x i16]
// CHECK-LABEL: define i32 @fx
// CHECK: call void @llvm.memcpy.p0.p0.i64(ptr %{{[0-9]+}}, ptr @[[SQUARE]],
// CHECK: call void @llvm.memcpy.p0.p0.i64(ptr %{{[0-9]+}}, ptr @[[ROW]],
func.func @fx(%out: memref<2x2xf32>, %row: memref<4xf32>) {
  %square = mli.constant dense<1> : tensor<2x2xi16> to memref<2x2x!mli.fx16<12>>
  %vector = mli.constant dense<1> : tensor<4xi16> to memref<4x!mli.fx16<-3>>
  mli.convert ins(%square : memref<2x2x!mli.fx16<12>>)
    outs(%out : memref<2x2xf32>)
  mli.convert ins(%vector : memref<4x!mli.fx16<-3>>) outs(%row : memref<4xf32>)
  return
}

// -----

// CHECK-DAG: internal constant {{.*}}, i32 1, i32 8, {{.*}} { i8 7, [63 x i8] zeroinitializer } }
// CHECK-DAG: @[[REAL:mli_record_[0-9]+_[0-9a-f]+]] = internal constant {{.*}}, i32 1, i32 544,
// CHECK-LABEL: define i32 @fx8_and_f32
// CHECK-SAME: ptr %[[BASE:[0-9]+]], i64 %[[OFFSET:[0-9]+]],
// The memory starts at the offset, in bytes.
// CHECK: %[[BYTES:.*]] = mul i64 %[[OFFSET]], 4
// CHECK: %[[START:.*]] = getelementptr i8, ptr %[[BASE]], i64 %[[BYTES]]
// CHECK: call void @llvm.memcpy.p0.p0.i64(ptr %{{[0-9]+}}, ptr @[[REAL]],
// CHECK: store ptr %[[START]],
func.func @fx8_and_f32(%out: memref<4xf32, strided<[1], offset: ?>>) {
  %data = mli.constant dense<1> : tensor<4xi8> to memref<4x!mli.fx8<7>>
  mli.convert ins(%data : memref<4x!mli.fx8<7>>)
    outs(%out : memref<4xf32, strided<[1], offset: ?>>)
  return
}

// -----

// The capacity reaches to the last element and not into the gap behind it:
// 7 * 16 + 3 + 1 elements.
// CHECK: internal constant {{.*}} { { i32, i32, ptr } { i32 232, i32 0, ptr null }, [4 x i32] [i32 16, i32 1, i32 0, i32 0], [4 x i32] [i32 8, i32 4, i32 0, i32 0],
// CHECK-LABEL: define i32 @rows_with_gaps
func.func @rows_with_gaps(%map: memref<8x4x!mli.fx16<10>, strided<[16, 1]>>) {
  mli.relu ins(%map : memref<8x4x!mli.fx16<10>, strided<[16, 1]>>)
    outs(%map : memref<8x4x!mli.fx16<10>, strided<[16, 1]>>)
    {relu = #mli.relu<gen>}
  return
}

// -----

// A scalar has its value in the container, of capacity 0, and rank 0.
// U5
// CHECK: @[[SCALAR:mli_record_[0-9]+_[0-9a-f]+]] = internal constant {{.*}} { { i32, i32, i16, [6 x i8] } zeroinitializer, [4 x i32] zeroinitializer, [4 x i32] zeroinitializer, i32 0,
// CHECK-LABEL: define i32 @scalar
// CHECK-SAME: (ptr %{{[0-9]+}}, ptr %[[DATA:[0-9]+]], i64 %[[OFFSET:[0-9]+]],
// CHECK: %[[BYTES:.*]] = mul i64 %[[OFFSET]], 2
// CHECK: %[[AT:.*]] = getelementptr i8, ptr %[[DATA]], i64 %[[BYTES]]
// CHECK: %[[VALUE:.*]] = load i16, ptr %[[AT]]
// CHECK: call void @llvm.memcpy{{.*}}(ptr %[[IN:[0-9]+]], ptr @[[SCALAR]], i64 120, i1 false)
// CHECK: %[[PLACE:.*]] = getelementptr {{.*}}, ptr %[[IN]], i32 0, i32 0, i32 2
// CHECK: store i16 %[[VALUE]], ptr %[[PLACE]]
// CHECK: call i32 @mli_krn_eltwise_add_fx16(ptr %[[IN]],
func.func @scalar(%scalar: memref<!mli.fx16<10>, strided<[], offset: ?>>,
                  %map: memref<4x!mli.fx16<10>>) {
  mli.eltwise_add
    ins(%scalar, %map
        : memref<!mli.fx16<10>, strided<[], offset: ?>>, memref<4x!mli.fx16<10>>)
    outs(%map : memref<4x!mli.fx16<10>>)
  return
}

// -----

!map = memref<4x!mli.sa8<1:4:0>>
!slope = memref<!mli.sa8<1:7:3>>

// One that is known is read-only memory: no kernel writes it.
// U5
// CHECK: @[[SLOPE:mli_record_[0-9]+_[0-9a-f]+]] = internal constant {{.*}} { { i32, i32, i8, [7 x i8] } { i32 0, i32 0, i8 -5, [7 x i8] zeroinitializer }, [4 x i32] zeroinitializer, [4 x i32] zeroinitializer, i32 0,
// CHECK-LABEL: define i32 @known_scalar
// CHECK: call i32 @mli_krn_leaky_relu_sa8(ptr %{{[0-9]+}}, ptr @[[SLOPE]], ptr
// CHECK: call i32 @mli_krn_prelu_sa8(ptr %{{[0-9]+}}, ptr @[[SLOPE]], ptr @{{[a-z_0-9]+}}, ptr
// CHECK: call i32 @mli_krn_eltwise_mul_sa8(ptr %{{[0-9]+}}, ptr @[[SLOPE]], ptr
func.func @known_scalar(%map: !map) {
  %slope = mli.constant dense<-5> : tensor<i8> to !slope
  mli.leaky_relu ins(%map, %slope : !map, !slope) outs(%map : !map)
  mli.prelu ins(%map, %slope : !map, !slope) outs(%map : !map)
  mli.eltwise_mul ins(%map, %slope : !map, !slope) outs(%map : !map)
  return
}

// -----

!one = memref<1x!mli.fx8<3>>
!scalar = memref<!mli.fx8<3>>

// Next to one element, and where a kernel takes no scalar, it is one dimension
// of one element.
// U5
// CHECK-DAG: internal constant {{.*}} { { i32, i32, ptr } { i32 1, i32 0, ptr null }, [4 x i32] [i32 1, i32 0, i32 0, i32 0], [4 x i32] [i32 1, i32 0, i32 0, i32 0], i32 1,
// CHECK-LABEL: define i32 @scalars_alone
// CHECK-NOT: load i8
// CHECK: call i32 @mli_krn_eltwise_add_fx8
// CHECK-NOT: load i8
// CHECK: call i32 @mli_krn_eltwise_add_fx8
// CHECK-NOT: load i8
// CHECK: call i32 @mli_krn_relu_fx8
func.func @scalars_alone(%one: !one, %scalar: !scalar) {
  mli.eltwise_add ins(%one, %scalar : !one, !scalar) outs(%scalar : !scalar)
  mli.eltwise_add ins(%scalar, %scalar : !scalar, !scalar) outs(%scalar : !scalar)
  mli.relu ins(%scalar : !scalar) outs(%scalar : !scalar) {relu = #mli.relu<gen>}
  return
}

// -----

// Sizes and strides that are values; one beyond uint32 stays beyond every
// tensor.
// CHECK-LABEL: define i32 @dynamic
// CHECK-SAME: i64 %[[ROWS:[0-9]+]], i64 %[[COLUMNS:[0-9]+]], i64 %[[STRIDE:[0-9]+]], i64 %{{[0-9]+}})
// CHECK: %[[LAST:.*]] = sub i64 %[[ROWS]], 1
// CHECK: mul i64 %[[LAST]], %[[STRIDE]]
// CHECK: %[[LIMITED:.*]] = call i64 @llvm.umin.i64(i64 %[[ROWS]], i64 4294967295)
// CHECK: trunc i64 %[[LIMITED]] to i32
func.func @dynamic(%map: memref<?x?x!mli.fx8<5>, strided<[?, 1], offset: ?>>) {
  mli.relu ins(%map : memref<?x?x!mli.fx8<5>, strided<[?, 1], offset: ?>>)
    outs(%map : memref<?x?x!mli.fx8<5>, strided<[?, 1], offset: ?>>)
    {relu = #mli.relu<gen>}
  return
}

// -----

// Weights from a resource are not parsed into elements.
// CHECK: @[[DATA:mli_data_4_[0-9a-f]*]] = internal constant [4 x i8] c"\01\02\03\04"
// CHECK-LABEL: define i32 @resource
// CHECK: ptr @[[DATA]]
func.func @resource(%out: memref<2x2xf32>) {
  %data = mli.constant dense_resource<weights> : tensor<2x2xi8>
    to memref<2x2x!mli.fx8<7>>
  mli.convert ins(%data : memref<2x2x!mli.fx8<7>>) outs(%out : memref<2x2xf32>)
  return
}

{-#
  dialect_resources: {
    builtin: {
      weights: "0x0100000001020304"
    }
  }
#-}

// -----

!row = memref<1x8x1x!mli.fx16<10>, strided<[32, 1, 1]>>

// A dimension of one index has no step: its stride is that of a tensor without
// gaps, which is what the kernel asks of its input.
// T19
// CHECK: @[[ROW:mli_record_[0-9]+_[0-9a-f]+]] = internal constant {{.*}}, [4 x i32] [i32 8, i32 1, i32 1, i32 0], [4 x i32] [i32 1, i32 8, i32 1, i32 0],
// CHECK-LABEL: define i32 @row_of_a_matrix
// CHECK: call void @llvm.memcpy.p0.p0.i64(ptr %{{[0-9]+}}, ptr @[[ROW]],
// CHECK: call i32 @mli_krn_fully_connected_fx16
func.func @row_of_a_matrix(%in: !row, %weights: memref<8x4x!mli.fx16<10>>,
                           %bias: memref<4x!mli.fx16<10>>,
                           %out: memref<4x!mli.fx16<10>>) {
  mli.fully_connected ins(%in, %weights, %bias : !row, memref<8x4x!mli.fx16<10>>,
                          memref<4x!mli.fx16<10>>)
    outs(%out : memref<4x!mli.fx16<10>>)
  return
}
