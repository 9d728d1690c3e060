// Moves whose other side is no kernel of the stream have nothing to run beside, whatever
// the stream says: they are in their order.
// ST10
// RUN: mli-opt %s --mli-form-streams | FileCheck %s

!q = !mli.sa8<1:4:-128>
!map = tensor<16x8x4x!q>
!local = tensor<16x8x4x!q, #mli.space<local>>

// CHECK-LABEL: func.func private @argument
// CHECK: scf.for
// CHECK: mli.mov
// CHECK: mli.relu
func.func private @argument(%a: !local) -> !map {
  %e0 = tensor.empty() : !map
  %out = mli.mov ins(%a : !local) outs(%e0 : !map) -> !map
  %e1 = tensor.empty() : !map
  %y = mli.relu ins(%out : !map) outs(%e1 : !map) {relu = #mli.relu<gen>,
    mli.stream = {beside, kernels = 2 : i64, room = 1 : i64, rows = 1 : i64, stripes = 1 : i64}} -> !map
  return %y : !map
}

// CHECK-LABEL: func.func @moves
// CHECK: scf.for
// CHECK: mli.mov
// CHECK: mli.mov
func.func @moves(%a: !map) -> !map {
  %e0 = tensor.empty() : !local
  %in = mli.mov ins(%a : !map) outs(%e0 : !local) -> !local
  %e1 = tensor.empty() : !map
  %out = mli.mov ins(%in : !local) outs(%e1 : !map)
    {mli.stream = {beside, kernels = 2 : i64, room = 1 : i64, rows = 1 : i64, stripes = 1 : i64}} -> !map
  return %out : !map
}

// CHECK-LABEL: func.func @front
// CHECK: mli.mov
// CHECK: scf.for
// CHECK: mli.mov
// CHECK: mli.relu
func.func @front(%a: !map) -> !map {
  %e0 = tensor.empty() : !local
  %in = mli.mov ins(%a : !map) outs(%e0 : !local) -> !local
  %e1 = tensor.empty() : !local
  %x = mli.relu ins(%in : !local) outs(%e1 : !local) {relu = #mli.relu<gen>} -> !local
  %e2 = tensor.empty() : !map
  %out = mli.mov ins(%x : !local) outs(%e2 : !map) -> !map
  %e3 = tensor.empty() : !map
  %y = mli.relu ins(%out : !map) outs(%e3 : !map) {relu = #mli.relu<gen>,
    mli.stream = {beside, kernels = 2 : i64, room = 1 : i64, rows = 1 : i64, stripes = 1 : i64}} -> !map
  return %y : !map
}
