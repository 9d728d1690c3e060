// Whole networks raise without anything left.

// REQUIRES: shared
// RUN: mli-opt --convert-tosa-to-mli=full %shared/models/tosa/person_detect.tosa.mlir 2>&1 | FileCheck --check-prefixes=PERSON,PERSON-SOFTMAX %s
// RUN: mli-opt --convert-tosa-to-mli=full %shared/models/tosa/person_detect.logits.tosa.mlir 2>&1 | FileCheck --check-prefix=PERSON %s
// RUN: mli-opt --convert-tosa-to-mli=full %shared/models/tosa/resnet8_cifar10.tosa.mlir 2>&1 | FileCheck --check-prefixes=RESNET,RESNET-SOFTMAX %s
// RUN: mli-opt --convert-tosa-to-mli=full %shared/models/tosa/resnet8_cifar10.logits.tosa.mlir 2>&1 | FileCheck --check-prefix=RESNET %s
// RUN: mli-opt --mli-system-pipeline %shared/models/tosa/resnet8_cifar10.tosa.mlir -o /dev/null

// PERSON:       remark: DOUBLE_ROUND is computed as a single rounding in 28 rescales
// PERSON:       func.func @main(%{{.*}}: tensor<1x96x96x1x!mli.sa8<1:0:-1>>)
// PERSON:       mli.conv2d {{.*}} pad [0, 1, 0, 1] {strides = array<i64: 2, 2>} -> tensor<48x48x8x
// PERSON-COUNT-13: mli.depthwise_conv2d
// The average of a whole map takes it as columns.
// PERSON:       mli.reshape {{.*}} to tensor<9x256x1x
// PERSON:       mli.depthwise_conv2d {{.*}} -> tensor<1x256x1x
// PERSON:       mli.conv2d
// PERSON-SOFTMAX: mli.softmax
// PERSON-NOT:   tosa
// PERSON:       return

// RESNET:       remark: DOUBLE_ROUND is computed as a single rounding in 16 rescales
// RESNET:       func.func @main(%{{.*}}: tensor<1x32x32x3x!mli.sa8<1:0:-128>>)
// RESNET-COUNT-3: mli.conv2d
// RESNET-NEXT:  tensor.empty
// RESNET-NEXT:  mli.eltwise_add
// RESNET:       tensor.extract_slice
// RESNET:       mli.eltwise_add
// RESNET:       mli.eltwise_add
// RESNET:       mli.avepool
// RESNET:       mli.fully_connected
// RESNET-SOFTMAX: mli.softmax
// RESNET-NOT:   tosa
// RESNET:       return
