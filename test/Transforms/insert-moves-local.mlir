// What goes from kernel to kernel as a move, or in another shape, stays in local
// memory.
// RUN: mli-opt %s --mli-insert-moves --split-input-file | FileCheck %s

!map = tensor<4x4x8x!mli.fx8<5>>
!row = tensor<128x!mli.fx8<5>>
!weights = tensor<128x4x!mli.fx8<5>>
!bias = tensor<4x!mli.fx8<5>>

module attributes {mli.target = #mli.target<custom, npus = 4, npu_bytes = 1024>} {
  // CHECK-LABEL: func.func @vector
  // CHECK: %[[MAP:.*]] = mli.relu {{.*}} -> tensor<4x4x8x!mli.fx8<5>, #mli.space<local>>
  // CHECK-NOT: mli.reshape
  // CHECK: %[[ROW:.*]] = mli.mov ins(%[[MAP]] : tensor<4x4x8x!mli.fx8<5>, #mli.space<local>>) outs(%{{.*}} : tensor<128x!mli.fx8<5>, #mli.space<local>>)
  // CHECK: mli.fully_connected ins(%[[ROW]],
  func.func @vector(%in: !map, %weights: !weights, %bias: !bias) -> !bias {
    %empty = tensor.empty() : !map
    %map = mli.relu ins(%in : !map) outs(%empty : !map) {relu = #mli.relu<gen>} -> !map
    %row = mli.reshape %map : !map to !row
    %init = tensor.empty() : !bias
    %out = mli.fully_connected ins(%row, %weights, %bias : !row, !weights, !bias)
      outs(%init : !bias) -> !bias
    return %out : !bias
  }

  // Whoever else sees it does so in system memory.
  // CHECK-LABEL: func.func @both
  // CHECK: %[[MAP:.*]] = mli.relu {{.*}} -> tensor<4x4x8x!mli.fx8<5>, #mli.space<local>>
  // CHECK: %[[SYSTEM:.*]] = mli.mov ins(%[[MAP]] : {{.*}}) outs(%{{.*}} : tensor<4x4x8x!mli.fx8<5>>)
  // CHECK: %[[ROW:.*]] = mli.mov ins(%[[MAP]] : {{.*}}) outs(%{{.*}} : tensor<128x!mli.fx8<5>, #mli.space<local>>)
  // CHECK: %[[SEEN:.*]] = mli.reshape %[[SYSTEM]]
  // CHECK: mli.relu ins(%[[ROW]] :
  // CHECK: return %[[SEEN]]
  func.func @both(%in: !map) -> (!row, !row) {
    %empty = tensor.empty() : !map
    %map = mli.relu ins(%in : !map) outs(%empty : !map) {relu = #mli.relu<gen>} -> !map
    %row = mli.reshape %map : !map to !row
    %init = tensor.empty() : !row
    %out = mli.relu ins(%row : !row) outs(%init : !row) {relu = #mli.relu<gen>} -> !row
    return %row, %out : !row, !row
  }

  // An argument is in system memory, where another shape costs nothing.
  // CHECK-LABEL: func.func @argument
  // CHECK: %[[ROW:.*]] = mli.reshape %{{.*}} : tensor<4x4x8x!mli.fx8<5>> to
  // CHECK: mli.mov ins(%[[ROW]] :
  func.func @argument(%in: !map) -> !row {
    %row = mli.reshape %in : !map to !row
    %init = tensor.empty() : !row
    %out = mli.relu ins(%row : !row) outs(%init : !row) {relu = #mli.relu<gen>} -> !row
    return %out : !row
  }
}

// -----

!map = tensor<8x8x5x!mli.fx16<5>>
!wide = tensor<4x16x5x!mli.fx16<5>>
!in = tensor<8x8x1x!mli.fx16<5>>
!weights = tensor<1x1x1x5x!mli.fx16<5>>
!bias = tensor<5x!mli.fx16<5>>
!out = tensor<1x1x5x!mli.fx16<5>>

// There is no room for both shapes at once.
module attributes {mli.target = #mli.target<custom, npus = 1, npu_bytes = 1024>} {
  // CHECK-LABEL: func.func @too_large
  // CHECK: %[[MAP:.*]] = mli.conv2d {{.*}} -> tensor<8x8x5x!mli.fx16<5>, #mli.space<local>>
  // CHECK: %[[SYSTEM:.*]] = mli.mov ins(%[[MAP]] : {{.*}}) outs(%{{.*}} : tensor<8x8x5x!mli.fx16<5>>)
  // CHECK: mli.reshape %[[SYSTEM]]
  func.func @too_large(%in: !in, %weights: !weights, %bias: !bias) -> !out {
    %empty = tensor.empty() : !map
    %map = mli.conv2d ins(%in, %weights, %bias : !in, !weights, !bias)
      outs(%empty : !map) pad [0, 0, 0, 0] -> !map
    %wide = mli.reshape %map : !map to !wide
    %init = tensor.empty() : !out
    %out = mli.maxpool ins(%wide : !wide) outs(%init : !out)
      kernel [4, 16] pad [0, 0, 0, 0] -> !out
    return %out : !out
  }
}

// -----

!map = tensor<4x4x8x!mli.fx8<5>>
!padded = tensor<6x6x8x!mli.fx8<5>>
!turned = tensor<8x4x4x!mli.fx8<5>>

module attributes {mli.target = #mli.target<vpx>} {
  // Between two kernels a move is one within local memory; one that adds zeros
  // to what is moved in is so as well.
  // CHECK-LABEL: func.func @between
  // CHECK: %[[MAP:.*]] = mli.relu {{.*}} -> tensor<4x4x8x!mli.fx8<5>, #mli.space<local>>
  // CHECK: %[[TURNED:.*]] = mli.mov ins(%[[MAP]] : {{.*}}) outs(%{{.*}} : tensor<8x4x4x!mli.fx8<5>, #mli.space<local>>) {permutation = array<i64: 2, 0, 1>}
  // CHECK: mli.relu ins(%[[TURNED]] :
  func.func @between(%in: !map) -> !turned {
    %empty = tensor.empty() : !map
    %map = mli.relu ins(%in : !map) outs(%empty : !map) {relu = #mli.relu<gen>} -> !map
    %place = tensor.empty() : !turned
    %turned = mli.mov ins(%map : !map) outs(%place : !turned)
      {permutation = array<i64: 2, 0, 1>} -> !turned
    %init = tensor.empty() : !turned
    %out = mli.relu ins(%turned : !turned) outs(%init : !turned)
      {relu = #mli.relu<gen>} -> !turned
    return %out : !turned
  }

  // CHECK-LABEL: func.func @padding
  // CHECK: %[[MAP:.*]] = mli.mov ins(%{{.*}} : tensor<4x4x8x!mli.fx8<5>>) outs(%{{.*}} : tensor<4x4x8x!mli.fx8<5>, #mli.space<local>>)
  // CHECK: %[[PADDED:.*]] = mli.mov ins(%[[MAP]] : {{.*}}) outs(%{{.*}} : tensor<6x6x8x!mli.fx8<5>, #mli.space<local>>)
  // CHECK: mli.relu ins(%[[PADDED]] :
  func.func @padding(%in: !map) -> !padded {
    %place = tensor.empty() : !padded
    %padded = mli.mov ins(%in : !map) outs(%place : !padded)
      {pad_low = array<i64: 1, 1, 0>, pad_high = array<i64: 1, 1, 0>} -> !padded
    %init = tensor.empty() : !padded
    %out = mli.relu ins(%padded : !padded) outs(%init : !padded)
      {relu = #mli.relu<gen>} -> !padded
    return %out : !padded
  }

  // A slice of what is in system memory is fewer bytes there.
  // CHECK-LABEL: func.func @slice
  // CHECK: %[[PART:.*]] = mli.mov ins(%{{.*}} : tensor<6x6x8x!mli.fx8<5>>) outs(%{{.*}} : tensor<4x4x8x!mli.fx8<5>>)
  // CHECK: mli.mov ins(%[[PART]] :
  func.func @slice(%in: !padded) -> !map {
    %place = tensor.empty() : !map
    %part = mli.mov ins(%in : !padded) outs(%place : !map)
      {offsets = array<i64: 1, 1, 0>, sizes = array<i64: 4, 4, 8>} -> !map
    %init = tensor.empty() : !map
    %out = mli.relu ins(%part : !map) outs(%init : !map)
      {relu = #mli.relu<gen>} -> !map
    return %out : !map
  }
}
