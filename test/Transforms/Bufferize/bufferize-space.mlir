// RUN: mli-opt %s --mli-bufferize --split-input-file | FileCheck %s

!map = tensor<4x6x!mli.fx8<1>>
!local = tensor<4x6x!mli.fx8<1>, #mli.space<local>>

// What a tensor asks for in its encoding is where its buffer is; the moves
// between are the program's own.
// CHECK-LABEL: func.func @there_and_back
// CHECK-SAME: %[[MAP:.*]]: memref<4x6x!mli.fx8<1>>{{[^,]*}}, %[[OUT:.*]]: memref<4x6x!mli.fx8<1>>{{[^,]*}}) {
// CHECK-NEXT: %[[LOCAL:.*]] = memref.alloc() {{.*}}: memref<4x6x!mli.fx8<1>, #mli.space<local>>
// CHECK-NEXT: mli.mov ins(%[[MAP]] : {{.*}}) outs(%[[LOCAL]] : {{.*}})
// CHECK: mli.relu ins(%[[LOCAL]] : {{.*}}) outs(%[[RELU:.*]] : memref<4x6x!mli.fx8<1>, #mli.space<local>>)
// CHECK-NEXT: mli.mov ins(%[[RELU]] : {{.*}}) outs(%[[OUT]] : {{.*}})
// CHECK-NEXT: return
func.func @there_and_back(%map: !map) -> !map {
  %local_init = tensor.empty() : !local
  %local = mli.mov ins(%map : !map) outs(%local_init : !local) -> !local
  %relu_init = tensor.empty() : !local
  %relu = mli.relu ins(%local : !local) outs(%relu_init : !local)
    {relu = #mli.relu<gen>} -> !local
  %init = tensor.empty() : !map
  %result = mli.mov ins(%relu : !local) outs(%init : !map) -> !map
  return %result : !map
}

// CHECK-LABEL: func.func @in_a_loop
// CHECK: memref.alloc() {{.*}}: memref<4x6x!mli.fx8<1>, #mli.space<local>>
// CHECK: scf.for {{.*}} -> (memref<4x6x!mli.fx8<1>, #mli.space<local>>)
func.func @in_a_loop(%map: !local, %count: index) -> !local {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %result = scf.for %i = %c0 to %count step %c1 iter_args(%last = %map)
      -> !local {
    %init = tensor.empty() : !local
    %next = mli.relu ins(%last : !local) outs(%init : !local)
      {relu = #mli.relu<gen>} -> !local
    scf.yield %next : !local
  }
  return %result : !local
}

// CHECK-LABEL: func.func @constant
// CHECK: mli.constant {{.*}} to memref<2x!mli.fx8<1>, #mli.space<system>>
func.func @constant() -> tensor<2x!mli.fx8<1>, #mli.space<system>> {
  %0 = mli.constant dense<[1, 2]> : tensor<2xi8>
    to tensor<2x!mli.fx8<1>, #mli.space<system>>
  return %0 : tensor<2x!mli.fx8<1>, #mli.space<system>>
}

// -----

!local = tensor<4x6x!mli.fx8<1>, #mli.space<local>>

// Arguments, results, views and what the analysis allocates alike.
// CHECK-LABEL: func.func @functions
// CHECK-SAME: %[[MAP:.*]]: memref<4x6x!mli.fx8<1>, #mli.space<local>>{{[^,]*}}, %{{.*}}: memref<2x6x!mli.fx8<1>, #mli.space<local>>
// CHECK: mli.subtensor %[[MAP]][1, 0] [2, 6] : {{.*}} to memref<2x6x!mli.fx8<1>, strided<[6, 1], offset: 6>, #mli.space<local>>
module attributes {mli.target = #mli.target<vpx>} {
  func.func @functions(%map: !local)
      -> tensor<2x6x!mli.fx8<1>, #mli.space<local>> {
    %part = mli.subtensor %map[1, 0] [2, 6] : !local
      to tensor<2x6x!mli.fx8<1>, #mli.space<local>>
    return %part : tensor<2x6x!mli.fx8<1>, #mli.space<local>>
  }
}
