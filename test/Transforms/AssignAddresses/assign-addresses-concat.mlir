// Parts of a concatenation lie in their whole.
// RUN: mli-opt %s --mli-legalize-subtensors --mli-bufferize --mli-legalize-subtensors --cse --canonicalize --mli-assign-addresses | FileCheck %s

// CHECK: mli.arena_bytes = 128
// CHECK: %[[WHOLE:.*]] = memref.view
// CHECK-NOT: memref.view
// CHECK: mli.relu
// CHECK-NOT: mli.mov
// CHECK: mli.relu
// CHECK-NOT: mli.mov
// CHECK: mli.permute ins(%[[WHOLE]]
!part = tensor<2x4x8x!mli.sa8<1:4:0>>
!whole = tensor<4x4x8x!mli.sa8<1:4:0>>
func.func @concat(%a: !part, %b: !part) -> !whole {
  %empty0 = tensor.empty() : !part
  %x = mli.relu ins(%a : !part) outs(%empty0 : !part)
    {relu = #mli.relu<gen>} -> !part
  %empty1 = tensor.empty() : !part
  %y = mli.relu ins(%b : !part) outs(%empty1 : !part)
    {relu = #mli.relu<gen>} -> !part
  %concat = tensor.concat dim(0) %x, %y : (!part, !part) -> !whole
  %empty2 = tensor.empty() : !whole
  %result = mli.permute ins(%concat : !whole) outs(%empty2 : !whole)
    permutation [0, 1, 2] -> !whole
  return %result : !whole
}
