// Which weights are packed in the pipelines, and how.

// RUN: mli-opt %s --mli-system-pipeline | FileCheck %s --check-prefix=PACKED
// RUN: mli-opt %s --mli-system-pipeline="packed-weights=quads threads=3" \
// RUN:   | FileCheck %s --check-prefixes=PACKED,THREADS
// RUN: mli-opt %s --mli-system-pipeline=packed-weights=none \
// RUN:   | FileCheck %s --check-prefix=PLAIN
// RUN: mli-opt %s --mli-local-pipeline=target=vpx \
// RUN:   | FileCheck %s --check-prefix=PLAIN
// RUN: mli-opt %s --mli-buffer-pipeline | FileCheck %s --check-prefix=BUFFERS
// RUN: not mli-opt %s --mli-system-pipeline=threads=0 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NO-THREADS

// What is written does not depend on the machine.
// RUN: mli-opt %s --mli-system-pipeline > %t.here
// RUN: env MLI_SIMD=scalar mli-opt %s --mli-system-pipeline | diff - %t.here

!in = tensor<4x!mli.sa8<16384:15:0>>
!weights = tensor<4x3x!mli.sa8<16384:15:0>>
!bias = tensor<3x!mli.sa32<16384:16:0>>
!out = tensor<3x!mli.sa8<16384:12:0>>

// PACKED-LABEL: llvm.func @product
// THREADS: %[[THREADS:.*]] = llvm.mlir.constant(3 : i32)
// PACKED: llvm.call @mli_krn_packed(
// PACKED-NOT: mli_krn_fully_connected

// PLAIN-NOT: mli_krn_packed
// PLAIN: llvm.call @mli_krn_fully_connected_sa8_sa8_sa32(

// BUFFERS: mli.fully_connected
// BUFFERS-SAME: {mli.packed = dense_resource<mli_packed> : tensor<448xi8>}

// NO-THREADS: for the --threads option: expected a number in [1, 2147483647], but got 0
func.func @product(%in: !in) -> !out {
  %weights = mli.constant dense<[[1, 2, 3], [4, 5, 6], [7, 8, 9], [-1, -2, -3]]>
    : tensor<4x3xi8> to !weights
  %bias = mli.constant dense<[10, 20, 30]> : tensor<3xi32> to !bias
  %init = tensor.empty() : !out
  %result = mli.fully_connected ins(%in, %weights, %bias
                                    : !in, !weights, !bias)
              outs(%init : !out) -> !out
  return %result : !out
}
