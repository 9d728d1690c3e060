// RUN: mli-opt %s --convert-quant-to-mli=full | FileCheck %s

!sa8 = !quant.uniform<i8:f32, 0.625:-3>
!other = !quant.uniform<i8:f32, 0.1:0>
!fx16 = !quant.uniform<i16:f32, 0.001953125>
!sa32 = !quant.uniform<i32:f32, 0.5>
!axis = !quant.uniform<i8:f32:1, {0.5, 0.25:7}>

// CHECK: !sa8_axis1 = !mli.sa8<axis = 1, {1:1:0, 1:2:7}>
// 0.625 = 20480 / 2^15.
// CHECK-LABEL: func.func @types
// CHECK-SAME: tensor<4x!mli.sa8<20480:15:-3>>
// CHECK-SAME: tensor<4x!mli.sa8<26214:18:0>>
// CHECK-SAME: tensor<4x!mli.fx16<9>>
// CHECK-SAME: tensor<4x!mli.sa32<1:1:0>>
// CHECK-SAME: tensor<2x2x!sa8_axis1>
func.func @types(%a: tensor<4x!sa8>, %b: tensor<4x!other>, %c: tensor<4x!fx16>,
                 %d: tensor<4x!sa32>, %e: tensor<2x2x!axis>) -> tensor<4x!sa8> {
  return %a : tensor<4x!sa8>
}

// CHECK-LABEL: func.func @casts
// CHECK-SAME: %[[REAL:.*]]: tensor<4xf32>
// CHECK: %[[CODES:.*]] = mli.convert ins(%[[REAL]] : tensor<4xf32>) outs(%{{.*}} : tensor<4x!mli.sa8<20480:15:-3>>)
// CHECK: %[[BACK:.*]] = mli.convert ins(%[[CODES]] : {{.*}}) outs(%{{.*}} : tensor<4xf32>)
// CHECK: return %[[BACK]]
func.func @casts(%real: tensor<4xf32>) -> tensor<4xf32> {
  %0 = quant.qcast %real : tensor<4xf32> to tensor<4x!sa8>
  %1 = quant.dcast %0 : tensor<4x!sa8> to tensor<4xf32>
  return %1 : tensor<4xf32>
}

// CHECK-LABEL: func.func @storage
// CHECK-SAME: %[[CODES:.*]]: tensor<4xi8>
// CHECK-DAG: mli.constant dense<[1, -2, 3, 4]> : tensor<4xi8> to tensor<4x!mli.sa8<20480:15:-3>>
// CHECK-DAG: builtin.unrealized_conversion_cast %[[CODES]] : tensor<4xi8> to tensor<4x!mli.sa8<20480:15:-3>>
func.func @storage(%codes: tensor<4xi8>) -> (tensor<4x!sa8>, tensor<4x!sa8>) {
  %known = arith.constant dense<[1, -2, 3, 4]> : tensor<4xi8>
  %0 = quant.scast %known : tensor<4xi8> to tensor<4x!sa8>
  %1 = quant.scast %codes : tensor<4xi8> to tensor<4x!sa8>
  return %0, %1 : tensor<4x!sa8>, tensor<4x!sa8>
}

// CHECK-LABEL: func.func @operations
// CHECK: scf.for {{.*}} -> (tensor<4x!mli.sa8<20480:15:-3>>)
// CHECK: tensor.extract_slice {{.*}} : tensor<4x!mli.sa8<20480:15:-3>> to tensor<2x!mli.sa8<20480:15:-3>>
// CHECK: tensor.insert_slice
// CHECK: call @types({{.*}}) : (tensor<4x!mli.sa8<20480:15:-3>>, {{.*}}) -> tensor<4x!mli.sa8<20480:15:-3>>
func.func @operations(%a: tensor<4x!sa8>, %b: tensor<4x!other>,
                      %c: tensor<4x!fx16>, %d: tensor<4x!sa32>,
                      %e: tensor<2x2x!axis>) -> tensor<4x!sa8> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %i = %c0 to %c1 step %c1 iter_args(%all = %a) -> tensor<4x!sa8> {
    %1 = tensor.extract_slice %all[0] [2] [1] : tensor<4x!sa8> to tensor<2x!sa8>
    %2 = tensor.insert_slice %1 into %all[2] [2] [1]
      : tensor<2x!sa8> into tensor<4x!sa8>
    scf.yield %2 : tensor<4x!sa8>
  }
  %3 = call @types(%0, %b, %c, %d, %e)
    : (tensor<4x!sa8>, tensor<4x!other>, tensor<4x!fx16>, tensor<4x!sa32>,
       tensor<2x2x!axis>) -> tensor<4x!sa8>
  return %3 : tensor<4x!sa8>
}
