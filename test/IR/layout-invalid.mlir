// RUN: mli-opt %s --split-input-file --verify-diagnostics

// expected-error @below {{expected 'kind' to be continuous, aligned, compact, matrix or strided, but got tiled}}
#layout = #mli.layout<tiled, dims = [w], npus = 4, npu_elements = 4096, strides = [1, 1, 1, 1]>

// -----

// expected-error @below {{expected 'mode' to be 4N, 2N or 2IC, but got 3N}}
#layout = #mli.layout<aligned, mode = 3N, dims = [w], npus = 4, npu_elements = 4096, strides = [1, 1, 1, 1]>

// -----

// expected-error @below {{expected 'dims' to name n, c, h or w, but got d}}
#layout = #mli.layout<aligned, dims = [d, w], npus = 4, npu_elements = 4096, strides = [1, 1, 1, 1]>

// -----

// expected-error @below {{expected 'strides' to be those of n, c, h and w, but got 3}}
#layout = #mli.layout<aligned, dims = [w], npus = 4, npu_elements = 4096, strides = [1, 1, 1]>

// -----

// expected-error @below {{expected 'npu_elements'}}
#layout = #mli.layout<aligned, dims = [w], npus = 4, start_npu = 2, strides = [1, 1, 1, 1]>

// -----

// Y1
// expected-error @below {{expected 'npus' to be at least 1, but got 0}}
#layout = #mli.layout<aligned, dims = [w], npus = 0, npu_elements = 4096, strides = [1, 1, 1, 1]>

// -----

// Y1
// expected-error @below {{expected 'npu_elements' to be at least 1, but got -1}}
#layout = #mli.layout<aligned, dims = [w], npus = 4, npu_elements = -1, strides = [1, 1, 1, 1]>

// -----

// Y1
// expected-error @below {{expected 'npu_elements' to be at most 1073741824, but got 1073741825}}
#layout = #mli.layout<aligned, dims = [w], npus = 4, npu_elements = 1073741825, strides = [1, 1, 1, 1]>

// -----

// Y1
// expected-error @below {{expected 'npus' to be at most 1, but got 4}}
#layout = #mli.layout<continuous, dims = [w], npus = 4, npu_elements = 4096, strides = [1, 1, 1, 1]>

// -----

// Y2
// expected-error @below {{expected 'start_npu' to be at most 3, but got 4}}
#layout = #mli.layout<compact, dims = [w], npus = 4, npu_elements = 4096, start_npu = 4, strides = [1, 1, 1, 1]>

// -----

// Y2
// expected-error @below {{expected 'start_npu' to be at least 0, but got -1}}
#layout = #mli.layout<compact, dims = [w], npus = 4, npu_elements = 4096, start_npu = -1, strides = [1, 1, 1, 1]>

// -----

// Y3
// expected-error @below {{expected 'h stride' to be at least 0, but got -5}}
#layout = #mli.layout<strided, dims = [w], npus = 4, npu_elements = 4096, strides = [1, 1, -5, 1]>

// -----

// Y3
// expected-error @below {{expected 'n stride' to be at most 4096, but got 4097}}
#layout = #mli.layout<strided, dims = [w], npus = 4, npu_elements = 4096, strides = [4097, 1, 1, 1]>

// -----

// Y4
// expected-error @below {{expected 'columns' to be at least 1, but got 0}}
#layout = #mli.layout<matrix, dims = [n, w], npus = 4, npu_elements = 4096, strides = [32, 32, 10, 1]>

// -----

// Y5
// expected-error @below {{expected 'dims' to name each dimension once, but got h twice}}
#layout = #mli.layout<compact, dims = [h, w, h], npus = 4, npu_elements = 4096, strides = [1, 1, 1, 1]>

// -----

// Y6
// expected-error @below {{expected 'dims' of a matrix to name n and w, but got c}}
#layout = #mli.layout<matrix, dims = [n, c], npus = 4, npu_elements = 4096, columns = 10, strides = [32, 32, 10, 1]>

// -----

// Y7
#layout = #mli.layout<compact, dims = [h, w], npus = 4, npu_elements = 4096, strides = [1, 1, 1, 1]>
// expected-error @below {{expected 'dims' to name 3 dimensions, but got 2}}
func.func private @other_rank(memref<4x5x3xf32, #layout>)

// -----

// Y8
#layout = #mli.layout<compact, dims = [h, w, c], npus = 4, npu_elements = 4096, strides = [20, 20, 5, 1]>
// expected-error @below {{expected dimension 1 to be static in local memory, but got ?}}
func.func private @dynamic(memref<4x?x3xf32, #layout>)

// -----

// Y9
#layout = #mli.layout<compact, dims = [h, w, c], npus = 4, npu_elements = 4096, strides = [20, 20, 5, 1]>
// expected-error @below {{expected 'shape.c' to be at least 1, but got 0}}
func.func private @empty(memref<4x5x0xf32, #layout>)

// -----

// Y9
#layout = #mli.layout<matrix, dims = [n, w], npus = 4, npu_elements = 4096, columns = 41, strides = [64, 64, 41, 1]>
// expected-error @below {{expected 'columns per channel' to be at most 40, but got 41}}
func.func private @wider_than_matrix(memref<2x40xf32, #layout>)

// -----

// Y10
#layout = #mli.layout<compact, dims = [h, w, c], npus = 4, npu_elements = 4096, strides = [64, 32, 5, 1]>
// expected-error @below {{expected 'c stride' to be 20, but got 32}}
func.func private @gaps_in_compact(memref<4x5x6xf32, #layout>)

// -----

// Two channels fit an NPU from the first on; from the last it takes three.
// Y10
#layout = #mli.layout<aligned, dims = [n, h, w, c], npus = 4, npu_elements = 4096, start_npu = 3, strides = [64, 32, 5, 1]>
// expected-error @below {{expected 'n stride' to be 96, but got 64}}
func.func private @strides_from_other_start(memref<2x4x5x6xf32, #layout>)

// -----

// No unit that is a power of two rounds 20 up to 60.
// Y10
#layout = #mli.layout<aligned, dims = [h, w, c], npus = 4, npu_elements = 4096, strides = [120, 60, 5, 1]>
// expected-error @below {{expected 'c stride' to be 20, but got 60}}
func.func private @unit_of_no_power(memref<4x5x6xf32, #layout>)

// -----

// Y10
#layout = #mli.layout<strided, dims = [h, w], npus = 4, npu_elements = 4096, strides = [0, 0, 4, 1]>
// expected-error @below {{expected 'h stride' to be at least 5, but got 4}}
func.func private @overlapping_rows(memref<4x5xf32, #layout>)

// -----

// Y11
#layout = #mli.layout<compact, dims = [n, h, w, c], npus = 4, npu_elements = 64, strides = [40, 20, 5, 1]>
// expected-error @below {{expected 'elements_per_npu' to be at most 64, but got 80}}
func.func private @beyond_npu(memref<2x4x5x6xf32, #layout>)
