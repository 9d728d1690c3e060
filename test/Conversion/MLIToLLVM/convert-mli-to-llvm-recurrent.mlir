// Names, configurations and order of arguments of the recurrent operations.
// RUN: mli-opt %s --convert-mli-to-llvm --canonicalize --split-input-file | mlir-translate --mlir-to-llvmir --split-input-file | FileCheck %s

// Arrays of tensors and the number of inputs.
// CHECK: @[[CFG:mli_record_[0-9]+_[0-9a-f]+]] = internal constant { i8 } { i8 2 }
// CHECK-LABEL: define i32 @dense
// CHECK: %[[INPUT:.*]] = getelementptr { [2 x ptr] }, ptr %[[INPUTS:[0-9]+]], i32 0, i32 0, i32 1
// CHECK: store ptr %{{[0-9]+}}, ptr %[[INPUT]]
// CHECK: %[[WEIGHT:.*]] = getelementptr { [2 x ptr] }, ptr %[[WEIGHTS:[0-9]+]], i32 0, i32 0, i32 1
// CHECK: store ptr %{{[0-9]+}}, ptr %[[WEIGHT]]
// CHECK: call i32 @mli_krn_rnn_dense_fx16_fx8_fx8(ptr %[[INPUTS]], ptr %[[WEIGHTS]], ptr %{{[0-9]+}}, ptr @[[CFG]], ptr %{{[0-9]+}})
func.func @dense(%in: memref<8x!mli.fx16<12>>, %weights: memref<8x4x!mli.fx8<7>>,
                 %bias: memref<4x!mli.fx8<7>>, %out: memref<4x!mli.fx16<12>>) {
  mli.rnn_dense ins(%in, %in : memref<8x!mli.fx16<12>>, memref<8x!mli.fx16<12>>)
    weights(%weights, %weights : memref<8x4x!mli.fx8<7>>, memref<8x4x!mli.fx8<7>>)
    bias(%bias : memref<4x!mli.fx8<7>>) outs(%out : memref<4x!mli.fx16<12>>)
  return
}

// -----

!in = memref<6x16x!mli.fx16<12>>
!state = memref<8x!mli.fx16<15>>

