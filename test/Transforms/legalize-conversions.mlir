// RUN: mli-opt %s --mli-legalize-conversions | FileCheck %s
// RUN: mli-opt %s --mli-legalize-conversions -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

!coarse = tensor<4x8x!mli.fx8<3>>
!fine = tensor<4x8x!mli.fx16<9>>
!sa = tensor<4x8x!mli.sa8<5:6:-3>>
!wide = tensor<4x8x!mli.sa32<1:0:0>>

// CHECK-LABEL: func.func @identity
// CHECK-SAME: %[[X:[^:]*]]: tensor<4x8x
// CHECK-NEXT: return %[[X]]
func.func @identity(%x: !coarse, %init: !coarse) -> !coarse {
  %0 = mli.convert ins(%x : !coarse) outs(%init : !coarse) -> !coarse
  return %0 : !coarse
}

// The runtime drops low bits of large codes, and there are too many to try.
// CHECK-LABEL: func.func @identity_of_wide_codes
// CHECK-NEXT: mli.convert
func.func @identity_of_wide_codes(%x: !wide, %init: !wide) -> !wide {
  %0 = mli.convert ins(%x : !wide) outs(%init : !wide) -> !wide
  return %0 : !wide
}

// A zero point so far out that the difference from it saturates.
!far = tensor<4x8x!mli.sa8<5:6:-32768>>
// CHECK-LABEL: func.func @identity_that_saturates
// CHECK-NEXT: mli.convert
func.func @identity_that_saturates(%x: !far, %init: !far) -> !far {
  %0 = mli.convert ins(%x : !far) outs(%init : !far) -> !far
  return %0 : !far
}

// 3 * 2^1 rounds half up; -3 * 2^-1 as well.
// CHECK-LABEL: func.func @constants
// CHECK-NEXT: %[[CODES:.*]] = mli.constant dense<[2, -1, 64, -64]> : tensor<4xi8> to tensor<4x!mli.fx8<2>>
// CHECK-NEXT: %[[REAL:.*]] = arith.constant dense<[3.750000e-01, -3.750000e-01, 1.587500e+01, -1.600000e+01]> : tensor<4xf32>
// CHECK-NEXT: %[[FROM_REAL:.*]] = mli.constant dense<[3, -3, 127, -128]> : tensor<4xi8> to tensor<4x!mli.fx8<1>>
// CHECK-NEXT: return %[[CODES]], %[[REAL]], %[[FROM_REAL]]
func.func @constants(%a: tensor<4x!mli.fx8<2>>, %b: tensor<4xf32>,
                     %c: tensor<4x!mli.fx8<1>>)
    -> (tensor<4x!mli.fx8<2>>, tensor<4xf32>, tensor<4x!mli.fx8<1>>) {
  %codes = mli.constant dense<[3, -3, 127, -128]> : tensor<4xi8>
    to tensor<4x!mli.fx8<3>>
  %real = arith.constant dense<[1.25, -1.25, 1000.0, -1000.0]> : tensor<4xf32>
  %0 = mli.convert ins(%codes : tensor<4x!mli.fx8<3>>)
    outs(%a : tensor<4x!mli.fx8<2>>) -> tensor<4x!mli.fx8<2>>
  %1 = mli.convert ins(%codes : tensor<4x!mli.fx8<3>>) outs(%b : tensor<4xf32>)
    -> tensor<4xf32>
  %2 = mli.convert ins(%real : tensor<4xf32>) outs(%c : tensor<4x!mli.fx8<1>>)
    -> tensor<4x!mli.fx8<1>>
  return %0, %1, %2 : tensor<4x!mli.fx8<2>>, tensor<4xf32>, tensor<4x!mli.fx8<1>>
}

// Each index of the axis has its scale.
// CHECK-LABEL: func.func @constant_along_an_axis
// CHECK-NEXT: mli.constant dense<{{\[\[}}10, 5], [-10, -5]]> : tensor<2x2xi8> to tensor<2x2x!sa8_axis1>
func.func @constant_along_an_axis(
    %init: tensor<2x2x!mli.sa8<axis = 1, {1:1:0, 1:0:0}>>)
    -> tensor<2x2x!mli.sa8<axis = 1, {1:1:0, 1:0:0}>> {
  %codes = mli.constant dense<[[5, 5], [-5, -5]]> : tensor<2x2xi8>
    to tensor<2x2x!mli.fx8<0>>
  %0 = mli.convert ins(%codes : tensor<2x2x!mli.fx8<0>>)
    outs(%init : tensor<2x2x!mli.sa8<axis = 1, {1:1:0, 1:0:0}>>)
    -> tensor<2x2x!mli.sa8<axis = 1, {1:1:0, 1:0:0}>>
  return %0 : tensor<2x2x!mli.sa8<axis = 1, {1:1:0, 1:0:0}>>
}

