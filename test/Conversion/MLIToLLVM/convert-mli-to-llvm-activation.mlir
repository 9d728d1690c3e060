// Names and configurations of the operations on each element.
// RUN: mli-opt %s --convert-mli-to-llvm --canonicalize | mlir-translate --mlir-to-llvmir | FileCheck %s

!sa8 = memref<4x2x!mli.sa8<1:4:0>>
!fx16 = memref<4x2x!mli.fx16<10>>
!fx8 = memref<4x2x!mli.fx8<5>>

// CHECK-DAG: @[[L2:mli_record_[0-9]+_[0-9a-f]+]] = internal constant {{.*}} { { i32, i32, ptr } { i32 194, i32 0, ptr null }, i32 {{[0-9]+}}, i32 97,
// CHECK-DAG: @[[TANH:mli_record_[0-9]+_[0-9a-f]+]] = internal constant {{.*}} { { i32, i32, ptr } { i32 688, i32 0, ptr null }, i32 {{[0-9]+}}, i32 344,
// CHECK-DAG: @[[SIGM:mli_record_[0-9]+_[0-9a-f]+]] = internal constant {{.*}} { { i32, i32, ptr } { i32 640, i32 0, ptr null }, i32 {{[0-9]+}}, i32 320,
// CHECK-DAG: @[[ONE:mli_record_[0-9]+_[0-9a-f]+]] = internal constant { i32 } { i32 1 }
// CHECK-DAG: @[[ALL:mli_record_[0-9]+_[0-9a-f]+]] = internal constant { i32 } { i32 -1 }

// CHECK-LABEL: define i32 @arithmetic
// CHECK: call i32 @mli_krn_eltwise_sub_sa8(ptr %{{[0-9]+}}, ptr %{{[0-9]+}}, ptr %{{[0-9]+}})
// CHECK: call i32 @mli_krn_eltwise_mul_fx16(ptr
// CHECK: call i32 @mli_krn_eltwise_min_fx8(ptr
// CHECK: call i32 @mli_krn_eltwise_max_sa8(ptr
func.func @arithmetic(%sa8: !sa8, %fx16: !fx16, %fx8: !fx8) {
  mli.eltwise_sub ins(%sa8, %sa8 : !sa8, !sa8) outs(%sa8 : !sa8)
  mli.eltwise_mul ins(%fx16, %fx16 : !fx16, !fx16) outs(%fx16 : !fx16)
  mli.eltwise_min ins(%fx8, %fx8 : !fx8, !fx8) outs(%fx8 : !fx8)
  mli.eltwise_max ins(%sa8, %sa8 : !sa8, !sa8) outs(%sa8 : !sa8)
  return
}

// The slope is the second tensor; prelu has its axis behind it.
// CHECK-LABEL: define i32 @slopes
// CHECK: call i32 @mli_krn_leaky_relu_fx16(ptr %{{[0-9]+}}, ptr %{{[0-9]+}}, ptr %{{[0-9]+}})
// CHECK: call i32 @mli_krn_prelu_fx16(ptr %{{[0-9]+}}, ptr %{{[0-9]+}}, ptr @[[ALL]], ptr %{{[0-9]+}})
// CHECK: call i32 @mli_krn_prelu_fx16(ptr %{{[0-9]+}}, ptr %{{[0-9]+}}, ptr @[[ONE]], ptr %{{[0-9]+}})
func.func @slopes(%fx16: !fx16, %one: memref<!mli.fx16<14>>,
                  %many: memref<1x2x!mli.fx16<14>>) {
  mli.leaky_relu ins(%fx16, %one : !fx16, memref<!mli.fx16<14>>)
    outs(%fx16 : !fx16)
  mli.prelu ins(%fx16, %one : !fx16, memref<!mli.fx16<14>>) outs(%fx16 : !fx16)
  mli.prelu ins(%fx16, %many : !fx16, memref<1x2x!mli.fx16<14>>)
    outs(%fx16 : !fx16) {axis = 1 : i32}
  return
}

// CHECK-LABEL: define i32 @tables
// CHECK: call void @llvm.memcpy.p0.p0.i64(ptr %[[LUT:[0-9]+]], ptr @[[SIGM]], i64 40, i1 false)
// U6
// CHECK: call i32 @mli_krn_sigm_create_lut(ptr %[[LUT]])
// CHECK: call i32 @mli_krn_sigm_sa8(ptr %{{[0-9]+}}, ptr %[[LUT]], ptr %{{[0-9]+}})
// CHECK: call void @llvm.memcpy.p0.p0.i64(ptr %[[OTHER:[0-9]+]], ptr @[[TANH]], i64 40, i1 false)
// CHECK: call i32 @mli_krn_tanh_create_lut(ptr %[[OTHER]])
// CHECK: call i32 @mli_krn_tanh_fx16(ptr %{{[0-9]+}}, ptr %[[OTHER]], ptr %{{[0-9]+}})
func.func @tables(%sa8: !sa8, %positive: memref<4x2x!mli.sa8<1:8:-128>>,
                  %fx16: !fx16, %unit: memref<4x2x!mli.fx16<15>>) {
  mli.sigm ins(%sa8 : !sa8) outs(%positive : memref<4x2x!mli.sa8<1:8:-128>>)
  mli.tanh ins(%fx16 : !fx16) outs(%unit : memref<4x2x!mli.fx16<15>>)
  return
}

// The kernel never reads its epsilon, so the input stands for it.
// CHECK-LABEL: define i32 @normalisation
// CHECK: call void @llvm.memcpy.p0.p0.i64(ptr %[[LUT:[0-9]+]], ptr @[[L2]], i64 40, i1 false)
// CHECK: call i32 @mli_krn_l2_normalize_create_lut(ptr %[[LUT]])
// CHECK: call i32 @mli_krn_l2_normalize_fx16(ptr %[[IN:[0-9]+]], ptr %[[IN]], ptr %[[LUT]], ptr @[[ONE]], ptr %{{[0-9]+}})
func.func @normalisation(%fx16: !fx16, %unit: memref<4x2x!mli.fx16<15>>) {
  mli.l2_normalize ins(%fx16 : !fx16) outs(%unit : memref<4x2x!mli.fx16<15>>)
    {axis = 1 : i32}
  return
}
