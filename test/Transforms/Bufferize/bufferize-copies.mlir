// Every copy that bufferization makes says why: what fires it, what just misses
// it, and what the two options say of it.
// RUN: mli-opt %s --mli-bufferize --split-input-file | FileCheck %s
// RUN: mli-opt %s --mli-bufferize=explain --split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=EXPLAIN
// RUN: not mli-opt %s --mli-bufferize=reject-copies --split-input-file 2>&1 | FileCheck %s --check-prefix=REJECT

!half = tensor<4x!mli.fx8<3>>
!whole = tensor<8x!mli.fx8<3>>

// A part of an argument is written, and the rest of it is read.
// CHECK-LABEL: func.func @argument
// CHECK-SAME: %[[PART:[^:]*]]: memref<{{[^,]*}}>, %[[WHOLE:[^:]*]]: memref<{{[^,]*}}>, %[[OUT:[^:]*]]: memref
// CHECK-NEXT: mli.mov ins(%[[WHOLE]] : {{.*}}) outs(%[[OUT]] : {{.*}}) {reason = #mli.copy_reason<still_needed>}
// CHECK-NEXT: mli.mov ins(%[[PART]] : {{.*}}) outs(%[[OUT]] : {{.*}}) {dst_offsets = array<i64: 4>}
// REJECT: error: expected the destination of 'mli.mov' to have no later use, but got an argument, which the caller keeps{{$}}
// REJECT: note: this copies 8 bytes; a tensor that the function computes itself would copy none{{$}}
func.func @argument(%part: !half, %whole: !whole) -> !whole {
  // EXPLAIN: remark: expected the destination of 'mli.mov' to have no later use, but got an argument, which the caller keeps; this copies 8 bytes, a tensor that the function computes itself would copy none{{$}}
  %0 = mli.mov ins(%part : !half) outs(%whole : !whole)
    {dst_offsets = array<i64: 4>} -> !whole
  return %0 : !whole
}

// CHECK-LABEL: func.func @constant
// CHECK: mli.mov {{.*}} {reason = #mli.copy_reason<still_needed>}
func.func @constant(%part: !half) -> !whole {
  %whole = mli.constant dense<1> : tensor<8xi8> to !whole
  // EXPLAIN: remark: expected the destination of 'mli.mov' to have no later use, but got a constant; this copies 8 bytes, a tensor that the function computes itself would copy none{{$}}
  %0 = mli.mov ins(%part : !half) outs(%whole : !whole)
    {dst_offsets = array<i64: 4>} -> !whole
  return %0 : !whole
}

