// A convolution in a network of three layers: one pattern after the other takes away
// what the script does not ask for.
// RUN: mli-reduce %s --mli-reduce-by-patterns='test=%S/Inputs/has test-arg=mli.conv2d.*strides' | FileCheck %s
// CHECK: module {
// CHECK-NEXT: func.func @network(%[[WEIGHTS:.*]]: tensor<1x1x1x1x{{.*}}>, %[[BIAS:.*]]: tensor<1x!{{.*}}>, %[[MAP:.*]]: tensor<1x1x1x!{{.*}}>) -> tensor<1x1x1x{{.*}}> {
// CHECK-NEXT: %[[INIT:.*]] = tensor.empty()
// CHECK-NEXT: %[[CONV:.*]] = mli.conv2d ins(%[[MAP]], %[[WEIGHTS]], %[[BIAS]] {{.*}} outs(%[[INIT]] {{.*}} pad [0, 0, 0, 0] {strides = array<i64: 2, 2>}
// CHECK-NEXT: return %[[CONV]]
// CHECK-NEXT: }
// CHECK-NEXT: }

// Each decision is told.
// RUN: mli-reduce %s --mli-reduce-by-patterns='test=%S/Inputs/has test-arg=mli.conv2d' --debug-only=mli-reduce-by-patterns 2>&1 | FileCheck %s --check-prefix=STEPS
// STEPS: ReturnLayer: {{[0-9]+}} operations, {{[0-9]+}} elements become {{[0-9]+}}, {{[0-9]+}}
// STEPS: CutToArguments:
// STEPS: ReturnPart:

// Patterns are chosen by name.
// RUN: mli-reduce %s --mli-reduce-by-patterns='test=%S/Inputs/has test-arg=mli.conv2d enable-patterns=SplatConstant,ReturnLayer disable-patterns=ReturnLayer' | FileCheck %s --check-prefix=SPLATS
// SPLATS: mli.constant dense<1> : tensor<4xi32>
// SPLATS: mli.conv2d
// SPLATS: mli.relu

// RUN: not mli-reduce %s --mli-reduce-by-patterns 2>&1 | FileCheck %s --check-prefix=SCRIPT
// SCRIPT: error: expected a script that can be run as the option 'test', found ''{{$}}
// RUN: not mli-reduce %s --mli-reduce-by-patterns=test=no-script 2>&1 | FileCheck %s --check-prefix=NO-SCRIPT
// NO-SCRIPT: error: expected a script that can be run as the option 'test', found 'no-script'{{$}}
// RUN: not mli-reduce %s --mli-reduce-by-patterns='test=%S/Inputs/has test-arg=mli.softmax' 2>&1 | FileCheck %s --check-prefix=BORING
// BORING: error: the program is not interesting to '{{.*}}has', which exits with 0{{$}}

!map = tensor<8x8x4x!mli.sa8<1:4:0>>
!half = tensor<4x4x4x!mli.sa8<1:4:0>>
!weights = tensor<3x3x4x4x!mli.sa8<1:4:0>>
!bias = tensor<4x!mli.sa32<1:8:0>>
func.func @network(%map: !map, %weights: !weights) -> !half {
  %bias = mli.constant dense<[1, 2, 3, 4]> : tensor<4xi32> to !bias
  %0 = tensor.empty() : !map
  %1 = mli.relu ins(%map : !map) outs(%0 : !map) {relu = #mli.relu<relu6>} -> !map
  %2 = tensor.empty() : !half
  %3 = mli.conv2d ins(%1, %weights, %bias : !map, !weights, !bias)
         outs(%2 : !half) pad [0, 1, 0, 1] {strides = array<i64: 2, 2>} -> !half
  %4 = tensor.empty() : !half
  %5 = mli.relu ins(%3 : !half) outs(%4 : !half) {relu = #mli.relu<relu6>} -> !half
  return %5 : !half
}
