// What the type answers is a constant, what it does not is a call.
// RUN: mli-opt %s --convert-mli-to-llvm --canonicalize --split-input-file | FileCheck %s

!bias = memref<2x!mli.sa32<axis = 0, {5:14:0, 7:13:0}>>

// CHECK-LABEL: llvm.func @queries
// CHECK-DAG: %[[SIZE:.*]] = llvm.mlir.constant(4 : index) : i64
// CHECK: %[[COUNT:.*]] = llvm.call @mli_hlp_count_elem_num(%{{.*}}, %{{.*}}) : (!llvm.ptr, i32) -> i32
// CHECK: %[[INDEX:.*]] = llvm.zext %[[COUNT]] : i32 to i64
// CHECK: llvm.store %[[INDEX]]
// CHECK: llvm.icmp "ult" %[[AT:.*]], %{{.*}} : i64
// CHECK: %[[SCALE:.*]] = llvm.call @mli_hlp_tensor_scale(%{{.*}}, %{{.*}}) : (!llvm.ptr, i32) -> i32
// CHECK: llvm.store %[[SCALE]]
// CHECK: %[[SHIFT:.*]] = llvm.call @mli_hlp_tensor_scale_shift(%{{.*}}, %{{.*}}) : (!llvm.ptr, i32) -> i32
// CHECK: llvm.store %[[SHIFT]]
// CHECK: %[[SHORT:.*]] = llvm.call @mli_hlp_tensor_zero_offset(%{{.*}}, %{{.*}}) : (!llvm.ptr, i32) -> i16
// CHECK: %[[ZERO:.*]] = llvm.sext %[[SHORT]] : i16 to i32
// CHECK: llvm.store %[[ZERO]]
// CHECK: llvm.store %[[SIZE]]
func.func @queries(%map: memref<?x4x!mli.fx8<3>>, %bias: !bias, %at: index,
                   %indices: memref<2xindex>, %params: memref<3xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %count = mli.elem_count %map : memref<?x4x!mli.fx8<3>>
  memref.store %count, %indices[%c0] : memref<2xindex>
  %scale = mli.scale %bias[%at] : !bias
  memref.store %scale, %params[%c0] : memref<3xi32>
  %shift = mli.scale_shift %bias[%at] : !bias
  memref.store %shift, %params[%c1] : memref<3xi32>
  %zero = mli.zero_offset %bias[%at] : !bias
  memref.store %zero, %params[%c2] : memref<3xi32>
  %size = mli.element_size %bias : !bias
  memref.store %size, %indices[%c1] : memref<2xindex>
  return
}

// CHECK-LABEL: llvm.func @alloc
// CHECK: llvm.call @malloc
func.func @alloc() {
  %buffer = mli.alloc : memref<4x!mli.fx8<3>>
  mli.relu ins(%buffer : memref<4x!mli.fx8<3>>) outs(%buffer : memref<4x!mli.fx8<3>>)
    {relu = #mli.relu<gen>}
  memref.dealloc %buffer : memref<4x!mli.fx8<3>>
  return
}

// -----

// The type answers.
// H1
// CHECK-LABEL: llvm.func @count_from_the_rank_on
// CHECK-NOT: llvm.call
// CHECK: %[[ONE:.*]] = llvm.mlir.constant(1 : index) : i64
// CHECK: llvm.store %[[ONE]]
func.func @count_from_the_rank_on(%map: memref<?x4x!mli.fx8<3>>,
                                  %to: memref<1xindex>) {
  %c0 = arith.constant 0 : index
  %count = mli.elem_count %map {dim = 2 : i32} : memref<?x4x!mli.fx8<3>>
  memref.store %count, %to[%c0] : memref<1xindex>
  return
}
