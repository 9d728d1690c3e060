// What C has no form for on several NPUs.
// RUN: mli-translate %s --mli-to-c --c-library mli-mlir --split-input-file --verify-diagnostics -o /dev/null

module attributes {mli.target = #mli.target<custom, npus = 2, npu_bytes = 1024, unit = 16, banks = 1, dma_align = 4>} {
func.func @main() {
  // expected-error @below {{'mli.alloc' op expected a buffer in local memory of 2 NPUs to have an mli layout, but got 'memref<4x!mli.fx8<3>, #mli.space<local>>'}}
  %a = mli.alloc {address = 0 : i64} : memref<4x!mli.fx8<3>, #mli.space<local>>
  return
}
}

// -----

// Elements that are scattered have no address.
!row = memref<4xf32, #mli.layout<compact, dims = [c], npus = 2, npu_elements = 256, strides = [2, 1, 1, 1]>, #mli.space<local>>
module attributes {mli.target = #mli.target<custom, npus = 2, npu_bytes = 1024, unit = 16, banks = 1, dma_align = 4>} {
func.func @main() {
  %c0 = arith.constant 0 : index
  %a = mli.alloc {address = 0 : i64} : !row
  // expected-error @below {{'memref.load' op expected static strides, which C output needs, but got 'memref<4xf32, #mli.layout<compact, dims = [c], npus = 2, npu_elements = 256, strides = [2, 1, 1, 1]>, #mli.space<local>>'}}
  %first = memref.load %a[%c0] : !row
  return
}
}
