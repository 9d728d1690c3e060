// RUN: mli-opt %s --split-input-file --verify-diagnostics

#aligned = #mli.layout<aligned, dims = [h, w, c], npus = 4, npu_elements = 8192, strides = [64, 64, 5, 1]>
!map = memref<4x5x3x!mli.fx16<12>, #aligned, #mli.space<local>>
func.func @without_target(%map: !map) {
  // S5
  // expected-error @below {{expected 'mli.target' to be on a module around, but got none}}
  mli.relu ins(%map : !map) outs(%map : !map) {relu = #mli.relu<gen>}
  return
}

// -----

#aligned = #mli.layout<aligned, dims = [h, w, c], npus = 4, npu_elements = 8192, strides = [64, 64, 5, 1]>
!map = memref<4x5x3x!mli.fx16<12>, #aligned>
func.func @layout_in_system_memory(%map: !map) {
  // S7
  // expected-error @below {{expected 'input' to be in local memory, as its layout is, but got 'memref<4x5x3x!mli.fx16<12>, #mli.layout<aligned, dims = [h, w, c], npus = 4, npu_elements = 8192, strides = [64, 64, 5, 1]>>'}}
  mli.relu ins(%map : !map) outs(%map : !map) {relu = #mli.relu<gen>}
  return
}

// -----

!map = memref<4x5x3x!mli.fx16<12>, strided<[16, 3, 1]>, #mli.space<local>>
module attributes {mli.target = #mli.target<bm1684>} {
  func.func @strides_on_many_npus(%map: !map) {
    // S8
    // expected-error @below {{expected 'input' to have an mli layout on 64 NPUs, but got 'memref<4x5x3x!mli.fx16<12>, strided<[16, 3, 1]>, #mli.space<local>>'}}
    mli.relu ins(%map : !map) outs(%map : !map) {relu = #mli.relu<gen>}
    return
  }
}

// -----

#aligned = #mli.layout<aligned, dims = [h, w, c], npus = 4, npu_elements = 8192, strides = [64, 64, 5, 1]>
!map = memref<4x5x3x!mli.fx16<12>, #aligned, #mli.space<local>>
module attributes {mli.target = #mli.target<custom, npus = 8, npu_bytes = 16384>} {
  func.func @other_npus(%map: !map) {
    // S9
    // expected-error @below {{expected layout of 'input' to have the 8 NPUs of 'mli.target', but got 4}}
    mli.relu ins(%map : !map) outs(%map : !map) {relu = #mli.relu<gen>}
    return
  }
}

// -----

#aligned = #mli.layout<aligned, dims = [h, w, c], npus = 4, npu_elements = 8192, strides = [64, 64, 5, 1]>
!map = memref<4x5x3x!mli.fx8<7>, #aligned, #mli.space<local>>
module attributes {mli.target = #mli.target<custom, npus = 4, npu_bytes = 16384>} {
  func.func @elements_of_other_width(%map: !map) {
    // S9
    // expected-error @below {{expected layout of 'input' to have the 16384 elements per NPU of 'mli.target', but got 8192}}
    mli.relu ins(%map : !map) outs(%map : !map) {relu = #mli.relu<gen>}
    return
  }
}

// -----

// 64 elements are rounded to 256 bytes, half of that is in the type.
#aligned = #mli.layout<aligned, dims = [h, w, c], npus = 4, npu_elements = 8192, start_npu = 2, strides = [64, 32, 5, 1]>
!map = memref<4x5x3x!mli.fx16<12>, #aligned, #mli.space<local>>
module attributes {mli.target = #mli.target<custom, npus = 4, npu_bytes = 16384>} {
  func.func @other_unit(%map: !map) {
    // S10
    // expected-error @below {{expected layout of 'input' to be legal on 'mli.target', but got: expected 'c stride' to be 64, but got 32}}
    mli.relu ins(%map : !map) outs(%map : !map) {relu = #mli.relu<gen>}
    return
  }
}

// -----

#mode = #mli.layout<aligned, mode = 4N, dims = [n, h, w, c], npus = 4, npu_elements = 8192, strides = [64, 32, 5, 1]>
!map = memref<6x4x5x5x!mli.fx16<12>, #mode, #mli.space<local>>
module attributes {mli.target = #mli.target<custom, npus = 4, npu_bytes = 16384>} {
  func.func @mode_of_other_width(%map: !map) {
    // S10
    // expected-error @below {{expected layout of 'input' to be legal on 'mli.target', but got: expected 'element bytes' to be 1 in this mode, but got 2}}
    mli.relu ins(%map : !map) outs(%map : !map) {relu = #mli.relu<gen>}
    return
  }
}

// -----

// One NPU has an ordinary tensor, with strides that decrease.
#compact = #mli.layout<compact, dims = [h, w, c], npus = 1, npu_elements = 262144, strides = [60, 20, 5, 1]>
!map = memref<4x5x3x!mli.fx8<7>, #compact, #mli.space<local>>
module attributes {mli.target = #mli.target<vpx>} {
  func.func @channels_outermost(%map: !map) {
    // T7
    // expected-error @below {{expected stride 1 of 'input' to be at least 60, but got 1}}
    mli.relu ins(%map : !map) outs(%map : !map) {relu = #mli.relu<gen>}
    return
  }
}
