// RUN: mli-reduce %s --split-input-file --mli-reduce-by-patterns='test=%S/Inputs/has test-arg=func enable-patterns=DropAttribute,NeutralList' | FileCheck %s --check-prefix=ATTRIBUTE
// RUN: mli-reduce %s --split-input-file --mli-reduce-by-patterns='test=%S/Inputs/has test-arg=func enable-patterns=QuantizePerTensor' | FileCheck %s --check-prefix=TENSOR
// RUN: mli-reduce %s --split-input-file --mli-reduce-by-patterns='test=%S/Inputs/has test-arg=func enable-patterns=SplatConstant' | FileCheck %s --check-prefix=SPLAT

!map = tensor<8x8x2x!mli.sa8<1:4:0>>
!weights = tensor<3x3x2x2x!mli.sa8<axis = 3, {3:4:0, 5:4:0}>>
!bias = tensor<2x!mli.sa32<axis = 0, {3:8:0, 5:8:0}>>
!out = tensor<4x4x2x!mli.sa8<1:4:0>>
// Steps go, as the result has the rows for them, and so do padding and relu, names of
// functions do not.
// ATTRIBUTE: module {
// ATTRIBUTE-LABEL: func.func @conv(
// ATTRIBUTE-NOT: mli.unsigned
// ATTRIBUTE: mli.conv2d {{.*}} pad [0, 0, 0, 0] -> tensor
// Constants have one type for all indices then, and arguments are others.
// TENSOR-LABEL: func.func @conv(%{{.*}}: tensor<8x8x2x!mli.sa8<1:4:0>> {mli.unsigned}, %{{.*}}: tensor<3x3x2x2x!mli.sa8<3:4:0>>)
// TENSOR: mli.constant dense<[7, 8]> : tensor<2xi32> to tensor<2x!mli.sa32<3:8:0>>
// SPLAT-LABEL: func.func @conv(
// SPLAT: mli.constant dense<7> : tensor<2xi32>
module attributes {other.name = 5 : i32} {
func.func @conv(%map: !map {mli.unsigned}, %weights: !weights) -> !out {
  %bias = mli.constant dense<[7, 8]> : tensor<2xi32> to !bias
  %0 = tensor.empty() : !out
  %1 = mli.conv2d ins(%map, %weights, %bias : !map, !weights, !bias)
         outs(%0 : !out) pad [0, 1, 0, 1]
         {strides = array<i64: 2, 2>, relu = #mli.relu<relu6>} -> !out
  return %1 : !out
}
}

// -----

// What needs its numbers keeps them, and floats become splats, bits do not.
// ATTRIBUTE-LABEL: func.func @needed
// ATTRIBUTE: mli.permute {{.*}} permutation [1, 0]
// ATTRIBUTE: mli.relu {{.*}} {relu = #mli.relu<gen>}
// TENSOR-LABEL: func.func @needed
// TENSOR: mli.relu
// SPLAT-LABEL: func.func @needed
// SPLAT: arith.constant dense<1.000000e+00> : tensor<2xf32>
// SPLAT: arith.constant dense<[true, false]> : tensor<2xi1>
// SPLAT: arith.constant 5 : index
!map = tensor<4x2x!mli.sa8<1:4:0>>
!turned = tensor<2x4x!mli.sa8<1:4:0>>
func.func @needed(%map: !map) -> (!turned, tensor<2xf32>, tensor<2xi1>, index) {
  %0 = tensor.empty() : !turned
  %1 = mli.permute ins(%map : !map) outs(%0 : !turned) permutation [1, 0] -> !turned
  %2 = mli.relu ins(%1 : !turned) outs(%0 : !turned) {relu = #mli.relu<gen>} -> !turned
  %3 = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %4 = arith.constant dense<[true, false]> : tensor<2xi1>
  %5 = arith.constant 5 : index
  return %2, %3, %4, %5 : !turned, tensor<2xf32>, tensor<2xi1>, index
}

// -----

// A result that is quantised along an axis and read by others keeps its type, as long
// as these need it.
// TENSOR-LABEL: func.func @read
// TENSOR: mli.mov {{.*}} -> tensor<2x!sa32_axis0>
!bias = tensor<2x!mli.sa32<axis = 0, {3:8:0, 5:8:0}>>
func.func @read(%bias: !bias, %condition: i1) -> !bias {
  %0 = tensor.empty() : !bias
  %1 = mli.mov ins(%bias : !bias) outs(%0 : !bias) -> !bias
  %4 = scf.if %condition -> !bias {
    scf.yield %1 : !bias
  } else {
    scf.yield %bias : !bias
  }
  return %4 : !bias
}
