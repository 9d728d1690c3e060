// RUN: mli-opt %s --mli-buffer-pipeline --split-input-file | FileCheck %s

!map = tensor<8x4x8x!mli.sa8<1:4:0>>
!tile = tensor<1x4x8x!mli.sa8<1:4:0>>

// A result that is already in its place is not moved onto itself.
// CHECK-LABEL: func.func @tiles_in_place
// CHECK: scf.for
// CHECK: mli.relu
// CHECK-NOT: mli.mov
// CHECK-NEXT: {{^ *}$}}
// CHECK-NEXT: return
func.func @tiles_in_place(%input: !map) -> !map {
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

!map = tensor<8x!mli.sa8<1:4:0>>

// The place of a buffer is free behind its last use: the third needs no more
// memory than the first two, which are one, since a ReLU works in place.
// CHECK: module attributes {mli.arena_alignment = 16 : i64, mli.arena_bytes = 8 : i64}
// CHECK-LABEL: func.func @chain
// CHECK-SAME: %[[OUT:[^:]*]]: memref<8x!mli.sa8<1:4:0>>{{[^,]*}}, %[[ARENA:[^:]*]]: memref<8xi8> {mli.arena})
// CHECK: %[[FIRST:.*]] = memref.view %[[ARENA]][%c0{{.*}}][] {mli.buffer = {{[0-9]+}} : i64} : memref<8xi8> to memref<8x!mli.sa8<1:4:0>>
// CHECK: mli.relu {{.*}} outs(%[[FIRST]] :
// CHECK: %[[SECOND:.*]] = memref.view %[[ARENA]][%c0{{.*}}][]
// CHECK-NEXT: mli.relu ins(%[[FIRST]] : {{.*}}) outs(%[[SECOND]] :
// CHECK-NEXT: mli.relu ins(%[[SECOND]] : {{.*}}) outs(%[[OUT]] :
// CHECK-NEXT: return
func.func @chain(%input: !map) -> !map {
  %empty0 = tensor.empty() : !map
  %first = mli.relu ins(%input : !map) outs(%empty0 : !map)
    {relu = #mli.relu<gen>} -> !map
  %empty1 = tensor.empty() : !map
  %second = mli.relu ins(%first : !map) outs(%empty1 : !map)
    {relu = #mli.relu<relu6>} -> !map
  %empty2 = tensor.empty() : !map
  %third = mli.relu ins(%second : !map) outs(%empty2 : !map)
    {relu = #mli.relu<relu1>} -> !map
  return %third : !map
}

// -----

!map = tensor<?x8x!mli.sa8<1:4:0>>

// What has no size is on the heap, and freed.
// CHECK-LABEL: func.func @no_size
// CHECK: %[[A:.*]] = memref.alloc(%{{.*}})
// CHECK: mli.relu {{.*}} outs(%[[A]]
// CHECK: memref.dealloc %[[A]]
func.func @no_size(%input: !map, %size: index) -> !map {
  %empty = tensor.empty(%size) : !map
  %first = mli.relu ins(%input : !map) outs(%empty : !map)
    {relu = #mli.relu<gen>} -> !map
  %second = mli.permute ins(%first : !map) outs(%empty : !map)
    permutation [0, 1] -> !map
  return %second : !map
}

// -----

!map = tensor<8x!mli.sa8<1:4:0>>

// What a round hands to the next is in two places by turns, none of the heap.
// CHECK: mli.arena_bytes = 40
// CHECK-LABEL: func.func @loop_of_kernels
// CHECK-NOT: alloc
// CHECK: scf.for
// CHECK: mli.eltwise_add
// CHECK: scf.yield
// CHECK: mli.mov
// CHECK-NOT: alloc
// CHECK: return
func.func @loop_of_kernels(%input: !map, %count: index) -> !map {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %result = scf.for %i = %c0 to %count step %c1 iter_args(%map = %input)
      -> !map {
    %empty = tensor.empty() : !map
    %sum = mli.eltwise_add ins(%map, %input : !map, !map) outs(%empty : !map)
      -> !map
    scf.yield %sum : !map
  }
  return %result : !map
}

// -----

// A network as it comes.
// CHECK-LABEL: func.func @tosa
// CHECK-SAME: %[[INPUT:[^:]*]]: memref<4x!mli.sa8<1:0:0>>{{[^,]*}}, %[[OUT:[^:]*]]: memref<4x!mli.sa8<1:0:0>>
// CHECK-NEXT: mli.relu ins(%[[INPUT]] : {{.*}}) outs(%[[OUT]] : {{.*}})
func.func @tosa(%input: tensor<4xi8>) -> tensor<4xi8> {
  %result = tosa.clamp %input {min_val = 0 : i8, max_val = 127 : i8} : (tensor<4xi8>) -> tensor<4xi8>
  return %result : tensor<4xi8>
}