// CHECK-LABEL: func.func @read_later
// CHECK: mli.relu
// CHECK: mli.mov {{.*}} {reason = #mli.copy_reason<still_needed>}
// CHECK: mli.mov {{.*}} {dst_offsets = array<i64: 4>}
func.func @read_later(%part: !half, %in: !whole) -> !whole {
  %empty = tensor.empty() : !whole
  %whole = mli.relu ins(%in : !whole) outs(%empty : !whole)
    {relu = #mli.relu<gen>} -> !whole
  // EXPLAIN: remark: expected the destination of 'mli.mov' to have no later use, but got one that 'mli.eltwise_add' reads after it; this copies 8 bytes, reading it before that would copy none{{$}}
  %0 = mli.mov ins(%part : !half) outs(%whole : !whole)
    {dst_offsets = array<i64: 4>} -> !whole
  %1 = mli.eltwise_add ins(%0, %whole : !whole, !whole) outs(%empty : !whole)
    -> !whole
  return %1 : !whole
}

// Nobody reads what is written over.
// CHECK-LABEL: func.func @read_before
// CHECK-NOT: reason
// CHECK: return
func.func @read_before(%part: !half, %in: !whole) -> (!whole, !whole) {
  %empty = tensor.empty() : !whole
  %whole = mli.relu ins(%in : !whole) outs(%empty : !whole)
    {relu = #mli.relu<gen>} -> !whole
  %other = tensor.empty() : !whole
  %1 = mli.eltwise_add ins(%in, %whole : !whole, !whole) outs(%other : !whole)
    -> !whole
  %0 = mli.mov ins(%part : !half) outs(%whole : !whole)
    {dst_offsets = array<i64: 4>} -> !whole
  return %0, %1 : !whole, !whole
}

// -----

!map = tensor<8x8x4x!mli.sa8<1:4:0>>
!columns = tensor<8x4x4x!mli.sa8<1:4:0>>
!rows = tensor<4x8x4x!mli.sa8<1:4:0>>
!flat = tensor<128x!mli.sa8<1:4:0>>

// CHECK-LABEL: func.func @reshape_of_columns
// CHECK: mli.mov {{.*}} {reason = #mli.copy_reason<kernel_contiguous>}
// CHECK: mli.reshape
// REJECT: error: expected operand 0 of 'mli.reshape' to be contiguous, but got shape [8, 4, 4] with strides [32, 4, 1]{{$}}
// REJECT: note: this copies 128 bytes; a slice along dimension 0 only would copy none{{$}}
func.func @reshape_of_columns(%map: !map) -> !flat {
  %columns = mli.subtensor %map[0, 2, 0] [8, 4, 4] : !map to !columns
  // EXPLAIN: remark: expected operand 0 of 'mli.reshape' to be contiguous, but got shape [8, 4, 4] with strides [32, 4, 1]; this copies 128 bytes, a slice along dimension 0 only would copy none{{$}}
  %flat = mli.reshape %columns : !columns to !flat
  %empty = tensor.empty() : !flat
  %0 = mli.relu ins(%flat : !flat) outs(%empty : !flat)
    {relu = #mli.relu<gen>} -> !flat
  return %0 : !flat
}

// Rows have no gaps, wherever they start.
// CHECK-LABEL: func.func @reshape_of_rows
// CHECK-SAME: %[[MAP:[^:]*]]: memref<{{[^,]*}}>, %[[OUT:[^:]*]]: memref
// CHECK-NEXT: %[[ROWS:.*]] = mli.subtensor %[[MAP]][2, 0, 0] [4, 8, 4] : {{.*}} to memref<4x8x4x!mli.sa8<1:4:0>, strided<[32, 4, 1], offset: 64>>
// CHECK-NEXT: %[[FLAT:.*]] = mli.reshape %[[ROWS]] : {{.*}} to memref<128x!mli.sa8<1:4:0>, strided<[1], offset: 64>>
// CHECK-NEXT: mli.relu ins(%[[FLAT]] : {{.*}}) outs(%[[OUT]] : {{.*}})
// CHECK-NEXT: return
func.func @reshape_of_rows(%map: !map) -> !flat {
  %rows = mli.subtensor %map[2, 0, 0] [4, 8, 4] : !map to !rows
  %flat = mli.reshape %rows : !rows to !flat
  %empty = tensor.empty() : !flat
  %0 = mli.relu ins(%flat : !flat) outs(%empty : !flat)
    {relu = #mli.relu<gen>} -> !flat
  return %0 : !flat
}

// CHECK-LABEL: func.func @reshape_of_rows_at_a_value
// CHECK: mli.reshape %{{.*}} to memref<128x!mli.sa8<1:4:0>, strided<[1], offset: ?>>
// CHECK-NOT: mli.mov
// CHECK: return
func.func @reshape_of_rows_at_a_value(%map: !map, %at: index) -> !flat {
  %rows = mli.subtensor %map[%at, 0, 0] [4, 8, 4] : !map to !rows
  %flat = mli.reshape %rows : !rows to !flat
  %empty = tensor.empty() : !flat
  %0 = mli.relu ins(%flat : !flat) outs(%empty : !flat)
    {relu = #mli.relu<gen>} -> !flat
  return %0 : !flat
}

// -----

!map = tensor<8x4x8x!mli.sa8<1:4:0>>
!channel = tensor<8x4x!mli.sa8<1:4:0>>
!fx = tensor<8x4x!mli.fx8<3>>

// A conversion has stride 1 on both sides.
// CHECK-LABEL: func.func @converted_channel
// CHECK: mli.mov ins(%{{.*}} strided<[32, 8], offset: 3>>) outs(%[[DENSE:[^ ]*]] : {{.*}}) {reason = #mli.copy_reason<kernel_layout>}
// CHECK-NEXT: mli.convert ins(%[[DENSE]] : {{.*}})
// REJECT: error: expected innermost stride of operand 0 of 'mli.convert' to be 1, but got 8{{$}}
// REJECT: note: this copies 32 bytes; a slice that keeps the last dimension would copy none{{$}}
func.func @converted_channel(%map: !map) -> !fx {
  %channel = mli.subtensor %map[0, 0, 3] [8, 4, 1] : !map to !channel
  %empty = tensor.empty() : !fx
  // EXPLAIN: remark: expected innermost stride of operand 0 of 'mli.convert' to be 1, but got 8; this copies 32 bytes, a slice that keeps the last dimension would copy none{{$}}
  %0 = mli.convert ins(%channel : !channel) outs(%empty : !fx) -> !fx
  return %0 : !fx
}

// CHECK-LABEL: func.func @converted_into_a_channel
// CHECK: mli.convert ins(%{{.*}}) outs(%[[DENSE:[^ ]*]] : memref<8x4x!mli.sa8<1:4:0>>)
// CHECK-NEXT: mli.mov ins(%[[DENSE]] : {{.*}}) outs(%{{.*}} strided<[32, 8], offset: 3>>) {reason = #mli.copy_reason<kernel_layout>}
func.func @converted_into_a_channel(%fx: !fx) -> !map {
  %empty = tensor.empty() : !map
  %channel = mli.subtensor %empty[0, 0, 3] [8, 4, 1] : !map to !channel
  // EXPLAIN: remark: expected innermost stride of operand 1 of 'mli.convert' to be 1, but got 8; this copies 32 bytes, a slice that keeps the last dimension would copy none{{$}}
  %0 = mli.convert ins(%fx : !fx) outs(%channel : !channel) -> !channel
  %1 = tensor.insert_slice %0 into %empty[0, 0, 3] [8, 4, 1] [1, 1, 1]
    : !channel into !map
  return %1 : !map
}

!rows = tensor<8x2x8x!mli.sa8<1:4:0>>
!fx_rows = tensor<8x2x8x!mli.fx8<3>>

// The last dimension has stride 1, others any: the strides of both sides are
// those of the buffers.
// CHECK-LABEL: func.func @converted_rows
// CHECK-NOT: mli.mov
// CHECK: mli.convert ins(%{{.*}} strided<[32, 8, 1], offset: 8>>)
// CHECK-NOT: mli.mov
// CHECK: return
func.func @converted_rows(%map: !map) -> !fx_rows {
  %rows = mli.subtensor %map[0, 1, 0] [8, 2, 8] : !map to !rows
  %empty = tensor.empty() : !fx_rows
  %0 = mli.convert ins(%rows : !rows) outs(%empty : !fx_rows) -> !fx_rows
  return %0 : !fx_rows
}

// -----

!part = tensor<2x8x!mli.fx8<3>>
!whole = tensor<4x8x!mli.fx8<3>>

// CHECK-LABEL: func.func @insertion
// CHECK: mli.mov {{.*}} {reason = #mli.copy_reason<still_needed>}
// CHECK: mli.mov {{.*}} {reason = #mli.copy_reason<placed_elsewhere>}
// REJECT: error: expected the destination of 'tensor.insert_slice' to have no later use, but got an argument, which the caller keeps{{$}}
// REJECT: note: this copies 32 bytes; a tensor that the function computes itself would copy none{{$}}
// REJECT: error: expected the source of 'tensor.insert_slice' to be computed in its destination, but got an argument{{$}}
// REJECT: note: this copies 16 bytes; a kernel that writes it there would copy none{{$}}
func.func @insertion(%part: !part, %whole: !whole) -> !whole {
  // EXPLAIN: remark: expected the destination of 'tensor.insert_slice' to have no later use, but got an argument, which the caller keeps; this copies 32 bytes, a tensor that the function computes itself would copy none{{$}}
  // EXPLAIN: remark: expected the source of 'tensor.insert_slice' to be computed in its destination, but got an argument; this copies 16 bytes, a kernel that writes it there would copy none{{$}}
  %0 = tensor.insert_slice %part into %whole[1, 0] [2, 8] [1, 1] : !part into !whole
  return %0 : !whole
}

// What is computed in its place is not copied onto itself.
// CHECK-LABEL: func.func @insertion_in_place
// CHECK-NOT: mli.mov
// CHECK: return
func.func @insertion_in_place(%part: !part, %in: !whole) -> !whole {
  %empty = tensor.empty() : !whole
  %whole = mli.relu ins(%in : !whole) outs(%empty : !whole)
    {relu = #mli.relu<gen>} -> !whole
  %place = mli.subtensor %whole[1, 0] [2, 8] : !whole to !part
  %relu = mli.relu ins(%part : !part) outs(%place : !part)
    {relu = #mli.relu<gen>} -> !part
  %0 = tensor.insert_slice %relu into %whole[1, 0] [2, 8] [1, 1] : !part into !whole
  return %0 : !whole
}

// CHECK-LABEL: func.func @returned_argument
// CHECK: mli.mov {{.*}} {reason = #mli.copy_reason<placed_elsewhere>}
// REJECT: error: expected result 0 to be computed in the buffer that the caller passes, but got an argument{{$}}
// REJECT: note: this copies 16 bytes; a kernel that writes it there would copy none{{$}}
func.func @returned_argument(%part: !part) -> !part {
  // EXPLAIN: remark: expected result 0 to be computed in the buffer that the caller passes, but got an argument; this copies 16 bytes, a kernel that writes it there would copy none{{$}}
  return %part : !part
}

// CHECK-LABEL: func.func @returned_twice
// CHECK: mli.mov {{.*}} {reason = #mli.copy_reason<placed_elsewhere>}
func.func @returned_twice(%part: !part) -> (!part, !part) {
  %empty = tensor.empty() : !part
  %0 = mli.relu ins(%part : !part) outs(%empty : !part)
    {relu = #mli.relu<gen>} -> !part
  // EXPLAIN: remark: expected result 1 to be computed in the buffer that the caller passes, but got the buffer of another result; this copies 16 bytes, a kernel that writes it there would copy none{{$}}
  return %0, %0 : !part, !part
}

// CHECK-LABEL: func.func @returned_once
// CHECK-NOT: mli.mov
// CHECK: return
func.func @returned_once(%part: !part) -> !part {
  %empty = tensor.empty() : !part
  %0 = mli.relu ins(%part : !part) outs(%empty : !part)
    {relu = #mli.relu<gen>} -> !part
  return %0 : !part
}

!any = tensor<?x8x!mli.fx8<3>>

// CHECK-LABEL: func.func @returned_of_dynamic_size
// CHECK: mli.mov {{.*}} {reason = #mli.copy_reason<placed_elsewhere>}
func.func @returned_of_dynamic_size(%in: !any, %rows: index) -> !any {
  %empty = tensor.empty(%rows) : !any
  %0 = mli.relu ins(%in : !any) outs(%empty : !any)
    {relu = #mli.relu<gen>} -> !any
  // EXPLAIN: remark: expected result 0 to be computed in the buffer that the caller passes, but got a buffer of dynamic size; this copies an unknown number of bytes, a kernel that writes it there would copy none{{$}}
  return %0 : !any
}

!weights = tensor<4x2x!mli.sa8<axis = 1, {5:3:0, 7:3:0}>>

// No move takes these, so that there is no reason on it.
// CHECK-LABEL: func.func @returned_weights
// CHECK: memref.copy
func.func @returned_weights(%weights: !weights) -> !weights {
  // EXPLAIN: remark: expected result 0 to be computed in the buffer that the caller passes, but got an argument; this copies 8 bytes, a kernel that writes it there would copy none{{$}}
  return %weights : !weights
}

!flat = tensor<16x!mli.fx8<3>>

// Another shape of what is computed: the kernel writes the result in its own.
// CHECK-LABEL: func.func @returned_in_another_shape
// CHECK-SAME: %[[PART:[^:]*]]: memref<2x8x{{[^,]*}}>, %[[OUT:[^:]*]]: memref<16x
// CHECK-NEXT: %[[VIEW:.*]] = mli.reshape %[[OUT]] : memref<16x!mli.fx8<3>> to memref<2x8x!mli.fx8<3>>
// CHECK-NEXT: mli.relu ins(%[[PART]] : {{.*}}) outs(%[[VIEW]] : {{.*}})
// CHECK-NEXT: return
func.func @returned_in_another_shape(%part: !part) -> !flat {
  %empty = tensor.empty() : !part
  %0 = mli.relu ins(%part : !part) outs(%empty : !part)
    {relu = #mli.relu<gen>} -> !part
  %1 = mli.reshape %0 : !part to !flat
  return %1 : !flat
}

// In both shapes: one of them is a copy.
// CHECK-LABEL: func.func @returned_in_both_shapes
// CHECK: mli.mov {{.*}} {reason = #mli.copy_reason<placed_elsewhere>}
func.func @returned_in_both_shapes(%part: !part) -> (!part, !flat) {
  %empty = tensor.empty() : !part
  %0 = mli.relu ins(%part : !part) outs(%empty : !part)
    {relu = #mli.relu<gen>} -> !part
  %1 = mli.reshape %0 : !part to !flat
  // EXPLAIN: remark: expected result 1 to be computed in the buffer that the caller passes, but got a value of 'mli.reshape'; this copies 16 bytes, a kernel that writes it there would copy none{{$}}
  return %0, %1 : !part, !flat
}

// A loop whose iterations write their buffer in place: it is that of the result.
// CHECK-LABEL: func.func @returned_by_a_loop
// CHECK-SAME: %[[PART:[^:]*]]: memref<2x8x{{[^,]*}}>, %[[OUT:[^:]*]]: memref<2x8x
// CHECK: scf.for {{.*}} {
// CHECK: memref.subview %[[OUT]]
// CHECK-NOT: mli.mov
// CHECK: return
func.func @returned_by_a_loop(%part: !part) -> !part {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %empty = tensor.empty() : !part
  %0 = scf.for %i = %c0 to %c2 step %c1 iter_args(%iter = %empty) -> !part {
    %in = tensor.extract_slice %part[%i, 0] [1, 8] [1, 1]
      : !part to tensor<1x8x!mli.fx8<3>>
    %out = tensor.extract_slice %iter[%i, 0] [1, 8] [1, 1]
      : !part to tensor<1x8x!mli.fx8<3>>
    %1 = mli.relu ins(%in : tensor<1x8x!mli.fx8<3>>)
      outs(%out : tensor<1x8x!mli.fx8<3>>) {relu = #mli.relu<gen>}
      -> tensor<1x8x!mli.fx8<3>>
    %2 = tensor.insert_slice %1 into %iter[%i, 0] [1, 8] [1, 1]
      : tensor<1x8x!mli.fx8<3>> into !part
    scf.yield %2 : !part
  }
  return %0 : !part
}

// A function takes rows without gaps.
!wide = tensor<4x16x!mli.fx8<3>>
!narrow = tensor<4x8x!mli.fx8<3>>
func.func private @callee(%part: !narrow) -> !narrow {
  %init = tensor.empty() : !narrow
  %0 = mli.relu ins(%part : !narrow) outs(%init : !narrow)
    {relu = #mli.relu<gen>} -> !narrow
  return %0 : !narrow
}

// CHECK-LABEL: func.func @columns_of_call
// CHECK: mli.mov {{.*}} {reason = #mli.copy_reason<placed_elsewhere>}
// CHECK: call @callee
func.func @columns_of_call(%map: !wide) -> !narrow {
  %part = tensor.extract_slice %map[0, 8] [4, 8] [1, 1] : !wide to !narrow
  // EXPLAIN: remark: expected the operand of 'func.call' to be computed in its buffer, but got another one; this copies 32 bytes, a kernel that writes it there would copy none{{$}}
  // EXPLAIN: remark: expected result 0 to be computed in the buffer that the caller passes, but got a value of 'func.call'; this copies 32 bytes, a kernel that writes it there would copy none{{$}}
  // REJECT: error: expected the operand of 'func.call' to be computed in its buffer, but got another one{{$}}
  // REJECT: note: this copies 32 bytes; a kernel that writes it there would copy none{{$}}
  %0 = call @callee(%part) : (!narrow) -> !narrow
  return %0 : !narrow
}

// What a loop inserts is there before it.
// CHECK-LABEL: func.func @from_outside_of_loop
// CHECK: scf.for
// CHECK: mli.mov {{.*}} {reason = #mli.copy_reason<placed_elsewhere>}
func.func @from_outside_of_loop(%in: !narrow) -> tensor<12x8x!mli.fx8<3>> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c12 = arith.constant 12 : index
  %init = tensor.empty() : !narrow
  %part = mli.relu ins(%in : !narrow) outs(%init : !narrow)
    {relu = #mli.relu<gen>} -> !narrow
  %empty = tensor.empty() : tensor<12x8x!mli.fx8<3>>
  %0 = scf.for %i = %c0 to %c12 step %c4 iter_args(%whole = %empty)
      -> tensor<12x8x!mli.fx8<3>> {
    // EXPLAIN: remark: expected the source of 'tensor.insert_slice' to be computed in its destination, but got a value of another block; this copies 32 bytes, a kernel that writes it there would copy none{{$}}
    // REJECT: error: expected the source of 'tensor.insert_slice' to be computed in its destination, but got a value of another block{{$}}
    // REJECT: note: this copies 32 bytes; a kernel that writes it there would copy none{{$}}
    %1 = tensor.insert_slice %part into %whole[%i, 0] [4, 8] [1, 1]
      : !narrow into tensor<12x8x!mli.fx8<3>>
    scf.yield %1 : tensor<12x8x!mli.fx8<3>>
  }
  return %0 : tensor<12x8x!mli.fx8<3>>
}

// No move has five dimensions: elements are copied without one.
!block = tensor<3x4x5x6x!mli.fx8<3>>
!blocks = tensor<2x3x4x5x6x!mli.fx8<3>>
// CHECK-LABEL: func.func @five_dimensions
// CHECK-SAME: %[[WHOLE:[^:]*]]: memref<2x3x4x5x6x!{{[^,]*}}>, %[[OUT:[^:]*]]: memref
// CHECK: mli.relu
// CHECK-NOT: mli.mov
// CHECK: memref.copy %[[WHOLE]], %[[OUT]]
func.func @five_dimensions(%whole: !blocks) -> !blocks {
  %in = tensor.extract_slice %whole[0, 0, 0, 0, 0] [1, 3, 4, 5, 6] [1, 1, 1, 1, 1] : !blocks to !block
  %init = tensor.empty() : !block
  %part = mli.relu ins(%in : !block) outs(%init : !block)
    {relu = #mli.relu<gen>} -> !block
  // EXPLAIN: remark: expected the destination of 'tensor.insert_slice' to have no later use, but got an argument, which the caller keeps; this copies 720 bytes, a tensor that the function computes itself would copy none{{$}}
  %0 = tensor.insert_slice %part into %whole[1, 0, 0, 0, 0] [1, 3, 4, 5, 6] [1, 1, 1, 1, 1] : !block into !blocks
  return %0 : !blocks
}
