// A convolution of hand-made numbers: results as text, as files, as classes.

// RUN: rm -rf %t && mkdir %t
// RUN: %python %S/Inputs/make-npy.py %t/in.npy i1 2x2x1 1..4
// RUN: mli-run %s --input %t/in.npy | FileCheck %s --check-prefix=TEXT
// RUN: mli-run %s --input input=%t/in.npy --top 3 \
// RUN:   | FileCheck %s --check-prefix=TOP
// RUN: printf 'a\nb\nc\nd\ne\nshort\na longer name\nh\n' > %t/labels.txt
// RUN: mli-run %s --input 0=%t/in.npy --top 99 --labels %t/labels.txt \
// RUN:   | FileCheck %s --check-prefix=LABELS

// The same bytes each time.
// RUN: %python %S/Inputs/make-npy.py %t/expected.npy i1 2x2x2 \
// RUN:   23 33 29 29 35 25 41 21
// RUN: mli-run %s --input %t/in.npy --output-dir %t/a/b --repeat 3 | count 0
// RUN: mli-run %s --input %t/in.npy --output-dir %t/a/b | count 0
// RUN: cmp %t/a/b/output_0.npy %t/expected.npy
// RUN: ls %t/a/b | count 1
// RUN: mli-run %s --input %t/in.npy --compare %t/expected.npy \
// RUN:   | FileCheck %s --check-prefix=EQUAL

// RUN: %python %S/Inputs/make-npy.py %t/other.npy i1 2x2x2 \
// RUN:   23 33 29 28 35 25 41 127
// RUN: not mli-run %s --input %t/in.npy --compare %t/other.npy \
// RUN:   | FileCheck %s --check-prefix=DIFFER

// Results that differ are written as well.
// RUN: not mli-run %s --input %t/in.npy --compare %t/other.npy \
// RUN:   --output-dir %t/differ | FileCheck %s --check-prefix=DIFFER
// RUN: cmp %t/differ/output_0.npy %t/expected.npy
// RUN: mli-run --help | FileCheck %s --check-prefix=HELP
// HELP: {{^  }}1  with any error nothing is written; where only a comparison does not hold, results
// HELP-NEXT: {{^     }}are written

// From bytecode, which has no names.
// RUN: mli-opt %s --emit-bytecode -o %t/net.mlirbc
// RUN: mli-run %t/net.mlirbc --input %t/in.npy \
// RUN:   | FileCheck %s --check-prefix=TEXT

// real = 3 x + 10 and -2 x + 20; code = 2 real - 3, since the result's scale is
// 1/2 and its zero point -3.
// TEXT:      output 0: tensor<2x2x2x!mli.sa8<1:1:-3>>
// TEXT-NEXT:   codes: 23 33 29 29 35 25 41 21
// TEXT-NEXT:   values: 13 18 16 16 19 14 22 12
// TEXT-NOT:  {{.}}

// TOP:      1. class 6  22.0000 (41)
// TOP-NEXT: 2. class 4  19.0000 (35)
// TOP-NEXT: 3. class 1  18.0000 (33)
// TOP-NOT:  {{.}}

// Equal ones in order of index; all there are.
// LABELS:      1. a longer name  22.0000 (41)
// LABELS-NEXT: 2. e              19.0000 (35)
// LABELS-NEXT: 3. b              18.0000 (33)
// LABELS-NEXT: 4. c              16.0000 (29)
// LABELS-NEXT: 5. d              16.0000 (29)
// LABELS-NEXT: 6. short          14.0000 (25)
// LABELS-NEXT: 7. a              13.0000 (23)
// LABELS-NEXT: 8. h              12.0000 (21)
// LABELS-NOT:  {{.}}

// EQUAL: output 0: 0 of 8 elements differ from '{{.*}}expected.npy', max |d| 0
// EQUAL-NOT: {{.}}
// DIFFER: output 0: 2 of 8 elements differ from '{{.*}}other.npy', max |d| 106

!map = tensor<2x2x1x!mli.sa8<1:0:0>>
!weights = tensor<1x1x1x2x!mli.sa8<1:0:0>>
!bias = tensor<2x!mli.sa32<1:0:0>>
!out = tensor<2x2x2x!mli.sa8<1:1:-3>>
func.func @main(%input: !map) -> !out {
  %weights = mli.constant dense<[[[[3, -2]]]]> : tensor<1x1x1x2xi8> to !weights
  %bias = mli.constant dense<[10, 20]> : tensor<2xi32> to !bias
  %init = tensor.empty() : !out
  %result = mli.conv2d ins(%input, %weights, %bias : !map, !weights, !bias)
              outs(%init : !out) pad [0, 0, 0, 0] -> !out
  return %result : !out
}
