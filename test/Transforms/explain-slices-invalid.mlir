// RUN: mli-opt %s --mli-explain-slices --split-input-file --verify-diagnostics -o /dev/null

#map = #mli.layout<compact, dims = [h, w, c], npus = 4, npu_elements = 1024, strides = [32, 32, 8, 1]>
!map = memref<4x8x3x!mli.fx8<3>, #map, #mli.space<local>>
!part = memref<4x8x2x!mli.fx8<3>, strided<[8, 1, 1024]>, #mli.space<local>>

func.func @no_target(%map: !map) {
  // expected-error @below {{expected 'mli.target' to be on a module around, but got none}}
  %0 = memref.subview %map[0, 0, 0] [4, 8, 2] [1, 1, 1] : !map to !part
  return
}

// -----

// Elements of another dialect are none of the judge's business in local memory.
#map = #mli.layout<compact, dims = [h, w, c], npus = 4, npu_elements = 1024, strides = [32, 32, 8, 1]>
!map = memref<4x8x3xcomplex<f32>, #map, #mli.space<local>>
!part = memref<4x8x2xcomplex<f32>, strided<[8, 1, 1024]>, #mli.space<local>>

func.func @other_elements(%map: !map) {
  %0 = memref.subview %map[0, 0, 0] [4, 8, 2] [1, 1, 1] : !map to !part
  return
}

// -----

// Nor are those whose parameters are not as many as the indices of their axis.
!weights = tensor<4x4x!mli.sa8<axis = 1, {5:3:0, 7:3:0}>>
func.func @other_parameters(%weights: !weights) {
  %0 = tensor.extract_slice %weights[0, 2] [4, 2] [1, 1] : !weights to tensor<4x2x!mli.sa8<axis = 1, {5:3:0, 7:3:0}>>
  return
}
