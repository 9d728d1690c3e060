// RUN: mli-reduce %s --split-input-file --mli-reduce-by-patterns='test=%S/Inputs/has test-arg=func enable-patterns=ReplaceByOperand' | FileCheck %s --check-prefix=OPERAND
// RUN: mli-reduce %s --split-input-file --mli-reduce-by-patterns='test=%S/Inputs/has test-arg=func enable-patterns=ReplaceOperand' | FileCheck %s --check-prefix=OTHER
// RUN: mli-reduce %s --split-input-file --mli-reduce-by-patterns='test=%S/Inputs/has test-arg=mli.mov enable-patterns=EraseUnused' | FileCheck %s --check-prefix=ERASE

!map = tensor<4x4x8x!mli.sa8<1:4:0>>
!small = tensor<4x4x8x!mli.sa8<1:5:0>>
// A layer is replaced by what it reads, or by what it writes where types differ.
// OPERAND-LABEL: func.func @types(
// OPERAND-NEXT: %[[INIT:.*]] = tensor.empty() : tensor<4x4x8x!mli.sa8<1:5:0>>
// OPERAND-NEXT: return %[[INIT]]
// So is what is returned, and nobody needs any layer then.
// OTHER-LABEL: func.func @types(
// OTHER-NEXT: %[[INIT:.*]] = tensor.empty() : tensor<4x4x8x!mli.sa8<1:5:0>>
// OTHER-NEXT: return %[[INIT]]
// ERASE-LABEL: func.func @types(
// ERASE: mli.relu
// ERASE: mli.mov
// ERASE: mli.convert
func.func @types(%map: !map) -> !small {
  %0 = tensor.empty() : !map
  %1 = mli.relu ins(%map : !map) outs(%0 : !map) {relu = #mli.relu<gen>} -> !map
  %2 = mli.mov ins(%1 : !map) outs(%0 : !map) -> !map
  %3 = tensor.empty() : !small
  %4 = mli.convert ins(%2 : !map) outs(%3 : !small) -> !small
  return %4 : !small
}

// -----

// What writes a buffer has no results that are used, and none to replace. One use of
// a buffer that goes does not make the program smaller.
// ERASE-LABEL: func.func @buffers(
// ERASE-NOT: mli.relu
// ERASE: mli.mov
// OPERAND-LABEL: func.func @buffers(
// OPERAND: mli.relu
// OTHER-LABEL: func.func @buffers(
// OTHER: mli.alloc
// OTHER: mli.relu
!map = memref<4x4x8x!mli.sa8<1:4:0>>
func.func @buffers(%map: !map, %out: !map) {
  %0 = mli.alloc : !map
  mli.relu ins(%map : !map) outs(%0 : !map) {relu = #mli.relu<gen>}
  mli.mov ins(%0 : !map) outs(%out : !map)
  return
}
