// Tensors that loops yield or insert into, which others use as well.

// RUN: rm -rf %t && mkdir %t
// RUN: %python %S/Inputs/make-npy.py %t/in.npy i1 4x4 1..16
// RUN: %python %S/Inputs/make-npy.py %t/twice.npy i1 4x4 2 4 6 8 10 12 14 16 18 20 22 24 26 28 30 32
// RUN: %python %S/Inputs/make-npy.py %t/thrice.npy i1 4x4 3 6 9 12 15 18 21 24 27 30 33 36 39 42 45 48

!map = tensor<4x4x!mli.fx8<5>>
!row = tensor<1x4x!mli.fx8<5>>
!flat = tensor<16x!mli.fx8<5>>
!block = tensor<2x2x!mli.fx8<5>>

// Each iteration changes one row of the map as it was.
// RUN: %python %S/Inputs/make-npy.py %t/inserts.npy i1 4x4 1 2 3 4 10 12 14 16 9..16
// RUN: mli-run %s --entry inserts --input %t/in.npy --output-dir %t
// RUN: cmp %t/output_0.npy %t/inserts.npy
func.func @inserts(%in: !map) -> !map {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %e = tensor.empty() : !map
  %map = mli.relu ins(%in : !map) outs(%e : !map) {relu = #mli.relu<gen>} -> !map
  %result = scf.for %i = %c0 to %c2 step %c1 iter_args(%x = %in) -> !map {
    %row = tensor.extract_slice %x[%i, 0] [1, 4] [1, 1] : !map to !row
    %slice = tensor.extract_slice %map[%i, 0] [1, 4] [1, 1] : !map to !row
    %sum = mli.eltwise_add ins(%row, %row : !row, !row) outs(%slice : !row) -> !row
    %next = tensor.insert_slice %sum into %map[%i, 0] [1, 4] [1, 1] : !row into !map
    scf.yield %next : !map
  }
  return %result : !map
}

// Both results are one tensor, of which the second one is written over.
// RUN: mli-run %s --entry yields_twice --input %t/in.npy --output-dir %t
// RUN: cmp %t/output_0.npy %t/twice.npy
// RUN: cmp %t/output_1.npy %t/in.npy
func.func @yields_twice(%in: !map) -> (!map, !map) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %results:2 = scf.for %i = %c0 to %c1 step %c1 iter_args(%x = %in, %y = %in) -> (!map, !map) {
    %e = tensor.empty() : !map
    %sum = mli.eltwise_add ins(%x, %y : !map, !map) outs(%e : !map) -> !map
    scf.yield %sum, %sum : !map, !map
  }
  %last = mli.eltwise_sub ins(%results#0, %in : !map, !map) outs(%results#1 : !map) -> !map
  return %results#0, %last : !map, !map
}

// The result is a tensor from outside, and is written over.
// RUN: mli-run %s --entry yields_outer --input %t/in.npy --output-dir %t
// RUN: cmp %t/output_0.npy %t/twice.npy
// RUN: cmp %t/output_1.npy %t/in.npy
func.func @yields_outer(%in: !map) -> (!map, !map) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : !map
  %outer = mli.relu ins(%in : !map) outs(%e : !map) {relu = #mli.relu<gen>} -> !map
  %result = scf.for %i = %c0 to %c1 step %c1 iter_args(%x = %in) -> !map {
    scf.yield %outer : !map
  }
  %last = mli.eltwise_add ins(%result, %in : !map, !map) outs(%result : !map) -> !map
  return %last, %outer : !map, !map
}

// The first result is the tensor that the second one began as, and is written over.
// RUN: mli-run %s --entry swaps --input %t/in.npy --output-dir %t
// RUN: cmp %t/output_0.npy %t/thrice.npy
// RUN: cmp %t/output_1.npy %t/twice.npy
func.func @swaps(%in: !map) -> (!map, !map) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : !map
  %first = mli.relu ins(%in : !map) outs(%e : !map) {relu = #mli.relu<gen>} -> !map
  %f = tensor.empty() : !map
  %second = mli.eltwise_add ins(%in, %in : !map, !map) outs(%f : !map) -> !map
  %results:2 = scf.for %i = %c0 to %c1 step %c1 iter_args(%x = %first, %y = %second) -> (!map, !map) {
    scf.yield %y, %x : !map, !map
  }
  %last = mli.eltwise_add ins(%results#0, %in : !map, !map) outs(%results#0 : !map) -> !map
  return %last, %second : !map, !map
}

// A loop with conditions in its condition, where buffers are freed.
// RUN: mli-run %s --entry repeats --input %t/in.npy --output-dir %t
// RUN: cmp %t/output_0.npy %t/twice.npy
// RUN: cmp %t/output_1.npy %t/in.npy
func.func @repeats(%in: !map) -> (!map, !map) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %results:3 = scf.while (%i = %c0, %x = %in, %y = %in)
      : (index, !map, !map) -> (index, !map, !map) {
    %goes = arith.cmpi slt, %i, %c1 : index
    scf.condition(%goes) %i, %x, %y : index, !map, !map
  } do {
  ^bb0(%i: index, %x: !map, %y: !map):
    %e = tensor.empty() : !map
    %sum = mli.eltwise_add ins(%x, %y : !map, !map) outs(%e : !map) -> !map
    %next = arith.addi %i, %c1 : index
    scf.yield %next, %sum, %sum : index, !map, !map
  }
  %last = mli.eltwise_sub ins(%results#1, %in : !map, !map) outs(%results#2 : !map) -> !map
  return %results#1, %last : !map, !map
}

// Each iteration gets the argument, which others read as it was.
// RUN: %python %S/Inputs/make-npy.py %t/moved.npy i1 4x4 5 6 7 8 5..16
// RUN: mli-run %s --entry repeats_with_outer --input %t/in.npy --output-dir %t
// RUN: cmp %t/output_0.npy %t/moved.npy
// RUN: cmp %t/output_1.npy %t/in.npy
// RUN: mli-run %s --entry repeats_with_outer --input %t/in.npy --output-dir %t \
// RUN:   --placement local --target vpx
// RUN: cmp %t/output_0.npy %t/moved.npy
// RUN: cmp %t/output_1.npy %t/in.npy
func.func @repeats_with_outer(%in: !map) -> (!map, !map) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %row = tensor.extract_slice %in[1, 0] [1, 4] [1, 1] : !map to !row
  %results:2 = scf.while (%i = %c0, %x = %in) : (index, !map) -> (index, !map) {
    %next = mli.mov ins(%row : !row) outs(%x : !map) {dst_offsets = array<i64: 0, 0>} -> !map
    %goes = arith.cmpi slt, %i, %c1 : index
    scf.condition(%goes) %i, %next : index, !map
  } do {
  ^bb0(%i: index, %x: !map):
    %next = arith.addi %i, %c1 : index
    scf.yield %next, %in : index, !map
  }
  return %results#1, %in : !map, !map
}

// The first tensor of a second iteration is the second one of the first.
// RUN: mli-run %s --entry repeats_swapped --input %t/in.npy --output-dir %t
// RUN: cmp %t/output_0.npy %t/twice.npy
// RUN: cmp %t/output_1.npy %t/in.npy
func.func @repeats_swapped(%in: !map) -> (!map, !map) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : !map
  %outer = mli.relu ins(%in : !map) outs(%e : !map) {relu = #mli.relu<gen>} -> !map
  %results:3 = scf.while (%i = %c0, %x = %in, %y = %outer)
      : (index, !map, !map) -> (index, !map, !map) {
    %sum = mli.eltwise_add ins(%x, %in : !map, !map) outs(%x : !map) -> !map
    %goes = arith.cmpi slt, %i, %c1 : index
    scf.condition(%goes) %i, %sum, %y : index, !map, !map
  } do {
  ^bb0(%i: index, %x: !map, %y: !map):
    %next = arith.addi %i, %c1 : index
    scf.yield %next, %y, %y : index, !map, !map
  }
  return %results#1, %results#2 : !map, !map
}

// The loop gives the argument in another shape, of which there is a changed copy.
// RUN: %python %S/Inputs/make-npy.py %t/flat.npy i1 16 1..16
// RUN: %python %S/Inputs/make-npy.py %t/changed.npy i1 4x4 1 9 3 10 5 13 7 14 9..16
// RUN: mli-run %s --entry yields_reshaped --input %t/flat.npy --output-dir %t
// RUN: cmp %t/output_0.npy %t/in.npy
// RUN: cmp %t/output_1.npy %t/changed.npy
func.func @yields_reshaped(%in: !flat) -> (!map, !map) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %outer = tensor.expand_shape %in [[0, 1]] output_shape [4, 4] : !flat into !map
  %kept = scf.for %i = %c0 to %c1 step %c1 iter_args(%x = %outer) -> !map {
    scf.yield %outer : !map
  }
  %block = mli.subtensor %outer[2, 0] [2, 2] : !map to !block
  %changed = tensor.insert_slice %block into %outer[0, 1] [2, 2] [1, 2] : !block into !map
  return %kept, %changed : !map, !map
}
