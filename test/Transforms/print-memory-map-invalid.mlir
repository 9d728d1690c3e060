// RUN: mli-opt %s --mli-print-memory-map --split-input-file --verify-diagnostics
// RUN: not mli-opt %s --mli-print-memory-map=format=png --split-input-file 2>&1 | FileCheck %s --check-prefix=FORMAT
// RUN: not mli-opt %s --mli-print-memory-map=space=local,remote --split-input-file 2>&1 | FileCheck %s --check-prefix=SPACE
// RUN: not mli-opt %s --mli-print-memory-map=function=nope --split-input-file 2>&1 | FileCheck %s --check-prefix=FUNCTION
// RUN: echo "func.func private @outside()" | not mli-opt --mli-print-memory-map=function=outside 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not mli-opt %S/print-memory-map.mlir --mli-print-memory-map=function=nope 2>&1 | FileCheck %s --check-prefix=FUNCTIONS
// RUN: not mli-opt %s --mli-print-memory-map=budget=-1 --split-input-file 2>&1 | FileCheck %s --check-prefix=BUDGET
// RUN: not mli-opt %S/print-memory-map.mlir --mli-print-memory-map=output=%t/none/map 2>&1 | FileCheck %s --check-prefix=OUTPUT
// RUN: echo "func.func @f() { return }" | not mli-opt --mli-print-memory-map 2>&1 | FileCheck %s --check-prefix=EMPTY
// RUN: not mli-opt %S/print-memory-map.mlir --mli-print-memory-map="space=system as-local" 2>&1 | FileCheck %s --check-prefix=EMPTY

// EMPTY: error: expected buffers to print, but got none{{$}}
// FORMAT: for the --format option: Cannot find option named 'png'!
// SPACE: for the --space option: Cannot find option named 'local,remote'!
// FUNCTION: error: expected 'function' to be a function with a body, of 'overlap', but got 'nope'
// FUNCTIONS: error: expected 'function' to be a function with a body, of 'layer', 'main', 'turns', but got 'nope'
// NONE: error: expected 'function' to be a function with a body, of which there is none, but got 'outside'
// BUDGET: for the --budget option: expected a number in [0, inf), but got -1
// OUTPUT: error: expected '{{.*}}/none/map' to be writable, but got: No such file or directory

// A1
!map = memref<64x!mli.sa8<1:4:0>, #mli.space<local>>
!plain = memref<64x!mli.sa8<1:4:0>>
module attributes {mli.target = #mli.target<vpx>} {
  func.func @overlap(%in: !plain, %out: !plain) {
    // expected-error @below {{expected addresses that keep buffers apart, but got: #0 [0,64) and #1 [32,96) overlap}}
    %a = mli.alloc {address = 0 : i64} : !map
    %b = mli.alloc {address = 32 : i64} : !map
    mli.mov ins(%in : !plain) outs(%a : !map)
    mli.permute ins(%a : !map) outs(%b : !map) permutation [0]
    mli.mov ins(%b : !map) outs(%out : !plain)
    return
  }
}
