// Tables of functions in tiles, buffers and local memory.
// RUN: mli-opt %s --transform-preload-library=transform-library-paths=%S/Inputs/tile.mlir \
// RUN:   --transform-interpreter --canonicalize --cse | FileCheck %s
// RUN: mli-opt %s --mli-bufferize | FileCheck %s --check-prefix=BUFFERS
// RUN: mli-opt %s --mli-insert-moves --mli-bufferize --mli-assign-addresses | FileCheck %s --check-prefix=LOCAL

!map = tensor<4x6x8x!mli.sa8<3:6:-5>>
!positive = tensor<4x6x8x!mli.sa8<1:8:-128>>
!sigm = tensor<320x!mli.fx16<15>>
!softmax = tensor<358x!mli.fx16<15>>

module attributes {mli.target = #mli.target<vpx>} {
// Every tile reads the whole table.
// N1
// CHECK-LABEL: func.func @elements
// CHECK-SAME: (%[[IN:.+]]: {{.+}}, %[[TABLE:.+]]: tensor<320x!mli.fx16<15>>, %[[INIT:.+]]: {{.+}}) ->
// CHECK: scf.for
// CHECK: %[[PART:.+]] = tensor.extract_slice %[[IN]]
// CHECK-NOT: tensor.extract_slice %[[TABLE]]
// CHECK: mli.sigm ins(%[[PART]] : {{.+}}) lut(%[[TABLE]] : tensor<320x!mli.fx16<15>>) outs(

// BUFFERS-LABEL: func.func @elements
// BUFFERS: mli.sigm ins(%{{.+}}) lut(%{{.+}} : memref<320x!mli.fx16<15>>) outs(

// A table comes to local memory as any tensor.
// LOCAL-LABEL: func.func @elements
// LOCAL: %[[HERE:.+]] = mli.alloc {address = {{[0-9]+}} : i64} : memref<320x!mli.fx16<15>, #mli.space<local>>
// LOCAL: mli.mov ins(%{{.+}} : memref<320x!mli.fx16<15>{{.*}}>) outs(%[[HERE]] :
// LOCAL: mli.sigm ins(%{{.+}}) lut(%[[HERE]] : memref<320x!mli.fx16<15>, #mli.space<local>>)
// LOCAL-NOT: mli.scratch_address
func.func @elements(%in: !map, %table: !sigm, %init: !positive) -> !positive {
  %result = mli.sigm ins(%in : !map) lut(%table : !sigm)
    outs(%init : !positive) {tile = 1} -> !positive
  return %result : !positive
}

// CHECK-LABEL: func.func @slices
// CHECK: %[[TABLE:.+]] = mli.lut
// CHECK: scf.for
// CHECK-NOT: tensor.extract_slice %[[TABLE]]
// CHECK: mli.softmax ins(%{{.+}} : tensor<2x6x8x!mli.sa8<3:6:-5>>) lut(%[[TABLE]] : tensor<358x!mli.fx16<15>>) outs({{.+}}) {axis = 2 : i32

// BUFFERS-LABEL: func.func @slices
// BUFFERS: %[[TABLE:.+]] = memref.alloc() : memref<358x!mli.fx16<15>>
// BUFFERS: mli.lut outs(%[[TABLE]] : memref<358x!mli.fx16<15>>) {function = #mli.lut_function<softmax>}
// BUFFERS: mli.softmax ins({{.+}}) lut(%[[TABLE]] : memref<358x!mli.fx16<15>>) outs(

// It is made there, and stays for all kernels that read it.
// LOCAL-LABEL: func.func @slices
// LOCAL: %[[TABLE:.+]] = mli.alloc {address = {{[0-9]+}} : i64} : memref<358x!mli.fx16<15>, #mli.space<local>>
// LOCAL: mli.lut outs(%[[TABLE]] : memref<358x!mli.fx16<15>, #mli.space<local>>)
// LOCAL: mli.softmax ins({{.+}}) lut(%[[TABLE]] : memref<358x!mli.fx16<15>, #mli.space<local>>)
// LOCAL: mli.softmax ins({{.+}}) lut(%[[TABLE]] : memref<358x!mli.fx16<15>, #mli.space<local>>)
// LOCAL-NOT: mli.scratch_address
func.func @slices(%in: !map, %init: !positive) -> (!positive, !positive) {
  %empty = tensor.empty() : !softmax
  %table = mli.lut outs(%empty : !softmax)
    {function = #mli.lut_function<softmax>} -> !softmax
  %result = mli.softmax ins(%in : !map) lut(%table : !softmax)
    outs(%init : !positive) {axis = 2 : i32, tile = 0} -> !positive
  %other = tensor.empty() : !positive
  %second = mli.softmax ins(%in : !map) lut(%table : !softmax)
    outs(%other : !positive) {axis = 1 : i32} -> !positive
  return %result, %second : !positive, !positive
}
}
