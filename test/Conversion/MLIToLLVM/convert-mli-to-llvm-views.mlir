// Positions, orders, blocks and queries.
// RUN: mli-opt %s --convert-mli-to-llvm --canonicalize --split-input-file | mlir-translate --mlir-to-llvmir --split-input-file | FileCheck %s

// CHECK: @[[CFG:mli_record_[0-9]+_[0-9a-f]+]] = internal constant { i32, i32 } { i32 1, i32 3 }
// CHECK-LABEL: define i32 @argmax
// CHECK: call i32 @mli_krn_argmax_sa8(ptr %{{[0-9]+}}, ptr @[[CFG]], ptr %{{[0-9]+}})
func.func @argmax(%in: memref<4x2x!mli.sa8<1:8:-128>>,
                  %out: memref<2x3x!mli.sa32<1:0:0>>) {
  mli.argmax ins(%in : memref<4x2x!mli.sa8<1:8:-128>>)
    outs(%out : memref<2x3x!mli.sa32<1:0:0>>) {axis = 1 : i32, topk = 3 : i32}
  return
}

// -----

// Positions are counted in memory, so a gap is a failure.
// CHECK: c"stride 0 of 'input' to be\00
// CHECK-LABEL: define i32 @argmax_of_unknown_strides
// CHECK-SAME: i64 %[[COLUMNS:[0-9]+]], i64 %[[STRIDE:[0-9]+]], i64 %{{[0-9]+}}, ptr
// CHECK: %[[HOLDS:.*]] = icmp eq i64 %[[STRIDE]], %[[COLUMNS]]
// CHECK: %[[STATUS:.*]] = select i1 %[[HOLDS]], i32 {{.*}}, i32 3
// CHECK: call i32 @mli_report_mismatch(i32 %[[STATUS]], ptr @{{.*}}, i64 %[[COLUMNS]], i64 %[[STRIDE]])
// CHECK: call i32 @mli_krn_argmax_fx16(
func.func @argmax_of_unknown_strides(
    %in: memref<4x?x!mli.fx16<8>, strided<[?, 1]>>,
    %out: memref<1x1x!mli.sa32<1:0:0>>) {
  mli.argmax ins(%in : memref<4x?x!mli.fx16<8>, strided<[?, 1]>>)
    outs(%out : memref<1x1x!mli.sa32<1:0:0>>)
  return
}

// -----

// The stride of a dimension of one index is never taken: where that is known,
// nothing is looked at, and where it is not, as if there were no gap.
// T19
// CHECK-LABEL: define i32 @argmax_of_one_row
// CHECK-NOT: icmp
// CHECK: call i32 @mli_krn_argmax_fx16(
// CHECK-LABEL: define i32 @argmax_of_some_rows
// CHECK-SAME: i64 %[[ROWS:[0-9]+]], i64 %{{[0-9]+}}, i64 %[[STRIDE:[0-9]+]], i64 %{{[0-9]+}}, ptr
// CHECK: %[[IS_ONE:.*]] = icmp eq i64 %[[ROWS]], 1
// CHECK: %[[TAKEN:.*]] = select i1 %[[IS_ONE]], i64 2, i64 %[[STRIDE]]
// CHECK: icmp eq i64 %[[TAKEN]], 2
// CHECK: call i32 @mli_krn_argmax_fx16(
func.func @argmax_of_one_row(
    %in: memref<1x1x2x!mli.fx16<8>, strided<[6, ?, 1], offset: 20>>,
    %out: memref<1x1x!mli.sa32<1:0:0>>) {
  mli.argmax ins(%in : memref<1x1x2x!mli.fx16<8>, strided<[6, ?, 1], offset: 20>>)
    outs(%out : memref<1x1x!mli.sa32<1:0:0>>)
  return
}
func.func @argmax_of_some_rows(
    %in: memref<?x2x!mli.fx16<8>, strided<[?, 1]>>,
    %out: memref<1x1x!mli.sa32<1:0:0>>) {
  mli.argmax ins(%in : memref<?x2x!mli.fx16<8>, strided<[?, 1]>>)
    outs(%out : memref<1x1x!mli.sa32<1:0:0>>)
  return
}

// -----

