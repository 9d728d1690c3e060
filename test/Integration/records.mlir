// The results of layers in files, and where two runs part.

// RUN: rm -rf %t && mkdir -p %t
// RUN: %python %S/Inputs/make-npy.py %t/in.npy i1 1x2x2x1 1..4
// RUN: mli-run %s --input %t/in.npy --record %t/rec | FileCheck %s --check-prefix=RECORDED
// RECORDED: {{^}}recorded 6 of 6 layers in '{{.*}}rec'{{$}}
// RECORDED-NOT: {{.}}
// RUN: ls %t/rec | count 7

// The numbers of the comments below.
// RUN: %python %S/Inputs/make-npy.py %t/conv.npy i1 2x2x2 -5 2 -2 0 1 -2 4 -4
// RUN: cmp %t/conv.npy %t/rec/op00_conv2d_t0.npy
// RUN: %python %S/Inputs/make-npy.py %t/sum.npy i1 2x2x2 -40 -26 -34 -30 -28 -34 -22 -38
// RUN: cmp %t/sum.npy %t/rec/op01_eltwise_add_t1.npy
// RUN: %python %S/Inputs/make-npy.py %t/relu.npy i1 2x2x2 -30 -26 -30 -30 -28 -30 -22 -30
// RUN: cmp %t/relu.npy %t/rec/op02_relu_t2.npy
// RUN: %python %S/Inputs/make-npy.py %t/max.npy i1 1x1x2 -22 -26
// RUN: cmp %t/max.npy %t/rec/op03_maxpool_t3.npy
// RUN: FileCheck %s --check-prefix=LIST --input-file=%t/rec/layers.json
// LIST:      "version": 1,
// LIST-NEXT: "inputs": [
// LIST-NEXT:   "{{[0-9a-f]+}}"
// LIST-NEXT: ],
// LIST-NEXT: "layers": [
// LIST-NEXT:   {
// LIST-NEXT:     "kernel": "conv2d",
// LIST-NEXT:     "name": "conv",
// LIST-NEXT:     "type": "tensor<2x2x2x!mli.sa8<1:0:0>>",
// LIST-NEXT:     "file": "op00_conv2d_t0.npy"

// Runs that record, or compare, have no time of a run.
// RUN: mli-run %s --input %t/in.npy --record %t/rec --stats | FileCheck %s --check-prefix=TIMES
// RUN: mli-run %s --input %t/in.npy --compare-with %t/rec --stats | FileCheck %s --check-prefix=TIMES
// TIMES:     {{^}}compile: {{.*}} ms on this host
// TIMES-NOT: ms on this host

// They are what --layers reads, and the results stay what they are.
// RUN: mli-run %s --input %t/in.npy --layers %t/rec | FileCheck %s --check-prefix=LAYERS
// LAYERS: 6 layers within the rules, 0 outside
// RUN: %python %S/Inputs/make-npy.py %t/out.npy i1 1x2 0
// RUN: mli-run %s --input %t/in.npy --record %t/rec --output-dir %t/out --top 1 | FileCheck %s --check-prefix=TOP
// TOP:      1. class 0  0.5000 (0)
// TOP-NEXT: recorded 6 of 6 layers
// RUN: cmp %t/out/output_0.npy %t/out.npy

// The same in any memory, packed or not, and in another run.
// RUN: mli-run %s --input %t/in.npy --compare-with %t/rec | FileCheck %s --check-prefix=SAME
// RUN: mli-run %s --input %t/in.npy --compare-with %t/rec --packed-weights=none --repeat 2 | FileCheck %s --check-prefix=SAME
// RUN: mli-run %s --input %t/in.npy --compare-with %t/rec --placement local --target vpx | FileCheck %s --check-prefix=SAME
// RUN: mli-run %s --input %t/in.npy --record %t/local --placement local --target custom,npus=4,npu-bytes=16384
// RUN: diff -r %t/rec %t/local
// SAME:      layer  kernel           elements  differing  max |d|  SQNR dB    cosine  verdict  name
// SAME-NEXT:     0  conv2d                  8          0        0      inf  1.000000  within   'conv'
// SAME-NEXT:     1  eltwise_add             8          0        0      inf  1.000000  within   'sum'
// SAME-NEXT:     2  relu                    8          0        0      inf  1.000000  within   'relu'
// SAME-NEXT:     3  maxpool                 2          0        0      inf  1.000000  within   'max'
// SAME-NEXT:     4  fully_connected         2          0        0      inf  1.000000  within   'logits'
// SAME-NEXT:     5  softmax                 2          0        0      inf  1.000000  within   'out'
// SAME-NEXT: 6 layers within, 0 outside, 0 not compared
// SAME-NOT:  {{.}}

// The program is what it is without: its buffers, moves and tiles.
// DEFINE: %{shapes} = mli-run %models/shapes/shapes.tosa.mlir --input %models/shapes/inputs/star_1.npy --placement local --target vpx,npu-bytes=8192 --stats --output-dir
// RUN: %{shapes} %t/without | grep -v ' ms' > %t/without.txt
// RUN: %{shapes} %t/with --record %t/shapes | grep -v ' ms\|recorded\|not layer' > %t/with.txt
// RUN: diff %t/without.txt %t/with.txt && diff -r %t/without %t/with

