// Constants that are parts behind each other are one constant.
// RUN: mli-opt %s --mli-legalize-subtensors | FileCheck %s

!pair = tensor<2x2x!mli.fx8<3>>

// F7
// CHECK-LABEL: func.func @all
// CHECK-NEXT: %[[ALL:.*]] = mli.constant dense<{{\[\[}}1, 2, 7, 7], [3, 4, 7, 7]]> : tensor<2x4xi8> to tensor<2x4x!mli.fx8<3>>
// CHECK-NEXT: return %[[ALL]]
func.func @all() -> tensor<2x4x!mli.fx8<3>> {
  %a = mli.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi8> to !pair
  %b = mli.constant dense<7> : tensor<2x2xi8> to !pair
  %0 = tensor.concat dim(1) %a, %b : (!pair, !pair) -> tensor<2x4x!mli.fx8<3>>
  return %0 : tensor<2x4x!mli.fx8<3>>
}

// CHECK-LABEL: func.func @along_the_first
// CHECK-NEXT: mli.constant dense<{{\[\[}}1, 2], [3, 4], [7, 7], [7, 7]]> : tensor<4x2xi16> to tensor<4x2x!mli.fx16<3>>
// CHECK-NEXT: return
func.func @along_the_first() -> tensor<4x2x!mli.fx16<3>> {
  %a = mli.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi16> to tensor<2x2x!mli.fx16<3>>
  %b = mli.constant dense<7> : tensor<2x2xi16> to tensor<2x2x!mli.fx16<3>>
  %0 = tensor.concat dim(0) %a, %b
    : (tensor<2x2x!mli.fx16<3>>, tensor<2x2x!mli.fx16<3>>) -> tensor<4x2x!mli.fx16<3>>
  return %0 : tensor<4x2x!mli.fx16<3>>
}

// CHECK-LABEL: func.func @floats
// CHECK-NEXT: arith.constant dense<[1.500000e+00, 2.000000e+00, 2.000000e+00]> : tensor<3xf32>
// CHECK-NEXT: return
func.func @floats() -> tensor<3xf32> {
  %a = arith.constant dense<1.5> : tensor<1xf32>
  %b = arith.constant dense<2.0> : tensor<2xf32>
  %0 = tensor.concat dim(0) %a, %b
    : (tensor<1xf32>, tensor<2xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// Numbers that are neither codes nor floats stay as they are.
// CHECK-LABEL: func.func @indices
// CHECK: tensor.concat dim(0) %{{.*}} : (tensor<2xindex>, tensor<2xindex>) -> tensor<4xindex>
func.func @indices() -> tensor<4xindex> {
  %a = arith.constant dense<[1, 2]> : tensor<2xindex>
  %b = arith.constant dense<3> : tensor<2xindex>
  %0 = tensor.concat dim(0) %a, %b
    : (tensor<2xindex>, tensor<2xindex>) -> tensor<4xindex>
  return %0 : tensor<4xindex>
}

// CHECK-LABEL: func.func @complex_numbers
// CHECK: tensor.concat dim(0) %{{.*}} : (tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>) -> tensor<4xcomplex<f32>>
func.func @complex_numbers() -> tensor<4xcomplex<f32>> {
  %a = arith.constant dense<(1.0, 2.0)> : tensor<2xcomplex<f32>>
  %0 = tensor.concat dim(0) %a, %a
    : (tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  return %0 : tensor<4xcomplex<f32>>
}

// Not next to each other, or with another part: those that nothing else needs.
// CHECK-LABEL: func.func @some
// CHECK-DAG: mli.constant dense<{{\[\[}}1, 1], [1, 1], [2, 2], [2, 2]]> : tensor<4x2xi8>
// CHECK-DAG: mli.constant dense<3> : tensor<2x2xi8>
// CHECK-COUNT-3: mli.mov
// CHECK-NOT: mli.mov
// CHECK: return
func.func @some(%map: !pair) -> tensor<8x2x!mli.fx8<3>> {
  %a = mli.constant dense<1> : tensor<2x2xi8> to !pair
  %b = mli.constant dense<2> : tensor<2x2xi8> to !pair
  %c = mli.constant dense<3> : tensor<2x2xi8> to !pair
  %0 = tensor.concat dim(0) %a, %b, %map, %c
    : (!pair, !pair, !pair, !pair) -> tensor<8x2x!mli.fx8<3>>
  return %0 : tensor<8x2x!mli.fx8<3>>
}

// The program would have these twice.
// CHECK-LABEL: func.func @needed_elsewhere
// CHECK-COUNT-3: mli.mov
func.func @needed_elsewhere(%map: !pair) -> (tensor<6x2x!mli.fx8<3>>, !pair) {
  %a = mli.constant dense<1> : tensor<2x2xi8> to !pair
  %b = mli.constant dense<2> : tensor<2x2xi8> to !pair
  %0 = tensor.concat dim(0) %a, %b, %map
    : (!pair, !pair, !pair) -> tensor<6x2x!mli.fx8<3>>
  return %0, %a : tensor<6x2x!mli.fx8<3>>, !pair
}

!large = tensor<1024x512x!mli.fx8<3>>

// CHECK-LABEL: func.func @largest
// CHECK-NOT: mli.mov
// CHECK: return
func.func @largest() -> tensor<2048x512x!mli.fx8<3>> {
  %a = mli.constant dense<1> : tensor<1024x512xi8> to !large
  %0 = tensor.concat dim(0) %a, %a
    : (!large, !large) -> tensor<2048x512x!mli.fx8<3>>
  return %0 : tensor<2048x512x!mli.fx8<3>>
}

// CHECK-LABEL: func.func @too_large
// CHECK-COUNT-2: mli.mov
func.func @too_large() -> tensor<1025x1024x!mli.fx8<3>> {
  %a = mli.constant dense<1> : tensor<1024x1024xi8> to tensor<1024x1024x!mli.fx8<3>>
  %b = mli.constant dense<1> : tensor<1x1024xi8> to tensor<1x1024x!mli.fx8<3>>
  %0 = tensor.concat dim(0) %a, %b
    : (tensor<1024x1024x!mli.fx8<3>>, tensor<1x1024x!mli.fx8<3>>)
    -> tensor<1025x1024x!mli.fx8<3>>
  return %0 : tensor<1025x1024x!mli.fx8<3>>
}

!axis = !mli.sa8<axis = 0, {5:3:0, 7:3:0}>

// CHECK-LABEL: func.func @beside_the_axis
// CHECK-NEXT: mli.constant dense<{{\[\[}}1, 2], [1, 2]]> : tensor<2x2xi8>
// CHECK-NEXT: return
func.func @beside_the_axis() -> tensor<2x2x!axis> {
  %a = mli.constant dense<1> : tensor<2x1xi8> to tensor<2x1x!axis>
  %b = mli.constant dense<2> : tensor<2x1xi8> to tensor<2x1x!axis>
  %0 = tensor.concat dim(1) %a, %b
    : (tensor<2x1x!axis>, tensor<2x1x!axis>) -> tensor<2x2x!axis>
  return %0 : tensor<2x2x!axis>
}
