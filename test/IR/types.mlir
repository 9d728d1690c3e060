// RUN: mli-opt %s --verify-roundtrip | FileCheck %s
// RUN: mli-opt %s --emit-bytecode | mli-opt | FileCheck %s

// An alias says a per-axis type once, however long its list; equal types share
// it.
// CHECK-DAG: ![[WEIGHTS:.*]] = !mli.sa8<axis = 3, {5:3:0, 7:3:0}>
// CHECK-DAG: ![[BIAS:.*]] = !mli.sa32<axis = 0, {5:14:0, 7:14:0}>

// CHECK-LABEL: func.func private @fixed_point
// CHECK-SAME: tensor<4x!mli.fx8<7>>
// CHECK-SAME: tensor<4x!mli.fx16<12>>
func.func private @fixed_point(tensor<4x!mli.fx8<7>>, tensor<4x!mli.fx16<12>>)

// For future use.
// CHECK-LABEL: func.func private @four_bits
// CHECK-SAME: tensor<4x!mli.fx4<3>>
// CHECK-SAME: memref<4x!mli.fx4<-2>>
func.func private @four_bits(tensor<4x!mli.fx4<3>>, memref<4x!mli.fx4<-2>>)

// CHECK-LABEL: func.func private @more_frac_bits_than_bits
// CHECK-SAME: !mli.fx8<127>
func.func private @more_frac_bits_than_bits(tensor<4x!mli.fx8<127>>)

// CHECK-LABEL: func.func private @negative_frac_bits
// CHECK-SAME: !mli.fx16<-128>
// CHECK-SAME: !mli.sa8<1:-128:0>
func.func private @negative_frac_bits(tensor<4x!mli.fx16<-128>>,
                                      tensor<4x!mli.sa8<1:-128:0>>)

// CHECK-LABEL: func.func private @asymmetric
// CHECK-SAME: tensor<4x!mli.sa8<5:3:-128>>
// CHECK-SAME: tensor<4x!mli.sa32<32767:127:32767>>
// CHECK-SAME: tensor<4x!mli.sa8<1:0:-32768>>
func.func private @asymmetric(tensor<4x!mli.sa8<5:3:-128>>,
                              tensor<4x!mli.sa32<32767:127:32767>>,
                              tensor<4x!mli.sa8<1:0:-32768>>)

// CHECK-LABEL: func.func private @per_axis
// CHECK-SAME: tensor<3x3x1x2x![[WEIGHTS]]>
// CHECK-SAME: tensor<2x![[BIAS]]>
// CHECK-SAME: memref<1x1x8x2x![[WEIGHTS]]>
func.func private @per_axis(
    tensor<3x3x1x2x!mli.sa8<axis = 3, {5:3:0, 7:3:0}>>,
    tensor<2x!mli.sa32<axis = 0, {5:14:0, 7:14:0}>>,
    memref<1x1x8x2x!mli.sa8<axis = 3, {5:3:0, 7:3:0}>>)

// One set of parameters along an axis is not one for the tensor.
// CHECK-LABEL: func.func private @one_along_axis
// CHECK-SAME: tensor<1x![[ONE:.*]]>
func.func private @one_along_axis(tensor<1x!mli.sa8<axis = 0, {5:3:0}>>)

// CHECK-LABEL: func.func private @memref_elements
// CHECK-SAME: memref<?x4x!mli.fx8<7>>
// CHECK-SAME: memref<2x4x!mli.sa32<1:2:3>, strided<[8, 1], offset: 3>>
// CHECK-SAME: memref<!mli.fx16<12>>
func.func private @memref_elements(
    memref<?x4x!mli.fx8<7>>,
    memref<2x4x!mli.sa32<1:2:3>, strided<[8, 1], offset: 3>>,
    memref<!mli.fx16<12>>)
