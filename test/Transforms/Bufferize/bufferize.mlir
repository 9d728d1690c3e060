// RUN: mli-opt %s --mli-bufferize --split-input-file | FileCheck %s

!map = tensor<4x4x8x!mli.sa8<1:4:0>>

// The result takes the place of its init, and the last that of the out
// parameter.
// CHECK-LABEL: func.func @result_reuses_init
// CHECK-SAME: %[[INPUT:.*]]: memref<4x4x8x!mli.sa8<1:4:0>>{{[^,]*}}, %[[OUT:.*]]: memref<4x4x8x!mli.sa8<1:4:0>>{{[^,]*}}) {
// CHECK-NEXT: %[[FIRST:.*]] = memref.alloc()
// CHECK-NEXT: mli.relu ins(%[[INPUT]] : {{.*}}) outs(%[[FIRST]] : {{.*}}) {relu = #mli.relu<gen>}
// CHECK-NEXT: mli.relu ins(%[[FIRST]] : {{.*}}) outs(%[[OUT]] : {{.*}}) {relu = #mli.relu<relu6>}
// CHECK-NEXT: return
func.func @result_reuses_init(%input: !map) -> !map {
  %empty = tensor.empty() : !map
  %first = mli.relu ins(%input : !map) outs(%empty : !map)
    {relu = #mli.relu<gen>} -> !map
  %other = tensor.empty() : !map
  %second = mli.relu ins(%first : !map) outs(%other : !map)
    {relu = #mli.relu<relu6>} -> !map
  return %second : !map
}

// An init that is read later stays as it is.
// CHECK-LABEL: func.func @init_is_read_later
// CHECK-SAME: %[[INPUT:[^:]*]]: memref<{{[^,]*}}>{{[^,]*}}, %[[OUT:[^:]*]]: memref
// CHECK: mli.relu ins(%[[INPUT]] : {{.*}}) outs(%[[FIRST:[^ ]*]] : {{.*}}) {relu = #mli.relu<gen>}
// CHECK: mli.relu ins(%[[INPUT]] : {{.*}}) outs(%[[SECOND:[^ ]*]] : {{.*}}) {relu = #mli.relu<relu6>}
// CHECK: mli.eltwise_add ins(%[[FIRST]], %[[SECOND]] : {{.*}}) outs(%[[OUT]] : {{.*}})
func.func @init_is_read_later(%input: !map) -> !map {
  %empty = tensor.empty() : !map
  %first = mli.relu ins(%input : !map) outs(%empty : !map)
    {relu = #mli.relu<gen>} -> !map
  %second = mli.relu ins(%input : !map) outs(%first : !map)
    {relu = #mli.relu<relu6>} -> !map
  %sum = mli.eltwise_add ins(%first, %second : !map, !map) outs(%empty : !map)
    -> !map
  return %sum : !map
}

// Callers keep what they pass.
// CHECK-LABEL: func.func @arguments_are_never_written
// CHECK-SAME: %[[INPUT:.*]]: memref<4x4x8x!mli.sa8<1:4:0>>{{[^,]*}}, %[[OUT:.*]]: memref<4x4x8x!mli.sa8<1:4:0>>{{[^,]*}}) {
// CHECK-NEXT: mli.relu ins(%[[INPUT]] : {{.*}}) outs(%[[OUT]] : {{.*}})
// CHECK-NEXT: return
func.func @arguments_are_never_written(%input: !map) -> !map {
  %result = mli.relu ins(%input : !map) outs(%input : !map)
    {relu = #mli.relu<gen>} -> !map
  return %result : !map
}

// CHECK-LABEL: func.func @returned_argument_is_copied
// CHECK-SAME: %[[INPUT:.*]]: memref<4x4x8x!mli.sa8<1:4:0>>{{[^,]*}}, %[[OUT:.*]]: memref<4x4x8x!mli.sa8<1:4:0>>{{[^,]*}}) {
// CHECK-NEXT: mli.mov ins(%[[INPUT]] : {{.*}}) outs(%[[OUT]] : {{.*}})
// CHECK-NEXT: return
func.func @returned_argument_is_copied(%input: !map) -> !map {
  return %input : !map
}

// CHECK-LABEL: func.func @two_results
// CHECK-SAME: %[[INPUT:[^:]*]]: memref<{{[^,]*}}>{{[^,]*}}, %[[FIRST:[^:]*]]: memref<{{[^,]*}}>{{[^,]*}}, %[[SECOND:[^:]*]]: memref
// CHECK-NEXT: mli.relu ins(%[[INPUT]] : {{.*}}) outs(%[[FIRST]] : {{.*}})
// CHECK-NEXT: mli.mov ins(%[[INPUT]] : {{.*}}) outs(%[[SECOND]] : {{.*}})
// CHECK-NEXT: return
func.func @two_results(%input: !map) -> (!map, !map) {
  %empty = tensor.empty() : !map
  %result = mli.relu ins(%input : !map) outs(%empty : !map)
    {relu = #mli.relu<gen>} -> !map
  return %result, %input : !map, !map
}

// CHECK-LABEL: func.func @same_result_twice
// CHECK-SAME: %[[INPUT:[^:]*]]: memref<{{[^,]*}}>{{[^,]*}}, %[[FIRST:[^:]*]]: memref<{{[^,]*}}>{{[^,]*}}, %[[SECOND:[^:]*]]: memref
// CHECK-NEXT: mli.relu ins(%[[INPUT]] : {{.*}}) outs(%[[FIRST]] : {{.*}})
// CHECK-NEXT: mli.mov ins(%[[FIRST]] : {{.*}}) outs(%[[SECOND]] : {{.*}})
// CHECK-NEXT: return
func.func @same_result_twice(%input: !map) -> (!map, !map) {
  %empty = tensor.empty() : !map
  %result = mli.relu ins(%input : !map) outs(%empty : !map)
    {relu = #mli.relu<gen>} -> !map
  return %result, %result : !map, !map
}

!dynamic = tensor<?x4x8x!mli.sa8<1:4:0>>

// Only buffers of known size are replaced by the out parameter.
// CHECK-LABEL: func.func @dynamic_result_is_copied
// CHECK-SAME: %[[INPUT:[^:]*]]: memref<{{[^,]*}}>{{[^,]*}}, %[[OUT:[^:]*]]: memref
// CHECK: %[[ALLOC:.*]] = memref.alloc(%{{.*}}) : memref<?x4x8x!mli.sa8<1:4:0>>
// CHECK-NEXT: mli.relu ins(%[[INPUT]] : {{.*}}) outs(%[[ALLOC]] : {{.*}})
// CHECK-NEXT: mli.mov ins(%[[ALLOC]] : {{.*}}) outs(%[[OUT]] : {{.*}})
func.func @dynamic_result_is_copied(%input: !dynamic) -> !dynamic {
  %c0 = arith.constant 0 : index
  %size = tensor.dim %input, %c0 : !dynamic
  %empty = tensor.empty(%size) : !dynamic
  %result = mli.relu ins(%input : !dynamic) outs(%empty : !dynamic)
    {relu = #mli.relu<gen>} -> !dynamic
  return %result : !dynamic
}

!vector = tensor<8x!mli.sa8<1:4:0>>
!half = tensor<4x!mli.sa8<1:4:0>>

// What a partial move does not write is read.
// CHECK-LABEL: func.func @partial_move_reads_init
// CHECK-SAME: %[[SOURCE:[^:]*]]: memref<{{[^,]*}}>{{[^,]*}}, %[[INIT:[^:]*]]: memref<{{[^,]*}}>{{[^,]*}}, %[[OUT:[^:]*]]: memref
// CHECK-NEXT: mli.mov ins(%[[INIT]] : {{.*}}) outs(%[[OUT]] : {{.*}})
// CHECK-NEXT: mli.mov ins(%[[SOURCE]] : {{.*}}) outs(%[[OUT]] : {{.*}}) {dst_offsets = array<i64: 4>}
func.func @partial_move_reads_init(%source: !half, %init: !vector) -> !vector {
  %result = mli.mov ins(%source : !half) outs(%init : !vector)
    {dst_offsets = array<i64: 4>} -> !vector
  return %result : !vector
}

// A whole one does not.
// CHECK-LABEL: func.func @whole_move_reads_no_init
// CHECK-SAME: %[[SOURCE:[^:]*]]: memref<{{[^,]*}}>{{[^,]*}}, %[[INIT:[^:]*]]: memref<{{[^,]*}}>{{[^,]*}}, %[[OUT:[^:]*]]: memref
// CHECK-NEXT: mli.mov ins(%[[SOURCE]] : {{.*}}) outs(%[[OUT]] : {{.*}})
// CHECK-NEXT: return
func.func @whole_move_reads_no_init(%source: !vector, %init: !vector) -> !vector {
  %result = mli.mov ins(%source : !vector) outs(%init : !vector) -> !vector
  return %result : !vector
}

// Two blocks into one buffer, without a copy between.
// CHECK-LABEL: func.func @concatenation_in_place
// CHECK-SAME: %[[LOW:[^:]*]]: memref<{{[^,]*}}>{{[^,]*}}, %[[HIGH:[^:]*]]: memref<{{[^,]*}}>{{[^,]*}}, %[[OUT:[^:]*]]: memref
// CHECK-NEXT: mli.mov ins(%[[LOW]] : {{.*}}) outs(%[[OUT]] : {{.*}}) {dst_offsets = array<i64: 0>}
// CHECK-NEXT: mli.mov ins(%[[HIGH]] : {{.*}}) outs(%[[OUT]] : {{.*}}) {dst_offsets = array<i64: 4>}
// CHECK-NEXT: return
func.func @concatenation_in_place(%low: !half, %high: !half) -> !vector {
  %empty = tensor.empty() : !vector
  %first = mli.mov ins(%low : !half) outs(%empty : !vector)
    {dst_offsets = array<i64: 0>} -> !vector
  %result = mli.mov ins(%high : !half) outs(%first : !vector)
    {dst_offsets = array<i64: 4>} -> !vector
  return %result : !vector
}

// CHECK-LABEL: func.func @constant_is_read_only
// CHECK-SAME: %[[INPUT:[^:]*]]: memref<{{[^,]*}}>{{[^,]*}}, %[[OUT:[^:]*]]: memref
// CHECK: %[[CONSTANT:.*]] = mli.constant dense<1> : tensor<8xi8> to memref<8x!mli.sa8<1:4:0>>
// CHECK: mli.relu ins(%[[INPUT]] : {{.*}}) outs(%[[FIRST:[^ ]*]] : {{.*}})
// CHECK: mli.eltwise_add ins(%[[FIRST]], %[[CONSTANT]] : {{.*}}) outs(%[[OUT]] : {{.*}})
func.func @constant_is_read_only(%input: !vector) -> !vector {
  %constant = mli.constant dense<1> : tensor<8xi8> to !vector
  %first = mli.relu ins(%input : !vector) outs(%constant : !vector)
    {relu = #mli.relu<gen>} -> !vector
  %sum = mli.eltwise_add ins(%first, %constant : !vector, !vector)
    outs(%constant : !vector) -> !vector
  return %sum : !vector
}

// The contents are copied where the rest of them stays.
// CHECK-LABEL: func.func @partial_move_into_constant
// CHECK-SAME: %[[SOURCE:[^:]*]]: memref<{{[^,]*}}>{{[^,]*}}, %[[OUT:[^:]*]]: memref
// CHECK: %[[CONSTANT:.*]] = mli.constant dense<1>
// CHECK: mli.mov ins(%[[CONSTANT]] : {{.*}}) outs(%[[OUT]] : {{.*}})
// CHECK: mli.mov ins(%[[SOURCE]] : {{.*}}) outs(%[[OUT]] : {{.*}}) {dst_offsets = array<i64: 0>}
func.func @partial_move_into_constant(%source: !half) -> !vector {
  %constant = mli.constant dense<1> : tensor<8xi8> to !vector
  %result = mli.mov ins(%source : !half) outs(%constant : !vector)
    {dst_offsets = array<i64: 0>} -> !vector
  return %result : !vector
}

// -----

!weights = tensor<4x2x!mli.sa8<axis = 1, {5:10:0, 7:10:0}>>

// CHECK: ![[WEIGHTS:.*]] = !mli.sa8<axis = 1, {5:10:0, 7:10:0}>
// CHECK-LABEL: func.func @constant_per_axis
// CHECK-SAME: %[[OUT:.*]]: memref<4x2x![[WEIGHTS]]>{{[^,]*}})
// CHECK-NEXT: %[[CONSTANT:.*]] = mli.constant dense<3> : tensor<4x2xi8> to memref<4x2x![[WEIGHTS]]>
// CHECK-NEXT: memref.copy %[[CONSTANT]], %[[OUT]]
func.func @constant_per_axis() -> !weights {
  %constant = mli.constant dense<3> : tensor<4x2xi8> to !weights
  return %constant : !weights
}

// -----

!vector = tensor<8x!mli.sa8<1:4:0>>

// CHECK-LABEL: func.func private @callee
// CHECK-SAME: %[[INPUT:.*]]: memref<8x!mli.sa8<1:4:0>>{{[^,]*}}, %[[OUT:.*]]: memref<8x!mli.sa8<1:4:0>>{{[^,]*}}) {
// CHECK-NEXT: mli.relu ins(%[[INPUT]] : {{.*}}) outs(%[[OUT]] : {{.*}})
func.func private @callee(%input: !vector) -> !vector {
  %empty = tensor.empty() : !vector
  %result = mli.relu ins(%input : !vector) outs(%empty : !vector)
    {relu = #mli.relu<gen>} -> !vector
  return %result : !vector
}

// CHECK-LABEL: func.func @caller
// CHECK-SAME: %[[INPUT:.*]]: memref<8x!mli.sa8<1:4:0>>{{[^,]*}}, %[[OUT:.*]]: memref<8x!mli.sa8<1:4:0>>{{[^,]*}}) {
// CHECK: %[[FIRST:.*]] = memref.alloc()
// CHECK: call @callee(%[[INPUT]], %[[FIRST]]) : ({{.*}}) -> ()
// CHECK: call @callee(%[[FIRST]], %[[SECOND:.*]]) : ({{.*}}) -> ()
// CHECK: mli.mov ins(%[[SECOND]] : {{.*}}) outs(%[[OUT]] : {{.*}})
func.func @caller(%input: !vector) -> !vector {
  %first = call @callee(%input) : (!vector) -> !vector
  %second = call @callee(%first) : (!vector) -> !vector
  return %second : !vector
}

// What is only declared may write its argument.
// CHECK: func.func private @declared(memref<8x!mli.sa8<1:4:0>>) -> memref<8x!mli.sa8<1:4:0>>
func.func private @declared(!vector) -> !vector

// CHECK-LABEL: func.func @caller_of_declared
// CHECK-SAME: %[[INPUT:[^:]*]]: memref
// CHECK: mli.mov ins(%[[INPUT]] : {{.*}}) outs(%[[COPY:[^ ]*]] : {{.*}})
// CHECK: call @declared(%[[COPY]])
func.func @caller_of_declared(%input: !vector) -> !vector {
  %result = call @declared(%input) : (!vector) -> !vector
  return %result : !vector
}
