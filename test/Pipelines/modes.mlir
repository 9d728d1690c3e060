// Pipelines fold constants in the mode of their options, or of the module, and C
// checks the library for it.
// RUN: mli-opt %s --mli-c-pipeline | FileCheck %s --check-prefix=UP
// RUN: mli-opt %s --mli-c-pipeline="rounding=convergent accumulation=full" \
// RUN:   | FileCheck %s --check-prefixes=EVEN,FULL
// RUN: mli-opt %s --mli-buffer-pipeline=rounding=convergent | FileCheck %s --check-prefix=EVEN
// RUN: mli-opt %s --mli-buffer-pipeline=rounding=up | FileCheck %s --check-prefix=UP
// UP: mli.constant dense<[1, 1, 2, 3]>
// FULL: module attributes {mli.accumulation = "full", {{.*}}mli.rounding = "convergent"}
// EVEN: mli.constant dense<[0, 1, 2, 2]>

// In the mode of the module, unless the option says otherwise.
// RUN: mli-opt %s --mli-attach-modes=rounding=convergent | mli-opt --mli-c-pipeline \
// RUN:   | FileCheck %s --check-prefix=EVEN
// RUN: mli-opt %s --mli-attach-modes=rounding=convergent | mli-opt --canonicalize \
// RUN:   | FileCheck %s --check-prefix=EVEN
// RUN: mli-opt %s --mli-attach-modes=rounding=convergent \
// RUN:   | mli-opt --mli-c-pipeline=rounding=up | FileCheck %s --check-prefix=UP

// To calls: bytes of a global.
// RUN: mli-opt %s --mli-system-pipeline=rounding=convergent \
// RUN:   | FileCheck %s --check-prefix=CALLS
// RUN: mli-opt %s --mli-local-pipeline="rounding=convergent target=vpx" \
// RUN:   | FileCheck %s --check-prefix=CALLS
// CALLS-NOT: mli.rounding
// CALLS: llvm.mlir.global {{.*}}dense<[0, 1, 2, 2]>

// RUN: mli-opt %s --mli-c-pipeline="rounding=convergent accumulation=full" \
// RUN:   | mli-translate --mli-to-c | FileCheck %s --check-prefix=C
// C: rounding
// C-NEXT: CONVERGENT, accumulation full. */
// RUN: not mli-opt %s --mli-c-pipeline=rounding=down 2>&1 | FileCheck %s --check-prefix=DOWN
// DOWN: Cannot find option named 'down'!

// What runs is in the mode of the module, too, and of the pipeline's options.
// RUN: rm -rf %t && mkdir %t
// RUN: %python %S/../Integration/Inputs/make-npy.py %t/in.npy i1 4 1 2 3 5
// RUN: mli-opt %s --mli-attach-modes=rounding=convergent -o %t/even.mlir
// RUN: mli-run %t/even.mlir --entry run --input %t/in.npy \
// RUN:   | FileCheck %s --check-prefix=RUN-EVEN
// RUN: mli-run %s --entry run --pipeline-options=rounding=convergent --input %t/in.npy \
// RUN:   | FileCheck %s --check-prefix=RUN-EVEN
// RUN: mli-run %t/even.mlir --entry run --rounding up --input %t/in.npy \
// RUN:   | FileCheck %s --check-prefix=RUN-UP
// RUN-EVEN: codes: 0 1 2 2
// RUN-UP: codes: 1 1 2 3

!in = tensor<4x!mli.fx8<1>>
!out = tensor<4x!mli.fx8<0>>

func.func @fold(%other: !out) -> !out {
  %known = mli.constant dense<[1, 2, 3, 5]> : tensor<4xi8> to !in
  %init = tensor.empty() : !out
  %0 = mli.convert ins(%known : !in) outs(%init : !out) -> !out
  %1 = mli.eltwise_max ins(%other, %0 : !out, !out) outs(%init : !out) -> !out
  return %1 : !out
}

func.func @run(%in: !in) -> !out {
  %init = tensor.empty() : !out
  %0 = mli.convert ins(%in : !in) outs(%init : !out) -> !out
  return %0 : !out
}
