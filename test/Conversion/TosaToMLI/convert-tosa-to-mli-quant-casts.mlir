// RUN: mli-opt --convert-tosa-to-mli --convert-quant-to-mli=full --reconcile-unrealized-casts %s | FileCheck %s

// A network between casts of the quant dialect: both passes hold the tensors
// between them in one format.

// CHECK-LABEL: func.func @pool(
// CHECK-SAME:      %[[REAL:.*]]: tensor<1x2x2x2xf32>) -> tensor<1x1x1x2xf32>
// CHECK:         %[[CODES:.*]] = mli.convert ins(%[[REAL]] : {{.*}}) outs(%{{.*}} : tensor<1x2x2x2x!mli.sa8<1:1:3>>)
// CHECK-NOT:     unrealized
// CHECK:         %[[MAP:.*]] = mli.reshape %[[CODES]]
// CHECK:         mli.maxpool ins(%[[MAP]] :
// CHECK-NOT:     unrealized
// CHECK:         mli.convert ins(%{{.*}} : tensor<1x1x1x2x!mli.sa8<26214:18:-4>>) outs(%{{.*}} : tensor<1x1x1x2xf32>)
!codes = !quant.uniform<i8:f32, 0.5:3>
!result = !quant.uniform<i8:f32, 0.1:-4>
func.func @pool(%real: tensor<1x2x2x2xf32>) -> tensor<1x1x1x2xf32> {
  %multiplier = "tosa.const"() <{values = dense<1342177280> : tensor<1xi32>}> : () -> tensor<1xi32>
  %shift = "tosa.const"() <{values = dense<28> : tensor<1xi8>}> : () -> tensor<1xi8>
  %codes_zp = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %result_zp = "tosa.const"() <{values = dense<-4> : tensor<1xi8>}> : () -> tensor<1xi8>
  %codes = quant.qcast %real : tensor<1x2x2x2xf32> to tensor<1x2x2x2x!codes>
  %greatest = tosa.max_pool2d %codes {kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x2x2x2x!codes>) -> tensor<1x1x1x2x!codes>
  %scaled = tosa.rescale %greatest, %multiplier, %shift, %codes_zp, %result_zp {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x1x1x2x!codes>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x1x1x2x!result>
  %back = quant.dcast %scaled : tensor<1x1x1x2x!result> to tensor<1x1x1x2xf32>
  return %back : tensor<1x1x1x2xf32>
}