// Slopes are read without looking at their strides.
// T19
// CHECK: c"stride 0 of 'slope' to be\00
// CHECK-LABEL: define i32 @slopes_of_unknown_strides
// CHECK: icmp eq i64 %{{[0-9]+}}, 1
// CHECK: call i32 @mli_report_mismatch(
// CHECK: call i32 @mli_krn_prelu_fx16(
func.func @slopes_of_unknown_strides(
    %map: memref<4x2x!mli.fx16<8>>,
    %slope: memref<4x1x!mli.fx16<10>, strided<[?, 1]>>) {
  mli.prelu ins(%map, %slope : memref<4x2x!mli.fx16<8>>,
                memref<4x1x!mli.fx16<10>, strided<[?, 1]>>)
    outs(%map : memref<4x2x!mli.fx16<8>>) {axis = 0 : i32}
  return
}

// -----

// CHECK: @[[CFG:mli_record_[0-9]+_[0-9a-f]+]] = internal constant { i8, i8, i8, i8 } { i8 2, i8 0, i8 1, i8 0 }
// CHECK-LABEL: define i32 @permute
// CHECK: call i32 @mli_krn_permute_fx8(ptr %{{[0-9]+}}, ptr @[[CFG]], ptr %{{[0-9]+}})
func.func @permute(%in: memref<2x3x4x!mli.fx8<3>>, %out: memref<4x2x3x!mli.fx8<3>>) {
  mli.permute ins(%in : memref<2x3x4x!mli.fx8<3>>)
    outs(%out : memref<4x2x3x!mli.fx8<3>>) permutation [2, 0, 1]
  return
}

// -----

// Of the parameters, those of filters 1 and 2 from the same table.
// CHECK: [i16 7, i16 9]
// CHECK-LABEL: define i32 @block
// CHECK: getelementptr i8, ptr %{{[0-9]+}}, i32 9
// CHECK: call i32 @mli_krn_permute_sa8(
func.func @block(%weights: memref<3x4x!mli.sa8<axis = 1, {5:3:0, 7:3:0, 9:3:0, 2:3:0}>>,
                 %out: memref<2x1x!mli.sa8<axis = 0, {7:3:0, 9:3:0}>>) {
  %block = mli.subtensor %weights[2, 1] [1, 2]
    : memref<3x4x!mli.sa8<axis = 1, {5:3:0, 7:3:0, 9:3:0, 2:3:0}>>
    to memref<1x2x!mli.sa8<axis = 1, {7:3:0, 9:3:0}>, strided<[4, 1], offset: 9>>
  mli.permute
    ins(%block : memref<1x2x!mli.sa8<axis = 1, {7:3:0, 9:3:0}>, strided<[4, 1], offset: 9>>)
    outs(%out : memref<2x1x!mli.sa8<axis = 0, {7:3:0, 9:3:0}>>) permutation [1, 0]
  return
}

// -----

