// RUN: mli-opt %s --mli-local-pipeline=target=vpx | FileCheck %s --check-prefixes=CHECK,ONE
// RUN: mli-opt %s --mli-local-buffer-pipeline=target=custom,npus=4,npu-bytes=4096 | FileCheck %s --check-prefix=BUFFERS
// RUN: mli-opt %s --mli-local-pipeline=target=custom,npus=4,npu-bytes=4096 | FileCheck %s --check-prefixes=CHECK,MANY

!map = tensor<8x4x8x!mli.sa8<1:4:0>>

// The target is the one of the option, which the calls are told, and LLVM IR has
// no attribute for.
// CHECK: module attributes {llvm.data_layout = "e-p:64:64"}
// BUFFERS: mli.target = #mli.target<custom, npus = 4, npu_bytes = 4096,
// BUFFERS: func.func @layers
// BUFFERS: mli.alloc {{.*}}address
// BUFFERS: mli.mov
// BUFFERS: mli.leaky_relu
// BUFFERS: mli.eltwise_add
// ONE: llvm.mlir.global internal constant @mli_record_20_{{.*}}([1 : i32, 262144 : i32,
// MANY: llvm.mlir.global internal constant @mli_record_20_{{.*}}([4 : i32, 4096 : i32,
module attributes {mli.target = #mli.target<bm1684>} {
  // CHECK-LABEL: llvm.func @layers(
  // CHECK: llvm.call @mli_local_prepare
  // CHECK: llvm.call @mli_local_alloc
  // CHECK: llvm.call @mli_local_load
  // ONE-NOT: llvm.call @mli_local_store
  // ONE: llvm.call @mli_local_operand
  // MANY: llvm.call @mli_local_store
  // CHECK: llvm.call @mli_krn_leaky_relu_sa8
  // MANY: llvm.call @mli_local_load
  // CHECK: llvm.call @mli_krn_eltwise_add_sa8
  // CHECK: llvm.call @mli_local_store
  // CHECK-NOT: llvm.call @mli_krn
  // CHECK: llvm.func @_mlir_ciface_layers({{.*}} -> i32
  func.func @layers(%input: !map, %slope: tensor<!mli.sa8<1:4:0>>) -> !map {
    %empty = tensor.empty() : !map
    %0 = mli.leaky_relu ins(%input, %slope : !map, tensor<!mli.sa8<1:4:0>>)
      outs(%empty : !map) -> !map
    %1 = mli.eltwise_add ins(%0, %input : !map, !map) outs(%empty : !map) -> !map
    return %1 : !map
  }
}
