// RUN: mli-opt %s --mli-system-pipeline --split-input-file | FileCheck %s

!map = tensor<8x4x8x!mli.sa8<1:4:0>>
!tile = tensor<1x4x8x!mli.sa8<1:4:0>>

// Regions are blocks and views are offsets by then, and C can call it.
// CHECK-NOT: func.func
// CHECK-NOT: malloc
// CHECK-LABEL: llvm.func @tiles({{.*}} -> i32 attributes {llvm.emit_c_interface}
// CHECK-COUNT-2: llvm.alloca
// CHECK: llvm.br ^[[HEAD:.*]](
// CHECK: llvm.call @mli_krn_relu_sa8
// CHECK: llvm.br ^[[HEAD]](
// CHECK-NOT: llvm.call @mli_mov_tensor_sync
// CHECK-NOT: free
// CHECK: llvm.func @_mlir_ciface_tiles({{.*}} -> i32
func.func @tiles(%input: !map) -> !map {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %empty = tensor.empty() : !map
  %result = scf.for %i = %c0 to %c8 step %c1 iter_args(%map = %empty) -> !map {
    %in = tensor.extract_slice %input[%i, 0, 0] [1, 4, 8] [1, 1, 1]
      : !map to !tile
    %out = tensor.extract_slice %map[%i, 0, 0] [1, 4, 8] [1, 1, 1]
      : !map to !tile
    %relu = mli.relu ins(%in : !tile) outs(%out : !tile)
      {relu = #mli.relu<gen>} -> !tile
    %next = tensor.insert_slice %relu into %map[%i, 0, 0] [1, 4, 8] [1, 1, 1]
      : !tile into !map
    scf.yield %next : !map
  }
  return %result : !map
}

// -----

!map = tensor<4x!mli.fx8<7>>

// CHECK-LABEL: llvm.func @layer
// CHECK: llvm.call @mli_krn_relu_fx8
func.func private @layer(%input: !map) -> !map {
  %empty = tensor.empty() : !map
  %result = mli.relu ins(%input : !map) outs(%empty : !map)
    {relu = #mli.relu<gen>} -> !map
  return %result : !map
}

// CHECK-LABEL: llvm.func @network
// CHECK: llvm.call @layer({{.*}} -> i32
// CHECK: llvm.call @layer({{.*}} -> i32
func.func @network(%input: !map) -> !map {
  %first = call @layer(%input) : (!map) -> !map
  %second = call @layer(%first) : (!map) -> !map
  return %second : !map
}

// -----

!weights = tensor<2x!mli.sa8<axis = 0, {5:3:0, 7:3:0}>>

// What has no descriptor of its own is still copied.
// CHECK-LABEL: llvm.func @returned_per_axis
// CHECK: "llvm.intr.memcpy"
func.func @returned_per_axis(%weights: !weights) -> !weights {
  return %weights : !weights
}
