// RUN: mli-opt %s --convert-mli-to-llvm --canonicalize --split-input-file | FileCheck %s

// Several NPUs: a kernel gets copies of its operands in plain memory. What begins
// in memory that others need is not poisoned.

#aligned = #mli.layout<aligned, dims = [h, w, c], npus = 4, npu_elements = 16384, start_npu = 2, strides = [256, 128, 4, 1]>
!map = memref<4x4x6x!mli.fx8<5>>
!local = memref<4x4x6x!mli.fx8<5>, #aligned, #mli.space<local>>
// CHECK-DAG: llvm.mlir.global internal constant @[[LOCAL:mli_record_36_[0-9a-f]+]]([32768 : i32, dense<[256, 128, 4, 1]> : tensor<4xi32>, 1 : i32, 0 : i32, 0 : i32, dense<[2, 3, 1, 3]> : tensor<4xi8>])
// CHECK-DAG: llvm.mlir.global internal @mli_scratch(#llvm.zero) {{.*}} : !llvm.array<224 x i8>
module attributes {mli.target = #mli.target<custom, npus = 4, npu_bytes = 16384>} {
  // CHECK-LABEL: llvm.func @scattered
  // CHECK: %[[STATUS:.*]] = llvm.call @mli_local_prepare
  // CHECK: %[[OK:.*]] = llvm.icmp "eq" %[[STATUS]]
  // CHECK: llvm.cond_br %[[OK]], ^[[NEXT:.*]], ^
  // CHECK: ^[[NEXT]]:
  // CHECK: llvm.call @mli_local_alloc
  // CHECK: llvm.call @mli_local_load
  // CHECK-NOT: llvm.call @mli_local_alloc
  // CHECK: llvm.call @mli_local_store
  // CHECK: llvm.cond_br
  // CHECK: llvm.call @mli_krn_relu_fx8
  // CHECK: llvm.cond_br
  // CHECK: llvm.call @mli_local_load
  // CHECK-NEXT: llvm.call @mli_local_store
  // CHECK: llvm.cond_br
  // CHECK-NOT: llvm.call @mli_{{(krn|local)}}
  // CHECK: llvm.return
  func.func @scattered(%in: !map, %out: !map) {
    %a = mli.alloc {address = 32768 : i64} : !local
    mli.mov ins(%in : !map) outs(%a : !local)
    %b = mli.alloc {address = 33024 : i64, mli.shared} : !local
    mli.relu ins(%a : !local) outs(%b : !local) {relu = #mli.relu<gen>}
    mli.mov ins(%b : !local) outs(%out : !map)
    return
  }

  // The fields of mli_local_tensor: address, strides, kind, mode, columns, dims.
  // CHECK-LABEL: llvm.func @fields
  // CHECK-DAG: %[[FIELDS:.*]] = llvm.mlir.addressof @[[LOCAL]]
  // CHECK: llvm.call @mli_local_prepare
  // CHECK: llvm.call @mli_local_store(%{{.*}}, %{{.*}}, %[[FIELDS]], %
  func.func @fields(%out: !map) {
    %a = mli.alloc {address = 32768 : i64, mli.shared} : !local
    mli.mov ins(%a : !local) outs(%out : !map)
    return
  }
}

// -----

// One NPU: kernels work in local memory itself, in any part of it.

// Zero points, scales and fraction bits of an axis follow each other.
// CHECK-DAG: llvm.mlir.global internal constant @[[PARAMS:mli_params_10_[0-9a-f]+]]([dense<0> : tensor<2xi16>, dense<[5, 7]> : tensor<2xi16>, dense<3> : tensor<2xi8>]) {{.*}} : !llvm.struct<packed (array<2 x i16>, array<2 x i16>, array<2 x i8>)>
// CHECK-DAG: llvm.mlir.global internal constant @[[BLOCK:mli_record_36_[0-9a-f]+]]([56 : i32,
// CHECK-DAG: llvm.mlir.global internal constant @[[MOVED:mli_record_36_[0-9a-f]+]]([128 : i32,

!map = memref<4x8x6x!mli.fx8<5>>
!local = memref<4x8x6x!mli.fx8<5>, #mli.space<local>>
!part = memref<2x8x6x!mli.fx8<5>, strided<[48, 6, 1], offset: 96>, #mli.space<local>>
!any = memref<2x8x6x!mli.fx8<5>, strided<[48, 6, 1], offset: ?>, #mli.space<local>>
module attributes {mli.target = #mli.target<vpx>} {
  // CHECK-LABEL: llvm.func @views
  // CHECK: llvm.call @mli_local_prepare
  // CHECK-COUNT-2: llvm.call @mli_local_operand
  // CHECK-NOT: mli_local
  // CHECK: llvm.call @mli_krn_relu_fx8
  // CHECK-NOT: llvm.call @mli_local
  // CHECK: llvm.return
  func.func @views() {
    %a = mli.alloc {address = 32 : i64, mli.shared} : !local
    %b = mli.alloc {address = 512 : i64, mli.shared} : !local
    mli.relu ins(%a : !local) outs(%b : !local) {relu = #mli.relu<gen>}
    return
  }

  // A view is another address: 32 + 96, and what a loop adds, in bounds. Sizes that
  // the verifier has checked are not checked again.
  // CHECK-LABEL: llvm.func @subtensors(
  // CHECK-SAME: %[[ROW:[a-z0-9]+]]: i64
  // CHECK-DAG: %[[STATIC:.*]] = llvm.mlir.addressof @[[MOVED]]
  // CHECK-DAG: %[[BASE:.*]] = llvm.mlir.constant(32 : i32)
  // CHECK-DAG: %[[STEP:.*]] = llvm.mlir.constant(48 : i64)
  // CHECK: llvm.icmp "ult" %[[ROW]]
  // CHECK-NOT: llvm.icmp "sge"
  // CHECK: %[[BYTES:.*]] = llvm.mul %[[ROW]], %[[STEP]]
  // CHECK: %[[DISTANCE:.*]] = llvm.trunc %[[BYTES]]
  // CHECK: %[[DYNAMIC:.*]] = llvm.add %[[DISTANCE]], %[[BASE]]
  // CHECK: llvm.call @mli_report_mismatch
  // CHECK: llvm.cond_br
  // CHECK: %[[STATUS:.*]] = llvm.call @mli_local_operand(%{{.*}}, %[[WHERE:.*]], %[[STATIC]], %
  // CHECK: %[[FIRST:.*]] = llvm.getelementptr %[[SLOT:.*]][0, 0]
  // CHECK: llvm.store %[[DYNAMIC]], %[[FIRST]]
  // CHECK: llvm.call @mli_local_operand(%[[STATUS]], %[[WHERE]], %[[SLOT]], %
  // CHECK: llvm.call @mli_krn_relu_fx8
  func.func @subtensors(%row: index) {
    %a = mli.alloc {address = 32 : i64, mli.shared} : !local
    %first = mli.subtensor %a[2, 0, 0] [2, 8, 6] : !local to !part
    %second = mli.subtensor %a[%row, 0, 0] [2, 8, 6] : !local to !any
    mli.relu ins(%first : !part) outs(%second : !any) {relu = #mli.relu<gen>}
    return
  }

  // Offsets and sizes that are values are checked where they are constants, too.
  // CHECK-LABEL: llvm.func @constants
  // CHECK-DAG: %[[NONE:.*]] = llvm.mlir.constant(0 : i64)
  // CHECK-DAG: %[[FOUR:.*]] = llvm.mlir.constant(4 : i64)
  // CHECK-DAG: %[[ONE:.*]] = llvm.mlir.constant(1 : i64)
  // CHECK: llvm.icmp "ult" %[[FOUR]], %[[FOUR]]
  // CHECK: llvm.call @mli_report_mismatch
  // CHECK: llvm.icmp "sge" %[[NONE]], %[[ONE]]
  // CHECK: llvm.icmp "sle" %[[NONE]], %
  // CHECK: llvm.call @mli_report_mismatch
  // CHECK: llvm.call @mli_local_load
  func.func @constants(%in: memref<4x8x6x!mli.fx8<5>>) {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %a = mli.alloc {address = 32 : i64, mli.shared} : !local
    %to = mli.subtensor %a[%c4, 0, 0] [2, 8, 6] : !local to !any
    %from = mli.subtensor %in[%c4, 0, 0] [%c0, 8, 6] : memref<4x8x6x!mli.fx8<5>>
      to memref<?x8x6x!mli.fx8<5>, strided<[48, 6, 1], offset: ?>>
    mli.mov ins(%from : memref<?x8x6x!mli.fx8<5>, strided<[48, 6, 1], offset: ?>>)
      outs(%to : !any)
    return
  }

  // A block that is moved, and a copy of what is quantised along an axis.
  // CHECK-LABEL: llvm.func @blocks
  // CHECK-DAG: %[[PLACE:.*]] = llvm.mlir.addressof @[[BLOCK]]
  // CHECK-DAG: %[[LISTS:.*]] = llvm.mlir.addressof @[[PARAMS]]
  // CHECK: llvm.call @mli_local_load(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %[[PLACE]], %
  // CHECK: llvm.call @mli_local_operand(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %[[LISTS]], %
  // CHECK: llvm.cond_br
  // CHECK: llvm.call @mli_local_scatter
  // CHECK: llvm.call @mli_local_store
  // CHECK: llvm.call @mli_local_operand
  // CHECK: llvm.call @mli_local_operand
  // CHECK: llvm.call @mli_mov_tensor_sync
  // CHECK-NOT: llvm.call @mli
  // CHECK: llvm.return
  func.func @blocks(%in: memref<2x3x6x!mli.fx8<5>>,
                    %out: memref<2x2x!mli.sa8<axis = 1, {5:3:0, 7:3:0}>>) {
    %a = mli.alloc {address = 32 : i64, mli.shared} : !local
    mli.mov ins(%in : memref<2x3x6x!mli.fx8<5>>) outs(%a : !local)
      {dst_offsets = array<i64: 0, 4, 0>}
    %b = mli.alloc {address = 512 : i64, mli.shared}
      : memref<2x2x!mli.sa8<axis = 1, {5:3:0, 7:3:0}>, #mli.space<local>>
    %c = mli.alloc {address = 528 : i64, mli.shared}
      : memref<2x2x!mli.sa8<axis = 1, {5:3:0, 7:3:0}>, #mli.space<local>>
    mli.mov ins(%b : memref<2x2x!mli.sa8<axis = 1, {5:3:0, 7:3:0}>, #mli.space<local>>)
      outs(%c : memref<2x2x!mli.sa8<axis = 1, {5:3:0, 7:3:0}>, #mli.space<local>>)
    memref.copy %c, %out : memref<2x2x!mli.sa8<axis = 1, {5:3:0, 7:3:0}>, #mli.space<local>>
      to memref<2x2x!mli.sa8<axis = 1, {5:3:0, 7:3:0}>>
    %d = mli.alloc {address = 1024 : i64, mli.shared}
      : memref<8x4x6x!mli.fx8<5>, #mli.space<local>>
    mli.mov ins(%a : !local) outs(%d : memref<8x4x6x!mli.fx8<5>, #mli.space<local>>)
      {permutation = array<i64: 1, 0, 2>}
    return
  }

  // Tables lie in local memory where the plan has them; queries look at no element;
  // another shape is at the same address.
  // CHECK-LABEL: llvm.func @others
  // CHECK: llvm.call @okk_local_mem_addr
  // CHECK: llvm.call @mli_krn_sigm_create_lut
  // CHECK: llvm.call @mli_krn_sigm_fx8
  // CHECK-NOT: llvm.call @mli_local
  // CHECK: llvm.call @mli_hlp_tensor_scale
  func.func @others(%index: index, %out: memref<i32>) {
    %c = mli.alloc {address = 2048 : i64, mli.shared}
      : memref<2x2x!mli.sa8<axis = 1, {5:3:0, 7:3:0}>, #mli.space<local>>
    %a = mli.alloc {address = 32 : i64, mli.shared} : !local
    %b = mli.alloc {address = 512 : i64, mli.shared} : memref<192x!mli.fx8<7>, #mli.space<local>>
    %row = mli.reshape %a : !local to memref<192x!mli.fx8<5>, #mli.space<local>>
    mli.sigm ins(%row : memref<192x!mli.fx8<5>, #mli.space<local>>)
      outs(%b : memref<192x!mli.fx8<7>, #mli.space<local>>)
      {mli.scratch_address = 1024 : i64}
    %scale = mli.scale %c[%index]
      : memref<2x2x!mli.sa8<axis = 1, {5:3:0, 7:3:0}>, #mli.space<local>>
    memref.store %scale, %out[] : memref<i32>
    return
  }
}

// -----

// To another shape: out of the one and into the other, in one order.

#map = #mli.layout<aligned, dims = [h, w, c], npus = 4, npu_elements = 16384, strides = [16, 16, 4, 1]>
#row = #mli.layout<matrix, dims = [w], npus = 4, npu_elements = 16384, columns = 8, strides = [8, 8, 8, 1]>
!map = memref<2x4x4x!mli.fx8<5>, #map, #mli.space<local>>
!row = memref<32x!mli.fx8<5>, #row, #mli.space<local>>
module attributes {mli.target = #mli.target<custom, npus = 4, npu_bytes = 16384>} {
  // CHECK-LABEL: llvm.func @other_shape
  // CHECK-DAG: %[[SCRATCH:.*]] = llvm.mlir.addressof @mli_scratch
  // CHECK: llvm.call @mli_local_prepare
  // CHECK: llvm.call @mli_local_store(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %[[SCRATCH]], %
  // CHECK: llvm.call @mli_local_load(%{{.*}}, %{{.*}}, %{{.*}}, %[[SCRATCH]], %
  // CHECK-NOT: llvm.call @mli
  // CHECK: llvm.return
  func.func @other_shape() {
    %a = mli.alloc {address = 0 : i64, mli.shared} : !map
    %b = mli.alloc {address = 64 : i64, mli.shared} : !row
    mli.mov ins(%a : !map) outs(%b : !row)
    return
  }
}