// To more bits and back.
// CHECK-LABEL: func.func @widened_and_back
// CHECK-SAME: %[[X:[^:]*]]: tensor
// CHECK-NEXT: return %[[X]]
// REMARK: legalize-conversions.mlir:[[@LINE+5]]:8: remark: two conversions are one: all codes from -128 to 127 come out the same
func.func @widened_and_back(%x: !coarse, %fine: !fine, %init: !coarse)
    -> !coarse {
  %0 = mli.convert ins(%x : !coarse) outs(%fine : !fine) -> !fine
  // With more fraction bits in between nothing is lost.
  %1 = mli.convert ins(%0 : !fine) outs(%init : !coarse) -> !coarse
  return %1 : !coarse
}

// To fewer bits and back: codes are rounded.
// CHECK-LABEL: func.func @narrowed_and_back
// CHECK-COUNT-2: mli.convert
// REMARK-NOT: legalize-conversions.mlir:[[@LINE+5]]
func.func @narrowed_and_back(%x: !fine, %coarse: !coarse, %init: !fine)
    -> !fine {
  %0 = mli.convert ins(%x : !fine) outs(%coarse : !coarse) -> !coarse
  %1 = mli.convert ins(%0 : !coarse) outs(%init : !fine) -> !fine
  return %1 : !fine
}

