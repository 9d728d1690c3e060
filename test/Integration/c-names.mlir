// Whatever the network calls things, the C compiles and nothing is hidden.
// RUN: rm -rf %t && mkdir %t
// RUN: %python %S/Inputs/make-npy.py %t/in.npy i1 8 1..8
// RUN: %python %S/Inputs/c-package.py %build %t/c %s %t/in.npy %t/in.npy %t/in.npy %t/in.npy %t/in.npy | FileCheck %s
// CHECK: 1 runs, 3 packages: the same

!row = tensor<8x!mli.fx8<3>>

// A private function whose name the C has already, and one without arguments.
func.func private @layer_0(%in: !row) -> !row {
  %init = tensor.empty() : !row
  %0 = mli.relu ins(%in : !row) outs(%init : !row) {relu = #mli.relu<gen>}
    -> !row loc("x*/ int broken; /*")
  return %0 : !row
}
func.func private @nothing() {
  return
}

// Public, but called: main alone is for callers.
func.func @net_check(%in: !row) -> !row {
  %init = tensor.empty() : !row
  %0 = mli.eltwise_add ins(%in, %in : !row, !row) outs(%init : !row) -> !row
    loc("quote\22 and \\ and ??/ and a name that is much longer than a line of eighty columns and goes on and on")
  return %0 : !row
}

func.func @main(%a: !row loc("weights"), %b: !row loc("layer_0"),
                %c: !row loc("int8_t"), %d: !row loc("i0"),
                %e: !row loc("WEIGHTS")) -> (!row, !row) {
  %init = tensor.empty() : !row
  func.call @nothing() : () -> ()
  %0 = mli.eltwise_add ins(%a, %b : !row, !row) outs(%init : !row) -> !row
    loc("a\FFb")
  %1 = func.call @layer_0(%0) : (!row) -> !row
  %2 = func.call @net_check(%c) : (!row) -> !row
  %other = tensor.empty() : !row
  %3 = mli.eltwise_max ins(%d, %e : !row, !row) outs(%other : !row) -> !row
  %last = tensor.empty() : !row
  %4 = mli.eltwise_add ins(%3, %2 : !row, !row) outs(%last : !row) -> !row
  return %1, %4 : !row, !row
}