// Direction, results, activation; a vector of 8 int16 for each of four gates.
// CHECK: @[[CFG:mli_record_[0-9]+_[0-9a-f]+]] = internal constant { i32, i32, i32, i32, { i32, i32, ptr } } { i32 1, i32 1, i32 2, i32 0, { i32, i32, ptr } { i32 64, i32 0, ptr null } }
// CHECK-LABEL: define i32 @lstm
// CHECK: %[[SCRATCH:[0-9]+]] = alloca [64 x i8]
// CHECK: call i32 @mli_krn_tanh_create_lut(ptr %[[TANH:[0-9]+]])
// CHECK: call i32 @mli_krn_sigm_create_lut(ptr %[[SIGM:[0-9]+]])
// CHECK: call void @llvm.memcpy.p0.p0.i64(ptr %[[CELL:[0-9]+]], ptr @[[CFG]], i64 32, i1 false)
// CHECK: %[[MEMORY:.*]] = getelementptr {{.*}}, ptr %[[CELL]], i32 0, i32 4, i32 2
// CHECK: store ptr %[[SCRATCH]], ptr %[[MEMORY]]
// CHECK: call i32 @mli_krn_lstm_cell_fx16(ptr %{{[0-9]+}}, ptr %{{[0-9]+}}, ptr %{{[0-9]+}}, ptr %{{[0-9]+}}, ptr %{{[0-9]+}}, ptr %[[TANH]], ptr %[[SIGM]], ptr %[[CELL]], ptr %{{[0-9]+}}, ptr %{{[0-9]+}})
// CHECK-NOT: stackrestore
func.func @lstm(%in: !in, %state: !state, %weights: memref<4x16x8x!mli.fx16<13>>,
                %recurrent: memref<4x8x8x!mli.fx16<13>>,
                %bias: memref<4x8x!mli.fx16<13>>, %cell: !state,
                %out: memref<6x8x!mli.fx16<15>>) {
  mli.lstm_cell
    ins(%in, %state, %weights, %recurrent, %bias
        : !in, !state, memref<4x16x8x!mli.fx16<13>>,
          memref<4x8x8x!mli.fx16<13>>, memref<4x8x!mli.fx16<13>>)
    outs(%cell, %out : !state, memref<6x8x!mli.fx16<15>>)
    {backward, all_results, act = #mli.rnn_act<sigm>}
  return
}

// -----

// A size that is a value: memory for the call only, and a result of that size.
// CHECK-LABEL: define i32 @gru
// CHECK: %[[STACK:.*]] = call ptr @llvm.stacksave.p0()
// CHECK: %[[SIZE:.*]] = call i64 @llvm.umin.i64(i64 %{{.*}}, i64 65536)
// CHECK: %[[BYTES:.*]] = mul i64 %[[SIZE]], 3
// CHECK: alloca i8, i64 %[[BYTES]], align 8
// CHECK: call i32 @mli_krn_gru_cell_sa8_sa8_sa32(ptr %{{[0-9]+}}, ptr %{{[0-9]+}}, ptr %{{[0-9]+}}, ptr %{{[0-9]+}}, ptr %{{[0-9]+}}, ptr %{{[0-9]+}}, ptr %{{[0-9]+}}, ptr %{{[0-9]+}}, ptr %{{[0-9]+}})
// CHECK: call void @llvm.stackrestore.p0(ptr %[[STACK]])
func.func @gru(
    %in: memref<6x4x!mli.sa8<1:4:-128>>, %hidden: memref<?x!mli.sa8<1:7:0>>,
    %weights: memref<3x4x?x!mli.sa8<1:4:0>>,
    %recurrent: memref<3x?x?x!mli.sa8<1:3:0>>,
    %bias: memref<3x?x!mli.sa32<1:8:0>>, %last: memref<1x?x!mli.sa8<1:7:0>>) {
  mli.gru_cell
    ins(%in, %hidden, %weights, %recurrent, %bias
        : memref<6x4x!mli.sa8<1:4:-128>>, memref<?x!mli.sa8<1:7:0>>,
          memref<3x4x?x!mli.sa8<1:4:0>>, memref<3x?x?x!mli.sa8<1:3:0>>,
          memref<3x?x!mli.sa32<1:8:0>>)
    outs(%last : memref<1x?x!mli.sa8<1:7:0>>)
  return
}

// -----

!map = memref<4x4x3x!mli.fx16<10>>

// Dilations are 1.
// CHECK: @[[CFG:mli_record_[0-9]+_[0-9a-f]+]] = internal constant { i32, i8, i8, i8, i8, i8, i8, i8, i8 } { i32 3, i8 2, i8 1, i8 1, i8 0, i8 0, i8 1, i8 1, i8 1 }
// CHECK-LABEL: define i32 @transposed
// CHECK: call i32 @mli_krn_transpose_conv2d_hwcn_fx16(ptr %{{[0-9]+}}, ptr %{{[0-9]+}}, ptr %{{[0-9]+}}, ptr @[[CFG]], ptr %{{[0-9]+}})
func.func @transposed(%in: !map, %weights: memref<2x3x3x2x!mli.fx16<10>>,
                      %bias: memref<2x!mli.fx16<10>>,
                      %out: memref<4x8x2x!mli.fx16<10>>) {
  mli.transpose_conv2d
    ins(%in, %weights, %bias
        : !map, memref<2x3x3x2x!mli.fx16<10>>, memref<2x!mli.fx16<10>>)
    outs(%out : memref<4x8x2x!mli.fx16<10>>) pad [0, 1, 1, 0]
    {strides = array<i64: 1, 2>, relu = #mli.relu<relu6>}
  return
}
