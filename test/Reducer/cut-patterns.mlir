// Each pattern alone, on programs that are always interesting.
// RUN: mli-reduce %s --split-input-file --mli-reduce-by-patterns='test=%S/Inputs/has test-arg=func enable-patterns=ReturnLayer' | FileCheck %s --check-prefix=RETURN
// RUN: mli-reduce %s --split-input-file --mli-reduce-by-patterns='test=%S/Inputs/has test-arg=mli.relu enable-patterns=CutToArguments' | FileCheck %s --check-prefix=ARGUMENT
// RUN: mli-reduce %s --split-input-file --mli-reduce-by-patterns='test=%S/Inputs/has test-arg=relu6 enable-patterns=CutToConstants' | FileCheck %s --check-prefix=CONSTANT
// RUN: mli-reduce %s --split-input-file --mli-reduce-by-patterns='test=%S/Inputs/has test-arg=func enable-patterns=ReturnOperands' | FileCheck %s --check-prefix=OPERANDS
// RUN: mli-reduce %s --split-input-file --mli-reduce-by-patterns='test=%S/Inputs/has test-arg=func enable-patterns=DropReturnedLayer,DropReturnedArguments' | FileCheck %s --check-prefix=DROP

!map = tensor<4x4x8x!mli.sa8<1:4:0>>
// The last layers go until the first is returned; the argument is no layer.
// RETURN-LABEL: func.func @layers
// RETURN: %[[FIRST:.*]] = mli.relu {{.*}} {relu = #mli.relu<gen>}
// RETURN-NEXT: return %[[FIRST]]
// ARGUMENT-LABEL: func.func @layers(%{{.*}}: tensor<4x4x8x
// ARGUMENT: mli.relu {{.*}} {relu = #mli.relu<relu6>}
// ARGUMENT-NEXT: return
// CONSTANT-LABEL: func.func @layers()
// CONSTANT: mli.constant dense<0> : tensor<4x4x8xi8>
// CONSTANT: mli.relu {{.*}} {relu = #mli.relu<relu6>}
// CONSTANT-NEXT: return
// OPERANDS-LABEL: func.func @layers()
// OPERANDS-NEXT: return
// DROP-LABEL: func.func @layers()
// DROP-NEXT: return
func.func @layers(%map: !map) -> !map {
  %0 = tensor.empty() : !map
  %1 = mli.relu ins(%map : !map) outs(%0 : !map) {relu = #mli.relu<gen>} -> !map
  %2 = tensor.empty() : !map
  %3 = mli.relu ins(%1 : !map) outs(%2 : !map) {relu = #mli.relu<relu6>} -> !map
  return %3 : !map
}

// -----

!map = tensor<4x4x8x!mli.sa8<1:4:0>>
// Who calls a function knows its arguments and results.
// RETURN-LABEL: func.func private @called
// RETURN-COUNT-2: mli.relu
// ARGUMENT-LABEL: func.func private @called(%{{.*}}: tensor<4x4x8x!mli.sa8<1:4:0>>) ->
// ARGUMENT-COUNT-2: mli.relu
// CONSTANT-LABEL: func.func private @called(%{{.*}}: tensor<4x4x8x!mli.sa8<1:4:0>>) ->
// CONSTANT: %[[ZEROS:.*]] = mli.constant dense<0>
// CONSTANT: mli.relu ins(%[[ZEROS]] {{.*}} {relu = #mli.relu<relu6>}
// DROP-LABEL: func.func private @called
// DROP-COUNT-2: mli.relu
func.func private @called(%map: !map) -> !map {
  %0 = tensor.empty() : !map
  %1 = mli.relu ins(%map : !map) outs(%0 : !map) {relu = #mli.relu<gen>} -> !map
  %2 = tensor.empty() : !map
  %3 = mli.relu ins(%1 : !map) outs(%2 : !map) {relu = #mli.relu<relu6>} -> !map
  return %3 : !map
}
// A call that nobody needs keeps its arguments and goes with its layers.
// RETURN-LABEL: func.func @calls
func.func @calls(%map: !map) -> !map {
  %0 = func.call @called(%map) : (!map) -> !map
  return %0 : !map
}

// -----

// An argument that is returned is dropped, but not replaced; there are no zeros of
// unknown sizes, nor of buffers.
// CONSTANT-LABEL: func.func @unknown_sizes
// CONSTANT: mli.relu {{.*}} {relu = #mli.relu<gen>}
// CONSTANT: mli.relu {{.*}} {relu = #mli.relu<relu6>}
// DROP-LABEL: func.func @unknown_sizes(
// DROP-NEXT: return{{$}}
!map = tensor<?x4x8x!mli.sa8<1:4:0>>
func.func @unknown_sizes(%map: !map, %init: !map) -> (!map, !map) {
  %1 = mli.relu ins(%map : !map) outs(%init : !map) {relu = #mli.relu<gen>} -> !map
  %3 = mli.relu ins(%1 : !map) outs(%init : !map) {relu = #mli.relu<relu6>} -> !map
  return %3, %map : !map, !map
}

// -----

// Without one block there is no one return.
// RETURN-LABEL: func.func @blocks
// RETURN-COUNT-2: mli.relu
// ARGUMENT-LABEL: func.func @blocks
// ARGUMENT-COUNT-2: mli.relu
// DROP-LABEL: func.func @blocks
// DROP-COUNT-2: mli.relu
!map = tensor<4x4x8x!mli.sa8<1:4:0>>
func.func @blocks(%map: !map) -> !map {
  %0 = tensor.empty() : !map
  %1 = mli.relu ins(%map : !map) outs(%0 : !map) {relu = #mli.relu<gen>} -> !map
  cf.br ^next
^next:
  %3 = mli.relu ins(%1 : !map) outs(%0 : !map) {relu = #mli.relu<relu6>} -> !map
  return %3 : !map
}
