// RUN: mli-opt %s --split-input-file --verify-diagnostics

#aligned = #mli.layout<aligned, dims = [h, w, c], npus = 4, npu_elements = 8192, start_npu = 1, strides = [64, 64, 4, 1]>
!map = memref<4x4x3x!mli.fx16<12>, #aligned, #mli.space<local>>
module attributes {mli.target = #mli.target<custom, npus = 4, npu_bytes = 16384, banks = 2>} {
  func.func @choices() {
    // A27
    %legal = mli.alloc {start_npus = array<i64: 0, 1, 3>, start_group = 0 : i64, avoid_banks = array<i64: 1>} : !map
    // A27
    // expected-error @below {{'mli.alloc' op expected 'start_npus' to hold that of the layout, but got no 1}}
    %other = mli.alloc {start_npus = array<i64: 0, 2>} : !map
    return
  }
}

// -----

func.func @plain() {
  // A27
  // expected-error @below {{'mli.alloc' op expected an mli layout with a choice of start NPUs, but got 'memref<4x!mli.fx8<3>>'}}
  %a = mli.alloc {start_group = 0 : i64} : memref<4x!mli.fx8<3>>
  return
}

// -----

#aligned = #mli.layout<aligned, dims = [h, w, c], npus = 4, npu_elements = 8192, start_npu = 1, strides = [64, 64, 4, 1]>
!map = memref<4x4x3x!mli.fx16<12>, #aligned, #mli.space<local>>
module attributes {mli.target = #mli.target<custom, npus = 4, npu_bytes = 16384, banks = 2>} {
  func.func @too_high() {
    // A28
    // expected-error @below {{'mli.alloc' op expected 'start_npus' to be ascending, the next in [2, 3], but got 4}}
    %a = mli.alloc {start_npus = array<i64: 1, 4>} : !map
    return
  }
}

// -----

#aligned = #mli.layout<aligned, dims = [h, w, c], npus = 4, npu_elements = 8192, start_npu = 1, strides = [64, 64, 4, 1]>
!map = memref<4x4x3x!mli.fx16<12>, #aligned, #mli.space<local>>
module attributes {mli.target = #mli.target<custom, npus = 4, npu_bytes = 16384, banks = 2>} {
  func.func @banks() {
    // A28
    // expected-error @below {{'mli.alloc' op expected 'avoid_banks' to be ascending, the next in [1, 1], but got 0}}
    %a = mli.alloc {avoid_banks = array<i64: 0, 0>} : !map
    return
  }
}

// -----

#aligned = #mli.layout<aligned, dims = [h, w, c], npus = 4, npu_elements = 8192, start_npu = 1, strides = [64, 64, 4, 1]>
!map = memref<4x4x3x!mli.fx16<12>, #aligned, #mli.space<local>>
module attributes {mli.target = #mli.target<custom, npus = 4, npu_bytes = 16384, banks = 2>} {
  func.func @group() {
    // A29
    // expected-error @below {{'mli.alloc' op expected 'start_group' to be at least 0, but got -1}}
    %a = mli.alloc {start_group = -1 : i64} : !map
    return
  }
}
