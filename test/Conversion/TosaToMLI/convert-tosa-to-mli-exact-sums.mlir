// RUN: mli-opt --convert-tosa-to-mli=sums=exact %s | FileCheck %s
// RUN: mli-opt --convert-tosa-to-mli %s | FileCheck %s --check-prefix=NEAR --implicit-check-not=mli.convert
// NEAR: mli.eltwise_add

// Operands in 16 bits: of scales 1/2 and 1, up to 130 and 133 away from their
// zero points, the sum is below 2^8.

// CHECK-LABEL: func.func @add(
// CHECK-SAME:      %[[LEFT:.*]]: tensor<4x!mli.sa8<1:1:-3>>, %[[RIGHT:.*]]: tensor<4x!mli.sa8<1:0:5>>)
// CHECK:         %[[WIDE_LEFT:.*]] = mli.convert ins(%[[LEFT]] : {{.*}}) outs(%{{.*}} : tensor<4x!mli.fx16<7>>)
// CHECK:         %[[WIDE_RIGHT:.*]] = mli.convert ins(%[[RIGHT]] : {{.*}}) outs(%{{.*}} : tensor<4x!mli.fx16<7>>)
// CHECK:         %[[SUM:.*]] = mli.eltwise_add ins(%[[WIDE_LEFT]], %[[WIDE_RIGHT]] :
// CHECK:         mli.convert ins(%[[SUM]] : {{.*}}) outs(%{{.*}} : tensor<4x!mli.sa8<1:0:7>>)
func.func @add(%lhs: tensor<4xi8>, %rhs: tensor<4xi8>) -> tensor<4xi8> {
  %one = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %s30 = "tosa.const"() <{values = dense<30> : tensor<1xi8>}> : () -> tensor<1xi8>
  %s31 = "tosa.const"() <{values = dense<31> : tensor<1xi8>}> : () -> tensor<1xi8>
  %lhs_zp = "tosa.const"() <{values = dense<-3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %rhs_zp = "tosa.const"() <{values = dense<5> : tensor<1xi8>}> : () -> tensor<1xi8>
  %result_zp = "tosa.const"() <{values = dense<7> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zero = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %left = tosa.rescale %lhs, %one, %s31, %lhs_zp, %zero {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<4xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<4xi32>
  %right = tosa.rescale %rhs, %one, %s30, %rhs_zp, %zero {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<4xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<4xi32>
  %sum = tosa.add %left, %right : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  %result = tosa.rescale %sum, %one, %s30, %zero, %result_zp {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<4xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<4xi8>
  return %result : tensor<4xi8>
}
