// Rows are those of one map: batches are whole, and remarks say so.
// RUN: mli-opt %s --mli-form-streams="arena=min report" --verify-diagnostics | FileCheck %s

!q = !mli.sa8<1:4:-128>
!two = tensor<2x9x4x3x!q>
!map = tensor<9x4x3x!q>

// ST2
// CHECK-LABEL: func.func @elements
// CHECK-NOT: scf.for
// expected-remark @+1 {{arena: 216 B, 1.000 of the bound 216 B; whole kernels 216 B}}
func.func @elements(%a: !two) -> !two {
  %e = tensor.empty() : !two
  %f = tensor.empty() : !two
  // expected-remark @+1 {{not streamed: its result is a batch of 2 maps}}
  %r = mli.relu ins(%a : !two) outs(%e : !two) {relu = #mli.relu<gen>} -> !two
  // expected-remark @+1 {{not streamed: its result is a batch of 2 maps}}
  %s = mli.relu ins(%r : !two) outs(%f : !two) {relu = #mli.relu<gen>} -> !two
  return %s : !two
}

// Kernels of one image are in a loop over all of them.
// CHECK-LABEL: func.func @images
// CHECK-COUNT-2: scf.for
// CHECK-NOT: scf.for
// expected-remark @+1 {{arena: 328 B; whole kernels 328 B}}
func.func @images(%a: !two, %w: tensor<3x3x3x3x!mli.sa8<5:10:0>>, %b: tensor<3x!mli.sa32<5:14:0>>) -> !two {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %e0 = tensor.empty() : !two
  // expected-remark @+1 {{not streamed: kernels inside of it are in no stream}}
  %x = scf.for %i = %c0 to %c2 step %c1 iter_args(%r = %e0) -> !two {
    %s = tensor.extract_slice %a[%i, 0, 0, 0] [1, 9, 4, 3] [1, 1, 1, 1] : !two to !map
    %e = tensor.empty() : !map
    %k = mli.conv2d ins(%s, %w, %b : !map, tensor<3x3x3x3x!mli.sa8<5:10:0>>, tensor<3x!mli.sa32<5:14:0>>) outs(%e : !map) pad [1, 1, 1, 1] -> !map
    %n = tensor.insert_slice %k into %r[%i, 0, 0, 0] [1, 9, 4, 3] [1, 1, 1, 1] : !map into !two
    scf.yield %n : !two
  }
  %e1 = tensor.empty() : !two
  // expected-remark @+1 {{not streamed: kernels inside of it are in no stream}}
  %y = scf.for %i = %c0 to %c2 step %c1 iter_args(%r = %e1) -> !two {
    %s = tensor.extract_slice %x[%i, 0, 0, 0] [1, 9, 4, 3] [1, 1, 1, 1] : !two to !map
    %e = tensor.empty() : !map
    %k = mli.conv2d ins(%s, %w, %b : !map, tensor<3x3x3x3x!mli.sa8<5:10:0>>, tensor<3x!mli.sa32<5:14:0>>) outs(%e : !map) pad [1, 1, 1, 1] -> !map
    %n = tensor.insert_slice %k into %r[%i, 0, 0, 0] [1, 9, 4, 3] [1, 1, 1, 1] : !map into !two
    scf.yield %n : !two
  }
  return %y : !two
}
