// Layers one by one on recorded values, the whole network with its memory.

// RUN: rm -rf %t && mkdir -p %t/rec %t/wrong %t/empty
// RUN: %python %S/Inputs/make-npy.py %t/in.npy i1 1x2x2x1 1..4
// RUN: %python %S/Inputs/make-npy.py %t/rec/op00_conv_2d_t5.npy i1 1x2x2x2 -5 2 -2 0 1 -2 4 -4
// RUN: %python %S/Inputs/make-npy.py %t/rec/op01_add_t6.npy i1 1x2x2x2 -30 -26 -30 -30 -28 -30 -22 -30
// RUN: %python %S/Inputs/make-npy.py %t/rec/op02_max_pool_2d_t7.npy i1 1x1x1x2 -22 -26
// RUN: %python %S/Inputs/make-npy.py %t/rec/op03_reshape_t8.npy i1 1x2 -22 -26
// RUN: %python %S/Inputs/make-npy.py %t/rec/op04_fully_connected_t9.npy i1 1x2 4 4
// RUN: %python %S/Inputs/make-npy.py %t/rec/op10_softmax_t10.npy i1 1x2 0
// RUN: %python %S/Inputs/make-npy.py %t/rec/op11_dequantize_t11.npy f4 1x2 0.5
// RUN: mli-run %s --input %t/in.npy --layers %t/rec \
// RUN:   | FileCheck %s --match-full-lines --strict-whitespace

//      CHECK:op  kernel               record                       elements  differing  max |d|     share  verdict
// CHECK-NEXT:00  mli.conv2d           op00_conv_2d_t5.npy                 8          0        0    0.000%  within
// CHECK-NEXT:01  mli.eltwise_add      op01_add_t6.npy                     8          0        0    0.000%  within
// CHECK-NEXT:02  mli.maxpool          op02_max_pool_2d_t7.npy             2          0        0    0.000%  within
// CHECK-NEXT:04  mli.fully_connected  op04_fully_connected_t9.npy         2          0        0    0.000%  within
// CHECK-NEXT:10  mli.softmax          op10_softmax_t10.npy                2          0        0    0.000%  within
// CHECK-NEXT:5 layers within the rules, 0 outside, 1 record not used, from 'op11_dequantize_t11.npy' on

// Each layer gets the recorded values and is compared with the recorded value:
// the pool of a wrong sum is that of the wrong sum. One element of a fully
// connected layer may be off by one, one of eight of a convolution may not.
// RUN: cp %t/rec/* %t/wrong
// RUN: %python %S/Inputs/make-npy.py %t/wrong/op00_conv_2d_t5.npy i1 1x2x2x2 -5 2 -2 0 1 -2 4 -5
// RUN: %python %S/Inputs/make-npy.py %t/wrong/op01_add_t6.npy i1 1x2x2x2 -30 -26 -30 -30 -28 -30 -20 -30
// RUN: %python %S/Inputs/make-npy.py %t/wrong/op02_max_pool_2d_t7.npy i1 1x1x1x2 -20 -26
// RUN: %python %S/Inputs/make-npy.py %t/wrong/op04_fully_connected_t9.npy i1 1x2 6 5
// RUN: not mli-run %s --input %t/in.npy --layers %t/wrong \
// RUN:   | FileCheck %s --check-prefix=WRONG
// WRONG:      00 {{.*}} 8          1        1   12.500%  outside
// WRONG-NEXT: 01 {{.*}} 8          1        2   12.500%  outside
// WRONG-NEXT: 02 {{.*}} 2          0        0    0.000%  within
// WRONG-NEXT: 04 {{.*}} 2          1        1   50.000%  within
// WRONG-NEXT: 10 {{.*}} 2          2        {{[0-9]+}}  100.000%  outside
// WRONG-NEXT: 2 layers within the rules, 3 outside

// A network that ends before the records do.
// RUN: mkdir %t/longer
// RUN: cp %t/rec/* %t/longer
// RUN: %python %S/Inputs/make-npy.py %t/longer/op12_reshape_t12.npy f4 2 0.5
// RUN: %python %S/Inputs/make-npy.py %t/longer/op13_svdf_t13.npy f4 2 0.5
// RUN: mli-run %s --input %t/in.npy --layers %t/longer \
// RUN:   | FileCheck %s --check-prefix=LONGER
// LONGER: {{^}}5 layers within the rules, 0 outside, 2 records not used, from 'op11_dequantize_t11.npy' on{{$}}

