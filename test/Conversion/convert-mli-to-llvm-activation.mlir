// Names and configurations of the operations on each element.
// RUN: mli-opt %s --convert-mli-to-llvm --canonicalize | mlir-translate --mlir-to-llvmir | FileCheck %s

!sa8 = memref<4x2x!mli.sa8<1:4:0>>
!fx16 = memref<4x2x!mli.fx16<10>>
!fx8 = memref<4x2x!mli.fx8<5>>

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
// CHECK: store { i32 } { i32 -1 }, ptr %[[ALL:[0-9]+]]
// CHECK: call i32 @mli_krn_prelu_fx16(ptr %{{[0-9]+}}, ptr %{{[0-9]+}}, ptr %[[ALL]], ptr %{{[0-9]+}})
// CHECK: store { i32 } { i32 1 }, ptr %[[AXIS:[0-9]+]]
// CHECK: call i32 @mli_krn_prelu_fx16(ptr %{{[0-9]+}}, ptr %{{[0-9]+}}, ptr %[[AXIS]], ptr %{{[0-9]+}})
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
// CHECK: { i32 640, i32 0, i64 0 }
// CHECK: store { {{.*}} } %{{[0-9]+}}, ptr %[[SIGM:[0-9]+]]
// U6
// CHECK: call i32 @mli_krn_sigm_create_lut(ptr %[[SIGM]])
// CHECK: call i32 @mli_krn_sigm_sa8(ptr %{{[0-9]+}}, ptr %[[SIGM]], ptr %{{[0-9]+}})
// CHECK: { i32 688, i32 0, i64 0 }
// CHECK: call i32 @mli_krn_tanh_create_lut(ptr %[[TANH:[0-9]+]])
// CHECK: call i32 @mli_krn_tanh_fx16(ptr %{{[0-9]+}}, ptr %[[TANH]], ptr %{{[0-9]+}})
func.func @tables(%sa8: !sa8, %positive: memref<4x2x!mli.sa8<1:8:-128>>,
                  %fx16: !fx16, %unit: memref<4x2x!mli.fx16<15>>) {
  mli.sigm ins(%sa8 : !sa8) outs(%positive : memref<4x2x!mli.sa8<1:8:-128>>)
  mli.tanh ins(%fx16 : !fx16) outs(%unit : memref<4x2x!mli.fx16<15>>)
  return
}

// The kernel never reads its epsilon, so the input stands for it.
// CHECK-LABEL: define i32 @normalisation
// CHECK: { i32 194, i32 0, i64 0 }
// CHECK: call i32 @mli_krn_l2_normalize_create_lut(ptr %[[LUT:[0-9]+]])
// CHECK: store { i32 } { i32 1 }, ptr %[[CFG:[0-9]+]]
// CHECK: call i32 @mli_krn_l2_normalize_fx16(ptr %[[IN:[0-9]+]], ptr %[[IN]], ptr %[[LUT]], ptr %[[CFG]], ptr %{{[0-9]+}})
func.func @normalisation(%fx16: !fx16, %unit: memref<4x2x!mli.fx16<15>>) {
  mli.l2_normalize ins(%fx16 : !fx16) outs(%unit : memref<4x2x!mli.fx16<15>>)
    {axis = 1 : i32}
  return
}