// What ReLU leaves fits, all codes would not.
// CHECK-LABEL: func.func @activated
// CHECK: mli.relu
// CHECK-NEXT: %[[RELU:.*]] = mli.relu
// CHECK-NEXT: return %[[RELU]]
// REMARK: remark: two conversions are one: all codes from 0 to 8 come out the same
// CHECK-LABEL: func.func @not_activated
// CHECK-COUNT-2: mli.convert
func.func @activated(%x: !coarse, %init: !coarse,
                     %small: tensor<4x8x!mli.fx8<6>>) -> !coarse {
  %0 = mli.relu ins(%x : !coarse) outs(%init : !coarse)
    {relu = #mli.relu<relu1>} -> !coarse
  %neg = mli.relu ins(%0 : !coarse) outs(%init : !coarse)
    {relu = #mli.relu<gen>} -> !coarse
  %1 = mli.convert ins(%neg : !coarse) outs(%small : tensor<4x8x!mli.fx8<6>>)
    -> tensor<4x8x!mli.fx8<6>>
  %2 = mli.convert ins(%1 : tensor<4x8x!mli.fx8<6>>) outs(%init : !coarse)
    -> !coarse
  return %2 : !coarse
}
func.func @not_activated(%x: !coarse, %init: !coarse,
                         %small: tensor<4x8x!mli.fx8<6>>) -> !coarse {
  %1 = mli.convert ins(%x : !coarse) outs(%small : tensor<4x8x!mli.fx8<6>>)
    -> tensor<4x8x!mli.fx8<6>>
  %2 = mli.convert ins(%1 : tensor<4x8x!mli.fx8<6>>) outs(%init : !coarse)
    -> !coarse
  return %2 : !coarse
}

// CHECK-LABEL: func.func @through_layouts
// CHECK-SAME: %[[X:[^:]*]]: tensor
// CHECK: %[[T:.*]] = mli.permute ins(%[[X]] : {{.*}} permutation [1, 0]
// CHECK-NEXT: %[[CUT:.*]] = mli.subtensor %[[T]][1, 0] [3, 4] : {{.*}} to tensor<3x4x!mli.fx8<3>>
// CHECK-NEXT: return %[[CUT]]
func.func @through_layouts(%x: !coarse, %fine: !fine,
                           %turned: tensor<8x4x!mli.fx16<9>>,
                           %back: tensor<8x4x!mli.fx8<3>>,
                           %again: tensor<8x4x!mli.fx16<9>>,
                           %init: tensor<3x4x!mli.fx8<3>>)
    -> tensor<3x4x!mli.fx8<3>> {
  %0 = mli.convert ins(%x : !coarse) outs(%fine : !fine) -> !fine
  %1 = mli.permute ins(%0 : !fine) outs(%turned : tensor<8x4x!mli.fx16<9>>)
    permutation [1, 0] -> tensor<8x4x!mli.fx16<9>>
  %2 = mli.convert ins(%1 : tensor<8x4x!mli.fx16<9>>)
    outs(%back : tensor<8x4x!mli.fx8<3>>) -> tensor<8x4x!mli.fx8<3>>
  %3 = mli.convert ins(%2 : tensor<8x4x!mli.fx8<3>>)
    outs(%again : tensor<8x4x!mli.fx16<9>>) -> tensor<8x4x!mli.fx16<9>>
  %4 = mli.subtensor %3[1, 0] [3, 4] : tensor<8x4x!mli.fx16<9>>
    to tensor<3x4x!mli.fx16<9>>
  %5 = mli.convert ins(%4 : tensor<3x4x!mli.fx16<9>>)
    outs(%init : tensor<3x4x!mli.fx8<3>>) -> tensor<3x4x!mli.fx8<3>>
  return %5 : tensor<3x4x!mli.fx8<3>>
}

// Moves, and one mover behind the other.
// CHECK-LABEL: func.func @through_moves
// CHECK-SAME: %[[X:[^:]*]]: tensor
// CHECK-NOT: mli.convert
// CHECK: %[[T:.*]] = mli.permute ins(%[[X]] : {{.*}} permutation [1, 0]
// CHECK-NEXT: %[[FLAT:.*]] = mli.reshape %[[T]] : {{.*}} to tensor<32x!mli.fx8<3>>
// CHECK-NEXT: %[[ODD:.*]] = mli.mov ins(%[[FLAT]] : {{.*}}) outs(%{{.*}}) {steps = array<i64: 2>}
// CHECK-NEXT: return %[[ODD]]
func.func @through_moves(%x: !coarse, %fine: !fine,
                         %turned: tensor<8x4x!mli.fx16<9>>,
                         %odd: tensor<16x!mli.fx16<9>>,
                         %init: tensor<16x!mli.fx8<3>>)
    -> tensor<16x!mli.fx8<3>> {
  %0 = mli.convert ins(%x : !coarse) outs(%fine : !fine) -> !fine
  %1 = mli.permute ins(%0 : !fine) outs(%turned : tensor<8x4x!mli.fx16<9>>)
    permutation [1, 0] -> tensor<8x4x!mli.fx16<9>>
  %2 = mli.reshape %1 : tensor<8x4x!mli.fx16<9>> to tensor<32x!mli.fx16<9>>
  %3 = mli.mov ins(%2 : tensor<32x!mli.fx16<9>>)
    outs(%odd : tensor<16x!mli.fx16<9>>) {steps = array<i64: 2>}
    -> tensor<16x!mli.fx16<9>>
  %4 = mli.convert ins(%3 : tensor<16x!mli.fx16<9>>)
    outs(%init : tensor<16x!mli.fx8<3>>) -> tensor<16x!mli.fx8<3>>
  return %4 : tensor<16x!mli.fx8<3>>
}

// Not where padding comes in between: its code 0 is another number then.
// CHECK-LABEL: func.func @not_through_padding
// CHECK-COUNT-2: mli.convert
func.func @not_through_padding(%x: !sa, %fine: !fine,
                               %moved: tensor<5x8x!mli.fx16<9>>,
                               %init: tensor<5x8x!mli.sa8<5:6:-3>>)
    -> tensor<5x8x!mli.sa8<5:6:-3>> {
  %0 = mli.convert ins(%x : !sa) outs(%fine : !fine) -> !fine
  %1 = mli.mov ins(%0 : !fine) outs(%moved : tensor<5x8x!mli.fx16<9>>)
    {pad_low = array<i64: 1, 0>} -> tensor<5x8x!mli.fx16<9>>
  %2 = mli.convert ins(%1 : tensor<5x8x!mli.fx16<9>>)
    outs(%init : tensor<5x8x!mli.sa8<5:6:-3>>) -> tensor<5x8x!mli.sa8<5:6:-3>>
  return %2 : tensor<5x8x!mli.sa8<5:6:-3>>
}

// Nor where another one needs what is in between.
// CHECK-LABEL: func.func @not_with_another_user
// CHECK-COUNT-2: mli.convert
func.func @not_with_another_user(%x: !coarse, %fine: !fine,
                                 %init: tensor<32x!mli.fx8<3>>)
    -> (tensor<32x!mli.fx8<3>>, tensor<32x!mli.fx16<9>>) {
  %0 = mli.convert ins(%x : !coarse) outs(%fine : !fine) -> !fine
  %1 = mli.reshape %0 : !fine to tensor<32x!mli.fx16<9>>
  %2 = mli.convert ins(%1 : tensor<32x!mli.fx16<9>>)
    outs(%init : tensor<32x!mli.fx8<3>>) -> tensor<32x!mli.fx8<3>>
  return %2, %1 : tensor<32x!mli.fx8<3>>, tensor<32x!mli.fx16<9>>
}

// There is no permutation of 32 bits.
// CHECK-LABEL: func.func @not_to_other_elements
// CHECK: mli.convert
// CHECK: mli.permute {{.*}}fx8
// CHECK: mli.convert
func.func @not_to_other_elements(%x: tensor<4x8x!mli.sa8<1:3:0>>, %coarse: !coarse,
                                 %turned: tensor<8x4x!mli.fx8<3>>,
                                 %init: tensor<8x4x!mli.sa32<1:3:0>>)
    -> tensor<8x4x!mli.sa32<1:3:0>> {
  %0 = mli.convert ins(%x : tensor<4x8x!mli.sa8<1:3:0>>) outs(%coarse : !coarse)
    -> !coarse
  %1 = mli.permute ins(%0 : !coarse) outs(%turned : tensor<8x4x!mli.fx8<3>>)
    permutation [1, 0] -> tensor<8x4x!mli.fx8<3>>
  %2 = mli.convert ins(%1 : tensor<8x4x!mli.fx8<3>>)
    outs(%init : tensor<8x4x!mli.sa32<1:3:0>>) -> tensor<8x4x!mli.sa32<1:3:0>>
  return %2 : tensor<8x4x!mli.sa32<1:3:0>>
}

!rows = tensor<2x3x!mli.sa8<axis = 0, {5:3:1, 3:4:0}>>
!columns = tensor<2x3x!mli.sa8<axis = 1, {5:3:0, 7:3:0, 1:1:2}>>

// CHECK-LABEL: func.func @another_axis
// CHECK-SAME: %[[X:[^:]*]]: tensor{{.*}}, %[[INIT:[^:]*]]: tensor
// CHECK-NEXT: %[[EMPTY:.*]] = tensor.empty() : tensor<2x3x!mli.sa32<1:4:0>>
// CHECK-NEXT: %[[ALL:.*]] = mli.convert ins(%[[X]] : {{.*}}) outs(%[[EMPTY]] : {{.*}})
// CHECK-NEXT: mli.convert ins(%[[ALL]] : {{.*}}) outs(%[[INIT]] : {{.*}})
func.func @another_axis(%x: !rows, %init: !columns) -> !columns {
  %0 = mli.convert ins(%x : !rows) outs(%init : !columns) -> !columns
  return %0 : !columns
}

// One axis, or none on one side, the runtime has.
// CHECK-LABEL: func.func @same_axis
// CHECK-NEXT: mli.convert
// CHECK-NEXT: mli.convert
// CHECK-NEXT: return
func.func @same_axis(%x: !rows, %init: tensor<2x3x!mli.sa8<axis = 0, {1:3:0, 1:2:0}>>,
                     %all: tensor<2x3x!mli.fx8<1>>) -> tensor<2x3x!mli.fx8<1>> {
  %0 = mli.convert ins(%x : !rows)
    outs(%init : tensor<2x3x!mli.sa8<axis = 0, {1:3:0, 1:2:0}>>)
    -> tensor<2x3x!mli.sa8<axis = 0, {1:3:0, 1:2:0}>>
  %1 = mli.convert ins(%0 : tensor<2x3x!mli.sa8<axis = 0, {1:3:0, 1:2:0}>>)
    outs(%all : tensor<2x3x!mli.fx8<1>>) -> tensor<2x3x!mli.fx8<1>>
  return %1 : tensor<2x3x!mli.fx8<1>>
}
