// The network of this project: no rescale of it rounds twice.

// RUN: mli-opt --convert-tosa-to-mli=full %models/shapes/shapes.tosa.mlir 2>&1 | FileCheck %s

// CHECK-NOT:   remark
// CHECK:       func.func @main(%{{.*}}: tensor<1x32x32x1x!mli.sa8<1:0:0>>) -> tensor<1x10x!mli.sa8<1:8:-128>>
// CHECK:       mli.conv2d
// CHECK:       mli.depthwise_conv2d
// CHECK:       mli.conv2d
// CHECK:       mli.maxpool
// CHECK:       mli.conv2d
// CHECK:       mli.conv2d
// CHECK:       mli.eltwise_add
// CHECK:       mli.depthwise_conv2d
// CHECK:       mli.conv2d
// CHECK:       mli.avepool
// CHECK:       mli.fully_connected
// CHECK:       mli.softmax
// CHECK-NOT:   tosa
// CHECK:       return
