// RUN: mli-opt %s --verify-roundtrip | FileCheck %s
// RUN: mli-opt %s --emit-bytecode | mli-opt | FileCheck %s

// A preset keeps its name, also where another has the same numbers, and loses it
// with other numbers; a layout is said once.
// CHECK-DAG: #[[ALIGNED:.*]] = #mli.layout<aligned, dims = [h, w, c], npus = 4, npu_elements = 8192, start_npu = 2, strides = [128, 64, 5, 1]>
// CHECK-DAG: #[[MODE_4N:.*]] = #mli.layout<aligned, mode = 4N, dims = [n, h, w, c], npus = 4, npu_elements = 16384, strides = [64, 32, 5, 1]>
// CHECK-DAG: #[[MODE_2N:.*]] = #mli.layout<compact, mode = 2N, dims = [n, h, w, c], npus = 4, npu_elements = 8192, strides = [40, 20, 5, 1]>
// CHECK-DAG: #[[MODE_2IC:.*]] = #mli.layout<compact, mode = 2IC, dims = [h, w, n, c], npus = 4, npu_elements = 4096, strides = [9, 9, 3, 1]>
// CHECK-DAG: #[[MATRIX:.*]] = #mli.layout<matrix, dims = [n, w], npus = 4, npu_elements = 4096, columns = 15, strides = [32, 32, 15, 1]>
// CHECK-DAG: #[[STRIDED:.*]] = #mli.layout<strided, dims = [h, w, c], npus = 4, npu_elements = 8192, start_npu = 1, strides = [0, 0, 12, 2]>
// CHECK-DAG: #[[CONTINUOUS:.*]] = #mli.layout<continuous, dims = [c, h, w], npus = 1, npu_elements = 65536, strides = [60, 20, 5, 1]>
// CHECK-DAG: #[[SCALAR:.*]] = #mli.layout<compact, dims = [], npus = 4, npu_elements = 4096, start_npu = 3, strides = [1, 1, 1, 1]>
#aligned = #mli.layout<aligned, dims = [h, w, c], npus = 4, npu_elements = 8192, start_npu = 2, strides = [128, 64, 5, 1]>
#mode_4n = #mli.layout<aligned, mode = 4N, dims = [n, h, w, c], npus = 4, npu_elements = 16384, start_npu = 0, strides = [64, 32, 5, 1]>
#mode_2n = #mli.layout<compact, mode = 2N, dims = [n, h, w, c], npus = 4, npu_elements = 8192, strides = [40, 20, 5, 1]>
#mode_2ic = #mli.layout<compact, mode = 2IC, dims = [h, w, n, c], npus = 4, npu_elements = 4096, strides = [9, 9, 3, 1]>
#matrix = #mli.layout<matrix, dims = [n, w], npus = 4, npu_elements = 4096, columns = 15, strides = [32, 32, 15, 1]>
#strided = #mli.layout<strided, dims = [h, w, c], npus = 4, npu_elements = 8192, start_npu = 1, strides = [0, 0, 12, 2]>
#continuous = #mli.layout<continuous, dims = [c, h, w], npus = 1, npu_elements = 65536, strides = [60, 20, 5, 1]>
#scalar = #mli.layout<compact, dims = [], npus = 4, npu_elements = 4096, start_npu = 3, strides = [1, 1, 1, 1]>

// CHECK: module @preset attributes {mli.target = #mli.target<bm1690>}
module @preset attributes {mli.target = #mli.target<bm1690>} {}

// CHECK: module @preset_by_numbers attributes {mli.target = #mli.target<vpx>}
module @preset_by_numbers attributes {mli.target = #mli.target<vpx, npu_bytes = 262144>} {}

// CHECK: module @overridden attributes {mli.target = #mli.target<custom, npus = 1, npu_bytes = 65536, unit = 16, banks = 1, dma_align = 16>}
module @overridden attributes {mli.target = #mli.target<vpx, npu_bytes = 65536>} {}

// CHECK: module @custom attributes {mli.target = #mli.target<custom, npus = 4, npu_bytes = 16384, unit = 128, banks = 1, dma_align = 4>}
module @custom attributes {mli.target = #mli.target<custom, npus = 4, npu_bytes = 16384>} {}

// CHECK-LABEL: func.func private @spaces
// CHECK-SAME: memref<4x!mli.fx8<7>, #mli.space<system>>
// CHECK-SAME: memref<4x!mli.fx8<7>, #mli.space<local>>
// CHECK-SAME: tensor<4x!mli.fx8<7>, #mli.space<local>>
func.func private @spaces(memref<4x!mli.fx8<7>, #mli.space<system>>,
                          memref<4x!mli.fx8<7>, #mli.space<local>>,
                          tensor<4x!mli.fx8<7>, #mli.space<local>>)

// CHECK-LABEL: func.func private @layouts
// CHECK-SAME: memref<4x5x3x!mli.fx16<12>, #[[ALIGNED]], #mli.space<local>>
// CHECK-SAME: memref<6x4x5x5x!mli.sa8<1:4:0>, #[[MODE_4N]], #mli.space<local>>
// CHECK-SAME: memref<3x4x5x5x!mli.fx16<12>, #[[MODE_2N]], #mli.space<local>>
// CHECK-SAME: memref<3x3x3x4xf32, #[[MODE_2IC]], #mli.space<local>>
// CHECK-SAME: memref<2x40xf32, #[[MATRIX]], #mli.space<local>>
// CHECK-SAME: memref<4x5x3x!mli.fx16<12>, #[[STRIDED]], #mli.space<local>>
// CHECK-SAME: memref<3x4x5x!mli.fx8<7>, #[[CONTINUOUS]], #mli.space<local>>
// CHECK-SAME: memref<f32, #[[SCALAR]], #mli.space<local>>
func.func private @layouts(
    memref<4x5x3x!mli.fx16<12>, #aligned, #mli.space<local>>,
    memref<6x4x5x5x!mli.sa8<1:4:0>, #mode_4n, #mli.space<local>>,
    memref<3x4x5x5x!mli.fx16<12>, #mode_2n, #mli.space<local>>,
    memref<3x3x3x4xf32, #mode_2ic, #mli.space<local>>,
    memref<2x40xf32, #matrix, #mli.space<local>>,
    memref<4x5x3x!mli.fx16<12>, #strided, #mli.space<local>>,
    memref<3x4x5x!mli.fx8<7>, #continuous, #mli.space<local>>,
    memref<f32, #scalar, #mli.space<local>>)
