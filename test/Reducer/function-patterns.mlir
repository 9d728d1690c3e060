// RUN: mli-reduce %s --split-input-file --mli-reduce-by-patterns='test=%S/Inputs/has test-arg=mli.relu enable-patterns=InlineCall' | FileCheck %s --check-prefix=INLINE
// RUN: mli-reduce %s --split-input-file --mli-reduce-by-patterns='test=%S/Inputs/has test-arg=mli.relu enable-patterns=EraseCaller' | FileCheck %s --check-prefix=CALLER
// RUN: mli-reduce %s --split-input-file --mli-reduce-by-patterns='test=%S/Inputs/has test-arg=call.@ enable-patterns=EraseUnused,DropUnusedArguments' | FileCheck %s --check-prefix=UNUSED

!map = tensor<4x4x8x!mli.sa8<1:4:0>>
// INLINE-NOT: @called
// INLINE: func.func @calls(%[[MAP:.*]]: tensor<4x4x8x{{.*}}>, %{{.*}}: index)
// INLINE: mli.relu ins(%[[MAP]] {{.*}} {relu = #mli.relu<gen>}
// INLINE-NOT: call
// CALLER: func.func @called(
// CALLER-NOT: @calls
// UNUSED: func.func private @called(
// UNUSED: func.func @calls(%{{.*}}: tensor<4x4x8x!mli.sa8<1:4:0>>) ->
func.func private @called(%map: !map) -> !map {
  %0 = tensor.empty() : !map
  %1 = mli.relu ins(%map : !map) outs(%0 : !map) {relu = #mli.relu<gen>} -> !map
  return %1 : !map
}
func.func @calls(%map: !map, %unused: index) -> !map {
  %0 = func.call @called(%map) : (!map) -> !map
  return %0 : !map
}

// -----

// What calls itself, what has no body and what has two blocks is not inlined; nor is
// there a caller to erase of what is only declared.
// INLINE-LABEL: func.func @itself
// INLINE: call @itself
// INLINE: call @declared
// INLINE: call @blocks
// CALLER-LABEL: func.func @itself
// UNUSED-LABEL: func.func @itself
// UNUSED-NOT: @nobody
!map = tensor<4x4x8x!mli.sa8<1:4:0>>
func.func private @declared()
func.func private @blocks() {
  cf.br ^next
^next:
  return
}
func.func @itself(%map: !map) -> !map {
  %0 = tensor.empty() : !map
  %1 = mli.relu ins(%map : !map) outs(%0 : !map) {relu = #mli.relu<gen>} -> !map
  %2 = func.call @itself(%1) : (!map) -> !map
  func.call @declared() : () -> ()
  func.call @blocks() : () -> ()
  return %2 : !map
}
func.func private @nobody() {
  return
}
