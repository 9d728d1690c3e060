// RUN: mli-opt %s --convert-mli-to-llvm --allow-unregistered-dialect --split-input-file --verify-diagnostics

!map = memref<8x!mli.fx8<5>>

// expected-error @below {{expected 'with_results' to write its results through arguments, but got 1 results}}
func.func @with_results(%map: !map) -> !map {
  mli.relu ins(%map : !map) outs(%map : !map) {relu = #mli.relu<gen>}
  return %map : !map
}

// -----

!map = memref<8x!mli.fx8<5>>

func.func private @kernel(%map: !map) {
  mli.relu ins(%map : !map) outs(%map : !map) {relu = #mli.relu<gen>}
  return
}

// expected-error @below {{expected 'caller_with_results' to write its results through arguments, but got 2 results}}
func.func @caller_with_results(%map: !map, %size: index) -> (index, index) {
  call @kernel(%map) : (!map) -> ()
  return %size, %size : index, index
}

// -----

!map = tensor<8x!mli.fx8<5>>

func.func @tensors(%map: !map, %init: memref<8x!mli.fx8<5>>) {
  // expected-error @below {{expected operands and results to be buffers, but got 'tensor<8x!mli.fx8<5>>'}}
  mli.relu ins(%map : !map) outs(%init : memref<8x!mli.fx8<5>>)
    {relu = #mli.relu<gen>}
  return
}

// -----

func.func @tensor_constant() {
  // expected-error @below {{expected operands and results to be buffers, but got 'tensor<8x!mli.fx8<5>>'}}
  %constant = mli.constant dense<0> : tensor<8xi8> to tensor<8x!mli.fx8<5>>
  return
}

// -----

// expected-error @below {{expected 'mli_krn_relu_fx8' to be the function of the runtime, but got func.func}}
func.func private @mli_krn_relu_fx8(i32)

// -----

// expected-error @below {{expected 'mli_report_failure' to be the function of the runtime, but got llvm.mlir.global}}
llvm.mlir.global internal @mli_report_failure(1 : i32) : i32

// -----

!map = memref<8x!mli.fx8<5>>

func.func @kernel_in_a_region(%map: !map, %clip: i1) {
  // expected-error @below {{failed to legalize operation 'scf.if'}}
  scf.if %clip {
    mli.relu ins(%map : !map) outs(%map : !map) {relu = #mli.relu<gen>}
  }
  return
}

// -----

!map = memref<8x!mli.fx8<5>>

func.func @something_unknown_between_kernels(%map: !map) {
  mli.relu ins(%map : !map) outs(%map : !map) {relu = #mli.relu<gen>}
  // expected-error @below {{failed to legalize operation 'test.unknown'}}
  "test.unknown"() : () -> ()
  mli.relu ins(%map : !map) outs(%map : !map) {relu = #mli.relu<gen>}
  return
}

// -----

// A place that is planned is in memory that no call takes yet.
func.func @planned_memory() {
  // S12
  // expected-error @below {{expected no 'address', as calls take memory of the heap, but got 64}}
  %buffer = mli.alloc {address = 64 : i64} : memref<8x!mli.fx8<5>>
  return
}

// -----

!map = memref<3x8x9x!mli.fx16<10>>
!out = memref<3x7x8x!mli.fx16<10>>

func.func @channels_first(%map: !map, %out: !out) {
  // C13
  // expected-error @below {{expected 'layout' to be hwc, which the kernels of the runtime take and mli-legalize-layouts makes, but got chw}}
  mli.maxpool ins(%map : !map) outs(%out : !out) kernel [2, 2] pad [0, 0, 0, 0]
    {layout = #mli.map_layout<chw>}
  return
}

// -----

#pairs = #mli.layout<aligned, mode = 2N, dims = [w, n], npus = 4, npu_elements = 32768, strides = [16, 16, 2, 1]>
!ring = memref<2x2x!mli.fx16<11>, #pairs, #mli.space<local>>
module attributes {mli.target = #mli.target<custom, npus = 4, npu_bytes = 65536, unit = 32>} {
  func.func @rows_cut_pairs() {
    %ring = mli.alloc {address = 0 : i64} : !ring
    // D26
    // expected-error @below {{expected rows that are blocks in local memory, but got: expected 'offset.n' to be divisible by 2, but got 1}}
    mli.advance outs(%ring : !ring) {rows = 1, dim = 1}
    return
  }
}

// -----

// Maps of indices are lowered, loops are not.
func.func @loop(%a: memref<4xi8>) {
  // expected-error @below {{failed to legalize operation 'affine.for'}}
  affine.for %i = 0 to 4 {
    %0 = affine.load %a[%i] : memref<4xi8>
    affine.store %0, %a[%i] : memref<4xi8>
  }
  return
}