// Records that do not fit.
// RUN: mv %t/wrong/op02_max_pool_2d_t7.npy %t/wrong/op02_average_pool_2d_t7.npy
// RUN: not mli-run %s --input %t/in.npy --layers %t/wrong 2>&1 \
// RUN:   | FileCheck %s --check-prefix=FAMILY
// FAMILY: error: expected a record of 'mli.maxpool' at loc("{{.*}}layers.mlir":{{.*}}), but got 'op02_average_pool_2d_t7.npy'
// RUN: mkdir %t/named
// RUN: %python %S/Inputs/make-npy.py %t/named/op00_max_pool_2d_t0.npy i1 64 1..64
// RUN: not mli-run %S/Inputs/named.mlir --input %t/named/op00_max_pool_2d_t0.npy \
// RUN:   --layers %t/named 2>&1 | FileCheck %s --check-prefix=NAMED
// NAMED: error: expected a record of softmax "scores" (operator 3), but got 'op00_max_pool_2d_t0.npy'
// RUN: mv %t/wrong/op02_average_pool_2d_t7.npy %t/wrong/op02_svdf_t7.npy
// RUN: not mli-run %s --input %t/in.npy --layers %t/wrong 2>&1 \
// RUN:   | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: error: expected the operator of 'op02_svdf_t7.npy' to be known, but got 'svdf'
// RUN: %python %S/Inputs/make-npy.py %t/wrong/op02_max_pool_2d_t7.npy i1 1x2x2 1
// RUN: not mli-run %s --input %t/in.npy --layers %t/wrong 2>&1 \
// RUN:   | FileCheck %s --check-prefix=TWICE
// TWICE: error: expected one record of operator 2, but got 'op02_max_pool_2d_t7.npy' and 'op02_svdf_t7.npy'
// RUN: rm %t/wrong/op02_svdf_t7.npy
// RUN: not mli-run %s --input %t/in.npy --layers %t/wrong 2>&1 \
// RUN:   | FileCheck %s --check-prefix=SIZE
// SIZE: error: expected 'op02_max_pool_2d_t7.npy' to have 2 elements for 'mli.maxpool' at {{.*}}, but got 4
// RUN: %python %S/Inputs/make-npy.py %t/wrong/op02_max_pool_2d_t7.npy i2 1x2 1
// RUN: not mli-run %s --input %t/in.npy --layers %t/wrong 2>&1 \
// RUN:   | FileCheck %s --check-prefix=TYPE
// TYPE: error: expected 'op02_max_pool_2d_t7.npy' to have elements of type int8 for 'mli.maxpool' at {{.*}}, but got int16
// RUN: not mli-run %s --input %t/in.npy --layers %t/empty 2>&1 \
// RUN:   | FileCheck %s --check-prefix=EMPTY
// EMPTY: error: expected '{{.*}}empty' to hold records called 'opNN_<op>_t<tensor>.npy', but got none{{$}}
// RUN: not mli-run %s --input %t/in.npy --layers %t/none 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NONE
// NONE: error: expected '{{.*}}none' to be readable, but got: No such file or directory
// RUN: not mli-run %s --input %t/in.npy --layers %t 2>&1 \
// RUN:   | FileCheck %s --check-prefix=FILE
// FILE: error: expected a record to be called 'opNN_<op>_t<tensor>.npy', but got '{{.*}}in.npy'

// Conv, sum and ReLU have 8 bytes and live two at a time.
// RUN: mli-run %s --input %t/in.npy --packed-weights=none --stats \
// RUN:   | FileCheck %s --check-prefix=STATS
// STATS:      output 0: tensor<1x2x!mli.sa8<1:8:-128>>
// STATS-NEXT:   codes: 0 0
// STATS-NEXT:   values: 0.5 0.5
// STATS-NEXT: kernels: 6, moves: 0
// STATS-NEXT: weights: 22 bytes
// STATS-NEXT: inputs and results: 6 bytes
// STATS-NEXT: activation buffers: {{[0-9]+}} bytes, live at once: 16 bytes
// STATS-NEXT: compile: {{[0-9.]+}} ms on this host
// STATS-NEXT: run: {{[0-9.]+}} ms on this host (median of 1)

// 3 x - 8 and -2 x + 4; doubled, in codes 30 below, and not below 0; the
// greatest, 8 and 4; 4 each; 1/2 each.
!input = tensor<1x2x2x1x!mli.sa8<1:0:0>>
!picture = tensor<2x2x1x!mli.sa8<1:0:0>>
!map = tensor<2x2x2x!mli.sa8<1:0:0>>
!sum = tensor<2x2x2x!mli.sa8<1:0:-30>>
!max = tensor<1x1x2x!mli.sa8<1:0:-30>>
!conv_weights = tensor<1x1x1x2x!mli.sa8<1:0:0>>
!weights = tensor<2x2x!mli.sa8<1:0:0>>
!bias = tensor<2x!mli.sa32<1:0:0>>
!logits = tensor<2x!mli.sa8<1:0:0>>
!out = tensor<2x!mli.sa8<1:8:-128>>
func.func @main(%input: !input) -> tensor<1x2x!mli.sa8<1:8:-128>> {
  %picture = mli.reshape %input : !input to !picture
  %conv_weights = mli.constant dense<[[[[3, -2]]]]> : tensor<1x1x1x2xi8> to !conv_weights
  %conv_bias = mli.constant dense<[-8, 4]> : tensor<2xi32> to !bias
  %conv_init = tensor.empty() : !map
  %conv = mli.conv2d ins(%picture, %conv_weights, %conv_bias : !picture, !conv_weights, !bias)
            outs(%conv_init : !map) pad [0, 0, 0, 0] -> !map
  %sum_init = tensor.empty() : !sum
  %sum = mli.eltwise_add ins(%conv, %conv : !map, !map) outs(%sum_init : !sum) -> !sum
  %relu_init = tensor.empty() : !sum
  %relu = mli.relu ins(%sum : !sum) outs(%relu_init : !sum) {relu = #mli.relu<gen>} -> !sum
  %max_init = tensor.empty() : !max
  %max = mli.maxpool ins(%relu : !sum) outs(%max_init : !max) kernel [2, 2] pad [0, 0, 0, 0] -> !max
  %weights = mli.constant dense<[[1, 0], [0, 1]]> : tensor<2x2xi8> to !weights
  %bias = mli.constant dense<[-4, 0]> : tensor<2xi32> to !bias
  %logits_init = tensor.empty() : !logits
  %logits = mli.fully_connected ins(%max, %weights, %bias : !max, !weights, !bias)
              outs(%logits_init : !logits) -> !logits
  %out_init = tensor.empty() : !out
  %out = mli.softmax ins(%logits : !logits) outs(%out_init : !out) -> !out
  %result = mli.reshape %out : !out to tensor<1x2x!mli.sa8<1:8:-128>>
  return %result : tensor<1x2x!mli.sa8<1:8:-128>>
}