// A weight of -1 and not -2: 3 2 1 0 and not 2 0 -2 -4 in channel 1. SQNR is
// 10 log10(70 / 30) and the cosine 50 / sqrt(70 * 60). NPU 1 has channel 1, at
// the address of the buffer, 8. A name is another.
// RUN: sed 's/\[3, -2\]/[3, -1]/; s/%%relu\b/%%clipped/' %s > %t/wrong.mlir
// RUN: not mli-run %t/wrong.mlir --input %t/in.npy --compare-with %t/rec | FileCheck %s --check-prefixes=WRONG,SYSTEM
// RUN: not mli-run %t/wrong.mlir --input %t/in.npy --compare-with %t/rec --placement local --target custom,npus=4,npu-bytes=16384 | FileCheck %s --check-prefixes=WRONG,LOCAL
// WRONG:          0  conv2d                  8          4        4      3.7  0.771517  outside  'conv', first [0, 0, 1]: expected 2, got 3{{$}}
// WRONG-NEXT:     1  eltwise_add             8          4        8      3.7  0.771517  outside  'sum', first [0, 0, 1]: expected -26, got -24{{$}}
// WRONG-NEXT:     2  relu                    8          3        4      5.4  0.901441  outside  'clipped', in the record 'relu', first [0, 0, 1]: expected -26, got -24{{$}}
// WRONG-NEXT:     3  maxpool                 2          1        2     13.0  0.983870  outside  'max', first [0, 0, 1]: expected -26, got -24{{$}}
// WRONG-NEXT:     4  fully_connected         2          1        2      9.0  0.980581  outside  'logits', first [1]: expected 4, got 6{{$}}
// WRONG-NEXT:     5  softmax                 2          2       97      2.4  0.797001  outside  'out', first [0]: expected 0, got -97{{$}}
// WRONG-NEXT: 0 layers within, 6 outside, 0 not compared
// WRONG-NEXT: the first that is outside: layer 0, conv2d 'conv'
// WRONG-NEXT:   element [0, 0, 1]: expected 2, got 3
// SYSTEM-NEXT:  at byte 1 of the arena
// LOCAL-NEXT:   at address 16392 of local memory: byte 8 of NPU 1, cell n=0 c=1 h=0 w=0 of layout compact

// Tolerances on both sides of their limits: 97 at most, and at least
// 20 log10(128 / 97) = 2.409 dB.
// RUN: mli-run %t/wrong.mlir --input %t/in.npy --compare-with %t/rec --max-abs 97 | FileCheck %s --check-prefix=WITHIN
// RUN: mli-run %t/wrong.mlir --input %t/in.npy --compare-with %t/rec --min-sqnr 2.408 --max-abs 97 | FileCheck %s --check-prefix=WITHIN
// RUN: not mli-run %t/wrong.mlir --input %t/in.npy --compare-with %t/rec --max-abs 96 | FileCheck %s --check-prefix=LAST
// RUN: not mli-run %t/wrong.mlir --input %t/in.npy --compare-with %t/rec --min-sqnr 2.41 | FileCheck %s --check-prefix=LAST
// WITHIN:     {{^}}6 layers within, 0 outside, 0 not compared{{$}}
// WITHIN-NOT: {{.}}
// LAST:      {{^}}5 layers within, 1 outside, 0 not compared{{$}}
// LAST-NEXT: the first that is outside: layer 5, softmax 'out'
// LAST-NEXT:   element [0]: expected 0, got -97
// LAST-NEXT:   at byte {{[0-9]+}} of {{the arena|result 0}}

// The same for whole results.
// RUN: not mli-run %t/wrong.mlir --input %t/in.npy --compare %t/out.npy | FileCheck %s --check-prefix=RESULT
// RUN: mli-run %t/wrong.mlir --input %t/in.npy --compare %t/out.npy --max-abs 97 --min-sqnr 2.408 | FileCheck %s --check-prefix=RESULT
// RUN: not mli-run %t/wrong.mlir --input %t/in.npy --compare %t/out.npy --max-abs 96.5 | FileCheck %s --check-prefix=RESULT
// RUN: not mli-run %t/wrong.mlir --input %t/in.npy --compare %t/out.npy --max-abs 97 --min-sqnr 2.41 | FileCheck %s --check-prefix=RESULT
// RESULT:      output 0: 2 of 2 elements differ from '{{.*}}out.npy', max |d| 97
// RESULT-NEXT:   first at [0, 0]: expected 0, got -97; SQNR 2.4 dB, cosine 0.797001