// The offset and the size are values, and lie within the source.
// CHECK-LABEL: define i32 @unknown_block
// CHECK-SAME: i64 %[[AT:[0-9]+]], i64 %[[SIZE:[0-9]+]], ptr
// CHECK-DAG: %[[LEFT:.*]] = sub i64 8, %[[AT]]
// CHECK-DAG: icmp ult i64 %[[AT]], 8
// CHECK-DAG: icmp sge i64 %[[SIZE]], 1
// CHECK-DAG: icmp sle i64 %[[SIZE]], %[[LEFT]]
// CHECK: call i32 @mli_krn_relu_fx8(
func.func @unknown_block(%map: memref<8x4x!mli.fx8<3>>, %at: index, %size: index,
                         %out: memref<?x4x!mli.fx8<3>>) {
  %block = mli.subtensor %map[%at, 0] [%size, 4] : memref<8x4x!mli.fx8<3>>
    to memref<?x4x!mli.fx8<3>, strided<[4, 1], offset: ?>>
  mli.relu ins(%block : memref<?x4x!mli.fx8<3>, strided<[4, 1], offset: ?>>)
    outs(%out : memref<?x4x!mli.fx8<3>>) {relu = #mli.relu<gen>}
  return
}

// -----

// What is only moved needs no more of its descriptor than the type leaves open:
// here the size and the stride of dimension 0. The first condition that does
// not hold is reported.
// CHECK-LABEL: define i32 @moved_block
// CHECK-SAME: i64 %[[START:[0-9]+]], i64 %[[ROWS:[0-9]+]], i64 %{{[0-9]+}}, i64 %[[STRIDE:[0-9]+]], i64 %{{[0-9]+}}, i64 %[[AT:[0-9]+]], i64 %[[SIZE:[0-9]+]], ptr
// CHECK-DAG: %[[STARTS:.*]] = icmp ult i64 %[[AT]], %[[ROWS]]
// CHECK-DAG: %[[LEFT:.*]] = sub i64 %[[ROWS]], %[[AT]]
// CHECK-DAG: %[[ENDS:.*]] = icmp sle i64 %[[SIZE]], %[[LEFT]]
// CHECK-DAG: select i1 %[[ENDS]], i32 0, i32 4
// CHECK: select i1 %[[STARTS]], i32 %{{[0-9]+}}, i32 4
// CHECK: select i1 %[[STARTS]], i64 %{{[0-9]+}}, i64 %[[ROWS]]
// CHECK: %[[FOUND:.*]] = select i1 %[[STARTS]], i64 %{{[0-9]+}}, i64 %[[AT]]
// CHECK: call i32 @mli_report_mismatch(i32 %{{[0-9]+}}, ptr %{{[0-9]+}}, i64 %{{[0-9]+}}, i64 %[[FOUND]])
// CHECK-DAG: call i64 @llvm.umin.i64(i64 %[[SIZE]], i64 4294967295)
// CHECK-DAG: call i64 @llvm.umin.i64(i64 %[[STRIDE]], i64 4294967295)
// CHECK: call i32 @mli_mov_tensor_sync(
!in = memref<?x4x!mli.fx8<3>, strided<[?, 1], offset: ?>>
!block = memref<?x4x!mli.fx8<3>, strided<[?, 1], offset: ?>>
func.func @moved_block(%map: !in, %at: index, %size: index,
                       %out: memref<?x4x!mli.fx8<3>>) {
  %block = mli.subtensor %map[%at, 0] [%size, 4] : !in to !block
  mli.mov ins(%block : !block) outs(%out : memref<?x4x!mli.fx8<3>>)
  return
}

// -----

// One row lies within the source where it starts within it. Its shape and
// strides are those of the type.
// CHECK-LABEL: define i32 @moved_row
// CHECK-SAME: i64 %{{[0-9]+}}, i64 %[[ROWS:[0-9]+]], i64 %{{[0-9]+}}, i64 %{{[0-9]+}}, i64 %{{[0-9]+}}, i64 %[[AT:[0-9]+]], ptr
// CHECK-NEXT: alloca
// CHECK-NEXT: alloca
// CHECK-NEXT: %[[STARTS:.*]] = icmp ult i64 %[[AT]], %[[ROWS]]
// CHECK-NEXT: mul i64 %[[AT]], 4
// CHECK-NEXT: %[[STATUS:.*]] = select i1 %[[STARTS]], i32 0, i32 4
// CHECK-NEXT: call i32 @mli_report_mismatch(i32 %[[STATUS]], ptr @{{[a-z0-9_]+}}, i64 %[[ROWS]], i64 %[[AT]])
// CHECK-NOT: umin
// CHECK: call i32 @mli_mov_tensor_sync(
!row = memref<1x4x!mli.fx8<3>, strided<[4, 1], offset: ?>>
func.func @moved_row(%map: memref<?x4x!mli.fx8<3>>, %at: index,
                     %out: memref<1x4x!mli.fx8<3>>) {
  %row = mli.subtensor %map[%at, 0] [1, 4] : memref<?x4x!mli.fx8<3>> to !row
  mli.mov ins(%row : !row) outs(%out : memref<1x4x!mli.fx8<3>>)
  return
}

// -----

// Offsets that views were expanded to are computed by the same pass, and once.
// CHECK-LABEL: define void @offsets
// CHECK-SAME: (i64 %[[ROW:[0-9]+]], ptr
// CHECK: %[[BLOCK:[0-9]+]] = mul nsw i64 %[[ROW]], 48
// CHECK: %[[INDEX:[0-9]+]] = add i64 %[[BLOCK]], 5
// CHECK-NOT: mul
// CHECK: ret void
func.func @offsets(%row: index, %out: memref<?xi32>, %other: memref<?xi32>) {
  %value = arith.constant 7 : i32
  %index = affine.apply affine_map<(d0) -> (d0 * 48 + 5)>(%row)
  memref.store %value, %out[%index] : memref<?xi32>
  %same = affine.apply affine_map<(d0) -> (d0 * 48 + 5)>(%row)
  memref.store %value, %other[%same] : memref<?xi32>
  return
}
