// Tiles are computed where they go to, whatever is known of the sizes.
// RUN: mli-opt %s --transform-preload-library=transform-library-paths=%S/../Inputs/tile.mlir \
// RUN:   --transform-interpreter --mli-buffer-pipeline | FileCheck %s

!in = tensor<3x9x5x!mli.fx16<10>>
!out = tensor<3x9x5x!mli.fx16<9>>
!openIn = tensor<?x?x?x!mli.fx16<10>>
!openOut = tensor<?x?x?x!mli.fx16<9>>

// The last dimension is whole; its size is known of what the loops take up.
// CHECK-LABEL: func.func @whole_dimension
// CHECK: scf.for
// CHECK: scf.for
// CHECK: %[[TILE:.+]] = mli.subtensor %{{.+}} : memref<?x?x?x!mli.fx16<9>>
// CHECK-NEXT: mli.convert {{.+}} outs(%[[TILE]] :
// CHECK-NEXT: {{^ *\}$}}
// CHECK-NEXT: {{^ *\}$}}
func.func @whole_dimension(%input: !in) -> !out {
  %source = tensor.cast %input : !in to !openIn
  %empty = tensor.empty() : !out
  %init = tensor.cast %empty : !out to !openOut
  %open = mli.convert ins(%source : !openIn) outs(%init : !openOut)
    {tile = [2, 7]} -> !openOut
  %result = tensor.cast %open : !openOut to !out
  return %result : !out
}