// Codes that callers hold as unsigned are printed as they hold them.
// RUN: sed 's/input: !input/input: !input {mli.unsigned}/; s/-> tensor<1x2x!mli.sa8<1:8:-128>> {$/-> (tensor<1x2x!mli.sa8<1:8:-128>> {mli.unsigned}) {/' %t/wrong.mlir > %t/unsigned.mlir
// RUN: %python %S/Inputs/make-npy.py %t/uin.npy u1 1x2x2x1 129..132
// RUN: %python %S/Inputs/make-npy.py %t/uout.npy u1 1x2 128
// RUN: not mli-run %t/unsigned.mlir --input %t/uin.npy --compare %t/uout.npy | FileCheck %s --check-prefix=UNSIGNED
// UNSIGNED: first at [0, 0]: expected 128, got 31; SQNR 2.4 dB, cosine 0.797001

// The same codes of another type are other real numbers, and so are reported:
// half of what was recorded, 10 log10(4) dB.
// RUN: cp -r %t/rec %t/type && sed 's/2x2x2x!mli.sa8<1:0:0>/1x2x2x2x!mli.sa8<2:0:0>/' %t/rec/layers.json > %t/type/layers.json
// RUN: %python %S/Inputs/make-npy.py %t/type/op00_conv2d_t0.npy i1 1x2x2x2 -5 2 -2 0 1 -2 4 -4
// RUN: mli-run %s --input %t/in.npy --compare-with %t/type | FileCheck %s --check-prefixes=TYPE,CODES
// RUN: mli-run %s --input %t/in.npy --compare-with %t/type --min-sqnr 6 | FileCheck %s --check-prefixes=TYPE,CODES
// RUN: not mli-run %s --input %t/in.npy --compare-with %t/type --min-sqnr 6.1 | FileCheck %s --check-prefixes=TYPE,REAL
// TYPE:          0  conv2d                  8          0        0      6.0  1.000000  {{within|outside}}
// TYPE-NEXT: type tensor<2x2x2x!mli.sa8<1:0:0>>, in the record tensor<1x2x2x2x!mli.sa8<2:0:0>>
// CODES:     6 layers within, 0 outside, 0 not compared
// REAL:      5 layers within, 1 outside, 0 not compared
// REAL-NEXT: the first that is outside: layer 0, conv2d 'conv'
// REAL-NOT:  {{.}}

// Records of others have no list, and names of TFLite: the sum's is that of the
// ReLU after it, and there is none of the softmax.
// RUN: mkdir %t/other
// RUN: %python %S/Inputs/make-npy.py %t/other/op00_conv_2d_t5.npy i1 1x2x2x2 -5 2 -2 0 1 -2 4 -4
// RUN: %python %S/Inputs/make-npy.py %t/other/op01_add_t6.npy i1 1x2x2x2 -30 -26 -30 -30 -28 -30 -22 -29
// RUN: %python %S/Inputs/make-npy.py %t/other/op02_max_pool_2d_t7.npy i1 1x1x1x2 -22 -26
// RUN: %python %S/Inputs/make-npy.py %t/other/op04_fully_connected_t9.npy i1 1x2 4 4
// RUN: %python %S/Inputs/make-npy.py %t/other/op10_softmax_t10.npy i1 1x2 0
// RUN: not mli-run %s --input %t/in.npy --compare-with %t/other | FileCheck %s --check-prefix=OTHER
// OTHER:          0  conv2d                  8          0        0      inf  1.000000  within   'conv'
// OTHER-NEXT:     1  eltwise_add      not compared: in the record there is no record of it  'sum'
// OTHER-NEXT:     2  relu                    8          1        1     19.3  0.994100  outside  'relu', first [1, 1, 1]: expected -29, got -30
// OTHER:      4 layers within, 1 outside, 1 not compared
// OTHER-NEXT: the first that is outside: layer 2, relu 'relu'
// OTHER-NEXT:   layer 1 before it was not compared
// OTHER-NEXT:   element [1, 1, 1]: expected -29, got -30

// Layers that the other run had no whole results of.
// RUN: cp -r %t/rec %t/gap && rm %t/gap/op00* %t/gap/op01*
// RUN: sed 's/"file": "op0[01].*"/"obstacle": "only a part"/' %t/rec/layers.json > %t/gap/layers.json
// RUN: not mli-run %t/wrong.mlir --input %t/in.npy --compare-with %t/gap | FileCheck %s --check-prefix=GAP
// GAP:          0  conv2d           not compared: in the record only a part  'conv'
// GAP:      0 layers within, 4 outside, 2 not compared
// GAP-NEXT: the first that is outside: layer 2, relu 'clipped', in the record 'relu'
// GAP-NEXT:   layers 0 to 1 before it were not compared
// GAP-NEXT:   element [0, 0, 1]: expected -26, got -24

// Inner results by what the text calls them.
// RUN: mli-run %s --input %t/in.npy --tosa-output=conv --output-dir %t/inner
// RUN: cmp %t/inner/output_0.npy %t/conv.npy
// RUN: not mli-run %s --input %t/in.npy --tosa-output=none 2>&1 | FileCheck %s --check-prefix=NAME
// NAME: error: expected an output to be the name or number of an operation, but got 'none'

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
