// Operations that stay, in the two modes.
// RUN: mli-opt %s --convert-quant-to-mli --split-input-file --verify-diagnostics -o /dev/null
// RUN: not mli-opt %s --convert-quant-to-mli=full --split-input-file 2>&1 | FileCheck %s

// CHECK: error: 'quant.qcast' op cannot be raised to mli: expected a tensor of a type that mli has, but got tensor<4x!quant.uniform<u8:f32, 5.000000e-01>>
func.func @unsigned(%real: tensor<4xf32>) {
  // expected-remark @below {{'quant.qcast' op not raised: expected a tensor of a type that mli has, but got tensor<4x!quant.uniform<u8:f32, 5.000000e-01>>}}
  %0 = quant.qcast %real : tensor<4xf32> to tensor<4x!quant.uniform<u8:f32, 0.5>>
  return
}

// -----

// CHECK: error: 'quant.qcast' op cannot be raised to mli: expected a tensor of a type that mli has, but got tensor<4x!quant.uniform<i16:f32, 3.000000e-01>>
func.func @wide_with_scale(%real: tensor<4xf32>) {
  // expected-remark @below {{'quant.qcast' op not raised: expected a tensor of a type that mli has, but got tensor<4x!quant.uniform<i16:f32, 3.000000e-01>>}}
  %0 = quant.qcast %real : tensor<4xf32> to tensor<4x!quant.uniform<i16:f32, 0.3>>
  return
}

// -----

// CHECK: error: 'quant.qcast' op cannot be raised to mli: expected all values of the storage type, but got !quant.uniform<i8<-127:127>:f32, 5.000000e-01>
func.func @part_of_the_codes(%real: tensor<4xf32>) {
  // expected-remark @below {{'quant.qcast' op not raised: expected all values of the storage type, but got !quant.uniform<i8<-127:127>:f32, 5.000000e-01>}}
  %0 = quant.qcast %real : tensor<4xf32>
    to tensor<4x!quant.uniform<i8<-127:127>:f32, 0.5>>
  return
}

// -----

!type = tensor<1x1x1x4x!quant.uniform<i8:f32, 0.5>>
// CHECK: error: 'tosa.identity' op cannot be raised to mli: expected an operation of the quant, tensor, func or scf dialect, but got 'tosa.identity'
func.func @of_another_dialect(%a: tensor<1x1x1x4xi8>) {
  %0 = quant.scast %a : tensor<1x1x1x4xi8> to !type
  // expected-remark @below {{'tosa.identity' op not raised: expected an operation of the quant, tensor, func or scf dialect, but got 'tosa.identity'}}
  %1 = tosa.identity %0 : (!type) -> !type
  return
}

// -----

!five = tensor<1x1x1x1x4x!quant.uniform<i8:f32, 0.5>>
// CHECK: error: 'quant.qcast' op cannot be raised to mli: expected at most 4 dimensions, but got 5
// CHECK: error: 'quant.dcast' op cannot be raised to mli: expected at most 4 dimensions, but got 5
func.func @five_dimensions(%real: tensor<1x1x1x1x4xf32>) -> tensor<1x1x1x1x4xf32> {
  // expected-remark @below {{'quant.qcast' op not raised: expected at most 4 dimensions, but got 5}}
  %0 = quant.qcast %real : tensor<1x1x1x1x4xf32> to !five
  // expected-remark @below {{'quant.dcast' op not raised: expected at most 4 dimensions, but got 5}}
  %1 = quant.dcast %0 : !five to tensor<1x1x1x1x4xf32>
  return %1 : tensor<1x1x1x1x4xf32>
}

// -----

// A constant of a rank that mli does not have is cast.
!five = tensor<1x1x1x1x2x!quant.uniform<i8:f32, 0.5>>
func.func @constant_of_five_dimensions() -> !five {
  %codes = arith.constant dense<[[[[[1, 2]]]]]> : tensor<1x1x1x1x2xi8>
  %0 = quant.scast %codes : tensor<1x1x1x1x2xi8> to !five
  return %0 : !five
}
