// Passes that upstream verifies after run only where there is something for
// them: maps of indices, views, and buffers on the heap.
// RUN: split-file %s %t
// RUN: mli-opt %t/plain.mlir --mli-system-pipeline --mlir-print-ir-after-all \
// RUN:   -o %t/plain.out 2>&1 | FileCheck %s --check-prefix=PLAIN
// RUN: mli-opt %t/maps.mlir --mli-system-pipeline --mlir-print-ir-after-all \
// RUN:   -o %t/maps.out 2>&1 | FileCheck %s --check-prefix=MAPS
// RUN: FileCheck %s --check-prefix=WRAPPER < %t/plain.out

// PLAIN-NOT: IR Dump After LowerAffineOps
// PLAIN-NOT: IR Dump After OwnershipBasedBufferDeallocationPass
// PLAIN: IR Dump After FreeHeap
// PLAIN-NOT: IR Dump After LowerAffineOps
// PLAIN: IR Dump After LowerMaps
// PLAIN-NOT: IR Dump After ExpandStridedMetadataPass
// PLAIN: IR Dump After ExpandViews
// MAPS: IR Dump After OwnershipBasedBufferDeallocationPass
// MAPS: IR Dump After FreeHeap
// MAPS: IR Dump After LowerAffineOps
// MAPS: IR Dump After LowerMaps
// MAPS: IR Dump After ExpandStridedMetadataPass
// MAPS: IR Dump After ExpandViews
// WRAPPER: llvm.func @_mlir_ciface_main(

//--- plain.mlir
!map = tensor<4x4x2x!mli.sa8<16384:14:0>>
func.func @main(%input: !map) -> !map {
  %init = tensor.empty() : !map
  %output = mli.relu ins(%input : !map) outs(%init : !map) {relu = #mli.relu<relu1>} -> !map
  return %output : !map
}

//--- maps.mlir
!map = tensor<4x4x2x!mli.sa8<16384:14:0>>
func.func @main(%input: !map, %index: index) -> !map {
  %row = affine.apply affine_map<(d0) -> (d0 * 2)>(%index)
  %rows = tensor.empty(%row) : tensor<?x4x2x!mli.sa8<16384:14:0>>
  %part = tensor.extract_slice %input[%row, 0, 0] [1, 4, 2] [1, 1, 1]
      : !map to tensor<1x4x2x!mli.sa8<16384:14:0>>
  %whole = tensor.insert_slice %part into %rows[%row, 0, 0] [1, 4, 2] [1, 1, 1]
      : tensor<1x4x2x!mli.sa8<16384:14:0>> into tensor<?x4x2x!mli.sa8<16384:14:0>>
  %same = tensor.extract_slice %whole[0, 0, 0] [4, 4, 2] [1, 1, 1]
      : tensor<?x4x2x!mli.sa8<16384:14:0>> to !map
  return %same : !map
}
