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
    // expected-error @below {{expected stride 1 of 'input' to be at least 41, but got 1}}
    mli.relu ins(%map : !map) outs(%map : !map) {relu = #mli.relu<gen>}
    return
  }
}

// -----

#compact = #mli.layout<compact, dims = [h, w, c], npus = 4, npu_elements = 8192, start_npu = 2, strides = [20, 20, 5, 1]>
!map = memref<4x5x3x!mli.fx16<12>, #compact, #mli.space<local>>
module attributes {mli.target = #mli.target<custom, npus = 4, npu_bytes = 16384>} {
  func.func @address_in_another_npu() {
    // V12
    // expected-error @below {{expected 'address' to be in NPU 2, which the layout starts in, but got 16384 in NPU 1}}
    %0 = mli.alloc {address = 16384 : i64} : !map
    return
  }
  func.func @beyond_the_memory() {
    // V13
    // expected-error @below {{expected 'result' to end within the 16384 bytes of each NPU, but got 16396 from 'address' 49084 on}}
    %0 = mli.alloc {address = 49084 : i64} : !map
    return
  }
}

// -----

// Rows of 5 and of 4 elements: a column of another shape is elsewhere.
#rows = #mli.layout<aligned, dims = [h, w, c], npus = 4, npu_elements = 8192, strides = [64, 64, 5, 1]>
#other = #mli.layout<aligned, dims = [c, h, w], npus = 4, npu_elements = 8192, strides = [64, 64, 4, 1]>
!map = memref<4x5x3x!mli.fx16<12>, #rows, #mli.space<local>>
!turned = memref<3x5x4x!mli.fx16<12>, #other, #mli.space<local>>
module attributes {mli.target = #mli.target<custom, npus = 4, npu_bytes = 16384>} {
  func.func @reshape_moves_elements(%map: !map) {
    // D18
    // expected-error @below {{expected 'result' to have each element at the address it has in 'memref<4x5x3x!mli.fx16<12>, #mli.layout<aligned, dims = [h, w, c], npus = 4, npu_elements = 8192, strides = [64, 64, 5, 1]>, #mli.space<local>>', but got 'memref<3x5x4x!mli.fx16<12>, #mli.layout<aligned, dims = [c, h, w], npus = 4, npu_elements = 8192, strides = [64, 64, 4, 1]>, #mli.space<local>>'}}
    %0 = mli.reshape %map : !map to !turned
    return
  }
}

// -----

// Six channels go round four NPUs; the same from another start do not alike.
#from = #mli.layout<compact, dims = [c], npus = 4, npu_elements = 16, strides = [2, 1, 1, 1]>
#to = #mli.layout<compact, dims = [n, c], npus = 4, npu_elements = 16, start_npu = 1, strides = [2, 1, 1, 1]>
!from = memref<6x!mli.fx8<1>, #from, #mli.space<local>>
!to = memref<1x6x!mli.fx8<1>, #to, #mli.space<local>>
module attributes {mli.target = #mli.target<custom, npus = 4, npu_bytes = 16, unit = 16>} {
  func.func @reshape_to_another_start(%from: !from) {
    // D18
    // expected-error @below {{expected 'result' to have each element at the address it has in 'memref<6x!mli.fx8<1>, #mli.layout<compact, dims = [c], npus = 4, npu_elements = 16, strides = [2, 1, 1, 1]>, #mli.space<local>>', but got 'memref<1x6x!mli.fx8<1>, #mli.layout<compact, dims = [n, c], npus = 4, npu_elements = 16, start_npu = 1, strides = [2, 1, 1, 1]>, #mli.space<local>>'}}
    %0 = mli.reshape %from : !from to !to
    return
  }
}

// -----

// A layout on one side only.
#from = #mli.layout<compact, dims = [c], npus = 4, npu_elements = 16, strides = [2, 1, 1, 1]>
!from = memref<6x!mli.fx8<1>, #from, #mli.space<local>>
!to = memref<2x3x!mli.fx8<1>, #mli.space<local>>
module attributes {mli.target = #mli.target<custom, npus = 4, npu_bytes = 16, unit = 16>} {
  func.func @reshape_to_no_layout(%from: !from) {
    // D18
    // expected-error @below {{expected 'result' to have each element at the address it has in 'memref<6x!mli.fx8<1>, #mli.layout<compact, dims = [c], npus = 4, npu_elements = 16, strides = [2, 1, 1, 1]>, #mli.space<local>>', but got 'memref<2x3x!mli.fx8<1>, #mli.space<local>>'}}
    %0 = mli.reshape %from : !from to !to
    return
  }
}
